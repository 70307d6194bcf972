//! What plugins cost, measured by `cargo xtask bench plugins`.
//!
//! `plugin_bench FOLDER PADSVC commit KIND COUNT` makes a pad and that many commits to it, for
//! counting instructions. KIND is `without` for a service that has no host of plugins, `none` for
//! one where nothing is installed, `five` with the plugins of this repository, and `listening` with
//! five that all have the hook `padChanged`.
//!
//! `plugin_bench FOLDER PADSVC pace` commits to several pads as fast as it goes, in turns without a
//! plugin and with one whose `padChanged` is slow. `plugin_bench FOLDER PADSVC start` starts the
//! program with five plugins and without. `plugin_bench FOLDER PADSVC memory` looks at their
//! workers, and waits until these have ended because nothing is left to do.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_types
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use plugin::Package;
use plugins::{CatalogueSource, Consent, Manager, Plugins, Registry};
use service::changeset::{Attribute, Document, Pool, Text, splice};
use service::pad::{PadId, Rev, Submission, Timestamp};
use service::{Config, Delivery, Environment, Hooks, JoinRequest, Joined, Service};
use store::{Location, Store};

const USAGE: &str = "usage: plugin_bench FOLDER PADSVC commit KIND COUNT|pace|start|memory";
const UNITS: usize = 10_000;
const LISTENERS: usize = 5;

/// For the paces.
const PADS: usize = 8;
const ROUNDS: usize = 6;
const COMMITS_IN_ROUND: usize = 250;

const STARTS: usize = 9;
/// Longer than a worker stays without anything to do.
const UNTIL_IDLE: Duration = Duration::from_secs(70);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Of the five plugins, those that have something to do.
const WORKERS: usize = 4;

/// Nothing here depends on the time of day.
#[derive(Default)]
struct Counter(AtomicU64);

impl Environment for Counter {
    fn now(&self) -> Timestamp {
        Timestamp(1_700_000_000_000 + self.0.fetch_add(1, Ordering::Relaxed) as i64)
    }

    fn entropy(&self) -> u128 {
        let count = u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1;
        count.wrapping_mul(0x2545_f491_4f6c_dd1d_9e37_79b9_7f4a_7c15)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [folder, program, rest @ ..] = arguments.as_slice() else {
        panic!("{USAGE}");
    };
    let (folder, program) = (Path::new(folder), Path::new(program));
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).unwrap();
    match rest {
        ["commit", kind, count] => {
            let bench = Bench::open(folder, program, kind, 1).await;
            let mut pads = bench.join().await;
            pads[0].commit(count.parse().unwrap()).await;
            bench.stop().await;
        }
        ["pace"] => pace(folder, program).await,
        ["start"] => starts(folder, program),
        ["memory"] => memory_of_workers(folder, program),
        _ => panic!("{USAGE}"),
    }
}

/// A service, with plugins or without.
struct Bench {
    service: Arc<Service>,
    host: Option<Arc<Plugins>>,
    pads: usize,
}

impl Bench {
    async fn open(folder: &Path, program: &Path, kind: &str, pads: usize) -> Bench {
        let store = Store::open(Location::Embedded(folder.join(format!("{kind}.db"))));
        let store = store.await.unwrap();
        let host = match kind {
            "without" => None,
            _ => {
                let registry = Registry::open(store.clone()).await.unwrap();
                install(&registry, &packages(kind)).await;
                Some(Plugins::new(registry, program.to_owned()))
            }
        };
        let hooks = host.clone().map(|host| -> Arc<dyn Hooks> { host });
        let environment = Arc::new(Counter::default());
        let service = Service::with_hooks(store, environment, Config::default(), hooks);
        let service = Arc::new(service);
        if let Some(host) = &host {
            host.attach(&service);
        }
        let bench = Bench {
            service,
            host,
            pads,
        };
        for number in 0..pads {
            let mut text = "Words, and after them a few more, in lines.\n".repeat(UNITS / 44 + 1);
            text.truncate(UNITS - 1);
            let pad = PadId::for_new(&name(number)).unwrap();
            let text = Some(Text::from(text.as_str()));
            bench.service.create_pad(&pad, text, None).await.unwrap();
        }
        bench
    }

