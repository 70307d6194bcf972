//! An observer of the nodes and of PostgreSQL while people type: processor time, waits for locks,
//! and batches that were planned again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use postgres::{Client, NoTls};

use crate::Outcome;
use crate::processor::{self, Postmaster};

const INTERVAL: Duration = Duration::from_millis(100);

pub(crate) struct Observer {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Outcome<Vec<Sample>>>,
}

#[derive(Clone, Copy)]
struct Sample {
    time: Instant,
    nodes: f64,
    postgres: f64,
    /// Transactions that wait for a row, and those that wait for the lock of NOTIFY.
    row_waits: i64,
    notify_waits: i64,
    batches: i64,
    replans: i64,
}

/// What happened in a stretch of time.
#[derive(Clone, Copy, Default)]
pub(crate) struct Observation {
    /// Seconds of processors.
    pub nodes: f64,
    pub postgres: f64,
    /// Seconds that transactions have waited, all together.
    pub row_waits: f64,
    pub notify_waits: f64,
    pub batches: f64,
    pub replans: f64,
}

impl Observer {
    pub(crate) fn start(connection: &str, postmaster: Postmaster, nodes: Vec<u32>) -> Observer {
        let is_over = Arc::new(AtomicBool::new(false));
        let (connection, flag) = (connection.to_owned(), Arc::clone(&is_over));
        let observe = move || {
            let mut client = Client::connect(&connection, NoTls)?;
            let own = client.query_one("SELECT pg_backend_pid()", &[])?;
            let own = u32::try_from(own.try_get::<_, i32>(0)?)?;
            let mut samples = Vec::new();
            while !flag.load(Ordering::Relaxed) {
                samples.push(sample(&mut client, postmaster, own, &nodes)?);
                sleep(INTERVAL);
            }
            Ok(samples)
        };
        Observer {
            is_over,
            thread: spawn(observe),
        }
    }

    /// What happened from a time on, for so long.
    pub(crate) fn end(self, began: Instant, duration: Duration) -> Outcome<Observation> {
        self.is_over.store(true, Ordering::Relaxed);
        let samples = self.thread.join().map_err(|_| "the observer failed")??;
        let within: Vec<Sample> = samples
            .into_iter()
            .filter(|sample| (began..=began + duration).contains(&sample.time))
            .collect();
        let (Some(first), Some(last)) = (within.first(), within.last()) else {
            return Err("too short to be observed".into());
        };
        // Scaled to the whole, of which the samples miss a little at both ends.
        let seen = (last.time - first.time).as_secs_f64().max(0.001);
        let scale = duration.as_secs_f64() / seen;
        let waits = |waiting: fn(&Sample) -> i64| {
            let sum: i64 = within.iter().map(waiting).sum();
            sum as f64 / within.len() as f64 * duration.as_secs_f64()
        };
        Ok(Observation {
            nodes: (last.nodes - first.nodes) * scale,
            postgres: (last.postgres - first.postgres) * scale,
            row_waits: waits(|sample| sample.row_waits),
            notify_waits: waits(|sample| sample.notify_waits),
            batches: (last.batches - first.batches) as f64 * scale,
            replans: (last.replans - first.replans) as f64 * scale,
        })
    }
}

fn sample(client: &mut Client, postmaster: Postmaster, own: u32, nodes: &[u32]) -> Outcome<Sample> {
    // The nodes say with every sign of life, once a second, what they have done.
    let row = client.query_one(
        "SELECT count(*) FILTER (WHERE wait_event IN ('transactionid', 'tuple')),
             count(*) FILTER (WHERE wait_event = 'object'),
             (SELECT COALESCE(sum(commits), 0)::BIGINT FROM nodes),
             (SELECT COALESCE(sum(replans), 0)::BIGINT FROM nodes)
         FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
        &[],
    )?;
    let used: Outcome<Vec<f64>> = nodes.iter().map(|pid| processor::seconds(*pid)).collect();
    Ok(Sample {
        time: Instant::now(),
        nodes: used?.iter().sum(),
        postgres: postmaster.seconds(Some(own))?,
        row_waits: row.try_get(0)?,
        notify_waits: row.try_get(1)?,
        batches: row.try_get(2)?,
        replans: row.try_get(3)?,
    })
}
