//! Time and chance, handed in from outside.

use pad::Timestamp;

/// Where the service gets the time and random numbers from. Tests give it their own.
pub trait Environment: Send + Sync + 'static {
    fn now(&self) -> Timestamp;
    /// 128 bits from a source fit for secrets.
    fn entropy(&self) -> u128;
}
