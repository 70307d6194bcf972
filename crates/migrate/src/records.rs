//! The records of a database, in a table in which they are found by their keys.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use wtf_json::Json;

use crate::report::Report;
use crate::source::{self, Leniency, Source};
use crate::{Error, Progress};

/// Records that mean nothing outside of the installation they were made in, or that others say
/// again: the lists of groups and sessions, cookies of web logins and the keys that sign them.
const WORTHLESS: [&str; 9] = [
    "groups",
    "group2sessions",
    "author2sessions",
    "readonly2pad",
    "sessionstorage",
    "expressSessionSecrets",
    "tokenTransfer",
    // How far the database layer has upgraded its table, and its own lists of keys.
    "MYSQL_MIGRATION_LEVEL",
    "ueberDB",
];

/// What is looked at by its own name.
const KNOWN: [&str; 9] = [
    "pad",
    "pad2readonly",
    "globalAuthor",
    "token2author",
    "mapper2author",
    "group",
    "mapper2group",
    "session",
    "title",
];

pub struct Records {
    table: Connection,
    damages: Vec<Damage>,
}

/// Where the source is broken, and how.
pub(crate) type Damage = (String, String);

impl Records {
    /// Reads a database. What is not a table already becomes one in `scratch`, a file that must not
    /// exist and that the caller removes.
    pub fn read(
        source: &Source,
        scratch: &Path,
        leniency: Leniency,
        progress: Progress<'_>,
    ) -> Result<Records, Error> {
        let mut damages = Vec::new();
        let table = match source {
            Source::Sqlite(path) => {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                Connection::open_with_flags(path, flags)?
            }
            other => {
                let mut table = Connection::open(scratch)?;
                // It is rebuilt if it is lost.
                table.execute_batch(
                    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
                     CREATE TABLE store (key TEXT PRIMARY KEY, value TEXT)",
                )?;
                damages = source::fill(other, &mut table, leniency, progress)?;
                table
            }
        };
        // Fails here if it is a table of something else.
        let count = "SELECT COUNT(*) FROM (SELECT key, value FROM store LIMIT 1)";
        table.query_row(count, [], |_| Ok(()))?;
        Ok(Records { table, damages })
    }

    /// What of the source is broken, by places.
    pub(crate) fn damages(&self) -> impl Iterator<Item = (&str, &str)> {
        let damages = self.damages.iter();
        damages.map(|(place, reason)| (place.as_str(), reason.as_str()))
    }

    /// The text of a record. Records that were deleted may remain as `null`.
    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, Error> {
        let sql = "SELECT value FROM store WHERE key = ?1";
        let mut statement = self.table.prepare_cached(sql)?;
        let mut rows = statement.query([key])?;
        match rows.next()? {
            Some(row) => {
                let text = utf8(key, row.get_ref(0)?)?;
                Ok(text.filter(|text| *text != "null").map(str::to_owned))
            }
            None => Ok(None),
        }
    }

