//! The process that runs the server half of one plugin.
//!
//! It reads messages from standard input and writes messages to standard output
//! (`plugin::wire`), and can do nothing else: before it reads a script it has given up files,
//! network and processes (`sandbox`). JavaScript runs in QuickJS (`engine`) with limits on memory,
//! stack and processor time, and sees what `api` gives it. A fault in any of this ends the worker
//! and nothing else; the service starts another.
//!
//! One thread. Processor time is measured, not the clock, so that a busy machine makes a plugin
//! late and not wrong.
//!
//! Read in this order: `serve`, `engine`, `api`, `sandbox`.

mod api;
mod budget;
mod describe;
mod engine;
mod limits;
mod rehearsal;
mod sandbox;
mod serve;
mod state;
mod well_formed;

pub use engine::{Engine, StartError, Step};
pub use rehearsal::{RehearsalError, rehearse};
pub use serve::run;
