//! Alerts, as pure functions: which conditions of a service an operator learns of, when and how
//! often ([`step`]), and in what words ([`Message`]).
//!
//! Time is an argument, and a state that several nodes share is JSON. What is wrong is found out
//! by `admin`, which shows the same conditions as the health of the service; `notify` delivers.

mod certificate;
mod condition;
mod machine;
mod message;
mod words;

pub use certificate::expiry;
pub use condition::{Condition, Facts, Kind};
pub use machine::{Active, Alert, Event, PER_HOUR, State, step};
pub use message::Message;