    async fn join(&self) -> Vec<Writer> {
        let mut writers = Vec::new();
        for number in 0..self.pads {
            let request = JoinRequest {
                pad: name(number),
                token: Some(format!("t.{number:020}")),
                ..JoinRequest::default()
            };
            let joined = self.service.join(&request).await;
            let joined = joined.unwrap_or_else(|error| panic!("{error:?}"));
            writers.push(Writer {
                document: joined.head.document.clone(),
                rev: joined.head.rev.unwrap(),
                joined,
                number: 0,
            });
        }
        writers
    }

    async fn stop(self) {
        if let Some(host) = self.host {
            host.stop().await;
        }
        self.service.stop().await;
    }
}

fn name(number: usize) -> String {
    format!("notes{number}")
}

/// Somebody in a pad, with the text as it is there.
struct Writer {
    joined: Joined,
    document: Document,
    rev: Rev,
    number: usize,
}

impl Writer {
    /// One character comes or goes each time, so that the length stays about the same.
    async fn commit(&mut self, count: usize) {
        for _ in 0..count {
            let author = self.joined.member.author().clone();
            let mut pool = Pool::new();
            let attribs = pool.attribs_of_insert(&[Attribute::new("author", author.as_str())]);
            let at = self.number * 7919 % (self.document.len() - 1);
            let change = match self.number.is_multiple_of(2) {
                true => splice(&self.document, at, 0, &Text::from("x"), &attribs),
                false => splice(&self.document, at, 1, &[], &attribs),
            };
            self.number += 1;
            self.document = self.document.apply(&change, &pool).unwrap();
            let submission = Submission {
                author,
                base: Some(self.rev),
                change,
                pool,
            };
            self.rev = self.joined.member.submit(submission).await.unwrap().rev;
            while self.joined.feed.place() < self.rev {
                if let Delivery::Ended(ending) = self.joined.feed.next().await {
                    panic!("{ending:?}");
                }
            }
        }
    }
}

fn packages(kind: &str) -> Vec<Package> {
    match kind {
        "five" => own_folders().iter().map(|it| read_package(it)).collect(),
        "listening" => (0..LISTENERS).map(|it| listener(it, "")).collect(),
        // 50 ms of work for each call, which a processor of any speed takes.
        "slow" => vec![listener(
            0,
            "const end = 5e6; for (let i = 0; i < end; i++) sum += i;",
        )],
        _ => Vec::new(),
    }
}

fn listener(number: usize, work: &str) -> Package {
    let manifest = serde_json::json!({
        "name": format!("listener-{number}"), "version": "1.0.0", "interface": "^1",
        "title": "Listener", "description": "Listens.",
        "permissions": ["pads:read"], "hooks": ["padChanged"],
    });
    let script = format!("let sum = 0; padsvc.on('padChanged', () => {{ {work} }});");
    let files = [("plugin.json", manifest.to_string()), ("server.js", script)];
    let files = files.map(|(name, text)| (name.to_owned(), text.into_bytes()));
    Package::from_files(BTreeMap::from(files)).unwrap()
}

fn own_folders() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    folders
}

fn read_package(folder: &Path) -> Package {
    let mut files = BTreeMap::new();
    read_folder(folder, "", &mut files);
    Package::from_files(files).unwrap()
}

fn read_folder(folder: &Path, below: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        match path.is_dir() {
            true => read_folder(&path, &format!("{below}{name}/"), files),
            false => drop(files.insert(format!("{below}{name}"), std::fs::read(&path).unwrap())),
        }
    }
}

async fn install(registry: &Arc<Registry>, packages: &[Package]) {
    let manager = Manager::new(Arc::clone(registry), CatalogueSource::default());
    for package in packages {
        let archive = package.pack().unwrap();
        let consent = Consent {
            sha256: plugin::package::sha256(&archive),
            granted: package.manifest().permissions.clone(),
            browsers: true,
        };
        let installed = manager.install(&archive, &consent, Timestamp(1)).await;
        installed.unwrap();
    }
}

