//! Migration: everything that the database of an Etherpad holds, brought into the store.
//!
//! That database is records under keys, wherever it is kept. [`Records::read`] makes one table of
//! any of its kinds, in which records are found by their keys; the original is only read. Then
//! [`migrate`] brings over authors and what they are found by, groups and their sessions, and pads,
//! one after the other: with all revisions, chat, marked revisions, read-only ids and the hashes of
//! deletion tokens. Each pad is then read back and compared with the source.
//!
//! What is here already stays as it is, so an interrupted migration is simply started again. With
//! [`Plan::follow`] pads that have changed in the source since they were brought are replaced, if
//! nobody has changed them here.
//!
//! What old and repaired databases contain is dealt with where `.etherpad` files are read, which
//! are made of the same records.

mod attributes;
mod bounds;
mod dump;
mod ledger;
mod lossy;
mod pads;
mod people;
mod records;
mod report;
mod source;
mod verify;

use pad::Timestamp;
use store::Store;

pub use dump::Dump;
pub use ledger::Ledger;
pub use records::Records;
pub use report::{Entry, Outcome, PadCounts, Report, plugin_record};
pub use source::{Leniency, Source};
pub use verify::Depth;

/// How much is done, and of how much.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The source cannot be read.
    #[error("{0}")]
    Source(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        Error::Source(error.to_string())
    }
}

/// Where to, and how.
pub struct Plan<'a> {
    pub store: &'a Store,
    pub ledger: &'a Ledger,
    /// Replace pads that have changed in the source since they were brought.
    pub follow: bool,
    pub verify: Depth,
}

/// Brings everything over. Without a plan it is only read, to report what would be done.
pub async fn migrate(
    records: &Records,
    plan: Option<&Plan<'_>>,
    now: Timestamp,
    progress: Progress<'_>,
) -> Result<Report, Error> {
    let mut report = Report::default();
    for (key, reason) in records.damages() {
        report.leave_out(key, reason);
    }
    people::migrate(records, plan, now, &mut report).await?;
    pads::migrate(records, plan, &mut report, progress).await?;
    records.count_plugin_records(&mut report)?;
    Ok(report)
}
