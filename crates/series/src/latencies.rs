//! Histogram of latencies: buckets whose bounds double, from a tenth of a millisecond on. They are
//! those of the metrics.

/// The last bucket has no bound.
pub const BUCKETS: usize = 19;
const FIRST_BOUND_MILLIS: f64 = 0.1;

/// How many were in each bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latencies(pub [u64; BUCKETS]);

impl Latencies {
    /// From how many there were at most at each bound, as Prometheus has it.
    pub fn of_cumulative(counts: impl IntoIterator<Item = u64>) -> Latencies {
        let mut latencies = Latencies::default();
        let mut below = 0;
        for (bucket, count) in latencies.0.iter_mut().zip(counts) {
            *bucket = count.saturating_sub(below);
            below = count;
        }
        latencies
    }

    pub fn since(&self, before: &Latencies) -> Latencies {
        let mut since = *self;
        for (bucket, earlier) in since.0.iter_mut().zip(before.0) {
            *bucket = bucket.saturating_sub(earlier);
        }
        since
    }

    pub fn join(&mut self, other: &Latencies) {
        for (bucket, more) in self.0.iter_mut().zip(other.0) {
            *bucket = bucket.saturating_add(more);
        }
    }

    pub fn count(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Milliseconds below which a share of all is; between the bounds of a bucket it is estimated.
    /// `None` if there were none.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let wanted = self.count() as f64 * share;
        let (mut below, mut lower, mut upper) = (0.0, 0.0, FIRST_BOUND_MILLIS);
        for count in self.0 {
            let count = count as f64;
            if count > 0.0 && below + count >= wanted {
                return Some(lower + (upper - lower) * (wanted - below) / count);
            }
            below += count;
            (lower, upper) = (upper, upper * 2.0);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_between_the_bounds_of_their_bucket() {
        let none = Latencies::default();
        assert_eq!(none.quantile(0.5), None);
        // 90 up to 0.1 ms, 10 up to 0.4 ms.
        let some = Latencies::of_cumulative([90, 90, 100, 100]);
        assert_eq!(some.0[..4], [90, 0, 10, 0]);
        assert_eq!(some.count(), 100);
        assert_eq!(some.quantile(0.45), Some(0.05));
        assert!((some.quantile(0.95).unwrap() - 0.3).abs() < 1e-9);
        assert_eq!(some.quantile(1.0), Some(0.4));
        let mut later = some;
        later.join(&Latencies::of_cumulative([0, 0, 0, 7]));
        assert_eq!(later.since(&some).0[..4], [0, 0, 0, 7]);
        assert_eq!(
            some.since(&later),
            none,
            "a counter that went back counts as none"
        );
    }
}
