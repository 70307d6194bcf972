//! Editing over Socket.IO: the rim between connections and members of pads.
//!
//! `message` is what clients say, `wire` how the server's answers are written, `client_vars` the
//! large first answer, `connection` the life of one connection. Nothing about pads is decided here:
//! messages become calls of `service`, and what a member's feed delivers becomes messages.

mod client_vars;

mod connection;

mod message;

mod options;

mod throttle;

mod visitor;

mod wire;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use service::Service;
use socketio::{Connections, Packet, Server};
use tokio::sync::{broadcast, watch};

use crate::settings::{Settings, Transport};

/// Announcements a connection may fall behind before it misses one.
const ANNOUNCEMENTS: usize = 16;

/// What every connection needs.
pub(crate) struct Context {
    pub service: Arc<Service>,
    pub settings: Arc<Settings>,
    /// Told to every connection, in whatever pad.
    announcements: broadcast::Sender<Packet>,
    /// Whether nobody is let in any more.
    draining: watch::Sender<bool>,
}

/// The socket side of the server.
pub(crate) struct Sockets {
    context: Arc<Context>,
    server: Server,
}

impl Sockets {
    /// Begins to serve connections, which come through the router.
    pub fn start(service: Arc<Service>, settings: Arc<Settings>) -> Sockets {
        let sockets = &settings.sockets;
        let config = socketio::Config {
            max_payload: sockets.max_message_bytes,
            websocket: sockets.transports.contains(&Transport::Websocket),
            polling: sockets.transports.contains(&Transport::Polling),
            write_timeout: Duration::from_secs(30),
            ..socketio::Config::default()
        };
        let (server, connections) = Server::new(config);
        let context = Context {
            service,
            settings,
            announcements: broadcast::channel(ANNOUNCEMENTS).0,
            draining: watch::channel(false).0,
        };
        let context = Arc::new(context);
        tokio::spawn(serve(connections, Arc::clone(&context)));
        Sockets { context, server }
    }

    pub fn router(&self) -> Router {
        self.server.router()
    }

    /// Lets nobody in any more, tells everybody, and closes all connections.
    pub async fn close(&self) {
        self.context.draining.send_replace(true);
        self.server.close().await;
    }
}

/// Serves connections until the server is closed.
async fn serve(mut connections: Connections, context: Arc<Context>) {
    while let Some(connection) = connections.next().await {
        tokio::spawn(connection::serve(connection, Arc::clone(&context)));
    }
}
