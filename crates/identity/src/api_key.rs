//! The API key and the file it is kept in.
//!
//! The file is made at the first start, readable by its owner alone. It appears under its name with
//! the whole key in it or not at all, and a key that is there is never replaced. The key itself is
//! never printed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use subtle::ConstantTimeEq;
use thiserror::Error;
use tracing::{info, warn};

use crate::shared_keys::{SharedKeyError, SharedKeys};
use system::{hex, private_file, random_bytes};

/// The file's name, in the root folder.
const FILE: &str = "APIKEY.txt";
/// Its name in a database that nodes share.
const NAME: &str = "api-key";

pub struct ApiKey(String);

#[derive(Debug, Error)]
pub enum ApiKeyError {
    #[error("the API key {} cannot be read: {}", .0.display(), .1)]
    Read(PathBuf, io::Error),
    #[error("the API key {} cannot be created: {}", .0.display(), .1)]
    Create(PathBuf, io::Error),
    #[error(
        "the API key {} is empty; write a key into it, or delete it to get a new one",
        .0.display()
    )]
    Empty(PathBuf),
    #[error(transparent)]
    Shared(#[from] SharedKeyError),
}

impl ApiKey {
    /// The key of a root folder; a new one if it has none.
    pub fn open(root: &Path) -> Result<ApiKey, ApiKeyError> {
        let path = root.join(FILE);
        if !path.exists() {
            let key = hex(&random_bytes::<32>());
            private_file::create(&path, &key)
                .map_err(|error| ApiKeyError::Create(path.clone(), error))?;
            info!("a new API key is in {}", path.display());
        }
        // Also after creating it: another process may have been quicker.
        let text =
            fs::read_to_string(&path).map_err(|error| ApiKeyError::Read(path.clone(), error))?;
        if private_file::can_be_read_by_others(&path) {
            warn!(
                "{} can be read by other users of this machine",
                path.display()
            );
        }
        match text.trim() {
            "" => Err(ApiKeyError::Empty(path)),
            key => Ok(ApiKey(key.to_owned())),
        }
    }

    /// The key that all nodes have, if there are nodes; otherwise that of the root folder.
    pub async fn of_all(root: &Path, keys: Option<&SharedKeys>) -> Result<ApiKey, ApiKeyError> {
        let Some(keys) = keys else {
            return ApiKey::open(root);
        };
        let path = root.join(FILE);
        let local = match path.exists() {
            true => Some(ApiKey::open(root)?.0),
            false => None,
        };
        let make = || hex(&random_bytes::<32>());
        Ok(ApiKey(keys.agree(NAME, &path, local, make).await?))
    }

    pub fn new(key: &str) -> ApiKey {
        ApiKey(key.to_owned())
    }

    /// Takes the same time for every wrong key of the right length.
    pub fn matches(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path =
            std::env::temp_dir().join(format!("padsvc-{name}-{}", hex(&random_bytes::<8>())));
        fs::create_dir(&path).unwrap();
        path
    }

    #[test]
    fn new_key_is_made_once_and_for_its_owner() {
        let root = folder("new-key");
        let first = ApiKey::open(&root).unwrap();
        let path = root.join(FILE);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.len(), 64);
        assert!(text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(first.matches(&text));
        assert!(ApiKey::open(&root).unwrap().matches(&text));
        assert_eq!(
            fs::read_dir(&root).unwrap().count(),
            1,
            "nothing is left behind"
        );
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn key_is_taken_without_the_space_around_it() {
        let root = folder("spaces");
        fs::write(root.join(FILE), "  my key\r\n").unwrap();
        let key = ApiKey::open(&root).unwrap();
        assert!(key.matches("my key"));
        for wrong in ["", "my ke", "my key ", "MY KEY", "my key\0"] {
            assert!(!key.matches(wrong), "{wrong:?}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn empty_key_is_refused() {
        let root = folder("empty");
        fs::write(root.join(FILE), " \n").unwrap();
        let error = ApiKey::open(&root).err().unwrap();
        assert!(
            error.to_string().ends_with(
                "APIKEY.txt is empty; write a key into it, or delete it to get a new one"
            )
        );
        fs::remove_dir_all(root).unwrap();
    }
}
