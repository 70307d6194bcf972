//! A client that has joined, as the application sees it.
//!
//! Both halves are handles: the connection lives in its task, and ends when the client goes, when
//! asked to, or when `Incoming` is dropped.

use std::sync::Arc;

use crate::end::{End, Gone};
use crate::message::Message;
use crate::packet::Packet;
use crate::session::Session;

pub struct Connection {
    /// The socket id, as the client knows it.
    pub id: String,
    /// The request that opened the connection: headers, query, and whatever the accept loop put
    /// into its extensions.
    pub request: http::request::Parts,
    pub incoming: Incoming,
    pub outgoing: Outgoing,
}

impl Connection {
    pub(crate) fn new(id: String, request: http::request::Parts, session: &Arc<Session>) -> Self {
        Connection {
            id,
            request,
            incoming: Incoming(Arc::clone(session)),
            outgoing: Outgoing(Arc::clone(session)),
        }
    }
}

/// What the client sends. Dropping it closes the connection.
pub struct Incoming(Arc<Session>);

impl Incoming {
    /// The next event, `None` when the connection is over. As long as nobody asks, nothing more is
    /// read from the client. May be dropped before it is ready: no message is lost.
    pub async fn next(&mut self) -> Option<Message> {
        self.0.next_message().await
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        self.0.end(End::Closing);
    }
}

/// The way to the client.
#[derive(Clone)]
pub struct Outgoing(Arc<Session>);

impl Outgoing {
    /// Sends the packets in this order, in one write or in the answer to one poll. Resolves when
    /// they are written or taken. Calls are served in the order they are made. Dropped before it
    /// is ready, it has sent all packets or none: what it has begun is finished without it.
    pub async fn send(&self, packets: &[Packet]) -> Result<(), Gone> {
        self.0.send(packets).await
    }

    /// Tells the client to leave, then closes the transport. Does not wait for it.
    pub fn disconnect(&self) {
        self.0.end(End::Disconnected);
    }

    pub fn is_gone(&self) -> bool {
        self.0.is_over()
    }

    /// Resolves when the connection is over.
    pub async fn gone(&self) {
        self.0.over().await;
    }
}
