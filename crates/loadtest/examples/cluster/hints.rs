//! How many hints LISTEN and NOTIFY carry between five nodes, through the channel of the product.
//!
//! Every node sends and listens. First at the pace of 5,000 commits a second, then as fast as the
//! channel takes them. Each hint carries a small revision, as after a commit of somebody typing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use changeset::Changeset;
use hints::{
    ClusterKey, Hint, HintChannel, HintCounts, HintOpening, PostgresHints, ReceivedHint,
    RevisionContent, RevisionHint,
};
use pad::{AuthorId, Rev, Revision, Timestamp};
use store::{NodeId, PadKey};
use tokio::task::JoinSet;
use tokio::time::{interval, sleep};

use crate::{Bench, Outcome};

const NODES: u64 = 5;
const TYPED: &str = "Z:1jk>6|z=1e0*5+6$~0a1b2";
const WANTED: u64 = 5_000;
/// Hints of a node that wait at most: fewer than the channel would drop.
const UNDER_WAY: u64 = 4_096;
const TICK: Duration = Duration::from_millis(2);
/// What is on its way at the end arrives meanwhile.
const SETTLING: Duration = Duration::from_millis(500);

pub(crate) async fn run(bench: &Bench) -> Outcome {
    println!("\n## NOTIFY with {NODES} nodes that send and listen\n");
    println!(
        "| hints/s offered | sent | in one message | MB/s sent | at other nodes p50 | p95 | lost \
         | processor: PostgreSQL, µs per hint |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for rate in [Some(WANTED), None] {
        println!("{}", measure(bench, rate).await?);
    }
    println!("\nA commit is one hint. Aim: {WANTED} commits/s on {NODES} nodes.");
    Ok(())
}

async fn measure(bench: &Bench, rate: Option<u64>) -> Outcome<String> {
    let connection = bench.connection()?;
    let open = |number| {
        let opening = HintOpening {
            node: NodeId::new(number),
            key: ClusterKey::new([7; 32]),
            salt: system::random_bytes(),
        };
        PostgresHints::start(&connection, opening).map(Arc::new)
    };
    let channels: Vec<Arc<PostgresHints>> = (1..=NODES).map(open).collect::<Result<_, _>>()?;
    // Connected, and warm.
    sleep(Duration::from_secs(1)).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let (origin, mut receiving) = (Instant::now(), JoinSet::new());
    for channel in &channels {
        receiving.spawn(receive(Arc::clone(channel), origin, Arc::clone(&is_over)));
    }
    let (before, counts_before) = (bench.postmaster.seconds(None)?, total(&channels));
    let mut sending = JoinSet::new();
    for channel in &channels {
        let share = rate.map(|rate| rate / NODES);
        sending.spawn(send(Arc::clone(channel), origin, bench.time, share));
    }
    while let Some(sent) = sending.join_next().await {
        sent??;
    }
    let seconds = origin.elapsed().as_secs_f64();
    sleep(SETTLING).await;
    let used = bench.postmaster.seconds(None)? - before;
    let counts = total(&channels);
    is_over.store(true, Ordering::Relaxed);
    // Everybody looks up once more.
    channels.iter().for_each(|channel| channel.send(Hint::Look));
    let mut times = Vec::new();
    while let Some(received) = receiving.join_next().await {
        times.extend(received?);
    }
    times.sort_unstable();
    let at = |share: f64| {
        let index = (times.len() as f64 * share) as usize;
        times.get(index).copied().unwrap_or_default() as f64 / 1000.0
    };
    let sent = counts.sent - counts_before.sent;
    let lost = (sent * (NODES - 1)).saturating_sub(times.len() as u64) + counts.dropped;
    let messages = counts.messages_sent - counts_before.messages_sent;
    let bytes = counts.bytes_sent - counts_before.bytes_sent;
    Ok(format!(
        "| {} | {:.0} | {:.1} | {:.2} | {:.1} ms | {:.1} ms | {lost} | {:.1} |",
        rate.map_or("all it takes".to_owned(), |rate| rate.to_string()),
        sent as f64 / seconds,
        sent as f64 / messages.max(1) as f64,
        bytes as f64 / seconds / 1e6,
        at(0.5),
        at(0.95),
        used * 1e6 / sent.max(1) as f64,
    ))
}

fn total(channels: &[Arc<PostgresHints>]) -> HintCounts {
    let mut total = HintCounts::default();
    for counts in channels.iter().map(|channel| channel.counts()) {
        total.sent += counts.sent;
        total.messages_sent += counts.messages_sent;
        total.bytes_sent += counts.bytes_sent;
        total.dropped += counts.dropped;
    }
    total
}

/// Sends so many a second, or as many as fit.
async fn send(
    channel: Arc<PostgresHints>,
    origin: Instant,
    time: Duration,
    rate: Option<u64>,
) -> Outcome {
    let change = Changeset::parse(TYPED)?;
    let sent_before = channel.counts().sent;
    let mut ticks = interval(TICK);
    let mut sent = 0;
    while origin.elapsed() < time {
        ticks.tick().await;
        let due = match rate {
            Some(rate) => (origin.elapsed().as_secs_f64() * rate as f64) as u64,
            None => channel.counts().sent - sent_before + UNDER_WAY,
        };
        while sent < due {
            sent += 1;
            channel.send(hint(&change, sent, origin));
        }
    }
    Ok(())
}

/// A word that somebody typed, with the time since the origin in place of the time of day.
fn hint(change: &Changeset, number: u64, origin: Instant) -> Hint {
    let micros = i64::try_from(origin.elapsed().as_micros()).unwrap_or_default();
    let revision = Revision {
        change: change.clone(),
        author: Some(AuthorId::random(u128::from(number))),
        time: Timestamp(micros),
    };
    let content = RevisionContent {
        revision,
        attributes: Vec::new(),
    };
    Hint::Revision(RevisionHint {
        pad: PadKey(1_000),
        rev: Rev(number),
        content: Some(content),
    })
}

/// The microseconds that hints of other nodes took.
async fn receive(
    channel: Arc<PostgresHints>,
    origin: Instant,
    is_over: Arc<AtomicBool>,
) -> Vec<u64> {
    let mut times = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        for hint in channel.next().await {
            if let ReceivedHint::From(_, Hint::Revision(RevisionHint { content, .. })) = hint
                && let Some(content) = content
            {
                let sent = u64::try_from(content.revision.time.millis()).unwrap_or_default();
                let now = u64::try_from(origin.elapsed().as_micros()).unwrap_or_default();
                times.push(now.saturating_sub(sent));
            }
        }
    }
    times
}
