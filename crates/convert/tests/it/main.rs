//! Tests of the conversions: recorded vectors, round trips, and input that is meant to break them.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod attributes;

mod bounds;
mod clipboard;

mod declared;

mod data;

mod vectors;

mod text;

mod html;

mod round_trips;

mod shown_html;

mod docx;

mod markdown;

mod pdf;

mod formats;

mod hostile_files;

mod hostile_html;

mod diff;

mod native;

mod damaged_native;
