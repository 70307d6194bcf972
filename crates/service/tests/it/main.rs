//! Tests of the service as a library: API scripts, live pads, failures.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod carets;

mod declared;

mod files;

mod hooks;

mod recorded_calls;

mod script;

mod world;

mod scripts;

mod live;

mod members;

mod people_colours;

mod rules;

mod listing;

mod templates;

mod simulation;

mod sharing;

mod nodes;

mod titles;

mod dead_nodes;

mod windows;

mod storage;

/// The same private database server that the store is tested with.
#[allow(dead_code)]
#[path = "../../../store/src/tests/cluster.rs"]
mod cluster;

use store::Location;
