//! A rate limiter for log lines: one line a minute of a kind, and how many were left out.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

const INTERVAL: Duration = Duration::from_secs(60);

pub struct LogLimiter(Mutex<State>);

struct State {
    last: Option<Instant>,
    left_out: u64,
}

impl Default for LogLimiter {
    fn default() -> LogLimiter {
        LogLimiter::new()
    }
}

impl LogLimiter {
    pub const fn new() -> LogLimiter {
        LogLimiter(Mutex::new(State {
            last: None,
            left_out: 0,
        }))
    }

    /// If a line may be written now, how many were left out since the one before.
    pub fn allow(&self) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if state.last.is_some_and(|last| now - last < INTERVAL) {
            state.left_out += 1;
            return None;
        }
        state.last = Some(now);
        Some(std::mem::take(&mut state.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_line_a_minute_is_written() {
        let limiter = LogLimiter::new();
        assert_eq!(limiter.allow(), Some(0));
        for _ in 0..5 {
            assert_eq!(limiter.allow(), None);
        }
        tokio::time::advance(INTERVAL).await;
        assert_eq!(limiter.allow(), Some(5));
        assert_eq!(limiter.allow(), None);
    }
}
