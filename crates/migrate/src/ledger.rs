//! The ledger of a migration: what was brought, and from which state of the source.
//!
//! A row is written before its pad is imported, so a pad that is here with the head of its row is
//! one that nobody has changed since. It lets later passes skip what has not changed, replace what
//! has, and remove what is gone from the source.

use std::path::Path;

use pad::Rev;
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use crate::Error;

pub struct Ledger {
    rows: Connection,
}

/// What was brought under a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub fingerprint: Vec<u8>,
    /// The newest revision of a pad; 0 for anything else.
    pub head: Rev,
}

impl Ledger {
    pub fn open(path: &Path) -> Result<Ledger, Error> {
        Ledger::with(Connection::open(path)?)
    }

    /// One that is gone in the end, for tests.
    pub fn in_memory() -> Result<Ledger, Error> {
        Ledger::with(Connection::open_in_memory()?)
    }

    fn with(rows: Connection) -> Result<Ledger, Error> {
        // It may be lost with the machine's power, but not with the process: then pads that are
        // here are compared, and never replaced.
        rows.execute_batch(
            "PRAGMA synchronous = OFF;
             CREATE TABLE IF NOT EXISTS brought
                (key TEXT PRIMARY KEY, fingerprint BLOB NOT NULL, head INTEGER NOT NULL)
                WITHOUT ROWID",
        )?;
        Ok(Ledger { rows })
    }

    pub fn get(&self, key: &str) -> Result<Option<Row>, Error> {
        let sql = "SELECT fingerprint, head FROM brought WHERE key = ?1";
        let mut statement = self.rows.prepare_cached(sql)?;
        let mut rows = statement.query([key])?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        let head: i64 = row.get(1)?;
        Ok(Some(Row {
            fingerprint: row.get(0)?,
            head: Rev(head.unsigned_abs()),
        }))
    }

    pub fn put(&self, key: &str, row: &Row) -> Result<(), Error> {
        let sql = "INSERT OR REPLACE INTO brought VALUES (?1, ?2, ?3)";
        let head = i64::try_from(row.head.0).unwrap_or(i64::MAX);
        let mut statement = self.rows.prepare_cached(sql)?;
        statement.execute((key, &row.fingerprint, head))?;
        Ok(())
    }

    pub fn forget(&self, key: &str) -> Result<(), Error> {
        let sql = "DELETE FROM brought WHERE key = ?1";
        self.rows.prepare_cached(sql)?.execute([key])?;
        Ok(())
    }

    /// The keys that begin with `prefix`.
    pub fn keys(&self, prefix: &str) -> Result<Vec<String>, Error> {
        let sql = "SELECT key FROM brought WHERE substr(key, 1, length(?1)) = ?1";
        let mut statement = self.rows.prepare_cached(sql)?;
        let keys = statement.query_map([prefix], |row| row.get(0))?;
        Ok(keys.collect::<Result<_, _>>()?)
    }
}

/// The same for the same records.
pub(crate) fn fingerprint(records: &[Option<&str>]) -> Vec<u8> {
    let mut hash = Sha256::new();
    for record in records {
        let record = record.unwrap_or_default();
        hash.update((record.len() as u64).to_le_bytes());
        hash.update(record.as_bytes());
    }
    hash.finalize().to_vec()
}
