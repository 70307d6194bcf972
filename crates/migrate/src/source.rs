//! The kinds of databases that can be read.

mod lines;
mod mysql;
mod postgresql;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;

use rusqlite::Connection;

use crate::records::Damage;
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
    Mysql(String),
}

/// What is taken although it looks wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leniency {
    /// Texts full of question marks.
    pub question_marks: bool,
}

impl Source {
    /// Takes an address for a server, `-` for standard input, and anything else for a file, whose
    /// beginning tells what is in it.
    pub fn find(text: &str) -> Result<Source, Error> {
        if text == "-" {
            return Ok(Source::Input);
        }
        match text.split_once("://") {
            Some(("postgres" | "postgresql", _)) => return Ok(Source::Postgres(text.to_owned())),
            Some(("mysql", _)) => return Ok(Source::Mysql(text.to_owned())),
            Some(("mariadb", rest)) => return Ok(Source::Mysql(format!("mysql://{rest}"))),
            _ => {}
        }
        let path = PathBuf::from(text);
        let failed = |error: io::Error| Error::Source(format!("{text}: {error}"));
        let mut start = Vec::new();
        let file = File::open(&path).map_err(failed)?;
        file.take(16).read_to_end(&mut start).map_err(failed)?;
        match start.as_slice() {
            b"SQLite format 3\0" => Ok(Source::Sqlite(path)),
            [b'r', b'e', b'd', b'b', ..] => Err(Error::Source(format!(
                "{text} is a database of the kind rustydb; {USE_SCRIPT}"
            ))),
            [b'R', b'E', b'D', b'I', b'S', ..] => Err(Error::Source(format!(
                "{text} is a snapshot of Redis; {USE_SCRIPT}"
            ))),
            start if start.starts_with(b"--") || start.starts_with(b"/*") => {
                Err(Error::Source(format!(
                    "{text} is a dump in SQL; load it into a database server, and give the \
                     address of that (mysql://…, postgres://…)"
                )))
            }
            _ => Ok(Source::Lines(path)),
        }
    }
}

/// For what only Etherpad's own database layer can read.
const USE_SCRIPT: &str =
    "let etherpad-dump.mjs write what is in it, and give that to `padsvc migrate -`";

/// Puts all records into the table; gives what is broken.
pub(crate) fn fill(
    source: &Source,
    table: &mut Connection,
    leniency: Leniency,
    progress: Progress<'_>,
) -> Result<Vec<Damage>, Error> {
    match source {
        Source::Sqlite(_) => Ok(Vec::new()),
        Source::Lines(path) => {
            let failed = |error: io::Error| Error::Source(format!("{}: {error}", path.display()));
            let file = File::open(path).map_err(failed)?;
            let size = file.metadata().map_err(failed)?.len();
            let mut report = |done| progress(done, size);
            lines::fill(BufReader::new(file), table, leniency, &mut report)
        }
        Source::Input => lines::fill(io::stdin().lock(), table, leniency, &mut |_| {}),
        Source::Postgres(address) => {
            postgresql::fill(address, table, progress).map(|()| Vec::new())
        }
        Source::Mysql(address) => mysql::fill(address, table, progress).map(|()| Vec::new()),
    }
}
