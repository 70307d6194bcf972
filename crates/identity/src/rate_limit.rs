//! A rate limiter: one token bucket per key, such as the address of a client.
//!
//! A bucket holds what a key may take at once, and fills again in the course of a window. Memory is
//! bounded, whoever asks.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// When there are so many buckets, the full ones are dropped, which changes nothing; if that does
/// not help, all are.
const BUCKETS: usize = 10_000;

pub struct RateLimiter<K> {
    capacity: f64,
    per_second: f64,
    buckets: Mutex<HashMap<K, Bucket>>,
}

struct Bucket {
    level: f64,
    filled: Instant,
}

impl<K: Eq + Hash> RateLimiter<K> {
    /// At most `amount` in a `window`, on average and at once; 0 is no limit.
    pub fn new(amount: u64, window: Duration) -> RateLimiter<K> {
        let capacity = amount as f64;
        RateLimiter {
            capacity,
            per_second: capacity / window.as_secs_f64().max(0.001),
            buckets: Mutex::default(),
        }
    }

    /// Takes `cost` if anything is left, or says how long to wait. What costs more than is left is
    /// let through and paid for afterwards, up to the capacity: otherwise nothing large would pass.
    pub fn take(&self, key: K, cost: u64) -> Result<(), Duration> {
        self.with_bucket(key, |level| {
            let missing = 1.0 - *level;
            if missing > 0.0 {
                return Err(Duration::from_secs_f64(missing / self.per_second));
            }
            *level = (*level - cost as f64).max(-self.capacity);
            Ok(())
        })
        .unwrap_or(Ok(()))
    }

    /// Puts back what was taken and not used.
    pub fn give_back(&self, key: K, cost: u64) {
        self.with_bucket(key, |level| {
            *level = (*level + cost as f64).min(self.capacity);
        });
    }

    /// `None` without a limit.
    fn with_bucket<T>(&self, key: K, change: impl FnOnce(&mut f64) -> T) -> Option<T> {
        if self.capacity == 0.0 {
            return None;
        }
        let now = Instant::now();
        let mut buckets = self.lock();
        if buckets.len() >= BUCKETS && !buckets.contains_key(&key) {
            buckets.retain(|_, bucket| self.level_at(bucket, now) < self.capacity);
            if buckets.len() >= BUCKETS {
                buckets.clear();
            }
        }
        let bucket = buckets.entry(key).or_insert(Bucket {
            level: self.capacity,
            filled: now,
        });
        bucket.level = self.level_at(bucket, now);
        bucket.filled = now;
        Some(change(&mut bucket.level))
    }

    fn level_at(&self, bucket: &Bucket, now: Instant) -> f64 {
        let fresh = now.duration_since(bucket.filled).as_secs_f64() * self.per_second;
        (bucket.level + fresh).min(self.capacity)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Bucket>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[tokio::test(start_paused = true)]
    async fn a_bucket_fills_in_the_course_of_its_window() {
        let limiter = RateLimiter::new(60, MINUTE);
        for _ in 0..60 {
            assert_eq!(limiter.take("a", 1), Ok(()));
        }
        let wait = limiter.take("a", 1).unwrap_err();
        assert!(wait <= Duration::from_secs(1), "{wait:?}");
        assert_eq!(limiter.take("b", 1), Ok(()));
        advance(Duration::from_secs(10)).await;
        for _ in 0..10 {
            assert_eq!(limiter.take("a", 1), Ok(()));
        }
        assert!(limiter.take("a", 1).is_err());
        limiter.give_back("a", 1);
        assert_eq!(limiter.take("a", 1), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_larger_than_a_bucket_is_paid_for_afterwards() {
        let limiter = RateLimiter::new(60, MINUTE);
        assert_eq!(limiter.take("a", 1_000_000), Ok(()));
        let wait = limiter.take("a", 1).unwrap_err();
        assert_eq!(wait.as_secs(), 61);
        advance(wait).await;
        assert_eq!(limiter.take("a", 1), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn zero_is_no_limit() {
        let limiter = RateLimiter::new(0, MINUTE);
        for _ in 0..100 {
            assert_eq!(limiter.take("a", u64::MAX), Ok(()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded_whoever_asks() {
        let limiter = RateLimiter::new(60, MINUTE);
        for number in 0..3 * BUCKETS {
            assert_eq!(limiter.take(number, 1), Ok(()));
        }
        assert!(limiter.lock().len() <= BUCKETS);
    }
}
