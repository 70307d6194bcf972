//! The transport from outside: real sockets, every rule of the protocol, and noise.

#![allow(
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod application;
mod garbage;
mod handshake;
mod harness;
mod http;
mod life;
mod node;
mod polling;
mod upgrade;
mod websocket;
