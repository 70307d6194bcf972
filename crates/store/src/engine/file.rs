//! The files of an embedded database: which file is meant, who may read it, and the lock.
//!
//! A path may lead to the database through symbolic links. The lock, the write-ahead log and the
//! database itself belong to the file at the end of them, so that two paths to one file are one
//! database. All files are readable by their owner alone from the moment they exist; SQLite gives
//! the log and the shared memory the mode of the database.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// How many links are followed from a path to the database. Linux follows as many.
const MAX_LINKS: usize = 40;

/// A database file that this process has for itself, until it is dropped.
pub(crate) struct LockedFile {
    pub path: PathBuf,
    _lock: File,
}

impl LockedFile {
    /// Locks the file behind a path, and makes it if there is none.
    pub(crate) fn open(path: &Path) -> Result<LockedFile, Error> {
        let locked = LockedFile::lock(path)?;
        let file = private().open(&locked.path);
        file.map(drop).map_err(|error| unavailable(path, &error))?;
        Ok(locked)
    }

    /// Locks the file behind a path, whether or not it exists.
    pub(crate) fn lock(path: &Path) -> Result<LockedFile, Error> {
        let failed = |error: io::Error| unavailable(path, &error);
        if let Some(folder) = path.parent() {
            let mut builder = DirBuilder::new();
            builder.recursive(true).mode(0o700);
            builder.create(folder).map_err(failed)?;
        }
        let resolved = resolve(path).map_err(failed)?;
        let mut name = resolved.as_os_str().to_owned();
        name.push(".lock");
        let lock = private().open(&name).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(LockedFile {
                path: resolved,
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(Error::InUse(path.display().to_string())),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

/// The path without links; of a file that does not exist yet, the path it will have.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match path.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            resolved => return resolved,
        }
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // A link whose target is missing, or no link: then only the folder has to be resolved.
        match path.read_link() {
            Ok(target) => path = folder.join(target),
            Err(_) => {
                let name = path.file_name().unwrap_or_default();
                return Ok(folder.canonicalize()?.join(name));
            }
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true).mode(0o600);
    options
}

fn unavailable(path: &Path, error: &io::Error) -> Error {
    Error::Unavailable(format!("{}: {error}", path.display()))
}