async fn pace(folder: &Path, program: &Path) {
    let benches = [
        Bench::open(folder, program, "none", PADS).await,
        Bench::open(folder, program, "slow", PADS).await,
    ];
    let mut writers = [benches[0].join().await, benches[1].join().await];
    let mut took = [Duration::ZERO; 2];
    // The first round is to warm up.
    for round in 0..=ROUNDS {
        for (writers, took) in writers.iter_mut().zip(&mut took) {
            let begun = Instant::now();
            let commits = writers.iter_mut().map(|it| it.commit(COMMITS_IN_ROUND));
            join_all(commits).await;
            *took += if round == 0 {
                Duration::ZERO
            } else {
                begun.elapsed()
            };
        }
    }
    let commits = (ROUNDS * PADS * COMMITS_IN_ROUND) as f64;
    let [without, with] = took.map(|took| commits / took.as_secs_f64());
    let name = "listener-0".parse().unwrap();
    let health = benches[1].host.as_ref().and_then(|it| it.health(&name));
    let health = health.unwrap();
    let calls = health.hooks.get("padChanged").map_or(0, |hook| hook.calls);
    let made = (ROUNDS + 1) * PADS * COMMITS_IN_ROUND;
    println!("\n| commits a second | |\n|---|---:|");
    println!("| nothing is installed | {without:.0} |");
    println!("| a plugin with a slow `padChanged` | {with:.0} |");
    println!(
        "| the second, of the first | {:.1} % |",
        100.0 * with / without
    );
    println!(
        "| commits that the plugin learned of in one call | {} |",
        made as u64 / calls.max(1)
    );
    println!("| notices that found no room | {} |", health.dropped);
    drop(writers);
    for bench in benches {
        bench.stop().await;
    }
}

/// The program itself, in a folder of its own.
struct Program {
    child: Child,
    address: String,
}

impl Program {
    /// Started, and how long it took until it answered.
    fn start(folder: &Path, program: &Path) -> (Program, Duration) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let settings = format!(
            r#"{{"ip": "127.0.0.1", "port": {}, "privacy": {{"updateCheck": false}}}}"#,
            address.port()
        );
        std::fs::write(folder.join("settings.json"), settings).unwrap();
        let begun = Instant::now();
        let child = Command::new(program)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let program = Program {
            child,
            address: address.to_string(),
        };
        while program.get("/health").is_none_or(|status| status != 200) {
            assert!(begun.elapsed() < LONGEST_WAIT, "the program does not start");
            std::thread::sleep(Duration::from_millis(1));
        }
        (program, begun.elapsed())
    }

    fn get(&self, path: &str) -> Option<u16> {
        self.send(&format!("GET {path}"), "")
    }

    fn send(&self, what: &str, body: &str) -> Option<u16> {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(&self.address).ok()?;
        let length = body.len();
        let request = format!(
            "{what} HTTP/1.1\r\nhost: pads\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        let head = String::from_utf8_lossy(&answer).into_owned();
        head.split(' ').nth(1)?.parse().ok()
    }

    /// The processes of its workers.
    fn workers(&self) -> Vec<u32> {
        let id = self.child.id();
        let mut found = Vec::new();
        // A child belongs to the thread that has started it.
        for task in std::fs::read_dir(format!("/proc/{id}/task")).unwrap() {
            let children = task.unwrap().path().join("children");
            let text = std::fs::read_to_string(children).unwrap_or_default();
            let ids = text.split_whitespace().map(|it| it.parse::<u32>());
            found.extend(ids.filter_map(Result::ok));
        }
        found
    }

    fn stop(mut self) {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        self.child.wait().unwrap();
    }
}

