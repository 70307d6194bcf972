//! Back-off of a worker that ends: each failure in a row doubles the wait before the next start.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(300);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// Counts a failure; gives how long to wait.
    pub(crate) fn fail(&mut self) -> Duration {
        let wait = FIRST.saturating_mul(2_u32.saturating_pow(self.failures));
        self.failures = self.failures.saturating_add(1);
        wait.min(LONGEST)
    }

    /// It has done some work: the next failure is the first of a row.
    pub(crate) fn succeed(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_bound() {
        let mut backoff = Backoff::default();
        let waits: Vec<u64> = (0..11).map(|_| backoff.fail().as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
        for _ in 0..100 {
            assert!(backoff.fail() <= LONGEST);
        }
        backoff.succeed();
        assert_eq!(backoff.fail(), FIRST);
    }
}
