//! Self-update logic, as pure functions.
//!
//! All decisions about updates are here: when to check (`check_schedule`), which release counts
//! (`feed`, `version`), what is allowed (`policy`), when (`window`), the next state and its effects
//! (`plan`), which node's turn it is
//! (`roll`), who gets a mail (`mail`), what to show (`status`). The caller has the clock, the
//! network, git and the files, and decides nothing.
//!
//! Read in this order: `state`, `plan`, the rest.

pub mod check_schedule;

pub mod config;

pub mod drain;

pub mod feed;

pub mod install;

pub mod mail;

pub mod plan;

pub mod policy;

pub mod roll;

pub mod state;

pub mod status;

pub mod target;

pub mod version;

pub mod window;

pub use check_schedule::CheckSchedule;
pub use config::{Config, InstallMethod, Tier};
pub use plan::{Effect, Event, Refusal, Step, boot, rolled_back, step};
pub use policy::{Policy, policy};
pub use roll::{Claim, NodeName, Roll};
pub use state::{Execution, State};
pub use version::Version;
pub use window::{Daily, Window};
