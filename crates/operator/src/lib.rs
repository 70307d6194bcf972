//! The operator's commands, both halves: what the command line asks for and what a service does.
//!
//! `arguments` is what can be asked, `commands` how each command runs and reports, `operate` the
//! tasks themselves, done by the running server over a socket or by the command on the store.

pub mod arguments;
pub mod commands;
pub mod open_store;
pub mod operate;
pub mod plugin_manager;
