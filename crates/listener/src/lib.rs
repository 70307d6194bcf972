//! Connections: the accept loop, TLS, and the checks before a request reaches a router.

#![expect(clippy::disallowed_types, reason = "time-outs of connections")]

pub mod accept;
pub mod head;
pub mod tls;
