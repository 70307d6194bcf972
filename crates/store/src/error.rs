//! What can go wrong with storage, as far as a caller acts on it.
//!
//! `Display` says what happened in this layer. The detail comes from the engine or from a decoder
//! and never holds a token or text of a pad.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The disk or the database server does not do what it should. Nothing is half written, but
    /// whether the last call was carried out is known only by reading again.
    Unavailable(String),
    /// Nothing can be written at the moment: the disk is full, or the database server is not
    /// there. Surely nothing of the call was carried out.
    NotStored(String),
    /// Another process uses the database, which is named.
    InUse(String),
    /// What is stored cannot be read. `check_pad` says more.
    Corrupt(String),
    /// The database was written by a later release than this one can follow.
    TooNew { found: u32, known: u32 },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unavailable(detail) => write!(f, "the store is not available: {detail}"),
            Error::NotStored(detail) => {
                write!(f, "nothing can be stored at the moment: {detail}")
            }
            Error::InUse(database) => write!(
                f,
                "the database {database} is in use by another process; stop it first"
            ),
            Error::Corrupt(detail) => write!(f, "stored data cannot be read: {detail}"),
            Error::TooNew { found, known } => write!(
                f,
                "the database has schema version {found}, this release knows {known}; \
                 use the release that wrote it, or a later one"
            ),
        }
    }
}

impl Error {
    /// What the engine or a decoder said, or else all that there is to say.
    pub(crate) fn detail(self) -> String {
        match self {
            Error::Unavailable(detail) | Error::NotStored(detail) | Error::Corrupt(detail) => {
                detail
            }
            other => other.to_string(),
        }
    }
}

impl std::error::Error for Error {}
