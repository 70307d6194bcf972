//! The worker from outside: a real process, its pipes, and scripts that mean no good.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod broken_frames;
mod conversation;
mod hostile;
mod own_plugins;
mod rehearsed;
mod sandboxed;
mod scripts;
mod worker;
