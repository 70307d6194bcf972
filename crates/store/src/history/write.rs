//! Adding revisions, sealing them, and taking snapshots.

use std::sync::Arc;

use changeset::{Document, Pool};
use pad::{Head, Rev, Revision, Step};

use super::{hole, read};
use crate::error::Error;
use crate::limits::{PACK_BYTES, PACK_REVISIONS, REVISION_WEIGHT};
use crate::record::PadKey;
use crate::sql::{Bind, Failure, Row, Tx};
use codec::{encode_change, encode_pack, encode_snapshot};

/// What the row of a pad says of its history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ledger {
    /// The number of the next revision.
    pub next: i64,
    pub sealed: i64,
    pub loose_bytes: i64,
    pub snapshot_bytes: i64,
    pub changed_bytes: i64,
}

impl Ledger {
    /// From the columns head, sealed, loose_bytes, snapshot_bytes and changed_bytes.
    pub(crate) fn read(row: &mut Row, first_column: usize) -> Result<Ledger, Failure> {
        let mut column = |offset: usize| row.int(first_column + offset);
        Ok(Ledger {
            next: column(0)? + 1,
            sealed: column(1)?,
            loose_bytes: column(2)?,
            snapshot_bytes: column(3)?,
            changed_bytes: column(4)?,
        })
    }

    /// Also for the lists of pads.
    pub(crate) fn write(&self, tx: &mut dyn Tx, key: PadKey) -> Result<(), Failure> {
        let binds = [
            (self.next - 1).into(),
            self.sealed.into(),
            self.loose_bytes.into(),
            self.snapshot_bytes.into(),
            self.changed_bytes.into(),
            key.0.into(),
        ];
        tx.execute(
            "UPDATE pads SET head = $1, sealed = $2, loose_bytes = $3, snapshot_bytes = $4,
                 changed_bytes = $5, listed_head = $1, listed_time = head_time
             WHERE key = $6",
            &binds,
        )
        .map(drop)
    }

    fn is_pack_due(&self) -> bool {
        self.next - self.sealed >= PACK_REVISIONS || self.loose_bytes >= PACK_BYTES
    }

    /// The newest snapshot says what one weighs. A document that has grown since, or has none yet,
    /// is taken to compress to a third.
    fn is_snapshot_due(&self, document: &Document) -> bool {
        self.changed_bytes >= self.snapshot_bytes.max(document.len() as i64 / 3)
    }
}

/// Revisions to be added, and the documents before and after them.
pub(crate) struct Addition {
    revisions: Vec<Revision>,
    changes: Vec<Vec<u8>>,
    before: Document,
    after: Document,
    pool: Arc<Pool>,
}

impl Addition {
    pub(crate) fn new(before: &Head, step: &Step) -> Addition {
        let encode = |revision: &Revision| encode_change(&revision.change);
        Addition {
            revisions: step.revisions.clone(),
            changes: step.revisions.iter().map(encode).collect(),
            before: before.document.clone(),
            after: step.head.document.clone(),
            pool: Arc::clone(&step.head.pool),
        }
    }

    /// How many revisions it is.
    pub(crate) fn len(&self) -> u64 {
        self.revisions.len() as u64
    }

    /// What it adds to the weight of the rows.
    pub(crate) fn weight(&self) -> i64 {
        self.changes.iter().map(|change| change.len() as i64).sum()
    }

    /// Writes the revisions as rows, from a number on.
    pub(crate) fn write_rows(
        &self,
        tx: &mut dyn Tx,
        key: PadKey,
        first: Rev,
    ) -> Result<(), Failure> {
        for ((revision, change), rev) in self.revisions.iter().zip(&self.changes).zip(first.0..) {
            insert(tx, key, Rev(rev), revision, change)?;
        }
        Ok(())
    }

    /// Writes the revisions from `ledger.next` on, and seals what has to be sealed.
    pub(crate) fn write(
        &self,
        tx: &mut dyn Tx,
        key: PadKey,
        ledger: &mut Ledger,
    ) -> Result<(), Failure> {
        let mut document = self.before.clone();
        let mut pending: &[Revision] = &self.revisions;
        for (index, (revision, change)) in self.revisions.iter().zip(&self.changes).enumerate() {
            insert(tx, key, Rev(ledger.next.unsigned_abs()), revision, change)?;
            ledger.next += 1;
            ledger.loose_bytes += change.len() as i64;
            if !ledger.is_pack_due() {
                continue;
            }
            seal(tx, key, ledger)?;
            let rest = self.revisions.get(index + 1..).unwrap_or_default();
            let done = pending.len() - rest.len();
            document = match rest {
                [] => self.after.clone(),
                _ => self.replay(document, pending.get(..done).unwrap_or_default())?,
            };
            pending = rest;
            if ledger.is_snapshot_due(&document) {
                take_snapshot(tx, key, ledger, &document)?;
            }
        }
        Ok(())
    }

    fn replay(&self, document: Document, revisions: &[Revision]) -> Result<Document, Failure> {
        let mut revisions = revisions.iter();
        let replayed = revisions.try_fold(document, |document, revision| {
            document.apply(&revision.change, &self.pool)
        });
        replayed.map_err(|error| Error::Corrupt(format!("a revision does not fit: {error}")).into())
    }
}

fn insert(
    tx: &mut dyn Tx,
    key: PadKey,
    rev: Rev,
    revision: &Revision,
    change: &[u8],
) -> Result<(), Failure> {
    let author = revision.author.as_ref().map(|author| author.as_str());
    tx.execute(
        "INSERT INTO revisions (pad, rev, author, time, change) VALUES ($1, $2, $3, $4, $5)",
        &[
            key.0.into(),
            rev.into(),
            author.into(),
            revision.time.millis().into(),
            change.into(),
        ],
    )
    .map(drop)
}

/// Puts all rows into a pack.
fn seal(tx: &mut dyn Tx, key: PadKey, ledger: &mut Ledger) -> Result<(), Failure> {
    let revisions = read::loose(tx, key, ledger.sealed..ledger.next)?;
    if revisions.len() as i64 != ledger.next - ledger.sealed {
        return Err(hole(ledger.sealed));
    }
    let pack = encode_pack(&revisions);
    tx.execute(
        "INSERT INTO packs (pad, first, last, data) VALUES ($1, $2, $3, $4)",
        &[
            key.0.into(),
            ledger.sealed.into(),
            (ledger.next - 1).into(),
            Bind::Blob(&pack),
        ],
    )?;
    tx.execute(
        "DELETE FROM revisions WHERE pad = $1 AND rev < $2",
        &[key.0.into(), ledger.next.into()],
    )?;
    ledger.sealed = ledger.next;
    ledger.loose_bytes = 0;
    ledger.changed_bytes += pack.len() as i64 + REVISION_WEIGHT * revisions.len() as i64;
    Ok(())
}

fn take_snapshot(
    tx: &mut dyn Tx,
    key: PadKey,
    ledger: &mut Ledger,
    document: &Document,
) -> Result<(), Failure> {
    let data = encode_snapshot(document);
    tx.execute(
        "INSERT INTO snapshots (pad, rev, data) VALUES ($1, $2, $3)",
        &[key.0.into(), (ledger.next - 1).into(), Bind::Blob(&data)],
    )?;
    ledger.snapshot_bytes = data.len() as i64;
    ledger.changed_bytes = 0;
    Ok(())
}
