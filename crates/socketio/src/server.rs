//! The server: which sessions there are, and how one begins and ends.
//!
//! A session is in the table from the answer to its handshake until its task has ended, so the
//! table is what limits are counted on and what closing waits for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::routing::any;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use http::request::Parts;
use hyper::upgrade::OnUpgrade;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::connection::Connection;
use crate::end::End;
use crate::lock::lock;
use crate::packet::Packet;
use crate::requests::handle;
use crate::session::Session;
use crate::tasks::Tasks;
use crate::{task, upgrade};

/// Clients that have joined and wait for the application.
const JOINED: usize = 64;

/// Cheap to clone; all clones are the same server.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

pub(crate) struct Shared {
    pub config: Arc<Config>,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
    joined: mpsc::Sender<Connection>,
    closing: CancellationToken,
    tasks: Tasks,
}

impl Server {
    pub fn new(config: Config) -> (Server, Connections) {
        let (joined, waiting) = mpsc::channel(JOINED);
        let closing = CancellationToken::new();
        let connections = Connections {
            joined: waiting,
            closing: closing.clone(),
        };
        let shared = Shared {
            config: Arc::new(config),
            sessions: Mutex::default(),
            joined,
            closing,
            tasks: Tasks::default(),
        };
        (Server(Arc::new(shared)), connections)
    }

    /// The route `/socket.io/`. The state is inside.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/socket.io/", any(handle))
            .with_state(Arc::clone(&self.0))
    }

    /// How many clients are connected, whether they have joined the namespace or not.
    pub fn connections(&self) -> usize {
        lock(&self.0.sessions).len()
    }

    /// Takes no new clients, closes all there are, and waits until they are gone.
    pub async fn close(&self) {
        {
            // Under the lock, so that none can come in between.
            let sessions = lock(&self.0.sessions);
            self.0.closing.cancel();
            for session in sessions.values() {
                session.end(End::Closing);
            }
        }
        self.0.tasks.wait().await;
    }
}

#[cfg(test)]
impl Server {
    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.0)
    }
}

/// The clients that have joined the namespace `/`, in the order they did.
pub struct Connections {
    joined: mpsc::Receiver<Connection>,
    closing: CancellationToken,
}

impl Connections {
    /// `None` once the server is closed.
    pub async fn next(&mut self) -> Option<Connection> {
        tokio::select! {
            biased;
            () = self.closing.cancelled() => None,
            connection = self.joined.recv() => connection,
        }
    }
}

impl Shared {
    /// A new session with its task; `None` if there are too many or the server closes.
    pub(crate) fn begin(
        self: &Arc<Self>,
        request: Parts,
        websocket: Option<OnUpgrade>,
    ) -> Option<Arc<Session>> {
        let id = format!("{}{}", self.config.id_prefix, random_id()?);
        let config = Arc::clone(&self.config);
        let session = match websocket {
            Some(_) => Session::websocket(id.clone(), config),
            None => Session::polling(id.clone(), config),
        };
        let session = Arc::new(session);
        {
            let mut sessions = lock(&self.sessions);
            if self.closing.is_cancelled() || sessions.len() >= self.config.max_connections {
                return None;
            }
            sessions.insert(id, Arc::clone(&session));
        }
        let request = Box::new(request);
        let task = task::run(Arc::clone(self), Arc::clone(&session), request, websocket);
        self.tasks.start(task);
        Some(session)
    }

    pub(crate) fn upgrade(&self, session: Arc<Session>, websocket: OnUpgrade) {
        self.tasks.start(upgrade::run(session, websocket));
    }

    pub(crate) fn session(&self, id: &str) -> Option<Arc<Session>> {
        lock(&self.sessions).get(id).cloned()
    }

    pub(crate) fn remove(&self, id: &str) {
        lock(&self.sessions).remove(id);
    }

    /// Hands the connection to the application.
    pub(crate) async fn announce(&self, connection: Connection) -> Result<(), End> {
        self.joined.send(connection).await.map_err(|_| End::Closing)
    }

    /// The first packet of a session.
    pub(crate) fn open_packet(&self, session: &Session, is_polling: bool) -> Packet {
        let upgrades = if is_polling && self.config.websocket {
            "\"websocket\""
        } else {
            ""
        };
        Packet::text(&[&format!(
            "0{{\"sid\":\"{}\",\"upgrades\":[{upgrades}],\"pingInterval\":{},\"pingTimeout\":{},\
             \"maxPayload\":{}}}",
            session.id,
            self.config.ping_interval.as_millis(),
            self.config.ping_timeout.as_millis(),
            self.config.max_payload,
        )])
    }
}

/// 120 bits nobody can guess; `None` if the system has no random bytes to give.
#[expect(
    clippy::disallowed_methods,
    reason = "the crate stands alone, and an id must not be guessed"
)]
pub(crate) fn random_id() -> Option<String> {
    let mut bytes = [0; 15];
    getrandom::fill(&mut bytes).ok()?;
    Some(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}
