//! The real time and real chance, for the service.
//!
//! Other code takes both from here or as arguments; clippy refuses the functions below elsewhere.

#![expect(
    clippy::disallowed_methods,
    reason = "owns the clock and the random bytes"
)]

use std::time::{SystemTime, UNIX_EPOCH};

use pad::Timestamp;
use service::Environment;

pub struct System;

impl Environment for System {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn entropy(&self) -> u128 {
        u128::from_ne_bytes(random_bytes())
    }
}

/// Seconds since 1970.
pub fn now_seconds() -> u64 {
    u64::try_from(System.now().millis() / 1000).unwrap_or_default()
}

/// Bytes fit for secrets.
pub fn random_bytes<const COUNT: usize>() -> [u8; COUNT] {
    let mut bytes = [0; COUNT];
    if let Err(error) = getrandom::fill(&mut bytes) {
        // A guessable id or key would be worse than no service: without a random source nothing
        // here is safe to go on.
        tracing::error!("the system gives no random bytes: {error}");
        std::process::abort();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_does_not_repeat_itself() {
        let drawn: std::collections::BTreeSet<u128> = (0..100).map(|_| System.entropy()).collect();
        assert_eq!(drawn.len(), 100);
    }

    #[test]
    fn the_clock_counts_milliseconds_since_1970() {
        let year_2020 = 1_577_836_800_000;
        let year_2200 = 7_258_118_400_000;
        assert!((year_2020..year_2200).contains(&System.now().millis()));
    }
}
