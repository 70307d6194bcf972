//! Tests of the rules of one pad: recorded rows, tables, and a simulation.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

#[path = "../../../changeset/tests/it/json.rs"]
#[allow(dead_code)]
mod json;

mod vectors;

mod ids;

mod authors;
mod edit;
mod final_newline;

mod limits;

mod access;

mod deletion;

mod options;

mod title;

mod simulation;
