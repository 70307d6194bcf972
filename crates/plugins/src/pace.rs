//! Pace of a plugin's calls: a burst, and then one after another, so that a plugin that calls
//! without end leaves the store to others. One that takes long counts for more, so that it leaves
//! the processors to others too.

use std::time::Duration;

use tokio::time::Instant;

/// Calls that need not wait, after a pause.
const BURST: u32 = 200;
/// Between two calls after that.
const STEP: Duration = Duration::from_millis(5);
/// The service works on calls of a plugin for half of the time in the long run.
const SHARE: u32 = 2;
/// No call counts for more than one that takes so long.
const LONGEST: Duration = Duration::from_secs(10);

/// The generic cell rate algorithm: the time at which all calls so far would be due.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    due: Instant,
}

impl Pace {
    pub(crate) fn new(now: Instant) -> Pace {
        Pace { due: now }
    }

    /// When the next call may be made.
    pub(crate) fn next(&self, now: Instant) -> Instant {
        let slack = STEP * BURST;
        self.due.checked_sub(slack).map_or(now, |at| at.max(now))
    }

    pub(crate) fn count(&mut self, now: Instant) {
        self.due = self.due.max(now) + STEP;
    }

    /// A call that was counted has taken so long.
    pub(crate) fn charge(&mut self, taken: Duration) {
        let counted = SHARE * taken.min(LONGEST);
        self.due += counted.saturating_sub(STEP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_free_and_the_rest_is_paced() {
        let mut now = Instant::now() + Duration::from_secs(3_600);
        let mut pace = Pace::new(now);
        for _ in 0..BURST {
            assert_eq!(pace.next(now), now);
            pace.count(now);
        }
        assert_eq!(pace.next(now), now);
        pace.count(now);
        for _ in 0..100 {
            assert_eq!(pace.next(now), now + STEP);
            now += STEP;
            pace.count(now);
        }
        // A pause gives the burst back, and no more than that.
        now += Duration::from_secs(60);
        for _ in 0..=BURST {
            assert_eq!(pace.next(now), now);
            pace.count(now);
        }
        assert!(pace.next(now) > now);
    }

    /// Of calls that take 50 ms each there are ten in a second, after the burst.
    #[test]
    fn long_calls_count_for_more() {
        let began = Instant::now() + Duration::from_secs(3_600);
        let mut pace = Pace::new(began);
        let mut now = began;
        let mut calls = 0;
        while now < began + Duration::from_secs(60) {
            pace.count(now);
            now += Duration::from_millis(50);
            pace.charge(Duration::from_millis(50));
            now = pace.next(now);
            calls += 1;
        }
        assert!((600..630).contains(&calls), "{calls}");
        // Quick ones are paced as ever, and the longest holds up the next for a while only.
        pace.charge(Duration::from_millis(2));
        let before = pace.next(now);
        pace.charge(Duration::from_secs(3_600));
        assert_eq!(pace.next(now) - before, SHARE * LONGEST - STEP);
    }
}
