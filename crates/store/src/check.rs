//! Whether what is stored holds together: the engine's files, the rows of pads, all other rows.
//!
//! Everything is looked at: every revision is decoded and applied, every snapshot compared with
//! what the revisions lead to, every attribute, message and mark looked up. Where the history
//! cannot be followed it is taken up again at the next snapshot. It is read in ranges, so that the
//! pad can be edited meanwhile; what is added later is not looked at.

mod engine;

mod outline;

pub(crate) mod replay;

mod tables;

use pad::PadId;

pub use engine::{EngineCheck, check_file};

use crate::Store;
use crate::error::Error;
use crate::limits::{CHECK_PROBLEMS, CHECK_ROWS};
use crate::sql::Tx;
use outline::Outline;
use replay::Replay;

/// Something wrong with a stored pad.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("revision {0} is missing")]
    MissingRevision(i64),
    /// A row that belongs to no part of the pad: a revision after the head, for example.
    #[error("{table}: number {number} belongs nowhere")]
    Stray { table: &'static str, number: i64 },
    /// A row that cannot be decoded.
    #[error("{table}: number {number} cannot be read")]
    Unreadable { table: &'static str, number: i64 },
    /// A revision that is no change of the document before it.
    #[error("revision {rev} does not fit: {error}")]
    Misfit { rev: i64, error: changeset::Error },
    #[error("revision {rev} uses attribute {number}, which does not exist")]
    UnknownAttribute { rev: i64, number: u32 },
    /// A snapshot that is not what the revisions lead to.
    #[error("the snapshot at revision {0} is not what the revisions lead to")]
    WrongSnapshot(i64),
    #[error("chat message {0} is missing")]
    MissingMessage(i64),
    /// A column of the pad's row that does not say what is so.
    #[error("{0} of the pad's row is wrong")]
    WrongColumn(&'static str),
    /// Authors of the pool and authors of the pad are not the same.
    #[error("the pad's authors are not those of its pool")]
    WrongAuthors,
}

impl Store {
    /// What is wrong with a pad. Nothing is wrong with a pad that does not exist.
    pub async fn check_pad(&self, id: &PadId) -> Result<Vec<Problem>, Error> {
        let id = id.clone();
        let outlined = self.engine.read(move |tx| Outline::read(tx, &id)).await?;
        let Some((outline, mut problems)) = outlined else {
            return Ok(Vec::new());
        };
        let mut replay = Replay::new(&outline);
        while let Some(next) = replay.next() {
            let (from, key) = (replay.clone(), outline.key);
            let read = move |tx: &mut dyn Tx| from.range(tx, key, next..next + CHECK_ROWS);
            let Some((after, found)) = self.engine.read(read).await? else {
                // The pad was deleted or compacted meanwhile.
                return Ok(problems);
            };
            replay = after;
            problems.extend(found);
            problems.truncate(CHECK_PROBLEMS);
        }
        for first in (0..outline.chat_count).step_by(CHECK_ROWS as usize) {
            let end = (first + CHECK_ROWS).min(outline.chat_count);
            let key = outline.key;
            let read = move |tx: &mut dyn Tx| outline::check_chat(tx, key, first..end);
            problems.extend(self.engine.read(read).await?);
            problems.truncate(CHECK_PROBLEMS);
        }
        Ok(problems)
    }
}
