//! Measurements.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hdrhistogram::{CreationError, Histogram};

use super::crossing::Crossings;

/// Everybody counts in one of these, so that few wait for one another.
const SHARDS: usize = 8;
/// The longest time that is measured exactly.
const LONGEST_MICROSECONDS: u64 = 120_000_000;
/// Different kinds of trouble that are listed; what comes later is left out.
const KINDS_OF_TROUBLE: usize = 20;

/// Changes are stamped with the time in steps of ten microseconds, in five digits.
const STEP_MICROSECONDS: u64 = 10;
const STAMPS: u64 = 36 * 36 * 36 * 36 * 36;
/// What a stamped text begins with.
const MARK: char = '~';

/// Where everybody counts.
pub(crate) struct Tally {
    origin: Instant,
    shards: Vec<Mutex<Counts>>,
    pub crossings: Crossings,
}

struct Counts {
    acknowledged: Histogram<u64>,
    seen: Histogram<u64>,
    received: u64,
    sent: u64,
    errors: BTreeMap<String, u64>,
}

impl Counts {
    fn new() -> Result<Counts, CreationError> {
        Ok(Counts {
            acknowledged: histogram()?,
            seen: histogram()?,
            received: 0,
            sent: 0,
            errors: BTreeMap::new(),
        })
    }
}

impl Tally {
    pub(crate) fn new() -> Result<Tally, CreationError> {
        let shards = (0..SHARDS).map(|_| Counts::new().map(Mutex::new));
        Ok(Tally {
            origin: Instant::now(),
            shards: shards.collect::<Result<_, _>>()?,
            crossings: Crossings::new()?,
        })
    }

    fn shard(&self, person: usize) -> Option<MutexGuard<'_, Counts>> {
        let shard = self.shards.get(person % SHARDS)?;
        Some(shard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn sent(&self, person: usize, bytes: usize) {
        if let Some(mut counts) = self.shard(person) {
            counts.sent += bytes as u64;
        }
    }

    pub(crate) fn acknowledged(&self, person: usize, bytes: usize, after: Duration) {
        if let Some(mut counts) = self.shard(person) {
            counts.received += bytes as u64;
            counts.acknowledged.saturating_record(microseconds(after));
        }
    }

    /// A message with changes of others was heard; of those that were stamped it is known how old
    /// they are.
    pub(crate) fn heard<'a>(
        &self,
        person: usize,
        bytes: usize,
        inserted: impl IntoIterator<Item = &'a str>,
    ) {
        let now = self.now();
        if let Some(mut counts) = self.shard(person) {
            counts.received += bytes as u64;
            for sent in inserted.into_iter().filter_map(read_stamp) {
                let steps = (now + STAMPS - sent) % STAMPS;
                counts.seen.saturating_record(steps * STEP_MICROSECONDS);
            }
        }
    }

    pub(crate) fn trouble(&self, person: usize, text: &str) {
        if let Some(mut counts) = self.shard(person)
            && (counts.errors.contains_key(text) || counts.errors.len() < KINDS_OF_TROUBLE)
        {
            *counts.errors.entry(text.to_owned()).or_default() += 1;
        }
    }

    /// A text that says when it was made.
    pub(crate) fn stamp(&self) -> String {
        let digits = changeset::print_number(self.now() as usize);
        format!("{MARK}{digits:0>5}")
    }

    /// Forgets everything but trouble.
    pub(crate) fn clear(&self) {
        for shard in &self.shards {
            let mut counts = shard.lock().unwrap_or_else(PoisonError::into_inner);
            counts.acknowledged.reset();
            counts.seen.reset();
            counts.received = 0;
            counts.sent = 0;
        }
        self.crossings.clear();
    }

    /// Of so much time until now.
    pub(crate) fn summary(&self, duration: Duration) -> Result<Summary, CreationError> {
        let mut all = Counts::new()?;
        for shard in &self.shards {
            let counts = shard.lock().unwrap_or_else(PoisonError::into_inner);
            // They have the same bounds, so that everything fits.
            let _ = all.acknowledged.add(&counts.acknowledged);
            let _ = all.seen.add(&counts.seen);
            all.received += counts.received;
            all.sent += counts.sent;
            for (text, count) in &counts.errors {
                *all.errors.entry(text.clone()).or_default() += count;
            }
        }
        Ok(Summary {
            acknowledged: Quantiles::of(&all.acknowledged),
            seen: Quantiles::of(&all.seen),
            crossed: Quantiles::of(&self.crossings.durations()),
            received: all.received,
            sent: all.sent,
            began: Instant::now().checked_sub(duration).unwrap_or(self.origin),
            duration,
            errors: all.errors.into_iter().collect(),
        })
    }

    fn now(&self) -> u64 {
        microseconds(self.origin.elapsed()) / STEP_MICROSECONDS % STAMPS
    }
}

pub(crate) fn histogram() -> Result<Histogram<u64>, CreationError> {
    Histogram::new_with_bounds(1, LONGEST_MICROSECONDS, 3)
}

pub(crate) fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn read_stamp(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(MARK)?.get(..5)?;
    u64::from_str_radix(digits, 36).ok()
}

/// What came out.
#[derive(Debug)]
pub struct Summary {
    /// From sending a change to hearing that it is accepted.
    pub acknowledged: Quantiles,
    /// From sending a change to another client's hearing of it.
    pub seen: Quantiles,
    /// From the acknowledgement on one node to the arrival at a member of another.
    pub crossed: Quantiles,
    /// Bytes of messages.
    pub received: u64,
    pub sent: u64,
    pub began: Instant,
    pub duration: Duration,
    pub errors: Vec<(String, u64)>,
}

impl Summary {
    /// Commits in a second.
    pub fn rate(&self) -> f64 {
        self.acknowledged.count as f64 / self.duration.as_secs_f64().max(0.001)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Quantiles {
    pub count: u64,
    pub p50: Duration,
    pub p95: Duration,
    pub p99: Duration,
    pub longest: Duration,
}

impl Quantiles {
    fn of(histogram: &Histogram<u64>) -> Quantiles {
        let at = |quantile| Duration::from_micros(histogram.value_at_quantile(quantile));
        Quantiles {
            count: histogram.len(),
            p50: at(0.5),
            p95: at(0.95),
            p99: at(0.99),
            longest: Duration::from_micros(histogram.max()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_all_are_put_together() {
        let tally = Tally::new().unwrap();
        for person in 0..100 {
            let after = Duration::from_millis(person as u64 + 1);
            tally.acknowledged(person, 10, after);
            tally.heard(person, 100, ["not stamped"]);
            tally.heard(person, 100, [tally.stamp().as_str()]);
        }
        tally.trouble(3, "gone");
        tally.trouble(4, "gone");
        let summary = tally.summary(Duration::from_secs(10)).unwrap();
        assert_eq!((summary.acknowledged.count, summary.seen.count), (100, 100));
        assert_eq!(summary.acknowledged.p95.as_millis(), 95);
        assert_eq!(summary.received, 21_000);
        assert_eq!(summary.rate(), 10.0);
        assert_eq!(summary.errors, [("gone".to_owned(), 2)]);
        assert!(summary.seen.longest < Duration::from_secs(10));
    }
}
