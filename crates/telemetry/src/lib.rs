//! What operators see of a running service: its log and its metrics.

pub mod log;
pub mod log_limit;
pub mod metrics;
