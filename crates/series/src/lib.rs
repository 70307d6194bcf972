//! Time series of a running service, as pure functions: what was measured becomes steps of ten
//! seconds in a [`Ring`], steps become [`Totals`] of an hour that are stored, and both become a
//! [`Chart`].
//!
//! Time is an argument. Latencies are kept as histograms, so that a quantile of an hour is one of
//! all changes of that hour, and not a mean of quantiles.

mod chart;
mod latencies;
mod ring;
mod step;
mod storage;
mod time;
mod totals;

pub use chart::{Chart, Span};
pub use latencies::{BUCKETS, Latencies};
pub use ring::Ring;
pub use step::{Counters, Gauges, Sampler, Step};
pub use storage::{Growth, growth};
pub use time::iso_time;
pub use totals::{Point, SERIES, Totals};

/// How long a step of the ring is.
pub const STEP_MILLIS: i64 = 10_000;
/// How many steps the ring has: a day.
pub const RING_STEPS: usize = 24 * 60 * 6;
pub const HOUR_MILLIS: i64 = 60 * 60 * 1_000;
/// How many hours are stored: ninety days.
pub const KEPT_HOURS: i64 = 90 * 24;
