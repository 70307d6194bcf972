//! Where pads are kept.
//!
//! [`Store`] speaks in domain words: a pad is created, revisions are appended, a document at a
//! revision is read. Behind it is one schema and one set of SQL, carried out by an embedded database
//! or by PostgreSQL.
//!
//! What every method promises:
//!
//! * A call answers `Ok` only after what it wrote is on disk.
//! * A call is carried out wholly or not at all, also if the process or the machine stops.
//! * Reads never wait for writes and see everything that was answered before they were asked.
//! * Nothing assumes to be the only writer: [`Store::append`] names the head it builds upon.
//!
//! It does not know live pads, members, HTTP, the clock or random sources.

mod error;

mod record;

mod pads;

mod chat;

mod people;

mod groups;

mod check;

use std::path::PathBuf;
use std::sync::Arc;

pub use check::Problem;
pub use error::Error;
pub use record::{Appended, NewPad, PadKey, PadRecord, SavedRevision, Transfer};

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

/// A handle on the store. Cloning it is cheap.
#[derive(Clone)]
pub struct Store {
    #[allow(dead_code)]
    inner: Arc<()>,
}

fn missing<T>() -> Result<T, Error> {
    Err(Error::Unavailable("not built yet".to_owned()))
}

impl Store {
    pub async fn open(_location: Location) -> Result<Store, Error> {
        missing()
    }

    /// Finishes what is under way and releases the database. Later calls fail.
    pub async fn close(&self) {}

    /// Whether the store can be read.
    pub async fn ping(&self) -> Result<(), Error> {
        missing()
    }
}
