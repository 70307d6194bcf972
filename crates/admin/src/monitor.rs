//! Monitor: measures the service every ten seconds, keeps the last day in memory and writes each
//! hour to the store.
//!
//! In a cluster each node measures itself and writes a row of its own; who reads adds them up. An
//! hour is written every five minutes, so that a crash loses no more than that.

mod weights;

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use series::{Chart, Counters, Gauges, Growth, Latencies, Ring, Sampler, Span, Totals};
use series::{HOUR_MILLIS, KEPT_HOURS, STEP_MILLIS, growth};
use service::Service;
use system::disk::{self, DiskSpace};
use telemetry::metrics::{Asked, METRICS, memory_bytes};
use tokio::time::MissedTickBehavior;
use tracing::warn;

use crate::latency::buckets;
use weights::Weigher;

/// How many steps there are between two writes of the hour, and two looks at how much is stored.
const WRITE_STEPS: u64 = 30;
const SIZE_STEPS: u64 = 6;

/// Growth is measured over so many hours.
pub(crate) const GROWTH_HOURS: i64 = 30 * 24;

pub struct Monitor {
    service: Arc<Service>,
    /// The folder of the data. `None`: it is not on a disk of this machine.
    folder: Option<PathBuf>,
    measured: Mutex<Measured>,
    pub(crate) weigher: Weigher,
}

struct Measured {
    sampler: Sampler,
    ring: Ring,
    /// The hour under way, since 1970, and what was measured in it.
    hour: Option<(i64, Totals)>,
    steps: u64,
    storage: Option<u64>,
}

impl Monitor {
    pub fn new(service: &Arc<Service>, folder: Option<PathBuf>) -> Arc<Monitor> {
        let sampler = Sampler::new(counters(service));
        Arc::new(Monitor {
            service: Arc::clone(service),
            folder,
            measured: Mutex::new(Measured {
                sampler,
                ring: Ring::default(),
                hour: None,
                steps: 0,
                storage: None,
            }),
            weigher: Weigher::default(),
        })
    }

    /// Measures until it is dropped.
    pub async fn run(&self) -> Infallible {
        tokio::select! {
            never = self.sample() => never,
            never = self.weigher.run(&self.service) => never,
        }
    }