    /// The numbers that follow `prefix` in keys of records that are there, ascending.
    pub(crate) fn numbers(&self, prefix: &str) -> Result<Vec<u64>, Error> {
        let sql = "SELECT key FROM store WHERE key >= ?1 AND key < ?2
            AND value IS NOT NULL AND value <> 'null'";
        let mut statement = self.table.prepare_cached(sql)?;
        let mut rows = statement.query((prefix, end_of(prefix)))?;
        let mut numbers = Vec::new();
        while let Some(row) = rows.next()? {
            let key = row.get_ref(0)?;
            let number = key.as_str().ok().and_then(|key| key.strip_prefix(prefix));
            numbers.extend(number.and_then(|number| number.parse::<u64>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// A record that is one string. Some databases keep it without quotes.
    pub(crate) fn string(&self, key: &str) -> Result<Option<String>, Error> {
        let text = self.text(key)?;
        Ok(
            text.map(|text| match json(&text).and_then(|it| it.to_str()) {
                Some(string) => string,
                None => text,
            }),
        )
    }

    /// The keys that begin with `prefix`, without it, so many at a time.
    pub(crate) fn pages<'a>(&'a self, prefix: &'a str, limit: usize) -> Pages<'a> {
        Pages {
            table: &self.table,
            prefix,
            limit,
            after: prefix.to_owned(),
        }
    }

    /// Calls back for every record whose key begins with `prefix`.
    pub(crate) fn each(&self, prefix: &str, mut take: impl FnMut(&str, &str)) -> Result<(), Error> {
        let sql = "SELECT key, value FROM store WHERE key >= ?1 AND key < ?2 ORDER BY key";
        let mut statement = self.table.prepare_cached(sql)?;
        let mut rows = statement.query((prefix, end_of(prefix)))?;
        while let Some(row) = rows.next()? {
            let key = utf8(prefix, row.get_ref(0)?)?.unwrap_or_default();
            if let Some(value) = utf8(key, row.get_ref(1)?)?.filter(|value| *value != "null") {
                take(key, value);
            }
        }
        Ok(())
    }

    /// Counts records of plugins, which have no place here, by the beginnings of their keys.
    pub(crate) fn count_plugin_records(&self, report: &mut Report) -> Result<(), Error> {
        let sql = "SELECT key FROM store WHERE key > ?1 ORDER BY key LIMIT 1";
        let mut next = self.table.prepare(sql)?;
        let count = "SELECT COUNT(*) FROM store WHERE key >= ?1 AND key < ?2";
        let mut count = self.table.prepare(count)?;
        let mut after = String::new();
        // From kind to kind: there are few of them, and very many records.
        loop {
            let mut rows = next.query([&after])?;
            let Some(key) = rows
                .next()?
                .map(|row| row.get::<_, String>(0))
                .transpose()?
            else {
                return Ok(());
            };
            let kind = key.split(':').next().unwrap_or_default().to_owned();
            let end = end_of(&format!("{kind}:"));
            if !KNOWN.contains(&kind.as_str()) && !WORTHLESS.contains(&kind.as_str()) {
                let number: i64 = count.query_row((&key, &end), |row| row.get(0))?;
                *report.plugin_records.entry(kind).or_default() += number.unsigned_abs();
            }
            after = if key.contains(':') { end } else { key };
        }
    }
}

/// Keys, page by page, so that there may be very many.
pub(crate) struct Pages<'a> {
    table: &'a Connection,
    prefix: &'a str,
    limit: usize,
    after: String,
}

impl Pages<'_> {
    pub(crate) fn next(&mut self) -> Result<Option<Vec<String>>, Error> {
        let sql = "SELECT key FROM store WHERE key > ?1 AND key < ?2 ORDER BY key LIMIT ?3";
        let mut statement = self.table.prepare_cached(sql)?;
        let limit = i64::try_from(self.limit).unwrap_or(i64::MAX);
        let binds = (&self.after, end_of(self.prefix), limit);
        let keys = statement.query_map(binds, |row| row.get::<_, String>(0))?;
        let keys: Vec<String> = keys.collect::<Result<_, _>>()?;
        let Some(last) = keys.last() else {
            return Ok(None);
        };
        self.after.clone_from(last);
        let rest = |key: &String| key.strip_prefix(self.prefix).unwrap_or_default().to_owned();
        Ok(Some(keys.iter().map(rest).collect()))
    }
}

/// A column as text. What is not is refused: it comes from a database that was read or written with
/// another character set, and then nothing in it can be trusted.
fn utf8<'a>(key: &str, value: ValueRef<'a>) -> Result<Option<&'a str>, Error> {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(Error::Source(format!("{key} is not valid UTF-8"))),
        },
        _ => Ok(None),
    }
}

/// A record as it is written in the table.
pub(crate) fn json(text: &str) -> Option<Json> {
    wtf_json::parse(text.as_bytes()).ok()
}

/// Comes after every text that begins so.
fn end_of(prefix: &str) -> String {
    // All prefixes end in a colon, and a semicolon is what follows that.
    match prefix.strip_suffix(':') {
        Some(rest) => format!("{rest};"),
        None => format!("{prefix}\u{10FFFF}"),
    }
}
