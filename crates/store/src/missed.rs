//! What others have written to a pad since somebody looked.
//!
//! Costs what was missed, however long the pad's text and history are.

use std::sync::Arc;

use changeset::{Attribute, Pool};
use pad::{Head, Rev, Revision, Timestamp};

use crate::Store;
use crate::cluster::{SeatRecord, present};
use crate::error::Error;
use crate::history;
use crate::limits::HEADS_READ;
use crate::record::PadKey;
use crate::sql::{Dialect, Failure, Row, Tx};

/// What has happened to a pad since a head was the newest.
#[derive(Clone, Debug)]
pub struct Missed {
    pub revisions: Vec<Revision>,
    /// What was added to the pool.
    pub attributes: Vec<(u32, Attribute)>,
    /// The number that the pool gives next.
    pub next_attribute: u32,
    /// When the newest revision was made.
    pub head_time: Timestamp,
    /// The number of the pad's seats.
    pub seats: i64,
    /// All members, if the number is another than the one that was known.
    pub present: Option<Vec<SeatRecord>>,
}

/// The newest state of a pad, without its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PadHead {
    pub key: PadKey,
    pub rev: Rev,
    /// The number of the pad's seats.
    pub seats: i64,
}

impl Store {
    /// What has happened since `known` was the head and `seats`, if given, the number of the seats.
    /// `None`: the pad is gone.
    pub async fn missed(
        &self,
        key: PadKey,
        known: &Head,
        seats: Option<i64>,
    ) -> Result<Option<Missed>, Error> {
        let known = Known::new(known, seats);
        let read = move |tx: &mut dyn Tx| read(tx, key, known, Hold::No);
        self.engine.read(read).await
    }

    /// The heads of those pads that have a name, in no particular order.
    pub async fn heads(&self, keys: &[PadKey]) -> Result<Vec<PadHead>, Error> {
        let mut heads = Vec::with_capacity(keys.len());
        for keys in keys.chunks(HEADS_READ) {
            let keys: Vec<String> = keys.iter().map(|key| key.0.to_string()).collect();
            let keys = keys.join(",");
            let read = move |tx: &mut dyn Tx| read_heads(tx, &keys);
            heads.extend(self.engine.read(read).await?);
        }
        Ok(heads)
    }
}

impl Missed {
    /// Whether nothing has happened that a plan depends on.
    pub(crate) fn is_nothing(&self) -> bool {
        self.revisions.is_empty() && self.present.is_none()
    }

    /// The head after what was missed.
    pub fn apply(&self, known: &Head) -> Result<Head, Error> {
        let pool = match self.attributes.as_slice() {
            [] => Arc::clone(&known.pool),
            added => {
                let entries = known.pool.entries();
                let entries = entries.map(|(number, attribute)| (number, attribute.clone()));
                let entries = entries.chain(added.iter().cloned());
                Arc::new(Pool::from_entries(entries, self.next_attribute))
            }
        };
        let mut revisions = self.revisions.iter();
        let document = revisions.try_fold(known.document.clone(), |document, revision| {
            document.into_applied(&revision.change, &pool)
        });
        let document = document
            .map_err(|error| Error::Corrupt(format!("a revision does not fit: {error}")))?;
        let count = self.revisions.len() as u64;
        Ok(Head {
            rev: known.rev.map(|rev| Rev(rev.0 + count)),
            document,
            pool,
            time: self.head_time,
        })
    }
}

/// What the caller knows of a pad.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    next: i64,
    next_attribute: u32,
    seats: Option<i64>,
}

impl Known {
    pub(crate) fn new(head: &Head, seats: Option<i64>) -> Known {
        Known {
            next: i64::try_from(head.next_rev().0).unwrap_or(i64::MAX),
            next_attribute: head.pool.next_number(),
            seats,
        }
    }
}

/// Whether the row stays as it is until the transaction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    Yes,
    No,
}

/// `None`: the pad is gone, or its history is shorter than what is known.
pub(crate) fn read(
    tx: &mut dyn Tx,
    key: PadKey,
    known: Known,
    hold: Hold,
) -> Result<Option<Missed>, Failure> {
    // In the embedded database who writes is alone.
    let sql = match (hold, tx.dialect()) {
        (Hold::Yes, Dialect::Postgres) => {
            "SELECT head, next_attribute, head_time, seats, sealed FROM pads
             WHERE key = $1 AND name IS NOT NULL FOR UPDATE"
        }
        _ => {
            "SELECT head, next_attribute, head_time, seats, sealed FROM pads
             WHERE key = $1 AND name IS NOT NULL"
        }
    };
    let Some(mut row) = tx.row(sql, &[key.0.into()])? else {
        return Ok(None);
    };
    let (next, next_attribute) = (row.int(0)? + 1, row.int(1)?);
    let (head_time, seats) = (Timestamp(row.int(2)?), row.int(3)?);
    let sealed = row.int(4)?;
    if next < known.next {
        return Ok(None);
    }
    let revisions = match next == known.next {
        true => Vec::new(),
        false if known.next >= sealed => history::unsealed(tx, key, known.next..next)?,
        false => history::revisions(tx, key, known.next..next)?,
    };
    let attributes = match next_attribute == i64::from(known.next_attribute) {
        true => Vec::new(),
        false => history::attributes_since(tx, key, known.next_attribute)?,
    };
    let present = match known.seats.is_none_or(|known| known == seats) {
        true => None,
        false => Some(present(tx, key)?),
    };
    Ok(Some(Missed {
        revisions,
        attributes,
        next_attribute: history::attribute_number(next_attribute)?,
        head_time,
        seats,
        present,
    }))
}

/// Keys are written with commas between them: the engines have no list of numbers in common.
fn read_heads(tx: &mut dyn Tx, keys: &str) -> Result<Vec<PadHead>, Failure> {
    let rows = match tx.dialect() {
        Dialect::Sqlite => tx.rows(
            "SELECT key, head, seats FROM pads
             WHERE key IN (SELECT value FROM json_each('[' || $1 || ']')) AND name IS NOT NULL",
            &[keys.into()],
        )?,
        Dialect::Postgres => tx.rows(
            "SELECT key, head, seats FROM pads
             WHERE key = ANY (string_to_array($1, ',')::BIGINT[]) AND name IS NOT NULL",
            &[keys.into()],
        )?,
    };
    let head = |mut row: Row| {
        Ok(PadHead {
            key: PadKey(row.int(0)?),
            rev: row.rev(1)?,
            seats: row.int(2)?,
        })
    };
    rows.into_iter().map(head).collect()
}
