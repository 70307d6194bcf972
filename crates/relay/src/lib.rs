//! Relay: requests of a connection that another node has, passed on to that node.
//!
//! A websocket stays where it was opened. Long polling, and the change from it to a websocket, are
//! requests of their own, and a load balancer may bring each of them to another node. The id of the
//! connection names the node that has it. A request that arrives elsewhere is passed on as it
//! comes, and so is the answer. If that does not work, the client gets the answer for an id that
//! nobody knows, and connects again.
//!
//! What one node tells another about a client is believed because it is signed (`stamp`). A request
//! is passed on once at most: who receives one with a stamp keeps it, whatever the stamp is worth.

mod connect;
mod forward;
mod peer;
mod stamp;
mod tasks;
mod tunnel;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{from_fn_with_state, map_request_with_state};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use store::{NodeId, NodeRecord};
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use connect::Connector;
pub use peer::address;
pub use stamp::RelayKey;
use tasks::Tasks;

/// How many requests and websockets are passed on at a time. Each takes two connections of this
/// process and one of the other.
const RELAYS: usize = 1000;
/// Connections to one node that are kept for the next request.
const IDLE_CONNECTIONS: usize = 32;

/// Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct Relay(Arc<Shared>);

struct Shared {
    node: NodeId,
    key: RelayKey,
    nodes: watch::Receiver<Vec<NodeRecord>>,
    client: Client<Connector, axum::body::Body>,
    permits: Arc<Semaphore>,
    closing: CancellationToken,
    tasks: Tasks,
}

impl Relay {
    /// Of this node, among the nodes that there are at any time.
    pub fn new(node: NodeId, key: RelayKey, nodes: watch::Receiver<Vec<NodeRecord>>) -> Relay {
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .build(Connector::new(nodes.clone()));
        Relay(Arc::new(Shared {
            node,
            key,
            nodes,
            client,
            permits: Arc::new(Semaphore::new(RELAYS)),
            closing: CancellationToken::new(),
            tasks: Tasks::default(),
        }))
    }

    /// Has the requests for connections of other nodes passed on to them.
    pub fn around_sockets(&self, sockets: Router) -> Router {
        sockets.layer(from_fn_with_state(self.clone(), forward::pass_on))
    }

    /// Has all requests looked at for what other nodes say about them. Nothing else may look at
    /// a request before.
    pub fn around_all(&self, routes: Router) -> Router {
        let received = |state: axum::extract::State<Relay>, request: Request| async move {
            let Relay(shared) = state.0;
            stamp::receive(&shared.key, shared.node, request)
        };
        Router::new()
            .fallback_service(routes)
            .layer(map_request_with_state(self.clone(), received))
    }

    /// Ends what is passed on at the moment.
    pub async fn close(&self) {
        self.0.closing.cancel();
        self.0.tasks.wait().await;
    }
}
