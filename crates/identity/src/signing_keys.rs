//! The keys that sign tokens, in a file of the root folder.
//!
//! The file is made when a key is first needed. Several processes may share it: one that finds that
//! a new key is due adds one to what is in the file by then, and who meets a token of a key that
//! it does not know looks again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oidc::{KeyError, Keys};
use thiserror::Error;
use tracing::{info, warn};

use system::private_file;

const FILE: &str = "oidc-keys.json";
/// The file is not looked at again for strange tokens before so many seconds have passed.
const LOOK_AGAIN_SECONDS: u64 = 60;

pub struct SigningKeys {
    path: PathBuf,
    /// How long a key must stay known after it has signed.
    longest_life: u64,
    read: Mutex<Option<Read>>,
}

#[derive(Clone)]
struct Read {
    keys: Arc<Keys>,
    at: u64,
}

#[derive(Debug, Error)]
pub enum SigningKeysError {
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    #[error(
        "{}: {}; move the file away to get new keys, which ends all tokens",
        .0.display(), .1
    )]
    Keys(PathBuf, KeyError),
}

impl SigningKeys {
    /// `var` is the folder of what the service keeps.
    pub fn new(var: &Path, longest_life: u64) -> SigningKeys {
        SigningKeys {
            path: var.join(FILE),
            longest_life,
            read: Mutex::default(),
        }
    }

    /// Keys to sign with. The first time, and when a new key is due, that takes a while.
    pub fn to_sign(&self, now: u64) -> Result<Arc<Keys>, SigningKeysError> {
        let mut read = self.read();
        if let Some(Read { keys, .. }) = &*read
            && !keys.are_due(now)
        {
            return Ok(Arc::clone(keys));
        }
        let keys = self.open(now)?;
        let keys = Arc::new(if keys.are_due(now) {
            self.renew(&keys, now)?
        } else {
            keys
        });
        *read = Some(Read {
            keys: Arc::clone(&keys),
            at: now,
        });
        Ok(keys)
    }

    /// Keys to check a token with, if there are any.
    pub fn to_check(&self, now: u64) -> Option<Arc<Keys>> {
        let mut read = self.read();
        if read.is_none() {
            *read = self.look(now);
        }
        read.as_ref().map(|read| Arc::clone(&read.keys))
    }

    /// The same, after a token of an unknown key: what another process may have added.
    pub fn to_check_again(&self, now: u64) -> Option<Arc<Keys>> {
        let mut read = self.read();
        let last = read.as_ref()?.at;
        if now.saturating_sub(last) < LOOK_AGAIN_SECONDS {
            return None;
        }
        let found = self.look(now)?;
        let keys = Arc::clone(&found.keys);
        *read = Some(found);
        Some(keys)
    }

    /// What the file holds, if it is there and sound.
    fn look(&self, now: u64) -> Option<Read> {
        let text = fs::read_to_string(&self.path).ok()?;
        match Keys::read(&text) {
            Ok(keys) => Some(Read {
                keys: Arc::new(keys),
                at: now,
            }),
            Err(error) => {
                warn!("{}", SigningKeysError::Keys(self.path.clone(), error));
                None
            }
        }
    }

    fn open(&self, now: u64) -> Result<Keys, SigningKeysError> {
        let in_file = |error| SigningKeysError::File(self.path.clone(), error);
        let in_keys = |error| SigningKeysError::Keys(self.path.clone(), error);
        if !self.path.exists() {
            let keys = Keys::generate(now).map_err(in_keys)?;
            private_file::create(&self.path, &keys.write()).map_err(in_file)?;
            info!("new keys for tokens are in {}", self.path.display());
        }
        if private_file::can_be_read_by_others(&self.path) {
            warn!(
                "{} can be read by other users of this machine",
                self.path.display()
            );
        }
        // Also after creating it: another process may have been quicker.
        let text = fs::read_to_string(&self.path).map_err(in_file)?;
        Keys::read(&text).map_err(in_keys)
    }

    fn renew(&self, keys: &Keys, now: u64) -> Result<Keys, SigningKeysError> {
        let in_keys = |error| SigningKeysError::Keys(self.path.clone(), error);
        let keys = keys.renewed(now, self.longest_life).map_err(in_keys)?;
        private_file::replace(&self.path, &keys.write())
            .map_err(|error| SigningKeysError::File(self.path.clone(), error))?;
        info!("a new key for tokens is in {}", self.path.display());
        Ok(keys)
    }

    fn read(&self) -> MutexGuard<'_, Option<Read>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use system::environment::random_bytes;
    use system::hex;

    const DAY: u64 = 24 * 60 * 60;

    fn folder() -> PathBuf {
        let name = format!("padsvc-keys-{}", hex(&random_bytes::<8>()));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        path
    }

    #[test]
    fn keys_are_made_when_they_are_needed_and_stay() {
        let var = folder();
        let keys = SigningKeys::new(&var, 3600);
        assert!(keys.to_check(0).is_none());
        assert!(!var.join(FILE).exists());
        let first = keys.to_sign(0).unwrap().public();
        let mode = fs::metadata(var.join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let restarted = SigningKeys::new(&var, 3600);
        assert_eq!(restarted.to_check(1).unwrap().public(), first);
        assert_eq!(restarted.to_sign(1).unwrap().public(), first);
        fs::remove_dir_all(var).unwrap();
    }

    #[test]
    fn a_key_that_one_process_adds_is_found_by_another() {
        let var = folder();
        let one = SigningKeys::new(&var, 3600);
        let first = one.to_sign(0).unwrap().public();
        let other = SigningKeys::new(&var, 3600);
        assert_eq!(other.to_sign(0).unwrap().public(), first);
        let now = 91 * DAY;
        let both = one.to_sign(now).unwrap().public();
        assert_ne!(both, first);
        assert_eq!(other.to_check_again(30).map(|_| ()), None);
        assert_eq!(other.to_check_again(now).unwrap().public(), both);
        assert_eq!(other.to_sign(now).unwrap().public(), both);
        fs::remove_dir_all(var).unwrap();
    }

    #[test]
    fn a_damaged_file_is_reported_and_not_replaced() {
        let var = folder();
        fs::write(var.join(FILE), "{}").unwrap();
        let keys = SigningKeys::new(&var, 3600);
        assert!(keys.to_check(0).is_none());
        let error = keys.to_sign(0).err().unwrap().to_string();
        assert!(error.contains("move the file away"), "{error}");
        assert_eq!(fs::read_to_string(var.join(FILE)).unwrap(), "{}");
        fs::remove_dir_all(var).unwrap();
    }
}
