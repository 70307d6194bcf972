//! Rows that belong to no pad: people, groups, sessions, plugins, the audit log; and rows whose
//! owner is gone.

use pad::{AuthorId, GroupId};

use crate::Store;
use crate::error::Error;
use crate::people::digest;
use crate::sql::{Dialect, Failure, Row, Tx, Value, damaged};

/// How many rows are read at once.
const ROWS: i64 = if cfg!(test) { 3 } else { 2_000 };

/// A table that is read from its first row to its last, by a key that goes up.
struct Table {
    name: &'static str,
    /// A key before all others.
    start: Value,
    /// Rows behind `$1`, at most `$2`; the key comes first.
    rows: &'static str,
    is_sound: fn(&mut Row) -> Result<bool, Failure>,
}

static TABLES: [Table; 8] = [
    Table {
        name: "audit",
        start: Value::Int(0),
        rows: "SELECT number, time, principal, action, target, detail, done FROM audit
               WHERE number > $1 ORDER BY number LIMIT $2",
        is_sound: |row| {
            row.int(1)?;
            (2..6).try_for_each(|column| row.text(column).map(drop))?;
            row.flag(6).map(|_| true)
        },
    },
    Table {
        name: "series_hours",
        start: Value::Int(-1),
        // Nodes of one hour that a page ends between are left out; they hold numbers alone.
        rows: "SELECT hour, node, totals FROM series_hours
               WHERE hour > $1 ORDER BY hour, node LIMIT $2",
        is_sound: |row| Ok(row.int(1)? >= 0 && row.text(2)?.starts_with('{')),
    },
    Table {
        name: "authors",
        start: Value::Text(String::new()),
        rows: "SELECT id, name, colour, created, last_seen FROM authors
               WHERE id > $1 ORDER BY id LIMIT $2",
        is_sound: |row| {
            let is_author = AuthorId::parse(&row.text(0)?).is_some();
            row.optional_text(1)?;
            row.text(2)?;
            row.int(3)?;
            row.int(4)?;
            Ok(is_author)
        },
    },
    Table {
        name: "groups",
        start: Value::Text(String::new()),
        rows: "SELECT id, created FROM groups WHERE id > $1 ORDER BY id LIMIT $2",
        is_sound: |row| {
            row.int(1)?;
            Ok(GroupId::parse(&row.text(0)?).is_some())
        },
    },
    Table {
        name: "author_tokens",
        start: Value::Blob(Vec::new()),
        rows: "SELECT hash, author FROM author_tokens WHERE hash > $1 ORDER BY hash LIMIT $2",
        is_sound: |row| Ok(row.blob(0)?.len() == 32 && AuthorId::parse(&row.text(1)?).is_some()),
    },
    Table {
        name: "author_mappers",
        start: Value::Blob(Vec::new()),
        rows: "SELECT hash, mapper, author FROM author_mappers
               WHERE hash > $1 ORDER BY hash LIMIT $2",
        is_sound: |row| {
            let is_author = AuthorId::parse(&row.text(2)?).is_some();
            Ok(is_author && row.blob(0)? == digest(&row.text(1)?))
        },
    },
    Table {
        name: "group_mappers",
        start: Value::Blob(Vec::new()),
        rows: "SELECT hash, mapper, group_id FROM group_mappers
               WHERE hash > $1 ORDER BY hash LIMIT $2",
        is_sound: |row| {
            let is_group = GroupId::parse(&row.text(2)?).is_some();
            Ok(is_group && row.blob(0)? == digest(&row.text(1)?))
        },
    },
    Table {
        name: "hashed_sessions",
        start: Value::Blob(Vec::new()),
        rows: "SELECT hash, group_id, author, valid_until FROM hashed_sessions
               WHERE hash > $1 ORDER BY hash LIMIT $2",
        is_sound: |row| {
            row.int(3)?;
            let is_group = GroupId::parse(&row.text(1)?).is_some();
            let is_author = AuthorId::parse(&row.text(2)?).is_some();
            Ok(row.blob(0)?.len() == 32 && is_group && is_author)
        },
    },
];

