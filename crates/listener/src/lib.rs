//! Connections: the accept loop, TLS, and the checks before a request reaches a router.

pub mod accept;
pub mod head;
pub mod tls;
