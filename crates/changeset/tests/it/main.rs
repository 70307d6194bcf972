//! Tests of the algebra: recorded vectors, laws, and every change of tiny documents.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod json;

mod vectors;

mod generate;

mod model;

mod laws;

mod exhaustive;

mod found;
