//! Accepting from a listener that may be out of descriptors.

use std::io;
use std::time::Duration;

use tracing::warn;

use telemetry::log_limit::LogLimiter;

/// Pause after a failed accept: out of file descriptors, trying again at once would only spin.
const PAUSE: Duration = Duration::from_millis(100);

/// One for the process: which listener failed is of no interest once descriptors are out.
static FAILURES: LogLimiter = LogLimiter::new();

/// The next connection. After a failure it pauses and tries again; the log tells it at most once a
/// minute. Can be dropped at any time if `accept` can.
pub async fn accepted<T>(what: &str, mut accept: impl AsyncFnMut() -> io::Result<T>) -> T {
    loop {
        match accept().await {
            Ok(accepted) => return accepted,
            Err(error) => {
                if let Some(more) = FAILURES.allow() {
                    warn!("{what} could not be accepted: {error}; {more} more since the last");
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{Instant, timeout};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_listener_without_descriptors_does_not_spin() {
        let mut tries = 0;
        let failing = async || {
            tries += 1;
            Err::<(), _>(io::Error::from_raw_os_error(24))
        };
        let minute = Duration::from_secs(60);
        assert!(timeout(minute, accepted("a test", failing)).await.is_err());
        assert!((500..=601).contains(&tries), "{tries}");
    }

    #[tokio::test(start_paused = true)]
    async fn it_goes_on_when_there_are_descriptors_again() {
        let start = Instant::now();
        let soon = start + Duration::from_secs(1);
        let once_free = async || {
            if Instant::now() < soon {
                Err(io::Error::from_raw_os_error(24))
            } else {
                Ok(7)
            }
        };
        assert_eq!(accepted("a test", once_free).await, 7);
    }
}
