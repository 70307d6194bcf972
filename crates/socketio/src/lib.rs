//! Socket.IO (protocol 5 over Engine.IO 4): websocket, long polling, and the way from one to the
//! other.
//!
//! It knows packets, not what they say: the arguments of an event are passed on as the bytes that
//! came. Messages of one connection arrive in the order they were sent, and nothing is queued
//! beyond one message each way: who is slow to take or to send slows the other end down.
//!
//! Read in this order: `connection` is what the application sees, `server` how one begins, `task`
//! how it lives. The accept loop is the application's, and should switch Nagle's algorithm off.

mod answer;
mod config;
mod connection;
mod end;
mod lock;
mod message;
mod packet;
mod parse;
mod pipe;
mod polling;
mod requests;
mod server;
mod session;
mod task;
mod tasks;
mod upgrade;
mod websocket;

pub use config::Config;
pub use connection::{Connection, Incoming, Outgoing};
pub use end::Gone;
pub use message::Message;
pub use packet::Packet;
pub use server::{Connections, Server};
