//! Pads, people and the API functions as a library.
//!
//! [`Service`] is everything that padsvc does with pads, without HTTP or sockets: the functions of
//! the contract as ordinary async methods, and [`Service::call`] to call them by name with
//! arguments as they come over the wire. `padsvc` puts the network around it; another program can
//! embed it as it is. `docs/library.md` is the guide; `examples/embed` is a whole program:
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embed/world.in"));
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//! use service::store::{Location, Store};
//! use service::{Config, Service};
//!
//! // `World` gives the time and random bytes: see `Environment`.
//! let store = Store::open(Location::Memory).await?;
//! let service = Service::new(store, Arc::new(World), Config::default());
//!
//! let group = service.create_group_if_not_exists_for("physics").await?;
//! let author = service.create_author_if_not_exists_for("user-17", Some("Ada")).await?;
//! let in_an_hour = service.now().millis() / 1000 + 3600;
//! let session = service.create_session(&group, &author, in_an_hour).await?;
//! let (pad, _deletion_token) =
//!     service.create_group_pad(&group, "notes", Some("Hello".into()), Some(&author)).await?;
//!
//! assert_eq!(service.get_session_info(&session).await?.author, author);
//! assert!(service.get_text(&pad, None).await?.to_string().starts_with("Hello\n"));
//! service.stop().await;
//! # Ok(())
//! # }
//! ```
//!
//! The methods of [`Service`] are grouped under the headings of the API, each with an example.
//! Types of the crates below are re-exported ([`pad`], [`store`], [`hints`], [`changeset`]), so
//! that an embedder depends on this crate alone. Versions follow semantic versioning;
//! [`api::Version`] is the version of the API's contract, which is another number.
//!
//! The crate does not know HTTP, Socket.IO, settings files, logins or updates.

mod admission;

mod answer_cache;

pub mod api;

mod authorship;

mod chat_entry;

mod cluster;

mod config;

mod environment;

mod erasure;

mod files;

mod hooks;

mod limits;

mod listing_cache;

mod live;

mod members;

mod newcomers;

mod overview;

mod tasks;

mod templates;

mod token_authors;

mod upkeep;

use std::sync::Arc;

use convert::Declared;
pub use convert::declared;
use pad::{AuthorId, Head, PadId, Timestamp};
pub use store::StorageState;
use store::{PadRecord, Store};
use tokio::sync::watch;

pub use admission::{JoinError, JoinRequest, Visit};
pub use changeset;
pub use cluster::Node;
pub use config::Config;
pub use contract::{Code, Error};
pub use convert::options;
pub use environment::Environment;
pub use files::{NativeFile, REPLACEABLE, to_import};
pub use hints;
pub use hooks::{Decision, Hooks, Narrowing, Notice, Refusal, Review};
pub use live::{
    Acceptance, Batch, BatchedRevision, Caret, Delivery, Encoded, Ending, Event, Expulsion, Feed,
    LiveRevision, MemberId, Presence, Snapshot, SubmitError, WriteCounts,
};
pub use members::{Joined, Member, Past};
pub use pad;
pub use store;
pub use templates::TemplateUse;
pub use upkeep::Repair;

use crate::answer_cache::AnswerCache;
use crate::cluster::Cluster;
use crate::hooks::HookSet;
use crate::listing_cache::ListingCache;
use crate::live::{CommandError, Edit, LivePad, Registry};
use crate::newcomers::Newcomers;

pub struct Service {
    store: Store,
    environment: Arc<dyn Environment>,
    config: Arc<Config>,
    live: Registry,
    listing: ListingCache,
    answers: AnswerCache,
    newcomers: Newcomers,
    /// `None`: the store is this process's own.
    cluster: Option<Arc<Cluster>>,
    hooks: HookSet,
    /// What attributes beside those of the core mean in files.
    declared: watch::Sender<Arc<Declared>>,
}

impl Service {
    pub fn new(store: Store, environment: Arc<dyn Environment>, config: Config) -> Service {
        Service::with_hooks(store, environment, config, None)
    }

    /// A service that another program learns from, and that lets it decide some things.
    pub fn with_hooks(
        store: Store,
        environment: Arc<dyn Environment>,
        config: Config,
        hooks: Option<Arc<dyn Hooks>>,
    ) -> Service {
        let hooks = HookSet(hooks);
        let cluster = store.node().map(|node| Arc::new(Cluster::new(node)));
        let live = Registry::new(
            store.clone(),
            Arc::clone(&environment),
            &config,
            cluster.clone(),
            hooks.clone(),
        );
        Service {
            store,
            environment,
            config: Arc::new(config),
            live,
            listing: ListingCache::default(),
            answers: AnswerCache::default(),
            newcomers: Newcomers::default(),
            cluster,
            hooks,
            declared: watch::Sender::default(),
        }
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The attributes beside those of the core that files are written and read with.
    pub fn declared_attributes(&self) -> Arc<Declared> {
        Arc::clone(&self.declared.borrow())
    }

    /// Replaces these attributes. Conversions that are under way end with those they began with.
    pub fn set_declared_attributes(&self, declared: Arc<Declared>) {
        self.declared.send_replace(declared);
    }

    /// Whether anything can be stored, as far as the last write has shown.
    pub fn storage(&self) -> watch::Receiver<StorageState> {
        self.store.storage()
    }

    /// Looks whether storing works again, and stores those who came meanwhile if it does.
    pub async fn try_storage(&self) {
        if self.store.try_storage().await.is_ok() {
            self.store_newcomers().await;
        }
    }

    /// Finishes what is under way, ends every writer and closes the store.
    pub async fn stop(&self) {
        self.live.stop().await;
        self.store.close().await;
    }

    /// Tells everybody who is in a pad that the service restarts, by the name of a text.
    pub async fn announce(&self, key: &str, seconds_left: u64) {
        let (key, time) = (Arc::from(key), self.now());
        for pad in self.live.pads().await {
            pad.tell(Event::Restart {
                key: Arc::clone(&key),
                seconds_left,
                time,
            });
        }
    }

    /// How many batches of changes this process has stored.
    pub fn write_counts(&self) -> WriteCounts {
        self.live.write_counts()
    }

    /// How many pads are in memory.
    pub fn live_pads(&self) -> usize {
        self.live.live_pads()
    }

    /// Evicts the pads from memory that nobody has used since the last call.
    pub async fn evict_idle_pads(&self) {
        self.live.evict_idle().await;
    }

    pub fn now(&self) -> Timestamp {
        self.environment.now()
    }

    fn entropy(&self) -> u128 {
        self.environment.entropy()
    }

    async fn open(&self, pad: &PadId) -> Result<LivePad, Error> {
        self.live.open(pad).await?.ok_or(Error::PadMissing)
    }

    /// The newest stored state of a pad.
    async fn head(&self, pad: &PadId) -> Result<Head, Error> {
        Ok(self.open(pad).await?.head())
    }

    async fn record(&self, pad: &PadId) -> Result<PadRecord, Error> {
        self.store.pad(pad).await?.ok_or(Error::PadMissing)
    }

    /// Edits a pad through its writer.
    async fn edit(&self, pad: &PadId, edit: Edit, author: &AuthorId) -> Result<(), Error> {
        loop {
            let live = self.open(pad).await?;
            match live.edit(edit.clone(), author.clone()).await {
                Ok(()) => return Ok(()),
                Err(CommandError::Failed(error)) => return Err(error),
                // The pad was moved, deleted, compacted or evicted in between: opening it again
                // finds out. That ends, because every round needs another such event.
                Err(CommandError::Closed) => {}
            }
        }
    }
}
