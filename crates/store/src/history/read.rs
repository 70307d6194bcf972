//! Reading revisions, the pool, and documents at any revision.

use std::ops::Range;

use changeset::{Attribute, Document, Pool};
use pad::{AuthorId, Credit, Head, Revision, Timestamp};

use super::hole;
use crate::error::Error;
use crate::record::PadKey;
use crate::sql::{Failure, Row, Tx};
use codec::{decode_change, decode_credits, decode_pack, decode_snapshot};

/// The revisions of a range that lies within the history. One that is missing is an error.
pub(crate) fn revisions(
    tx: &mut dyn Tx,
    key: PadKey,
    range: Range<i64>,
) -> Result<Vec<Revision>, Failure> {
    let mut found = Vec::new();
    for (first, pack) in packed(tx, key, range.clone())? {
        for (rev, revision) in (first..).zip(pack) {
            let next = range.start + found.len() as i64;
            if range.contains(&rev) {
                if rev != next {
                    return Err(hole(next));
                }
                found.push(revision);
            }
        }
    }
    let next = range.start + found.len() as i64;
    if next < range.end {
        found.extend(unsealed(tx, key, next..range.end)?);
    }
    Ok(found)
}

/// The revisions of a range that is not sealed yet: saves looking for packs.
pub(crate) fn unsealed(
    tx: &mut dyn Tx,
    key: PadKey,
    range: Range<i64>,
) -> Result<Vec<Revision>, Failure> {
    let found = loose(tx, key, range.clone())?;
    if found.len() as i64 == range.end - range.start {
        Ok(found)
    } else {
        Err(hole(range.start + found.len() as i64))
    }
}

/// Who made the revisions before one, and when, oldest first; twenty packs of them at most.
pub(crate) fn credits(tx: &mut dyn Tx, key: PadKey, end: i64) -> Result<Vec<Credit>, Failure> {
    let packs = tx.rows(
        "SELECT first, data FROM packs WHERE pad = $1 AND last <= COALESCE((SELECT MIN(last)
         FROM packs WHERE pad = $1 AND last >= $2), $2) ORDER BY last DESC LIMIT 20",
        &[key.0.into(), (end - 1).into()],
    )?;
    let (mut first, mut found) = (0, Vec::new());
    for mut row in packs.into_iter().rev() {
        first = if found.is_empty() { row.int(0)? } else { first };
        found.extend(decode_credits(&row.blob(1)?)?);
    }
    let rest = loose(tx, key, first + found.len() as i64..end)?;
    found.extend(rest.into_iter().map(Credit::from));
    found.truncate(usize::try_from(end - first).unwrap_or(0));
    Ok(found)
}

/// The packs that hold a range, each with the number of its first revision.
fn packed(
    tx: &mut dyn Tx,
    key: PadKey,
    range: Range<i64>,
) -> Result<Vec<(i64, Vec<Revision>)>, Failure> {
    // Up to the first pack that reaches the end of the range: found in the index without knowing
    // how long packs are.
    let rows = tx.rows(
        "SELECT first, last, data FROM packs
         WHERE pad = $1 AND last >= $2 AND last <= COALESCE(
             (SELECT MIN(last) FROM packs WHERE pad = $1 AND last >= $3), $3)
         ORDER BY last",
        &[key.0.into(), range.start.into(), (range.end - 1).into()],
    )?;
    let decode = |mut row: Row| {
        let (first, last) = (row.int(0)?, row.int(1)?);
        let pack = decode_pack(&row.blob(2)?)?;
        if pack.len() as i64 == last + 1 - first {
            Ok((first, pack))
        } else {
            Err(hole(first))
        }
    };
    rows.into_iter().map(decode).collect()
}

/// Revisions that are rows.
pub(super) fn loose(
    tx: &mut dyn Tx,
    key: PadKey,
    range: Range<i64>,
) -> Result<Vec<Revision>, Failure> {
    let rows = tx.rows(
        "SELECT rev, author, time, change FROM revisions
         WHERE pad = $1 AND rev >= $2 AND rev < $3 ORDER BY rev",
        &[key.0.into(), range.start.into(), range.end.into()],
    )?;
    let mut revisions = Vec::with_capacity(rows.len());
    for (mut row, rev) in rows.into_iter().zip(range.start..) {
        if row.int(0)? != rev {
            return Err(hole(rev));
        }
        revisions.push(Revision {
            author: row.optional_id(1, AuthorId::parse)?,
            time: Timestamp(row.int(2)?),
            change: decode_change(&row.blob(3)?)?,
        });
    }
    Ok(revisions)
}

pub(crate) fn pool(tx: &mut dyn Tx, key: PadKey, next: i64) -> Result<Pool, Failure> {
    let entries = attributes_since(tx, key, 0)?;
    Ok(Pool::from_entries(entries, attribute_number(next)?))
}

/// The attributes from a number on.
pub(crate) fn attributes_since(
    tx: &mut dyn Tx,
    key: PadKey,
    first: u32,
) -> Result<Vec<(u32, Attribute)>, Failure> {
    let rows = tx.rows(
        "SELECT number, key, value FROM attributes
         WHERE pad = $1 AND number >= $2 ORDER BY number",
        &[key.0.into(), i64::from(first).into()],
    )?;
    let mut attributes = Vec::with_capacity(rows.len());
    for mut row in rows {
        let attribute = Attribute::new(row.text(1)?, row.text(2)?);
        attributes.push((attribute_number(row.int(0)?)?, attribute));
    }
    Ok(attributes)
}

pub(crate) fn attribute_number(number: i64) -> Result<u32, Failure> {
    let damaged = |_| Error::Corrupt("an attribute has no possible number".to_owned()).into();
    u32::try_from(number).map_err(damaged)
}

/// The document at a revision of the history.
pub(crate) fn document_at(
    tx: &mut dyn Tx,
    key: PadKey,
    rev: i64,
    pool: &Pool,
) -> Result<Document, Failure> {
    let snapshot = tx.row(
        "SELECT rev, data FROM snapshots WHERE pad = $1 AND rev <= $2 ORDER BY rev DESC LIMIT 1",
        &[key.0.into(), rev.into()],
    )?;
    let (mut document, next) = match snapshot {
        Some(mut row) => (decode_snapshot(&row.blob(1)?)?, row.int(0)? + 1),
        None => (Head::empty().document, 0),
    };
    for (revision, number) in revisions(tx, key, next..rev + 1)?.iter().zip(next..) {
        document = document
            .into_applied(&revision.change, pool)
            .map_err(|error| Error::Corrupt(format!("revision {number} does not fit: {error}")))?;
    }
    Ok(document)
}
