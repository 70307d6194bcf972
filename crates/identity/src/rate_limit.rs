//! Rate limiters: a token bucket, and one bucket per key, such as the address of a client.
//!
//! A bucket holds what may be taken at once, and fills again in the course of a window. Memory is
//! bounded, however many keys there are.

#![expect(clippy::disallowed_types, reason = "buckets fill with time")]

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// When there are so many buckets, the full ones are dropped, which changes nothing; if that does
/// not help, all are.
const BUCKETS: usize = 10_000;

/// A rate: at most `amount` in a `window`, on average and at once.
#[derive(Clone, Copy, Debug)]
struct Rate {
    capacity: f64,
    per_second: f64,
}

impl Rate {
    fn new(amount: u64, window: Duration) -> Rate {
        let capacity = amount as f64;
        Rate {
            capacity,
            per_second: capacity / window.as_secs_f64().max(0.001),
        }
    }
}

/// A bucket of tokens that fills with time.
#[derive(Debug)]
pub struct TokenBucket {
    rate: Rate,
    level: f64,
    filled: Instant,
}

impl TokenBucket {
    /// At most `amount` in a `window`, on average and at once; at least one.
    pub fn new(amount: u64, window: Duration) -> TokenBucket {
        TokenBucket::full(Rate::new(amount.max(1), window))
    }

    fn full(rate: Rate) -> TokenBucket {
        TokenBucket {
            rate,
            level: rate.capacity,
            filled: Instant::now(),
        }
    }

    /// Takes `cost` if a token is left, or returns how long to wait. A cost above the level is let
    /// through and paid for afterwards, up to the capacity: otherwise nothing large would pass.
    pub fn take(&mut self, cost: u64) -> Result<(), Duration> {
        self.refill();
        if let Some(wait) = self.time_until_token() {
            return Err(wait);
        }
        self.remove(cost);
        Ok(())
    }

    /// Takes `cost` in any case, and returns how long to wait before the next.
    pub fn charge(&mut self, cost: u64) -> Option<Duration> {
        self.refill();
        self.remove(cost);
        self.time_until_token()
    }

    fn remove(&mut self, cost: u64) {
        self.level = (self.level - cost as f64).max(-self.rate.capacity);
    }

    /// `None` if there is a token.
    fn time_until_token(&self) -> Option<Duration> {
        let missing = 1.0 - self.level;
        (missing > 0.0).then(|| Duration::from_secs_f64(missing / self.rate.per_second))
    }

    fn give_back(&mut self, cost: u64) {
        self.refill();
        self.level = (self.level + cost as f64).min(self.rate.capacity);
    }

    fn refill(&mut self) {
        let now = Instant::now();
        self.level = self.level_at(now);
        self.filled = now;
    }

    fn level_at(&self, now: Instant) -> f64 {
        let fresh = now.duration_since(self.filled).as_secs_f64() * self.rate.per_second;
        (self.level + fresh).min(self.rate.capacity)
    }
}

pub struct RateLimiter<K> {
    /// `None` is no limit.
    rate: Option<Rate>,
    buckets: Mutex<HashMap<K, TokenBucket>>,
}

impl<K: Eq + Hash> RateLimiter<K> {
    /// At most `amount` in a `window`, on average and at once; 0 is no limit.
    pub fn new(amount: u64, window: Duration) -> RateLimiter<K> {
        RateLimiter {
            rate: (amount > 0).then(|| Rate::new(amount, window)),
            buckets: Mutex::default(),
        }
    }

    /// Takes `cost` from the key's bucket, or returns how long to wait.
    pub fn take(&self, key: K, cost: u64) -> Result<(), Duration> {
        self.with_bucket(key, |bucket| bucket.take(cost))
            .unwrap_or(Ok(()))
    }

    /// Puts back what was taken and not used.
    pub fn give_back(&self, key: K, cost: u64) {
        self.with_bucket(key, |bucket| bucket.give_back(cost));
    }

    /// `None` without a limit.
    fn with_bucket<T>(&self, key: K, change: impl FnOnce(&mut TokenBucket) -> T) -> Option<T> {
        let rate = self.rate?;
        let mut buckets = self.lock();
        if buckets.len() >= BUCKETS && !buckets.contains_key(&key) {
            let now = Instant::now();
            buckets.retain(|_, bucket| bucket.level_at(now) < rate.capacity);
            if buckets.len() >= BUCKETS {
                buckets.clear();
            }
        }
        let bucket = buckets
            .entry(key)
            .or_insert_with(|| TokenBucket::full(rate));
        Some(change(bucket))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, TokenBucket>> {
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
    async fn a_reader_that_waits_for_each_token_keeps_the_rate() {
        let mut bucket = TokenBucket::new(4, Duration::from_secs(1));
        let begun = Instant::now();
        for _ in 0..12 {
            if let Some(wait) = bucket.charge(1) {
                advance(wait).await;
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        assert!((2.2..2.3).contains(&seconds), "{seconds}");
    }

    #[tokio::test(start_paused = true)]
    async fn zero_is_no_limit() {
        let limiter = RateLimiter::new(0, MINUTE);
        for _ in 0..100 {
            assert_eq!(limiter.take("a", u64::MAX), Ok(()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded() {
        let limiter = RateLimiter::new(60, MINUTE);
        for number in 0..3 * BUCKETS {
            assert_eq!(limiter.take(number, 1), Ok(()));
        }
        assert!(limiter.lock().len() <= BUCKETS);
    }
}
