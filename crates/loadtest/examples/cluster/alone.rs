//! One node with and without cluster mode: how many commits a second it makes.
//!
//! The program is always a node when its store is PostgreSQL, so this compares the service inside
//! it, without a network: once as its program runs it, as a node that gives signs of life, compares
//! itself with the database and sends hints, and once as the only process on its database. Without
//! websockets there is less to hide behind, so the ratio of whole programs is closer to 1.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use changeset::{Attribute, Changeset, Pool, print_number};
use hints::{ClusterKey, HintOpening, PostgresHints};
use pad::Submission;
use service::{Config, Delivery, JoinRequest, Joined, Service};
use store::{Location, NodeId, NodeReport, Opening, Store};
use system::System;
use tokio::task::JoinSet;

use crate::{Bench, Outcome, processor};

/// Pads, and authors in each. With many pads commits share transactions, with many authors in one
/// pad they share batches.
const SCENES: [(usize, usize); 2] = [(64, 1), (1, 16)];
/// With and without take turns, so that what disturbs one disturbs the other.
const ROUNDS: u32 = 5;
const AIM: f64 = 0.9;

pub(crate) async fn run(bench: &Bench) -> Outcome {
    println!("## One node with and without cluster mode, each author at full speed\n");
    println!(
        "| pads | authors in each | alone, commits/s | as a node | ratio \
         | processor: alone, µs per commit | as a node |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    let connection = bench.connection()?;
    for (pads, authors) in SCENES {
        let mut rounds = Vec::new();
        for round in 0..ROUNDS {
            let name = format!("{pads}-{round}");
            let alone = measure(bench, &connection, None, &name, pads, authors).await?;
            let node = Some(NodeId::new(u64::from(round) + 1));
            let shared = measure(bench, &connection, node, &name, pads, authors).await?;
            rounds.push((alone, shared));
        }
        // The one in the middle.
        rounds.sort_by(|(a, b), (c, d)| (b.rate / a.rate).total_cmp(&(d.rate / c.rate)));
        let Some((alone, shared)) = rounds.get(rounds.len() / 2) else {
            continue;
        };
        println!(
            "| {pads} | {authors} | {:.0} | {:.0} | {:.2} | {:.0} | {:.0} |",
            alone.rate,
            shared.rate,
            shared.rate / alone.rate,
            alone.cost,
            shared.cost,
        );
    }
    println!("\nAim: a ratio of at least {AIM}.");
    Ok(())
}

struct Figures {
    /// Commits a second.
    rate: f64,
    /// Microseconds of processors for each, PostgreSQL's included.
    cost: f64,
}

async fn measure(
    bench: &Bench,
    connection: &str,
    node: Option<NodeId>,
    name: &str,
    pads: usize,
    authors: usize,
) -> Outcome<Figures> {
    let opening = Opening::from(Location::Postgres(connection.to_owned()));
    let store = Store::open(Opening { node, ..opening }).await?;
    let service = Arc::new(Service::new(store, Arc::new(System), Config::default()));
    let mut running = JoinSet::new();
    if let Some(node) = node {
        running.spawn(keep_running(&service, connection, node)?);
    }
    let mut people = Vec::new();
    for number in 0..pads * authors {
        let is_node = node.is_some();
        let request = JoinRequest {
            pad: format!("{name}-{is_node}-{}", number % pads),
            token: Some(format!("t.{number:020}")),
            ..JoinRequest::default()
        };
        let joined = service.join(&request).await;
        people.push(joined.map_err(|error| format!("{error:?}"))?);
    }
    let done = Arc::new(AtomicU64::new(0));
    let own = std::process::id();
    let used = || Outcome::Ok(processor::seconds(own)? + bench.postmaster.seconds(None)?);
    let (before, start) = (used()?, Instant::now());
    let end = start + bench.time / 4;
    let mut writing = JoinSet::new();
    for joined in people {
        writing.spawn(write(joined, end, Arc::clone(&done)));
    }
    while let Some(written) = writing.join_next().await {
        written??;
    }
    let (seconds, used) = (start.elapsed().as_secs_f64(), used()? - before);
    running.shutdown().await;
    // Otherwise the next node would not be alone.
    service.store().leave_cluster(service.now()).await?;
    service.stop().await;
    let done = done.load(Ordering::Relaxed) as f64;
    Ok(Figures {
        rate: done / seconds,
        cost: used * 1e6 / done.max(1.0),
    })
}

/// What makes a service a node.
fn keep_running(
    service: &Arc<Service>,
    connection: &str,
    id: NodeId,
) -> Outcome<impl Future<Output = ()> + Send + 'static> {
    let opening = HintOpening {
        node: id,
        key: ClusterKey::new([7; 32]),
        salt: system::random_bytes(),
    };
    let hints = Arc::new(PostgresHints::start(connection, opening)?);
    let node = service.node(hints).ok_or("not a node")?;
    Ok(async move {
        let never = node.run(NodeReport::default).await;
        match never {}
    })
}

/// Writes one character after another, each when the one before is stored and was delivered.
async fn write(mut joined: Joined, end: Instant, done: Arc<AtomicU64>) -> Outcome {
    let author = joined.member.author().clone();
    let mut pool = Pool::new();
    pool.attribs_of_insert(&[Attribute::new("author", author.as_str())]);
    let mut units = joined.head.document.len();
    while Instant::now() < end {
        let change = format!("Z:{}>1*0+1$x", print_number(units));
        let submission = Submission {
            author: author.clone(),
            base: Some(joined.feed.place()),
            change: Changeset::parse(&change)?,
            pool: pool.clone(),
        };
        let accepted = joined.member.submit(submission).await;
        let accepted = accepted.map_err(|error| format!("{error:?}"))?;
        done.fetch_add(1, Ordering::Relaxed);
        while joined.feed.place() < accepted.rev {
            match joined.feed.next().await {
                Delivery::Revisions(revisions) => {
                    let newest = revisions.last().map(|live| live.revision.change.new_len);
                    units = newest.unwrap_or(units);
                }
                Delivery::Behind | Delivery::Ended(_) => return Err("sent away".into()),
                Delivery::Batch(_) | Delivery::Event(_) | Delivery::Carets(_) => {}
            }
        }
    }
    Ok(())
}
