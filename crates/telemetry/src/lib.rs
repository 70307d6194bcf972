//! Log and metrics of a running service.

pub mod log;
pub mod log_limit;
pub mod metrics;
