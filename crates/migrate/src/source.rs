//! The kinds of databases that can be read.

mod lines;
mod postgresql;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;

use rusqlite::Connection;

use crate::{Error, Progress};

/// Where an Etherpad keeps its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A database file with the table `store`.
    Sqlite(PathBuf),
    /// A text file with a record in each line: as JSON with `key` and `val`, where later lines
    /// replace earlier ones, or as key, tabulator and value, as the client of MySQL writes them.
    Lines(PathBuf),
    /// The same from standard input.
    Input,
    /// A server with the table `store`.
    Postgres(String),
}

impl Source {
    /// Takes a connection for a PostgreSQL server, `-` for standard input, and anything else for a
    /// file, whose beginning tells what is in it.
    pub fn find(text: &str) -> Result<Source, Error> {
        if text == "-" {
            return Ok(Source::Input);
        }
        let is_address = text.starts_with("postgres://") || text.starts_with("postgresql://");
        if is_address {
            return Ok(Source::Postgres(text.to_owned()));
        }
        let path = PathBuf::from(text);
        let failed = |error: io::Error| Error::Source(format!("{text}: {error}"));
        let mut start = Vec::new();
        let file = File::open(&path).map_err(failed)?;
        file.take(16).read_to_end(&mut start).map_err(failed)?;
        match start.as_slice() {
            b"SQLite format 3\0" => Ok(Source::Sqlite(path)),
            [b'r', b'e', b'd', b'b', ..] => Err(Error::Source(format!(
                "{text} is a database of the kind rustydb; copy it into one of the kind dirty or \
                 sqlite with Etherpad's own tool first"
            ))),
            _ => Ok(Source::Lines(path)),
        }
    }
}

/// Puts all records into the table.
pub fn fill(source: &Source, table: &mut Connection, progress: Progress<'_>) -> Result<(), Error> {
    match source {
        Source::Sqlite(_) => Ok(()),
        Source::Lines(path) => {
            let failed = |error: io::Error| Error::Source(format!("{}: {error}", path.display()));
            let file = File::open(path).map_err(failed)?;
            let size = file.metadata().map_err(failed)?.len();
            lines::fill(BufReader::new(file), table, &mut |done| {
                progress(done, size)
            })
        }
        Source::Input => lines::fill(io::stdin().lock(), table, &mut |_| {}),
        Source::Postgres(connection) => postgresql::fill(connection, table, progress),
    }
}
