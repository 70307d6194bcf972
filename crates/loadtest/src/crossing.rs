//! The way of revisions from one node to another: how long after its acknowledgement on one node a
//! revision arrives at a member of another.
//!
//! One member of each pad on each node looks out for them. Which of the two happens first is a
//! matter of chance, so both times wait here for one another.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use hdrhistogram::{CreationError, Histogram};

use super::measure::{histogram, microseconds};

/// Revisions whose times are remembered; of older ones nothing more is learned.
const REMEMBERED: usize = 10_000;

pub(crate) struct Crossings(Mutex<Inner>);

struct Inner {
    durations: Histogram<u64>,
    /// By number, then by pad: the first are the oldest.
    revisions: BTreeMap<(u64, usize), Times>,
}

#[derive(Default)]
struct Times {
    acknowledged: Option<Sighting>,
    arrived: Vec<Sighting>,
}

/// On a node, at a time.
#[derive(Clone, Copy)]
pub(crate) struct Sighting {
    pub node: usize,
    pub time: Instant,
}

impl Crossings {
    pub(crate) fn new() -> Result<Crossings, CreationError> {
        Ok(Crossings(Mutex::new(Inner {
            durations: histogram()?,
            revisions: BTreeMap::new(),
        })))
    }

    pub(crate) fn acknowledged(&self, pad: usize, rev: u64, sighting: Sighting) {
        let mut inner = self.lock();
        let times = inner.times(pad, rev);
        times.acknowledged = Some(sighting);
        let arrived = std::mem::take(&mut times.arrived);
        arrived.into_iter().for_each(|it| inner.add(sighting, it));
    }

    pub(crate) fn arrived(&self, pad: usize, rev: u64, sighting: Sighting) {
        let mut inner = self.lock();
        let times = inner.times(pad, rev);
        match times.acknowledged {
            Some(acknowledged) => inner.add(acknowledged, sighting),
            None => times.arrived.push(sighting),
        }
    }

    /// Forgets the durations.
    pub(crate) fn clear(&self) {
        self.lock().durations.reset();
    }

    pub(crate) fn durations(&self) -> Histogram<u64> {
        self.lock().durations.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn times(&mut self, pad: usize, rev: u64) -> &mut Times {
        if self.revisions.len() >= REMEMBERED {
            self.revisions.pop_first();
        }
        self.revisions.entry((rev, pad)).or_default()
    }

    /// An arrival before the acknowledgement took no time.
    fn add(&mut self, acknowledged: Sighting, arrived: Sighting) {
        if acknowledged.node != arrived.node {
            let after = arrived.time.saturating_duration_since(acknowledged.time);
            self.durations.saturating_record(microseconds(after));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_ways_between_nodes_count_whichever_end_is_seen_first() {
        let crossings = Crossings::new().unwrap();
        let start = Instant::now();
        let at = |node, milliseconds| Sighting {
            node,
            time: start + Duration::from_millis(milliseconds),
        };
        crossings.acknowledged(0, 1, at(0, 10));
        crossings.arrived(0, 1, at(0, 20));
        crossings.arrived(0, 1, at(1, 40));
        crossings.arrived(1, 1, at(2, 50));
        crossings.acknowledged(1, 1, at(0, 60));
        let durations = crossings.durations();
        assert_eq!(durations.len(), 2);
        assert_eq!(durations.min(), 0);
        assert!((29_900..30_100).contains(&durations.max()));
    }
}
