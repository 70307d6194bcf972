//! Editing over Socket.IO: connects connections with members of pads.
//!
//! `message` is what clients send, `wire` how the server's answers are written, `client_vars` the
//! large first answer, `connection` the life of one connection. Nothing about pads is decided here:
//! messages become calls of `service`, and what a member's feed delivers becomes messages.

#![expect(
    clippy::disallowed_types,
    reason = "time-outs and how long members stay"
)]

mod client_vars;

mod connection;

mod message;

mod stay;

mod unread;

mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::Router;
use service::Service;
use socketio::{Connections, Server};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use identity::accounts::Accounts;
use identity::creation_limits::CreationLimits;
use settings::{Settings, Transport};
use unread::Unread;
use updater::Intake;

/// How long connections may take to finish what they are doing when the server stops.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// The time in which connections move to other nodes.
const MOVE_SPREAD: Duration = Duration::from_secs(3);
/// How long moving may take in all; who is left then is cut off.
const MOVE_TIMEOUT: Duration = Duration::from_secs(6);
const GOLDEN_RATIO: f64 = 1.618_033_988_749_895;

/// What every connection needs.
pub struct Context {
    pub service: Arc<Service>,
    pub settings: Arc<Settings>,
    pub accounts: Arc<Accounts>,
    unread: Unread,
    limits: Arc<CreationLimits>,
    /// Closed while the server accepts nobody.
    intake: Intake,
    /// Cancelled when other nodes take over the connections.
    draining: CancellationToken,
    /// How many connections have been given a time to move at.
    moves: AtomicU32,
    /// Cancelled when the server stops.
    stopping: CancellationToken,
}

impl Context {
    /// Waits until it is time for a connection to move to another node. Their times are spread, so
    /// that the other nodes get them one after another.
    async fn time_to_move(&self) {
        self.draining.cancelled().await;
        let turn = self.moves.fetch_add(1, Ordering::Relaxed);
        // However many there are, the next falls into the largest gap between those before.
        let place = (f64::from(turn) * GOLDEN_RATIO).fract();
        tokio::time::sleep(MOVE_SPREAD.mul_f64(place)).await;
    }
}

/// The socket side of the server.
pub struct Sockets {
    context: Arc<Context>,
    server: Server,
    connections: TaskTracker,
}

impl Sockets {
    /// Begins to serve connections, which come through the router.
    pub fn start(
        service: Arc<Service>,
        settings: Arc<Settings>,
        accounts: Arc<Accounts>,
        limits: Arc<CreationLimits>,
        intake: Intake,
        draining: CancellationToken,
    ) -> Sockets {
        let sockets = settings.sockets.clone();
        let node = service.store().node();
        let config = socketio::Config {
            // By which other nodes find the one that has a connection.
            id_prefix: node.map_or_else(String::new, |node| node.to_string()),
            max_payload: sockets.max_message_bytes,
            websocket: sockets.transports.contains(&Transport::Websocket),
            polling: sockets.transports.contains(&Transport::Polling),
            write_timeout: Duration::from_secs(30),
            ..socketio::Config::default()
        };
        let (server, connections) = Server::new(config);
        let context = Context {
            service,
            unread: Unread::new(sockets.max_unread_bytes),
            settings,
            accounts,
            limits,
            intake,
            draining,
            moves: AtomicU32::new(0),
            stopping: CancellationToken::new(),
        };
        let context = Arc::new(context);
        let tasks = TaskTracker::new();
        tokio::spawn(serve(connections, Arc::clone(&context), tasks.clone()));
        Sockets {
            context,
            server,
            connections: tasks,
        }
    }

    pub fn router(&self) -> Router {
        self.server.router()
    }

    /// Closes connections one after another, so that their clients come again, at other nodes.
    /// Those that come here meanwhile get their turn, too.
    pub async fn drain(&self) {
        self.context.draining.cancel();
        self.connections.close();
        let _ = tokio::time::timeout(MOVE_TIMEOUT, self.connections.wait()).await;
    }

    /// Accepts no more members, notifies all, and closes all connections, after acknowledging
    /// the changes that are being stored.
    pub async fn close(&self) {
        self.context.stopping.cancel();
        self.connections.close();
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, self.connections.wait()).await;
        self.server.close().await;
    }
}

/// Serves connections until the server is closed.
async fn serve(mut connections: Connections, context: Arc<Context>, tasks: TaskTracker) {
    while let Some(connection) = connections.next().await {
        tasks.spawn(connection::serve(connection, Arc::clone(&context)));
    }
}
