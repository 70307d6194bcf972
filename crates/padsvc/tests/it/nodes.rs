//! Several nodes on one PostgreSQL behind HAProxy, and what can go wrong with them while people
//! type.
//!
//! In all of these tests every acknowledged word is in its pad exactly once, all nodes give the
//! same text, and every editor sees it too. `PADSVC_SOAK` makes the faults go on for ten minutes.

mod balancer;
mod cut;
mod editor;
mod link;
mod pause;
mod site;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use store::Location;

use crate::cluster::Cluster;
use balancer::Kind;
use cut::Cable;
use editor::Editor;
use link::Transport;
use pause::Pause;
use site::{Site, until};

const NODES: usize = 3;

/// No editor may wait longer for an acknowledgement. A pause is made of noticing that the
/// connection is gone, connecting to a node that the balancer takes for alive, and catching up.
/// The aim is 3 s. Two cores with other work took 0.4 s and 1.4 s when nodes were killed, and much
/// more when they had more to do: that depends on the machine, so this limit does not measure it.
/// It only tells what goes on from what does not.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How long faults go on.
fn duration() -> Duration {
    let is_soak = std::env::var_os("PADSVC_SOAK").is_some();
    Duration::from_secs(if is_soak { 600 } else { 60 })
}

fn connection(location: &Location) -> String {
    match location {
        Location::Postgres(connection) => connection.clone(),
        other => panic!("{other:?}"),
    }
}

/// Who types where: some in one pad, some in pairs.
fn people(in_one: usize, in_pairs: usize) -> Vec<String> {
    let one = (0..in_one).map(|_| "one".to_owned());
    let pairs = (0..in_pairs).map(|number| format!("pair-{}", number / 2));
    one.chain(pairs).collect()
}

/// How many words everybody has written.
struct Progress(Vec<AtomicUsize>);

impl Progress {
    /// Waits until everybody has written another word.
    fn until_all_write(&self) {
        let counts = || self.0.iter().map(|count| count.load(Ordering::Relaxed));
        let before: Vec<usize> = counts().collect();
        until("everybody writes", || {
            counts().zip(&before).all(|(now, before)| now > *before)
        });
    }
}

/// Lets people type for as long as something goes wrong, and then checks everything.
#[expect(clippy::print_stdout, reason = "the longest pause is a result")]
fn type_while(
    site: &mut Site,
    pads: &[String],
    transport: Transport,
    interval: Duration,
    trouble: impl FnOnce(&mut Site, &Progress),
) {
    /// Also when something fails.
    struct End<'a>(&'a AtomicBool);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let is_over = AtomicBool::new(false);
    let progress = Progress(pads.iter().map(|_| AtomicUsize::new(0)).collect());
    let address = site.address.clone();
    let write = |number: usize, pad: &str| {
        let mut editor = Editor::new(number, &address, pad, transport);
        let mut due = Instant::now();
        while !is_over.load(Ordering::Relaxed) {
            editor.write();
            progress.0[number].fetch_add(1, Ordering::Relaxed);
            due = (due + interval).max(Instant::now());
            std::thread::sleep(due - Instant::now());
        }
        // Those who were away come back and type once more.
        editor.write();
        editor
    };
    let mut editors: Vec<Editor> = std::thread::scope(|scope| {
        let (end, write) = (End(&is_over), &write);
        let editors: Vec<_> = pads
            .iter()
            .enumerate()
            .map(|(number, pad)| scope.spawn(move || write(number, pad)))
            .collect();
        progress.until_all_write();
        trouble(site, &progress);
        drop(end);
        editors.into_iter().map(|one| one.join().unwrap()).collect()
    });
    site.verify(&mut editors);
    let longest = editors.iter().map(|editor| editor.longest);
    let longest = longest.max_by_key(Pause::length).unwrap();
    let words: usize = editors.iter().map(|one| one.acknowledged.len()).sum();
    let reconnects: usize = editors.iter().map(|editor| editor.reconnects).sum();
    println!(
        "{} editors, {words} words, {reconnects} reconnects, longest pause {longest}",
        editors.len(),
    );
    assert!(longest.length() < LONGEST_PAUSE, "{longest}");
}

/// Something happens again and again, every so often.
fn every(period: Duration, mut act: impl FnMut(usize)) {
    let begun = Instant::now();
    for count in 0.. {
        // What is tested is a fault at that rate, so this waits for nothing but time.
        std::thread::sleep(period);
        if begun.elapsed() >= duration() {
            return;
        }
        act(count);
    }
}

fn site(name: &str, kind: Kind) -> Option<Site> {
    let connection = connection(&Cluster::shared()?.database());
    Some(Site::start(name, kind, &vec![connection; NODES]))
}

#[test]
fn nodes_are_killed_while_people_type() {
    let Some(mut site) = site("nodes_killed", Kind::Haproxy) else {
        return;
    };
    let interval = Duration::from_secs(3);
    type_while(
        &mut site,
        &people(60, 60),
        Transport::Websocket,
        interval,
        |site, _| {
            every(Duration::from_secs(5), |count| {
                let count = count % site.nodes.len();
                let node = &mut site.nodes[count];
                node.kill();
                node.start();
            });
        },
    );
    site.stop();
}

