//! Following the history from its beginning, as far as it can be followed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use changeset::{Document, Pool};
use pad::{AuthorId, Head, Revision, Timestamp};

use super::Problem;
use super::outline::Outline;
use crate::record::PadKey;
use crate::sql::{Failure, Row, Tx};
use codec::{decode_change, decode_pack, decode_snapshot};

#[derive(Clone)]
pub(crate) struct Replay {
    next: i64,
    head: i64,
    head_time: Timestamp,
    /// `None` where it is not known what the revisions lead to.
    document: Option<Document>,
    pool: Arc<Pool>,
}

impl Replay {
    pub(crate) fn new(outline: &Outline) -> Replay {
        Replay {
            next: 0,
            head: outline.head,
            head_time: Timestamp(outline.head_time),
            document: Some(Head::empty().document),
            pool: Arc::clone(&outline.pool),
        }
    }

    /// The revision to go on with.
    pub(crate) fn next(&self) -> Option<i64> {
        (self.next <= self.head).then_some(self.next)
    }

    /// Follows a range. `None`: the pad is gone.
    pub(crate) fn range(
        &self,
        tx: &mut dyn Tx,
        key: PadKey,
        range: Range<i64>,
    ) -> Result<Option<(Replay, Vec<Problem>)>, Failure> {
        let alive = tx.row(
            "SELECT key FROM pads WHERE key = $1 AND name IS NOT NULL",
            &[key.0.into()],
        )?;
        if alive.is_none() {
            return Ok(None);
        }
        let mut replay = self.clone();
        let mut problems = Vec::new();
        let range = range.start..range.end.min(self.head + 1);
        let revisions = decode_revisions(tx, key, range.clone(), &mut problems)?;
        let mut snapshots = read_snapshots(tx, key, range.clone())?;
        for rev in range {
            match revisions.get(&rev) {
                Some(revision) => replay.follow(rev, revision, &mut problems),
                None => {
                    replay.document = None;
                    problems.push(Problem::MissingRevision(rev));
                }
            }
            if let Some(data) = snapshots.remove(&rev) {
                replay.compare(rev, &data, &mut problems);
            }
            replay.next = rev + 1;
        }
        Ok(Some((replay, problems)))
    }

    fn follow(&mut self, rev: i64, revision: &Revision, problems: &mut Vec<Problem>) {
        for number in revision.change.ops.iter().flat_map(|op| op.attribs.iter()) {
            if self.pool.get(number).is_none() {
                problems.push(Problem::UnknownAttribute { rev, number });
            }
        }
        if rev == self.head && revision.time != self.head_time {
            problems.push(Problem::WrongColumn("head_time"));
        }
        let Some(document) = self.document.take() else {
            return;
        };
        match document.apply(&revision.change, &self.pool) {
            Ok(after) => self.document = Some(after),
            Err(error) => problems.push(Problem::Misfit { rev, error }),
        }
    }

    fn compare(&mut self, rev: i64, data: &[u8], problems: &mut Vec<Problem>) {
        let Ok(snapshot) = decode_snapshot(data) else {
            problems.push(Problem::Unreadable {
                table: "snapshots",
                number: rev,
            });
            return;
        };
        match &self.document {
            Some(document) if *document != snapshot => problems.push(Problem::WrongSnapshot(rev)),
            Some(_) => {}
            None => self.document = Some(snapshot),
        }
    }
}

/// The revisions of a range that can be read, wherever they are.
pub(crate) fn decode_revisions(
    tx: &mut dyn Tx,
    key: PadKey,
    range: Range<i64>,
    problems: &mut Vec<Problem>,
) -> Result<BTreeMap<i64, Revision>, Failure> {
    let mut revisions = BTreeMap::new();
    let packs = tx.rows(
        "SELECT first, last, data FROM packs WHERE pad = $1 AND last >= $2 AND first < $3",
        &[key.0.into(), range.start.into(), range.end.into()],
    )?;
    for mut row in packs {
        let (first, last) = (row.int(0)?, row.int(1)?);
        match decode_pack(&row.blob(2)?) {
            Ok(pack) if pack.len() as i64 == last + 1 - first => {
                revisions.extend((first..).zip(pack));
            }
            _ => problems.push(Problem::Unreadable {
                table: "packs",
                number: last,
            }),
        }
    }
    let rows = tx.rows(
        "SELECT rev, author, time, change FROM revisions
         WHERE pad = $1 AND rev >= $2 AND rev < $3",
        &[key.0.into(), range.start.into(), range.end.into()],
    )?;
    for mut row in rows {
        let number = row.int(0)?;
        match decode_row(&mut row) {
            Ok(revision) => {
                revisions.insert(number, revision);
            }
            Err(_) => problems.push(Problem::Unreadable {
                table: "revisions",
                number,
            }),
        }
    }
    Ok(revisions)
}

fn decode_row(row: &mut Row) -> Result<Revision, Failure> {
    Ok(Revision {
        author: row.optional_id(1, AuthorId::parse)?,
        time: Timestamp(row.int(2)?),
        change: decode_change(&row.blob(3)?)?,
    })
}

fn read_snapshots(
    tx: &mut dyn Tx,
    key: PadKey,
    range: Range<i64>,
) -> Result<BTreeMap<i64, Vec<u8>>, Failure> {
    let rows = tx.rows(
        "SELECT rev, data FROM snapshots WHERE pad = $1 AND rev >= $2 AND rev < $3",
        &[key.0.into(), range.start.into(), range.end.into()],
    )?;
    let pair = |mut row: Row| Ok((row.int(0)?, row.blob(1)?));
    rows.into_iter().map(pair).collect()
}