/// How many rows there are whose pad or plugin is not. Pads that are being removed still have their
/// row.
const ORPHANS: [(&str, &str, &str); 9] = [
    (
        "revisions",
        "pad",
        "SELECT COUNT(*) FROM revisions WHERE pad NOT IN (SELECT key FROM pads)",
    ),
    (
        "packs",
        "pad",
        "SELECT COUNT(*) FROM packs WHERE pad NOT IN (SELECT key FROM pads)",
    ),
    (
        "snapshots",
        "pad",
        "SELECT COUNT(*) FROM snapshots WHERE pad NOT IN (SELECT key FROM pads)",
    ),
    (
        "attributes",
        "pad",
        "SELECT COUNT(*) FROM attributes WHERE pad NOT IN (SELECT key FROM pads)",
    ),
    (
        "pad_authors",
        "pad",
        "SELECT COUNT(*) FROM pad_authors WHERE pad NOT IN (SELECT key FROM pads)",
    ),
    (
        "chat",
        "pad",
        "SELECT COUNT(*) FROM chat WHERE pad NOT IN (SELECT key FROM pads)",
    ),
    (
        "saved_revisions",
        "pad",
        "SELECT COUNT(*) FROM saved_revisions WHERE pad NOT IN (SELECT key FROM pads)",
    ),
    (
        "plugin_storage",
        "plugin",
        "SELECT COUNT(*) FROM plugin_storage WHERE plugin NOT IN (SELECT name FROM plugins)",
    ),
    (
        "plugin_timers",
        "plugin",
        "SELECT COUNT(*) FROM plugin_timers WHERE plugin NOT IN (SELECT name FROM plugins)",
    ),
];

impl Store {
    /// What is wrong with rows that `check_pad` does not look at.
    pub async fn check_tables(&self) -> Result<Vec<String>, Error> {
        let mut problems = Vec::new();
        for table in &TABLES {
            match self.count_unsound(table).await {
                Ok(0) => {}
                Ok(count) => problems.push(format!("{}: {count} rows are damaged", table.name)),
                Err(Error::Corrupt(text)) => problems.push(format!("{}: {text}", table.name)),
                Err(other) => return Err(other),
            }
        }
        for (table, owner, sql) in ORPHANS {
            let read = move |tx: &mut dyn Tx| tx.row(sql, &[])?.map_or(Ok(0), |mut it| it.count(0));
            match self.engine.read(read).await {
                Ok(0) => {}
                Ok(count) => {
                    problems.push(format!("{table}: {count} rows belong to no {owner}"));
                }
                Err(Error::Corrupt(text)) => problems.push(format!("{table}: {text}")),
                Err(other) => return Err(other),
            }
        }
        match self.damaged_packages().await {
            Ok(plugins) => {
                let damaged = plugins
                    .iter()
                    .map(|name| format!("plugins: {name} is damaged"));
                problems.extend(damaged);
            }
            Err(Error::Corrupt(text)) => problems.push(format!("plugins: {text}")),
            Err(other) => return Err(other),
        }
        match self.engine.read(has_next_key).await {
            Ok(true) => {}
            Ok(false) => problems.push("sqlite_sequence: the last key of pads is lost".to_owned()),
            Err(Error::Corrupt(text)) => problems.push(format!("sqlite_sequence: {text}")),
            Err(other) => return Err(other),
        }
        Ok(problems)
    }

    async fn count_unsound(&self, table: &'static Table) -> Result<u64, Error> {
        let mut after = table.start.clone();
        let mut unsound = 0;
        loop {
            let from = after.clone();
            let read = move |tx: &mut dyn Tx| tx.rows(table.rows, &[(&from).into(), ROWS.into()]);
            let rows = self.engine.read(read).await?;
            let is_over = (rows.len() as i64) < ROWS;
            for mut row in rows {
                after = row.0.first().cloned().unwrap_or_default();
                unsound += u64::from(!(table.is_sound)(&mut row).unwrap_or(false));
            }
            if is_over {
                return Ok(unsound);
            }
        }
    }
}

/// Whether it is known which keys of pads were given: none is given twice. The embedded engine has
/// a table for that, which its own check does not look into.
fn has_next_key(tx: &mut dyn Tx) -> Result<bool, Failure> {
    if tx.dialect() != Dialect::Sqlite {
        return Ok(true);
    }
    let row = tx.row(
        "SELECT (SELECT COUNT(*) FROM sqlite_sequence),
             (SELECT COUNT(*) FROM sqlite_sequence
              WHERE name = 'pads' AND seq >= (SELECT COALESCE(MAX(key), 0) FROM pads)),
             (SELECT COUNT(*) FROM pads)",
        &[],
    )?;
    let mut row = row.ok_or_else(damaged)?;
    let (all, of_pads, pads) = (row.int(0)?, row.int(1)?, row.int(2)?);
    Ok(all == of_pads && (of_pads == 1 || pads == 0))
}
