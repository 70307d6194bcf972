//! Durable commits a second, with 1, 16 and 256 pads that are written at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pad::{Head, PadId, Step};
use store::{Appended, NewPad, PadKey, Store};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::bare::Bare;
use crate::trace::Typist;
use crate::{Outcome, Place};

/// Ours and the bare loop take turns, so that what disturbs one disturbs the other.
const ROUNDS: usize = 3;

pub(crate) async fn run(place: &Place, seconds: u64) -> Outcome {
    let store = place.open().await?;
    let time = Duration::from_secs(seconds);
    println!("| pads | store, commits/s | bare loop, commits/s | store of bare |");
    println!("|---:|---:|---:|---:|");
    for pads in [1, 16, 256] {
        let (mut ours, mut bare) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            ours.push(store_commits(&store, round, pads, time).await?);
            bare.push(bare_commits(place, round, pads, time).await?);
        }
        let mut ratios: Vec<f64> = ours.iter().zip(&bare).map(|(a, b)| a / b).collect();
        let [ours, bare, ratio] =
            [&mut ours, &mut bare, &mut ratios].map(|numbers| median(numbers));
        println!(
            "| {pads} | {ours:.0} | {bare:.0} | {:.0} % |",
            ratio * 100.0
        );
    }
    store.close().await;
    Ok(())
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}

/// A pad and what will be typed into it. Made before the clock starts.
struct Script {
    key: PadKey,
    steps: Vec<(Head, Step)>,
}

async fn scripts(store: &Store, round: usize, pads: u64, length: usize) -> Outcome<Vec<Script>> {
    let mut scripts = Vec::new();
    for number in 0..pads {
        let mut typist = Typist::new(number, 100_000);
        let step = typist.start(2_000)?;
        let name = format!("round {round} of {pads}, pad {number}");
        let id = PadId::parse(&name).ok_or("a name is wrong")?;
        let new = NewPad {
            id: &id,
            step: &step,
            deletion: None,
            public: false,
            settings: None,
        };
        let key = store.create_pad(new).await?.ok_or("a name is taken")?;
        let mut steps = Vec::new();
        while steps.len() < length {
            let before = typist.head().clone();
            let step = typist.next()?;
            if !step.revisions.is_empty() {
                steps.push((before, step));
            }
        }
        scripts.push(Script { key, steps });
    }
    Ok(scripts)
}

async fn store_commits(store: &Store, round: usize, pads: u64, time: Duration) -> Outcome<f64> {
    // More than any machine can do in the time.
    let length = (time.as_secs() as usize * 60_000 / pads as usize).clamp(500, 40_000);
    let scripts = scripts(store, round, pads, length).await?;
    let (done, start) = (Arc::new(AtomicU64::new(0)), Instant::now());
    let mut tasks = JoinSet::new();
    for script in scripts {
        let (store, done) = (store.clone(), Arc::clone(&done));
        tasks.spawn(async move {
            for (before, step) in &script.steps {
                if start.elapsed() >= time {
                    break;
                }
                if store.append(script.key, before, step).await? != Appended::Done {
                    return Err("somebody else wrote".into());
                }
                done.fetch_add(1, Ordering::Relaxed);
            }
            Outcome::Ok(())
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    Ok(done.load(Ordering::Relaxed) as f64 / start.elapsed().as_secs_f64())
}

async fn bare_commits(place: &Place, round: usize, pads: u64, time: Duration) -> Outcome<f64> {
    let bare = Bare::start(place, round, pads as i64)?;
    let (done, start) = (Arc::new(AtomicU64::new(0)), Instant::now());
    let mut tasks = JoinSet::new();
    for pad in 0..pads as i64 {
        let (jobs, done) = (bare.jobs.clone(), Arc::clone(&done));
        tasks.spawn(async move {
            let mut rev = 0;
            while start.elapsed() < time {
                let (reply, answer) = oneshot::channel();
                jobs.send((pad, rev, reply)).await?;
                answer.await?;
                done.fetch_add(1, Ordering::Relaxed);
                rev += 1;
            }
            Outcome::Ok(())
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    Ok(done.load(Ordering::Relaxed) as f64 / start.elapsed().as_secs_f64())
}
