//! Log and metrics of a running service.

#![expect(clippy::disallowed_types, reason = "it measures")]

pub mod log;
pub mod log_limit;
pub mod metrics;
