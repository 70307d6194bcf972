//! Ten seconds of the service: what there was at their end, and what happened in them.

use crate::STEP_MILLIS;
use crate::latencies::{BUCKETS, Latencies};

/// What there is at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gauges {
    pub people: u64,
    pub connections: u64,
    pub memory: u64,
    /// `None`: the store did not answer.
    pub storage: Option<u64>,
    /// `None`: the data is not on a disk of this machine.
    pub free_disk: Option<u64>,
}

/// What has happened since the start of the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub changes: u64,
    pub calls: u64,
    pub errors: u64,
    pub stored: Latencies,
    pub delivered: Latencies,
}

/// Narrow numbers, because there are thousands of steps in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Since 1970, in steps.
    pub number: i64,
    pub gauges: Gauges,
    pub changes: u32,
    pub calls: u32,
    pub errors: u32,
    stored: [u32; BUCKETS],
    delivered: [u32; BUCKETS],
}

impl Step {
    pub fn stored(&self) -> Latencies {
        Latencies(self.stored.map(u64::from))
    }

    pub fn delivered(&self) -> Latencies {
        Latencies(self.delivered.map(u64::from))
    }
}

/// Makes steps of counters that only go up.
#[derive(Debug, Default)]
pub struct Sampler {
    before: Counters,
}

impl Sampler {
    /// What happens from these counters on.
    pub fn new(before: Counters) -> Sampler {
        Sampler { before }
    }

    pub fn step(&mut self, now_millis: i64, gauges: Gauges, counters: Counters) -> Step {
        let before = std::mem::replace(&mut self.before, counters);
        let narrow = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let since = |now: u64, then: u64| narrow(now.saturating_sub(then));
        Step {
            number: now_millis.div_euclid(STEP_MILLIS),
            gauges,
            changes: since(counters.changes, before.changes),
            calls: since(counters.calls, before.calls),
            errors: since(counters.errors, before.errors),
            stored: counters.stored.since(&before.stored).0.map(narrow),
            delivered: counters.delivered.since(&before.delivered).0.map(narrow),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_what_happened_since_the_one_before() {
        let counted = |changes, calls| Counters {
            changes,
            calls,
            stored: Latencies::of_cumulative([changes]),
            ..Counters::default()
        };
        let mut sampler = Sampler::new(counted(100, 7));
        let first = sampler.step(19_999, Gauges::default(), counted(103, 7));
        assert_eq!((first.number, first.changes, first.calls), (1, 3, 0));
        assert_eq!(first.stored().count(), 3);
        let second = sampler.step(20_000, Gauges::default(), counted(103, 9));
        assert_eq!((second.number, second.changes, second.calls), (2, 0, 2));
    }
}
