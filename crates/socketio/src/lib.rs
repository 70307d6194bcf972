//! Socket.IO (protocol 5 over Engine.IO 4): websocket, long polling, and the way from one to the
//! other.
//!
//! It knows packets, not what they say: the arguments of an event are passed on as the bytes that
//! came. Messages of one connection arrive in the order they were sent, and nothing is queued
//! beyond one message each way: who is slow to take or to send slows the other end down.

use std::time::Duration;

use axum::Router;
use bytes::Bytes;
use tokio::sync::mpsc;

pub struct Config {
    /// How often the server asks a client whether it is there.
    pub ping_interval: Duration,
    /// How long the client may take to answer that.
    pub ping_timeout: Duration,
    /// The most bytes in one websocket message or POST body from a client.
    pub max_payload: usize,
    /// How long a client may take to join the namespace.
    pub connect_timeout: Duration,
    /// How long the way from polling to websocket may take.
    pub upgrade_timeout: Duration,
    pub websocket: bool,
    pub polling: bool,
    /// A write that takes longer closes the connection.
    pub write_timeout: Duration,
    /// More clients than this are refused with 503.
    pub max_connections: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            ping_interval: Duration::from_secs(25),
            ping_timeout: Duration::from_secs(20),
            max_payload: 1_000_000,
            connect_timeout: Duration::from_secs(45),
            upgrade_timeout: Duration::from_secs(10),
            websocket: true,
            polling: true,
            write_timeout: Duration::from_secs(30),
            max_connections: 20_000,
        }
    }
}

/// Cheap to clone; all clones are the same server.
#[derive(Clone)]
pub struct Server {}

impl Server {
    pub fn new(_config: Config) -> (Server, Connections) {
        let (_, joined) = mpsc::channel(1);
        (Server {}, Connections { joined })
    }

    /// The route `/socket.io/`. The state is inside.
    pub fn router(&self) -> Router {
        Router::new()
    }

    /// How many clients are connected, whether they have joined the namespace or not.
    pub fn connections(&self) -> usize {
        0
    }

    /// Takes no new clients, closes all there are, and waits until they are gone.
    pub async fn close(&self) {}
}

/// The clients that have joined the namespace `/`, in the order they did.
pub struct Connections {
    joined: mpsc::Receiver<Connection>,
}

impl Connections {
    /// `None` once the server is closed.
    pub async fn next(&mut self) -> Option<Connection> {
        self.joined.recv().await
    }
}

pub struct Connection {
    /// The socket id, as the client knows it.
    pub id: String,
    /// The request that opened the connection: headers, query, and whatever the accept loop put
    /// into its extensions.
    pub request: http::request::Parts,
    pub incoming: Incoming,
    pub outgoing: Outgoing,
}

/// What the client sends. Dropping it closes the connection.
pub struct Incoming {}

impl Incoming {
    /// The next event, `None` when the connection is over. As long as nobody asks, nothing more is
    /// read from the client. May be dropped before it is ready: no message is lost.
    pub async fn next(&mut self) -> Option<Message> {
        None
    }
}

/// An event from the client.
pub struct Message {
    /// The number under which the client expects an acknowledgement.
    pub ack: Option<u64>,
    /// The JSON text of name and arguments, `["name",…]`: UTF-8, not parsed.
    pub arguments: Bytes,
}

/// The way to the client.
#[derive(Clone)]
pub struct Outgoing {}

impl Outgoing {
    /// Sends the packets in this order, in one write or one poll. Resolves when they are written
    /// or taken. Calls are served in the order they are made. Dropped half way, it closes the
    /// connection, as half a packet may be on the wire.
    pub async fn send(&self, _packets: &[Packet]) -> Result<(), Gone> {
        Err(Gone)
    }

    /// Tells the client to leave, then closes the transport. Does not wait for it.
    pub fn disconnect(&self) {}

    pub fn is_gone(&self) -> bool {
        true
    }

    /// Resolves when the connection is over.
    pub async fn gone(&self) {}
}

/// A packet as it goes over the wire; one encoding serves all receivers.
#[derive(Clone, Debug)]
pub struct Packet(Bytes);

impl Packet {
    /// An event with one argument, given as JSON.
    pub fn event(name: &str, json: &str) -> Packet {
        Packet(Bytes::from(format!("42[\"{name}\",{json}]")))
    }

    /// The answer to the message with this `ack`: a JSON array.
    pub fn ack(id: u64, json_array: &str) -> Packet {
        Packet(Bytes::from(format!("43{id}{json_array}")))
    }

    #[expect(clippy::len_without_is_empty, reason = "a packet is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// The connection is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;
