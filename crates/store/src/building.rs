//! Pads that are being built: rows without a name, which nothing finds.
//!
//! A long copy is made in ranges, each in a transaction of its own, so that others can write in
//! between. How far it has come is in the new pad's row. Only the last transaction gives it a name,
//! all at once. If that never happens, what was built is removed when the store is opened the next
//! time.

use pad::{PadId, Timestamp, Title, TokenHash};

use crate::cluster::{NodeId, Note, leave};
use crate::history::{Addition, Ledger};
use crate::limits::COPY_ROWS;
use crate::pads::title;
use crate::record::PadKey;
use crate::removal;
use crate::sql::{Failure, Row, Tx};

/// A pad that is being built from another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Building {
    pub source: PadKey,
    pub key: PadKey,
}

/// How a step of building went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    More,
    Done,
    /// Another process took the unfinished pad for one that nobody builds any more.
    Interrupted,
}

/// How the last transaction of a build went.
pub(crate) enum Finish<T> {
    Done(T),
    /// Nothing was finished; more has to be copied first, or the build was interrupted.
    Unfinished(Progress),
}

impl Building {
    pub(crate) fn start(tx: &mut dyn Tx, source: PadKey) -> Result<Building, Failure> {
        let row = tx.row(
            "INSERT INTO pads (head, head_time, created) VALUES (-1, 0, 0) RETURNING key",
            &[],
        )?;
        let key = row.map_or(Ok(0), |mut row| row.int(0))?;
        Ok(Building {
            source,
            key: PadKey(key),
        })
    }

    /// Takes the row, so that nobody gives up on it before the transaction ends. Gives how far the
    /// packs and the messages have come.
    pub(crate) fn hold(self, tx: &mut dyn Tx) -> Result<Option<(i64, i64)>, Failure> {
        let row = tx.row(
            "UPDATE pads SET deleted = 0 WHERE key = $1 AND name IS NULL AND deleted = 0
             RETURNING sealed, chat_count",
            &[self.key.0.into()],
        )?;
        row.map(|mut row| Ok((row.int(0)?, row.int(1)?)))
            .transpose()
    }

    /// Adds revisions to the history. False: somebody else has given up on it.
    pub(crate) fn add(self, tx: &mut dyn Tx, addition: &Addition) -> Result<bool, Failure> {
        let Some(mut ledger) = self.ledger(tx)? else {
            return Ok(false);
        };
        addition.write(tx, self.key, &mut ledger)?;
        ledger.write(tx, self.key)?;
        Ok(true)
    }

    pub(crate) fn ledger(self, tx: &mut dyn Tx) -> Result<Option<Ledger>, Failure> {
        let row = tx.row(
            "UPDATE pads SET deleted = 0 WHERE key = $1 AND name IS NULL AND deleted = 0
             RETURNING head, sealed, loose_bytes, snapshot_bytes, changed_bytes",
            &[self.key.0.into()],
        )?;
        row.map(|mut row| Ledger::read(&mut row, 0)).transpose()
    }

    /// Copies the next range of packs, and the snapshots among them.
    pub(crate) fn copy_packs(self, tx: &mut dyn Tx) -> Result<Progress, Failure> {
        let Some((sealed, _)) = self.hold(tx)? else {
            return Ok(Progress::Interrupted);
        };
        let (key, source) = (self.key.0, self.source.0);
        let copied = tx.execute(
            "INSERT INTO packs (pad, first, last, data)
             SELECT $1, first, last, data FROM packs
             WHERE pad = $2 AND last >= $3 ORDER BY last LIMIT $4",
            &[key.into(), source.into(), sealed.into(), COPY_ROWS.into()],
        )?;
        let row = tx.row("SELECT MAX(last) FROM packs WHERE pad = $1", &[key.into()])?;
        let last = row.map_or(Ok(None), |mut row| row.optional_int(0))?;
        let now_sealed = last.map_or(0, |last| last + 1);
        tx.execute(
            "INSERT INTO snapshots (pad, rev, data)
             SELECT $1, rev, data FROM snapshots WHERE pad = $2 AND rev >= $3 AND rev < $4",
            &[key.into(), source.into(), sealed.into(), now_sealed.into()],
        )?;
        tx.execute(
            "UPDATE pads SET sealed = $1 WHERE key = $2",
            &[now_sealed.into(), key.into()],
        )?;
        Ok(Progress::after(copied))
    }

    /// Copies the next range of messages.
    pub(crate) fn copy_chat(self, tx: &mut dyn Tx) -> Result<Progress, Failure> {
        let Some((_, chat_count)) = self.hold(tx)? else {
            return Ok(Progress::Interrupted);
        };
        let copied = tx.execute(
            "INSERT INTO chat (pad, number, author, time, text)
             SELECT $1, number, author, time, text FROM chat
             WHERE pad = $2 AND number >= $3 AND number < $4",
            &[
                self.key.0.into(),
                self.source.0.into(),
                chat_count.into(),
                (chat_count + COPY_ROWS).into(),
            ],
        )?;
        tx.execute(
            "UPDATE pads SET chat_count = chat_count + $1 WHERE key = $2",
            &[copied.into(), self.key.0.into()],
        )?;
        Ok(Progress::after(copied))
    }

