//! Errors of backups and of tests of a restore.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub(crate) enum BackupError {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error("{}: {error}", .path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}: {free} MB are free, and {needed} MB are needed", .folder.display())]
    DiskFull {
        folder: PathBuf,
        free: u64,
        needed: u64,
    },
    #[error("{}: it is gone", .0.display())]
    Gone(PathBuf),
    #[error("no thread can be started: {0}")]
    Thread(io::Error),
    #[error("it broke off")]
    BrokeOff,
}

impl BackupError {
    /// An error about a file, for `map_err`.
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
        let path = path.to_owned();
        move |error| BackupError::File { path, error }
    }
}
