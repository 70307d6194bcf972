//! What an installation does to keep itself current.
//!
//! Everything that is decided about updates is decided here, by functions of their arguments: which
//! release counts (`feed`, `version`), what may be done about it (`policy`), when (`window`), what
//! the next state is and what has to be carried out (`plan`), whom to write a mail (`mail`), what
//! to show (`status`). The caller has the clock, the network, git and the files, and nothing left
//! to decide.
//!
//! Read in this order: `state`, `plan`, the rest.

pub mod config;

pub mod drain;

pub mod feed;

pub mod install;

pub mod mail;

pub mod plan;

pub mod policy;

pub mod state;

pub mod status;

pub mod target;

pub mod version;

pub mod window;

pub use config::{Config, InstallMethod, Tier};
pub use plan::{Effect, Event, Refusal, Step, boot, rolled_back, step};
pub use policy::{Policy, policy};
pub use state::{Execution, State};
pub use version::Version;
pub use window::{Daily, Window};