    /// Copies the rows of all tables that are never long.
    pub(crate) fn copy_rest(self, tx: &mut dyn Tx, tables: &[&'static str]) -> Result<(), Failure> {
        for sql in tables {
            tx.execute(sql, &[self.key.0.into(), self.source.0.into()])?;
        }
        Ok(())
    }

    /// Gives the pad a name, and everything else a row says.
    pub(crate) fn finish(self, tx: &mut dyn Tx, row: &PadRow) -> Result<(), Failure> {
        row.ledger.write(tx, self.key)?;
        tx.execute(
            "UPDATE pads SET name = $1, head_time = $2, listed_time = $2, created = $3,
                 creator = $4, public = $5, settings = $6, read_only_id = $7, deletion = $8,
                 next_attribute = $9, title = $10
             WHERE key = $11",
            &[
                row.name.as_str().into(),
                row.head_time.millis().into(),
                row.created.millis().into(),
                row.creator.as_deref().into(),
                row.public.into(),
                row.settings.as_deref().into(),
                row.read_only_id.as_deref().into(),
                row.deletion.as_ref().map(|hash| hash.0.as_str()).into(),
                row.next_attribute.into(),
                row.title.as_ref().map(Title::as_str).into(),
                self.key.0.into(),
            ],
        )
        .map(drop)
    }

    /// Leaves what was built to be removed.
    pub(crate) fn give_up(self, tx: &mut dyn Tx) -> Result<(), Failure> {
        let sql = "UPDATE pads SET deleted = 1 WHERE key = $1 AND name IS NULL";
        tx.execute(sql, &[self.key.0.into()]).map(drop)
    }
}

impl Progress {
    fn after(copied: u64) -> Progress {
        if copied < COPY_ROWS as u64 {
            Progress::Done
        } else {
            Progress::More
        }
    }
}

pub(crate) const ATTRIBUTES: &str = "INSERT INTO attributes (pad, number, key, value)
    SELECT $1, number, key, value FROM attributes WHERE pad = $2";
pub(crate) const AUTHORS: &str = "INSERT INTO pad_authors (pad, author, number)
    SELECT $1, author, number FROM pad_authors WHERE pad = $2";
pub(crate) const SAVED_REVISIONS: &str =
    "INSERT INTO saved_revisions (pad, rev, id, label, author, time)
    SELECT $1, rev, id, label, author, time FROM saved_revisions WHERE pad = $2";
/// Revisions that are not in packs. There are never many.
pub(crate) const LOOSE_REVISIONS: &str = "INSERT INTO revisions (pad, rev, author, time, change)
    SELECT $1, rev, author, time, change FROM revisions WHERE pad = $2";

/// Everything in the row of a pad that another row can take over.
pub(crate) struct PadRow {
    pub name: PadId,
    pub head_time: Timestamp,
    pub created: Timestamp,
    pub creator: Option<String>,
    pub public: bool,
    pub settings: Option<String>,
    pub title: Option<Title>,
    pub read_only_id: Option<String>,
    pub deletion: Option<TokenHash>,
    pub next_attribute: i64,
    pub ledger: Ledger,
}

impl PadRow {
    /// Takes the row of a pad with a name, so that it stays as it is until the transaction ends.
    pub(crate) fn hold(tx: &mut dyn Tx, key: PadKey) -> Result<Option<PadRow>, Failure> {
        let row = tx.row(
            "UPDATE pads SET name = name WHERE key = $1 AND name IS NOT NULL
             RETURNING name, head_time, created, creator, public, settings,
                 read_only_id, deletion, next_attribute, title,
                 head, sealed, loose_bytes, snapshot_bytes, changed_bytes",
            &[key.0.into()],
        )?;
        let read = |mut row: Row| {
            Ok(PadRow {
                name: row.id(0, PadId::parse)?,
                head_time: Timestamp(row.int(1)?),
                created: Timestamp(row.int(2)?),
                creator: row.optional_text(3)?,
                public: row.flag(4)?,
                settings: row.optional_text(5)?,
                read_only_id: row.optional_text(6)?,
                deletion: row.optional_text(7)?.map(TokenHash),
                next_attribute: row.int(8)?,
                title: title(&mut row, 9)?,
                ledger: Ledger::read(&mut row, 10)?,
            })
        };
        row.map(read).transpose()
    }
}

/// Takes a name from the pad that has it, if that may be replaced. False: it may not.
pub(crate) fn make_room(
    tx: &mut dyn Tx,
    name: &PadId,
    replace: bool,
    node: Option<NodeId>,
) -> Result<bool, Failure> {
    let sql = "SELECT key FROM pads WHERE name = $1";
    let Some(mut row) = tx.row(sql, &[name.as_str().into()])? else {
        return Ok(true);
    };
    if replace {
        let key = PadKey(row.int(0)?);
        removal::mark_deleted(tx, key)?;
        leave(tx, node, &Note::Replaced(key), None)?;
    }
    Ok(replace)
}
