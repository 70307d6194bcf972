//! `var/session-ids.key`: what the ids of API sessions are encrypted under in the database.
//!
//! Made at the first start and never changed. Without it sessions still let in; only listings of
//! sessions that were created before leave them out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use store::{SESSION_KEY_BYTES, SessionKey};
use thiserror::Error;

use crate::shared_keys::{SharedKeyError, SharedKeys};
use system::environment::random_bytes;
use system::private_file;
use system::{hex, unhex};

const FILE: &str = "session-ids.key";
/// Its name in a database that nodes share.
const NAME: &str = "session-key";

#[derive(Debug, Error)]
pub enum SessionKeyError {
    #[error("the key {} cannot be used: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    #[error(
        "{} does not hold a key; put back the file of your backup, or remove it: \
         then sessions that exist are no longer listed",
        .0.display()
    )]
    Content(PathBuf),
    #[error(transparent)]
    Shared(#[from] SharedKeyError),
}

pub fn open(var: &Path) -> Result<SessionKey, SessionKeyError> {
    let path = var.join(FILE);
    let in_file = |error| SessionKeyError::File(path.clone(), error);
    if !path.exists() {
        let key = format!("{}\n", hex(&random_bytes::<SESSION_KEY_BYTES>()));
        private_file::create(&path, &key).map_err(in_file)?;
    }
    // Also after creating it: another process may have been quicker.
    Ok(SessionKey::new(read(&path)?))
}

/// The key that all nodes have.
pub async fn open_shared(var: &Path, keys: &SharedKeys) -> Result<SessionKey, SessionKeyError> {
    let path = var.join(FILE);
    let local = match path.exists() {
        true => Some(hex(&read(&path)?)),
        false => None,
    };
    let make = || hex(&random_bytes::<SESSION_KEY_BYTES>());
    let text = keys.agree(NAME, &path, local, make).await?;
    let bytes = unhex(&text).ok_or(SharedKeyError::Damaged(NAME))?;
    Ok(SessionKey::new(bytes))
}

fn read(path: &Path) -> Result<[u8; SESSION_KEY_BYTES], SessionKeyError> {
    let text = fs::read_to_string(path);
    let text = text.map_err(|error| SessionKeyError::File(path.to_owned(), error))?;
    unhex(text.trim()).ok_or_else(|| SessionKeyError::Content(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_made_once_and_stays() {
        let var = tempfile::tempdir().unwrap();
        let key = open(var.path()).unwrap();
        assert_eq!(open(var.path()).unwrap(), key);
        let path = var.path().join(FILE);
        assert!(!private_file::can_be_read_by_others(&path));
        for wrong in ["", "abc", "zz", &"ab".repeat(33)] {
            fs::write(&path, wrong).unwrap();
            let error = open(var.path()).unwrap_err().to_string();
            assert!(error.contains("does not hold a key"), "{wrong}: {error}");
        }
        fs::write(&path, "01".repeat(SESSION_KEY_BYTES)).unwrap();
        let expected = SessionKey::new([1; SESSION_KEY_BYTES]);
        assert_eq!(open(var.path()).unwrap(), expected);
    }
}
