//! Where pads are kept.
//!
//! [`Store`] speaks in domain words: a pad is created, revisions are appended, a document at a
//! revision is read. Behind it is one schema and one set of SQL, carried out by an embedded
//! database or by PostgreSQL.
//!
//! What every method promises:
//!
//! * A call answers `Ok` only after what it wrote is on disk.
//! * A call is carried out completely or not at all, also if the process or the machine stops.
//! * Reads never wait for writes and see everything that was answered before they were asked.
//! * Nothing assumes to be the only writer: [`Store::append_or_replan`] names the head it builds
//!   upon, and what others have written since is planned upon.
//!
//! It does not know live pads, members, HTTP, the clock or random sources.
//!
//! Read `record` first, then `pads`, `append` and `history`. `sql` is what they are written in,
//! `engine` is what carries it out.

mod error;

mod record;

mod pads;

mod append;

mod missed;

mod history;

mod building;

mod transfer;

mod compact;

mod import;

mod removal;

mod chat;

mod people;

mod groups;

mod sessions;

mod session_key;

mod cluster;

mod entries;

mod plugins;

mod secrets;

mod series;

mod sealing;

mod browse;

mod names;

mod check;

mod salvage;

mod backup;

mod sql;

mod engine;

mod schema;

mod limits;

#[cfg(any(test, feature = "testing"))]
pub mod conformance;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;

pub use append::{Added, Replanned};
pub use backup::{Report, backup, examine, restore};
pub use browse::{
    AuditAsked, AuditLine, AuthorsAsked, Mark, PadLine, PadOrder, PadsAsked, Page, Weights,
};
pub use chat::Said;
pub use check::{EngineCheck, Problem, check_file};
pub use cluster::{
    Arrival, Beat, NodeId, NodeRecord, NodeReport, Note, NoteRecord, SeatRecord, list_nodes,
    session_hash,
};
#[cfg(any(test, feature = "testing"))]
pub use engine::FaultPlan;
pub use engine::{Messages as ServerMessages, Server as PostgresServer, StorageState};
pub use entries::Entry;
pub use error::Error;
pub use import::{Import, Origin};
pub use missed::{Missed, PadHead};
pub use plugins::{
    PluginList, PluginRecord, PluginTimer, PluginTimerWrite, PluginValueWrite, PluginWrite,
};
pub use record::{Appended, NewPad, PadKey, PadRecord, SavedRevision, Transfer};
pub use salvage::Salvage;
pub use sealing::{SEALING_SALT_BYTES, SealingKey};
pub use session_key::{SESSION_KEY_BYTES, SessionKey};

use cluster::Notes;
use names::Changes;

use engine::{Driver, Embedded, Engine, Memory, Postgres, Turn};

/// Where the data is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// Nowhere: gone when the store is closed.
    Memory,
    /// A database file, made if there is none.
    Embedded(PathBuf),
    /// A PostgreSQL database, as a connection string or URL.
    Postgres(String),
}

/// Where the data is, and what is needed to use it.
#[derive(Clone, Debug)]
pub struct Opening {
    pub location: Location,
    /// Without one sessions let in, but are in no listing: their ids are stored as hashes alone.
    pub session_key: Option<SessionKey>,
    /// Who opens it. Only a PostgreSQL database has nodes; there the store is shared with others.
    pub node: Option<NodeId>,
}

impl From<Location> for Opening {
    fn from(location: Location) -> Opening {
        // What is in memory alone needs no protection.
        let is_memory = location == Location::Memory;
        Opening {
            location,
            session_key: is_memory.then(|| SessionKey::new([0; SESSION_KEY_BYTES])),
            node: None,
        }
    }
}

/// A handle on the store. Cloning it is cheap.
#[derive(Clone)]
pub struct Store {
    engine: Arc<Engine>,
    names: Changes,
    notes: Notes,
    node: Option<NodeId>,
    session_key: Option<Arc<SessionKey>>,
}

impl Store {
    /// Opens the store, brings its tables up to date and removes what a crash has left.
    pub async fn open(opening: impl Into<Opening>) -> Result<Store, Error> {
        let opening = opening.into();
        let driver = driver(&opening)?;
        Store::start(driver, opening).await
    }

    /// [`Store::open`] as a node of its own, beside others in the same database.
    #[cfg(any(test, feature = "testing"))]
    pub async fn open_shared(location: Location) -> Result<Store, Error> {
        use std::sync::atomic::{AtomicU64, Ordering};
        static LAST: AtomicU64 = AtomicU64::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let node = matches!(location, Location::Postgres(_)).then(|| NodeId::new(number));
        let opening = Opening::from(location);
        Store::open(Opening { node, ..opening }).await
    }

    /// The same store, as another node has it.
    #[cfg(any(test, feature = "testing"))]
    pub fn as_node(&self, node: NodeId) -> Store {
        Store {
            node: Some(node),
            notes: Notes::default(),
            ..self.clone()
        }
    }