    async fn sample(&self) -> Infallible {
        self.resume().await;
        let step = Duration::from_millis(STEP_MILLIS.unsigned_abs());
        let mut ticks = tokio::time::interval(step);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.measure().await;
        }
    }

    /// Goes on with the hour that an earlier start of this node has begun.
    async fn resume(&self) {
        let hour = self.service.now().millis().div_euclid(HOUR_MILLIS);
        let stored = self.service.store().series_hours(hour).await;
        let own = stored
            .into_iter()
            .flatten()
            .find(|(of, own, _)| *own && *of == hour);
        let totals = own.and_then(|(_, _, text)| Totals::from_json(&text));
        self.lock().hour = totals.map(|totals| (hour, totals));
    }

    /// One step.
    pub(crate) async fn measure(&self) {
        let store = self.service.store();
        let sized = if self.lock().steps.is_multiple_of(SIZE_STEPS) {
            store.size().await.ok()
        } else {
            None
        };
        let now = self.service.now().millis();
        let due = {
            let mut measured = self.lock();
            measured.storage = sized.or(measured.storage);
            let gauges = self.gauges(measured.storage);
            let step = measured.sampler.step(now, gauges, counters(&self.service));
            measured.ring.push(step);
            measured.steps += 1;
            measured.count(now.div_euclid(HOUR_MILLIS), &Totals::of(&step))
        };
        for (hour, totals) in due {
            self.write(hour, &totals).await;
        }
    }

    /// Writes the hour under way, at the end.
    pub async fn finish(&self) {
        let hour = self.lock().hour;
        if let Some((hour, totals)) = hour {
            self.write(hour, &totals).await;
        }
    }

    async fn write(&self, hour: i64, totals: &Totals) {
        let store = self.service.store();
        let written = store
            .put_series_hour(hour, &totals.to_json(), hour - KEPT_HOURS)
            .await;
        if let Err(error) = written {
            warn!("the numbers of this hour could not be stored: {error}");
        }
    }

    fn gauges(&self, storage: Option<u64>) -> Gauges {
        let open = |count: i64| u64::try_from(count).unwrap_or_default();
        Gauges {
            people: open(METRICS.members.get()),
            connections: open(METRICS.connections.get()),
            memory: memory_bytes(),
            storage,
            free_disk: self.disk().map(|space| space.free),
        }
    }

    /// The disk that the data is on.
    pub(crate) fn disk(&self) -> Option<DiskSpace> {
        disk::space(self.folder.as_deref()?)
    }

    /// How what is stored grows on that disk. `None`: there is none, or it cannot be read.
    pub(crate) async fn growth(&self) -> Option<Growth> {
        let disk = self.disk()?;
        let now = self.service.now().millis();
        let first = now.div_euclid(HOUR_MILLIS) - GROWTH_HOURS;
        let hours = self.hours(first).await.ok()?;
        growth(&hours, now, Some(disk.free))
    }

    /// The last so many steps of this node.
    pub(crate) fn last(&self, steps: usize) -> Totals {
        self.lock().ring.last(steps)
    }

    /// What is stored of all nodes, from the first hour on, with what this node has not yet stored.
    pub(crate) async fn hours(&self, from: i64) -> Result<Vec<(i64, Totals)>, store::Error> {
        let stored = self.service.store().series_hours(from).await?;
        let current = self.lock().hour;
        let is_current = |hour: i64, own: bool| own && current.is_some_and(|(of, _)| of == hour);
        let stored = stored
            .iter()
            .filter(|(hour, own, _)| !is_current(*hour, *own));
        let read = |(hour, _, text): &(i64, bool, String)| Some((*hour, Totals::from_json(text)?));
        Ok(stored.filter_map(read).chain(current).collect())
    }

    /// An hour is this node's alone. A day is too, unless there are several nodes: then it is made
    /// of hours.
    pub(crate) async fn chart(&self, span: Span) -> Result<Chart, store::Error> {
        let now = self.service.now().millis();
        let hours = self.hours(span.first_hour(now)).await?;
        let is_fine = match span {
            Span::Hour => true,
            Span::Day => !self.service.store().is_shared(),
            Span::Week | Span::Quarter => false,
        };
        let fine: Vec<(i64, Totals)> = if is_fine {
            self.lock().ring.totals().collect()
        } else {
            Vec::new()
        };
        Ok(Chart::new(span, now, fine, &hours))
    }

    fn lock(&self) -> MutexGuard<'_, Measured> {
        self.measured.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Measured {
    /// Adds a step to its hour. Gives what has to be written now: an hour that is over, or that
    /// under way now and then.
    fn count(&mut self, hour: i64, step: &Totals) -> Vec<(i64, Totals)> {
        let mut due = Vec::new();
        match &mut self.hour {
            Some((of, totals)) if *of == hour => totals.join(step),
            other => due.extend(other.replace((hour, *step))),
        }
        if self.steps.is_multiple_of(WRITE_STEPS) {
            due.extend(self.hour);
        }
        due
    }
}

/// What the metrics have counted since the start.
fn counters(service: &Service) -> Counters {
    let counts = service.write_counts();
    let text = METRICS.text(&Asked {
        live_pads: service.live_pads(),
        commits: counts.commits,
        replans: counts.replans,
        unhinted: counts.unhinted,
    });
    let latencies = |name| {
        let counted = buckets(&text, name).into_iter();
        Latencies::of_cumulative(counted.map(|(_, count)| count))
    };
    Counters {
        changes: METRICS.changes.get(),
        calls: METRICS.api_calls.get(),
        errors: METRICS.api_errors.get(),
        stored: latencies("padsvc_change_stored_seconds"),
        delivered: latencies("padsvc_change_delivered_seconds"),
    }
}
