//! Keeping the program current: what the plans of the crate `update` ask for is carried out here,
//! and nothing is decided.
//!
//! Read in this order: `boot` (the first thing the program does), `owner` (who alone writes the
//! state), `runner` (the task that hears events and starts work), then the work itself:
//! `preflight`, `drain`, `install`, `restore`, and `cluster`, where nodes take turns; below them
//! `git`, `command`, `releases`. `supervise` is a process of its own.

#![expect(
    clippy::disallowed_types,
    reason = "it waits for editors and processes"
)]

pub mod boot;
mod cluster;
mod command;
mod drain;
mod feed;
mod git;
mod health;
mod install;
mod journal;
mod legacy;
mod lock;
mod mailer;
mod owner;
mod places;
mod preflight;
mod release_id;
mod releases;
pub mod restart;
mod restore;
mod runner;
mod start;
pub mod supervise;
mod watchdog;

pub use boot::Booted;
pub use cluster::Cluster;
pub use drain::{Intake, run as drain};
pub use owner::{Owner, now};
pub use release_id::release_id;
pub use runner::{Applied, Updates};
pub use start::{Surroundings, prepare, start};

/// How the program ends so that a supervisor restarts it: after an update, and after a rollback.
pub const RESTART: u8 = 75;
