//! The machine underneath: clock, randomness, private files, descriptors, disk space, the heap, and
//! stop signals.
//!
//! Owns the wall clock and the random bytes; everything above takes [`System`] as the service's
//! environment.

pub mod descriptors;
pub mod disk;
pub mod environment;
pub mod heap;
mod hex;
pub mod private_file;
pub mod stop;

pub use environment::{System, now_seconds, random_bytes};
pub use hex::{hex, unhex};
