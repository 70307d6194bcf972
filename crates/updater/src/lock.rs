//! `var/update.lock`: only one process changes an installation at a time.
//!
//! The lock is the kernel's, on the open file: it ends with the process that holds it, whatever
//! ends that. What is in the file is for people.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use super::owner::now;

/// Held until it is dropped.
pub(crate) struct Lock(#[expect(dead_code, reason = "held to be dropped")] File);

impl Lock {
    /// `None` if another holds it.
    pub(crate) fn try_acquire(path: &Path) -> io::Result<Option<Lock>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        file.set_len(0)?;
        let pid = std::process::id();
        writeln!(file, "{{\"pid\":{pid},\"at\":\"{}\"}}", now())?;
        Ok(Some(Lock(file)))
    }

    pub(crate) fn is_held(path: &Path) -> bool {
        let Ok(file) = File::open(path) else {
            return false;
        };
        flock(&file, FlockOperation::NonBlockingLockShared).is_err()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once_and_until_it_is_dropped() {
        let path = std::env::temp_dir().join(format!("padsvc-lock-{}", std::process::id()));
        assert!(!Lock::is_held(&path));
        let lock = Lock::try_acquire(&path).unwrap().unwrap();
        assert!(Lock::is_held(&path));
        assert!(Lock::try_acquire(&path).unwrap().is_none());
        drop(lock);
        assert!(!Lock::is_held(&path));
        assert!(Lock::try_acquire(&path).unwrap().is_some());
        std::fs::remove_file(path).unwrap();
    }
}
