//! How much one connection may say.
//!
//! Whoever says more is heard later, not sent away: the connection is not read until there is room
//! again, which slows that client down and nobody else. Counting is per connection, so that a
//! classroom behind one address is no different from forty homes.

use std::time::Duration;

use tokio::time::Instant;

/// A bucket that fills with time. Empty means wait.
pub(super) struct Throttle {
    capacity: f64,
    per_second: f64,
    level: f64,
    filled: Instant,
}

impl Throttle {
    /// At most `messages` in `window`, on average and at once.
    pub fn new(messages: u64, window: Duration) -> Throttle {
        let capacity = messages.max(1) as f64;
        let per_second = capacity / window.as_secs_f64().max(0.001);
        Throttle {
            capacity,
            per_second,
            level: capacity,
            filled: Instant::now(),
        }
    }

    /// Takes one, and says until when nothing more should be read.
    pub fn take(&mut self) -> Option<Instant> {
        let now = Instant::now();
        let fresh = now.duration_since(self.filled).as_secs_f64() * self.per_second;
        self.level = (self.level + fresh).min(self.capacity) - 1.0;
        self.filled = now;
        let missing = 1.0 - self.level;
        (missing > 0.0).then(|| now + Duration::from_secs_f64(missing / self.per_second))
    }
}
