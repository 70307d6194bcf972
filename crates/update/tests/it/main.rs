//! Tests of the plans: stories and tables as data in `fixtures/update`, and laws.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod data;

mod laws;

mod roll_laws;

mod rolls;

mod state_file;

mod stories;

mod tables;

mod windows;
