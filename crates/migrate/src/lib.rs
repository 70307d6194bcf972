//! Moving in: everything that the database of an Etherpad holds, brought into the store.
//!
//! That database is records under keys, wherever it is kept. [`Records::read`] makes one table of
//! any of its kinds, in which records are found by their keys; the original is only read. Then
//! [`migrate`] brings over authors and what they are found by, groups and their sessions, and pads,
//! one after the other: with all revisions, chat, marked revisions, read-only ids and the hashes of
//! deletion tokens. What is here already stays as it is, so that it can be done again after it was
//! interrupted, and what cannot be read is told and left out.
//!
//! What old and repaired databases contain is dealt with where `.etherpad` files are read, which
//! are made of the same records.

mod pads;
mod people;
mod records;
mod report;
mod source;

use std::fmt;

use pad::Timestamp;
use store::Store;

pub use records::Records;
pub use report::Report;
pub use source::Source;

/// How much is done, and of how much.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);

#[derive(Debug)]
pub enum Error {
    /// What is to be read cannot be.
    Source(String),
    Store(store::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Source(reason) => f.write_str(reason),
            Error::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Error {
        Error::Store(error)
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        Error::Source(error.to_string())
    }
}

/// Brings everything over. Without a store it is only read, to tell what would be done.
pub async fn migrate(
    records: &Records,
    store: Option<&Store>,
    now: Timestamp,
    progress: Progress<'_>,
) -> Result<Report, Error> {
    let mut report = Report::default();
    people::migrate(records, store, now, &mut report).await?;
    pads::migrate(records, store, &mut report, progress).await?;
    records.count_strangers(&mut report)?;
    Ok(report)
}
