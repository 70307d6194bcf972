//! Deletion of pads: a soft delete, then removal of the rows in the background.
//!
//! A soft delete takes the name away and marks the row (column `deleted`); from then on nothing
//! finds the pad. Its other rows are removed in ranges, each in a transaction of its own, and its
//! row last, so that removing can stop anywhere and go on later.

use crate::Store;
use crate::engine::Turn;
use crate::error::Error;
use crate::limits::REMOVE_ROWS;
use crate::record::PadKey;
use crate::sql::{Failure, Tx};

impl Store {
    /// Removes the rows of deleted pads now. Otherwise an idle worker does it.
    pub async fn tidy(&self) -> Result<(), Error> {
        while self.engine.write(Turn::Alone, remove_some).await? {}
        Ok(())
    }
}

/// Soft-deletes a pad. False: it has no name, so it is deleted already or not finished.
pub(crate) fn mark_deleted(tx: &mut dyn Tx, key: PadKey) -> Result<bool, Failure> {
    let count = tx.execute(
        "UPDATE pads SET deleted = 1, name = NULL, read_only_id = NULL
         WHERE key = $1 AND name IS NOT NULL",
        &[key.0.into()],
    )?;
    Ok(count > 0)
}

/// Soft-deletes pads that were being built. A builder that still runs notices and starts again.
pub(crate) fn mark_unfinished_deleted(tx: &mut dyn Tx) -> Result<(), Failure> {
    let sql = "UPDATE pads SET deleted = 1 WHERE name IS NULL AND deleted = 0";
    tx.execute(sql, &[]).map(drop)
}

/// Removes a range of rows of one deleted pad. Returns whether there is more to do.
pub(crate) fn remove_some(tx: &mut dyn Tx) -> Result<bool, Failure> {
    let sql = "SELECT key FROM pads WHERE name IS NULL AND deleted = 1 LIMIT 1";
    let Some(mut row) = tx.row(sql, &[])? else {
        return Ok(false);
    };
    let key = row.int(0)?;
    // Takes the row. Who finds nothing left of a table because another is just removing it must
    // not take the pad for empty.
    let sql = "UPDATE pads SET deleted = 1 WHERE key = $1";
    if tx.execute(sql, &[key.into()])? == 0 {
        return Ok(true);
    }
    for sql in RANGES {
        let removed = tx.execute(sql, &[key.into(), REMOVE_ROWS.into()])?;
        if removed > 0 {
            return Ok(true);
        }
    }
    tx.execute("DELETE FROM pads WHERE key = $1", &[key.into()])?;
    Ok(true)
}

macro_rules! remove_range {
    ($table:literal, $column:literal) => {
        concat!(
            "DELETE FROM ",
            $table,
            " WHERE pad = $1 AND ",
            $column,
            " IN (SELECT ",
            $column,
            " FROM ",
            $table,
            " WHERE pad = $1 ORDER BY ",
            $column,
            " LIMIT $2)"
        )
    };
}

/// A range of every table that has rows of a pad.
const RANGES: [&str; 7] = [
    remove_range!("revisions", "rev"),
    remove_range!("packs", "last"),
    remove_range!("snapshots", "rev"),
    remove_range!("attributes", "number"),
    remove_range!("pad_authors", "author"),
    remove_range!("chat", "number"),
    remove_range!("saved_revisions", "rev"),
];
