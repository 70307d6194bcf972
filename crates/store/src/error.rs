//! Errors of the store, as far as a caller acts on them.
//!
//! `Display` says what happened in this layer. The detail comes from the engine or from a decoder
//! and never holds a token or text of a pad.

use codec::Malformed;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The disk or the database server does not do what it should. Nothing is half written, but
    /// whether the last call was carried out is known only by reading again.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// Nothing can be written at the moment: the disk is full, or the database server is not
    /// there. Surely nothing of the call was carried out.
    #[error("nothing can be stored at the moment: {0}")]
    NotStored(String),
    /// Another process uses the database, which is named.
    #[error("the database {0} is in use by another process; stop it first")]
    InUse(String),
    /// Nodes serve the pads of the database, and would not learn of what this process does to them.
    #[error(
        "nodes use the database (`padsvc nodes` lists them); do this in the root folder of one \
         of them, or stop them first"
    )]
    NodesRun,
    /// What is stored cannot be read. `check_pad` says more.
    #[error("stored data cannot be read: {0}")]
    Corrupt(String),
    /// The database was written by a later release than this one can follow.
    #[error(
        "the database has schema version {found}, this release knows {known}; \
         use the release that wrote it, or a later one"
    )]
    TooNew { found: u32, known: u32 },
}

impl From<Malformed> for Error {
    fn from(malformed: Malformed) -> Error {
        Error::Corrupt(malformed.0.to_owned())
    }
}

impl Error {
    /// The message of the engine or decoder alone, where there is one.
    pub(crate) fn detail(self) -> String {
        match self {
            Error::Unavailable(detail) | Error::NotStored(detail) | Error::Corrupt(detail) => {
                detail
            }
            other => other.to_string(),
        }
    }
}
