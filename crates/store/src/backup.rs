//! Copies of a database: taken while it is in use, and put in its place.
//!
//! A copy is one state of the database: the one at the moment when copying begins. Others read and
//! write meanwhile, in this process or another, and are not held up. A copy is an embedded database
//! of its own in one file, wherever the pads were, and is under its name completely or not at all.
//! So a copy of one kind of database can be restored into the other.

mod file;

mod server;

use std::path::Path;

use crate::Location;
use crate::error::Error;

pub use file::examine;

/// How much is done, and of how much.
pub type Report<'a> = &'a mut dyn FnMut(u64, u64);

/// Copies a database to a file that must not exist. Blocks until that is on disk.
pub fn backup(from: &Location, to: &Path, report: Report<'_>) -> Result<(), Error> {
    if to.exists() {
        return Err(because(to, "it is there already"));
    }
    match from {
        Location::Embedded(from) => file::write(to, |draft| file::backup(from, draft, report)),
        Location::Postgres(from) => file::write(to, |draft| server::backup(from, draft, report)),
        Location::Memory => Err(Error::Unavailable("it is not kept anywhere".to_owned())),
    }
}

/// Puts a copy where the database is, or shall be. Nobody may have that open. With `replace` a
/// database file that is there is kept as `….replaced`; without, it is an error. A PostgreSQL
/// database has to be empty.
pub fn restore(from: &Path, to: &Location, replace: bool, report: Report<'_>) -> Result<(), Error> {
    match to {
        Location::Embedded(to) => file::restore(from, to, replace, report),
        Location::Postgres(to) => server::restore(from, to, report),
        Location::Memory => Err(Error::Unavailable("it is not kept anywhere".to_owned())),
    }
}

fn because(path: &Path, reason: impl std::fmt::Display) -> Error {
    Error::Unavailable(format!("{}: {reason}", path.display()))
}
