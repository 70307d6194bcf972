//! What an editor waits for while a word is on its way.

use std::fmt;
use std::time::{Duration, Instant};

/// The time from a keystroke to its acknowledgement, by what it was spent on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pause {
    begun: Instant,
    lap: Instant,
    /// Until the connection was known to be broken.
    pub noticing: Duration,
    /// Until a node had opened another one, with attempts that failed.
    pub connecting: Duration,
    /// Until the node had sent what was missed.
    pub joining: Duration,
    /// Until the word was acknowledged.
    pub storing: Duration,
}

impl Pause {
    pub(super) fn begin() -> Pause {
        let now = Instant::now();
        Pause {
            begun: now,
            lap: now,
            noticing: Duration::ZERO,
            connecting: Duration::ZERO,
            joining: Duration::ZERO,
            storing: Duration::ZERO,
        }
    }

    /// The time since the last call.
    pub(super) fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.lap, now)
    }

    /// All of it, up to the last lap.
    pub(super) fn length(&self) -> Duration {
        self.lap - self.begun
    }
}

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ms ({} noticing, {} connecting, {} joining, {} storing)",
            self.length().as_millis(),
            self.noticing.as_millis(),
            self.connecting.as_millis(),
            self.joining.as_millis(),
            self.storing.as_millis(),
        )
    }
}