    /// [`Store::open`], with failures where the plan says.
    #[cfg(any(test, feature = "testing"))]
    pub async fn open_failing(
        opening: impl Into<Opening>,
        plan: Arc<FaultPlan>,
    ) -> Result<Store, Error> {
        let opening = opening.into();
        let driver = driver(&opening)?;
        let driver = Arc::new(engine::Faulty { driver, plan });
        Store::start(driver, opening).await
    }

    async fn start(driver: Arc<dyn Driver>, opening: Opening) -> Result<Store, Error> {
        let started = Store::start_engine(driver, opening).await;
        started.map_err(|error| match error {
            // Of a store that cannot be opened nothing can be read either.
            Error::NotStored(detail) => Error::Unavailable(detail),
            other => other,
        })
    }

    async fn start_engine(driver: Arc<dyn Driver>, opening: Opening) -> Result<Store, Error> {
        let session_key = opening.session_key.map(Arc::new);
        let mut engine = Engine::start(Arc::clone(&driver), removal::remove_some)?;
        let upgrade = |tx: &mut dyn sql::Tx| schema::upgrade(tx, schema::VERSIONS);
        while engine.write(Turn::Alone, upgrade).await? {}
        // Where keys are in the database, [`Store::with_session_key`] does it.
        let comes_later =
            session_key.is_none() && matches!(opening.location, Location::Postgres(_));
        let key = session_key.clone();
        let hash = move |tx: &mut dyn sql::Tx| sessions::hash_plain(tx, key.as_deref());
        if !comes_later && engine.write(Turn::Alone, hash).await? > 0 {
            // The ids are out of the embedded database's file when its log is brought into it,
            // which closing does.
            engine.close().await;
            engine = Engine::start(driver, removal::remove_some)?;
        }
        engine
            .write(Turn::Alone, removal::mark_unfinished_deleted)
            .await?;
        engine.wake();
        Ok(Store {
            engine: Arc::new(engine),
            names: Changes::default(),
            notes: Notes::default(),
            node: opening.node,
            session_key,
        })
    }

    /// The store with a session key that was found in it.
    pub async fn with_session_key(self, key: SessionKey) -> Result<Store, Error> {
        let key = Arc::new(key);
        let session_key = Some(Arc::clone(&key));
        let hash = move |tx: &mut dyn sql::Tx| sessions::hash_plain(tx, Some(&key));
        self.engine.write(Turn::Alone, hash).await?;
        Ok(Store {
            session_key,
            ..self
        })
    }

    /// A key for one purpose, the same on all nodes and after each start. `None`: the store was
    /// opened without a session key.
    pub fn derived_key(&self, purpose: &str) -> Option<[u8; 32]> {
        self.session_key.as_ref()?.derive(purpose)
    }

    /// Whether other processes may write to the same data.
    pub fn is_shared(&self) -> bool {
        self.node.is_some()
    }

    /// The node that this process is. `None`: it has the data to itself.
    pub fn node(&self) -> Option<NodeId> {
        self.node
    }

    /// Finishes what is under way and releases the database. Later calls fail.
    pub async fn close(&self) {
        self.engine.close().await;
    }

    /// What the data takes on disk, in bytes.
    pub async fn size(&self) -> Result<u64, Error> {
        let read = |tx: &mut dyn sql::Tx| {
            let sql = match tx.dialect() {
                sql::Dialect::Sqlite => {
                    "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
                }
                sql::Dialect::Postgres => "SELECT pg_database_size(current_database())",
            };
            tx.row(sql, &[])?.map_or(Ok(0), |mut row| row.count(0))
        };
        self.engine.read(read).await
    }

    /// Whether anything can be stored, as far as the last write has shown.
    pub fn storage(&self) -> watch::Receiver<StorageState> {
        self.engine.storage()
    }

    /// Writes something that changes nothing, to see whether that works.
    pub async fn try_storage(&self) -> Result<(), Error> {
        let write = |tx: &mut dyn sql::Tx| {
            let sql = "UPDATE schema SET version = version WHERE row = 1";
            tx.execute(sql, &[]).map(drop)
        };
        self.engine.write(Turn::Alone, write).await
    }

    /// Whether the store can be read.
    pub async fn ping(&self) -> Result<(), Error> {
        let read = |tx: &mut dyn sql::Tx| tx.row("SELECT version FROM schema", &[]).map(drop);
        self.engine.read(read).await
    }
}

fn driver(opening: &Opening) -> Result<Arc<dyn Driver>, Error> {
    Ok(match &opening.location {
        Location::Memory => Arc::new(Memory),
        Location::Embedded(path) => Arc::new(Embedded::lock(path)?),
        Location::Postgres(connection) => {
            Arc::new(Postgres::new(connection, opening.node.is_some())?)
        }
    })
}