/// Megabytes of a process: what no other process has, and pages of the program's file, which the
/// service and all workers have in common. A worker lets nobody look closer.
fn memory(process: u32) -> Option<[f64; 2]> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let of = |name: &str| {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kilobytes: f64 = rest.trim().trim_end_matches(" kB").parse().ok()?;
        Some(kilobytes / 1024.0)
    };
    Some([of("RssAnon:")?, of("RssFile:")?])
}

fn plugins_command(folder: &Path, program: &Path, arguments: &[&str]) {
    let mut command = Command::new(program);
    command.arg("plugins").args(arguments).current_dir(folder);
    assert!(
        command.stdout(Stdio::null()).status().unwrap().success(),
        "{arguments:?}"
    );
}

/// A folder in which the program has run once, and one that has the five plugins as well.
fn folders(folder: &Path, program: &Path) -> [PathBuf; 2] {
    let folders = ["none", "five"].map(|name| folder.join(name));
    for folder in &folders {
        std::fs::create_dir(folder).unwrap();
        Program::start(folder, program).0.stop();
    }
    for plugin in own_folders() {
        let path = plugin.to_str().unwrap();
        let arguments = ["install", path, "--grant-all", "--browsers"];
        plugins_command(&folders[1], program, &arguments);
    }
    folders
}

fn starts(folder: &Path, program: &Path) {
    let program = program.canonicalize().unwrap();
    let folders = folders(folder, &program);
    // In turns, because a machine is never as fast as it was a minute ago.
    let mut starts = [Vec::new(), Vec::new()];
    for _ in 0..STARTS {
        for (folder, starts) in folders.iter().zip(&mut starts) {
            let (program, took) = Program::start(folder, &program);
            starts.push(took);
            program.stop();
        }
    }
    let [none, five] = starts.map(|mut starts| {
        starts.sort();
        starts[STARTS / 2].as_secs_f64() * 1000.0
    });
    println!("\n| start, median of {STARTS}, until `/health` answers | ms |\n|---|---:|");
    println!("| without plugins | {none:.0} |\n| with five plugins | {five:.0} |");
    println!("| more with five plugins | {:.0} |", five - none);
}

/// The expiry runs after each start; these start the workers of three others. Those who moderate
/// have nothing to do where nobody talks.
fn wake_workers(program: &Program, folder: &Path) {
    let key = std::fs::read_to_string(folder.join("APIKEY.txt")).unwrap();
    let key = key.trim();
    program.get(&format!("/api/1.3.0/createPad?apikey={key}&padID=notes"));
    program.get(&format!(
        "/api/1.3.0/statistics.authorship?apikey={key}&padID=notes"
    ));
    program.get("/plugins/feed/atom?pad=notes");
    let message = r#"{"padId": "notes", "data": {}}"#;
    program.send("POST /plugins/writing-goal/message", message);
}

fn memory_of_workers(folder: &Path, program: &Path) {
    let program = program.canonicalize().unwrap();
    let [_, folder] = folders(folder, &program);
    let (running, _) = Program::start(&folder, &program);
    wake_workers(&running, &folder);
    let begun = Instant::now();
    while running.workers().len() < WORKERS && begun.elapsed() < LONGEST_WAIT {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_secs(2));
    let workers = running.workers();
    let mut found: Vec<[f64; 2]> = workers.into_iter().filter_map(memory).collect();
    assert_eq!(found.len(), WORKERS, "not all workers run");
    found.sort_by(|one, other| one[0].total_cmp(&other[0]));
    println!("\n| workers | MB of its own | MB of the program's file |\n|---|---:|---:|");
    let row = |name: &str, [own, file]: [f64; 2]| println!("| {name} | {own:.1} | {file:.1} |");
    row(&format!("the smallest of {WORKERS} that run"), found[0]);
    row("the largest", found[WORKERS - 1]);
    std::thread::sleep(UNTIL_IDLE);
    let left = running.workers();
    let left: Vec<[f64; 2]> = left.into_iter().filter_map(memory).collect();
    let sum = |at: usize| left.iter().fold(0.0, |sum, it| sum + it[at]);
    row("all, after a minute without work", [sum(0), sum(1)]);
    running.stop();
}
