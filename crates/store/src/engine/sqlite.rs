//! The embedded engine.
//!
//! A write-ahead log that is flushed with every commit: one connection writes, others read what was
//! last committed. A lock on a file beside the database keeps other processes away, because this
//! process takes itself for the only writer of the file.

use std::path::Path;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, ErrorCode, OpenFlags, ToSql};

use super::file::LockedFile;
use super::{CommitFailure, Connection, Driver, Purpose, WorkerCounts};
use crate::error::Error;
use crate::limits::{EMBEDDED_BATCH, MAX_LINGER, READ_CACHE_KB, WRITE_CACHE_KB};
use crate::sql::{Bind, Dialect, Failure, Row, Tx, Value};

const READERS: usize = 4;
/// All statements of this crate, so that each is compiled once.
const STATEMENTS: usize = 256;

/// How commits reach the disk. The two for macOS, whose flush does not flush by itself, mean
/// nothing elsewhere. Sixteen megabytes of log gather before they are brought into the database:
/// pads that are being written change the same pages again and again.
const SETTINGS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA busy_timeout = 10000;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA wal_autocheckpoint = 4000;
    PRAGMA temp_store = MEMORY;
";

/// A database file.
pub(crate) struct Embedded {
    file: LockedFile,
}

impl Embedded {
    /// Takes the file for this process alone.
    pub(crate) fn lock(path: &Path) -> Result<Embedded, Error> {
        let file = LockedFile::open(path)?;
        Ok(Embedded { file })
    }
}

impl Driver for Embedded {
    fn connect(&self, purpose: Purpose) -> Result<Box<dyn Connection>, Failure> {
        let access = match purpose {
            Purpose::Write => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
            Purpose::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        };
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = rusqlite::Connection::open_with_flags(&self.file.path, flags)?;
        Sqlite::prepared(connection, purpose)
    }

    fn worker_counts(&self) -> WorkerCounts {
        WorkerCounts {
            writers: 1,
            readers: READERS,
            batch: EMBEDDED_BATCH,
            max_linger: Some(MAX_LINGER),
        }
    }
}

/// A database file as it is, also while it is in use.
pub(crate) fn open_read_only(path: &Path) -> Result<Box<dyn Connection>, Failure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = rusqlite::Connection::open_with_flags(path, flags)?;
    Ok(Box::new(Sqlite {
        connection,
        begin: "BEGIN",
        written_before: 0,
    }))
}

/// A database that is gone when its one connection is closed.
pub(crate) struct Memory;

impl Driver for Memory {
    fn connect(&self, purpose: Purpose) -> Result<Box<dyn Connection>, Failure> {
        Sqlite::prepared(rusqlite::Connection::open_in_memory()?, purpose)
    }

    fn worker_counts(&self) -> WorkerCounts {
        WorkerCounts {
            writers: 1,
            readers: 0,
            batch: EMBEDDED_BATCH,
            max_linger: None,
        }
    }
}

struct Sqlite {
    connection: rusqlite::Connection,
    begin: &'static str,
    /// How many rows this connection had written when the transaction began.
    written_before: u64,
}

impl Sqlite {
    fn prepared(
        connection: rusqlite::Connection,
        purpose: Purpose,
    ) -> Result<Box<dyn Connection>, Failure> {
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.execute_batch(SETTINGS)?;
        let (begin, kilobytes) = match purpose {
            Purpose::Write => ("BEGIN IMMEDIATE", WRITE_CACHE_KB),
            Purpose::Read => ("BEGIN", READ_CACHE_KB),
        };
        connection.pragma_update(None, "cache_size", -kilobytes)?;
        Ok(Box::new(Sqlite {
            connection,
            begin,
            written_before: 0,
        }))
    }

    fn statement(&self, sql: &'static str) -> Result<CachedStatement<'_>, Failure> {
        let statement = self.connection.prepare_cached(sql)?;
        // `$1` is a name here, and names are numbered as they appear.
        debug_assert!(
            (1..=statement.parameter_count())
                .all(|number| { statement.parameter_name(number) == Some(&format!("${number}")) })
        );
        Ok(statement)
    }

    fn simple(&self, sql: &str) -> Result<(), Failure> {
        self.connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}

impl Connection for Sqlite {
    fn begin(&mut self) -> Result<(), Failure> {
        self.written_before = self.connection.total_changes();
        self.simple(self.begin)
    }

    fn commit(&mut self) -> Result<(), CommitFailure> {
        self.simple("COMMIT").map_err(|failure| {
            let failure = match self.rollback() {
                Ok(()) => failure,
                Err(_) => Failure::Lost(Error::from(failure).to_string()),
            };
            CommitFailure::RolledBack(failure)
        })
    }

    fn rollback(&mut self) -> Result<(), Failure> {
        // Some errors have rolled back already.
        if self.connection.is_autocommit() {
            Ok(())
        } else {
            self.simple("ROLLBACK")
        }
    }

    fn has_written(&self) -> bool {
        self.connection.total_changes() != self.written_before
    }
}

impl Tx for Sqlite {
    fn rows(&mut self, sql: &'static str, binds: &[Bind<'_>]) -> Result<Vec<Row>, Failure> {
        let mut statement = self.statement(sql)?;
        let columns = statement.column_count();
        let mut found = statement.query(rusqlite::params_from_iter(binds))?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let value = |column| row.get_ref(column).map(owned);
            rows.push(Row((0..columns).map(value).collect::<Result<_, _>>()?));
        }
        Ok(rows)
    }

    fn execute(&mut self, sql: &'static str, binds: &[Bind<'_>]) -> Result<u64, Failure> {
        let mut statement = self.statement(sql)?;
        let count = statement.execute(rusqlite::params_from_iter(binds))?;
        Ok(count as u64)
    }

    fn define(&mut self, sql: &str) -> Result<(), Failure> {
        Ok(self.connection.execute_batch(sql)?)
    }

    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }
}

impl ToSql for Bind<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Bind::Null => ValueRef::Null,
            Bind::Int(value) => ValueRef::Integer(value),
            Bind::Text(value) => ValueRef::Text(value.as_bytes()),
            Bind::Blob(value) => ValueRef::Blob(value),
        }))
    }
}

pub(crate) fn owned(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null | ValueRef::Real(_) => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        ValueRef::Text(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        let detail = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Failure::Error(Error::Corrupt(detail))
            }
            Some(
                ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::ReadOnly
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied,
            ) => Failure::Disk(detail),
            _ => Failure::Statement(detail),
        }
    }
}