/// A node at a time, as an operator upgrades them: it stops accepting, sends its members away and
/// ends by itself.
#[test]
fn nodes_are_restarted_one_after_the_other() {
    let Some(mut site) = site("nodes_rolling", Kind::Haproxy) else {
        return;
    };
    let interval = Duration::from_secs(1);
    type_while(
        &mut site,
        &people(20, 20),
        Transport::Websocket,
        interval,
        |site, progress| {
            for _ in 0..2 {
                for number in 0..NODES {
                    let node = &mut site.nodes[number];
                    node.terminate();
                    node.start();
                    until("the node is ready", || node.status("/health/ready") == 200);
                    progress.until_all_write();
                }
            }
        },
    );
    site.stop();
}

/// nginx learns from failed requests which nodes are there.
#[test]
fn nodes_behind_nginx_are_killed() {
    let Some(mut site) = site("nodes_nginx", Kind::Nginx) else {
        return;
    };
    let interval = Duration::from_secs(1);
    let pads = people(10, 10);
    type_while(
        &mut site,
        &pads,
        Transport::Websocket,
        interval,
        |site, progress| {
            for number in 0..NODES {
                site.nodes[number].kill();
                progress.until_all_write();
                site.nodes[number].start();
                progress.until_all_write();
            }
        },
    );
    site.stop();
}

/// Each request of a client that only polls reaches another node.
#[test]
fn clients_that_poll_need_no_stickiness() {
    let Some(mut site) = site("nodes_polling", Kind::Haproxy) else {
        return;
    };
    let interval = Duration::from_secs(2);
    type_while(
        &mut site,
        &people(10, 10),
        Transport::Polling,
        interval,
        |site, progress| {
            for number in 0..NODES {
                let node = &mut site.nodes[number];
                node.kill();
                node.start();
                until("the node is ready", || node.status("/health/ready") == 200);
                progress.until_all_write();
            }
        },
    );
    site.stop();
}

/// Connections of the hints are cut again and again, and others send what looks like hints. Doubled
/// and reordered ones are the business of the simulation in `service`.
#[test]
fn hints_are_lost_and_forged() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let connection = connection(&cluster.database());
    let name = connection.rsplit('=').next().unwrap();
    let mut site = Site::start(
        "nodes_hints",
        Kind::Haproxy,
        &vec![connection.clone(); NODES],
    );
    let interval = Duration::from_millis(500);
    type_while(
        &mut site,
        &people(10, 10),
        Transport::Websocket,
        interval,
        |_, progress| {
            for _ in 0..15 {
                cluster.execute(
                    name,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE application_name = 'padsvc hints' AND datname = current_database();
                 SELECT pg_notify('padsvc_hints', repeat('A', number * 100))
                 FROM generate_series(1, 50) AS all_of(number)",
                );
                progress.until_all_write();
            }
        },
    );
    site.stop();
}

/// One node does not reach its database for ten seconds, and is not told so.
#[test]
fn the_path_to_the_database_is_cut() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let connection = connection(&cluster.database());
    let name = connection.rsplit('=').next().unwrap();
    let (folder, number) = cluster.socket();
    let cable = Cable::to(&folder.join(format!(".s.PGSQL.{number}")));
    let cut_off = format!(
        "host=127.0.0.1 port={} user=padsvc dbname={name}",
        cable.port
    );
    let connections = [cut_off, connection.clone(), connection.clone()];
    let mut site = Site::start("nodes_cut", Kind::Haproxy, &connections);
    let interval = Duration::from_secs(1);
    type_while(
        &mut site,
        &people(15, 16),
        Transport::Websocket,
        interval,
        |site, progress| {
            for _ in 0..2 {
                cable.cut();
                // As long as the test keeps the path cut.
                std::thread::sleep(Duration::from_secs(10));
                assert_eq!(site.nodes[0].status("/health/ready"), 503);
                cable.repair();
                progress.until_all_write();
            }
        },
    );
    site.stop();
}

/// The server ends without a warning, and the one that has copied it takes over.
#[test]
fn a_standby_is_promoted() {
    let Some(first) = Cluster::wanted() else {
        return;
    };
    let connection = connection(&first.database());
    let name = connection.rsplit('=').next().unwrap();
    let second = first.standby();
    let [(one, port), (other, _)] = [&first, &second].map(Cluster::socket);
    let connection = format!(
        "host='{},{}' port={port} user=padsvc dbname={name} target_session_attrs=read-write",
        one.display(),
        other.display()
    );
    let mut site = Site::start("nodes_standby", Kind::Haproxy, &vec![connection; NODES]);
    let interval = Duration::from_secs(1);
    type_while(
        &mut site,
        &people(15, 16),
        Transport::Websocket,
        interval,
        |_, progress| {
            first.crash();
            second.promote();
            progress.until_all_write();
            progress.until_all_write();
        },
    );
    site.stop();
}
