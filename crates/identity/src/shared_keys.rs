//! Keys that all nodes of a PostgreSQL database share.
//!
//! The database holds each encrypted under a key that is derived from the database's password. A
//! file on this machine is the operator's word: it goes into a database that has no such key, and
//! one that differs from the database's is an error, because nodes with different keys would not
//! accept each other's. A node without a file takes the key from the database and writes none;
//! the node that makes a key writes its file, so that the operator can read it.

use std::path::{Path, PathBuf};

use store::{Location, SEALING_SALT_BYTES, SealingKey, Store};
use thiserror::Error;
use tracing::{info, warn};

use crate::api_key::{ApiKey, ApiKeyError};
use system::private_file;
use system::random_bytes;

/// How often a key is tried to store that another node stores at the same time.
const ATTEMPTS: usize = 5;
const SALT: &str = "salt";

#[derive(Clone)]
pub struct SharedKeys {
    store: Store,
    sealing: SealingKey,
}

#[derive(Debug, Error)]
pub enum SharedKeyError {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error("the key of the database's secrets could not be derived")]
    Derivation,
    #[error(
        "{path} differs from the key '{name}' in the database, which all nodes use; remove the \
         file to use the database's key, or stop all nodes, delete the row '{name}' of the table \
         secrets, and start this node first",
        path = .0.display(), name = .1
    )]
    Differs(PathBuf, &'static str),
    #[error(
        "the key '{name}' in the database was encrypted under another database password; start a \
         node that has {path} first, or copy that file here",
        path = .0.display(), name = .1
    )]
    OtherPassword(PathBuf, &'static str),
    #[error(
        "the key '{0}' in the database is not a key; restore the database, or delete that row of \
         the table secrets to get a new key"
    )]
    Damaged(&'static str),
    #[error("the key '{0}' could not be stored because others store it all the time; try again")]
    Contended(&'static str),
}

/// A secret as it is stored.
pub(crate) enum Stored {
    Absent,
    Open {
        sealed: Vec<u8>,
        text: String,
    },
    /// Under another password.
    Closed(Vec<u8>),
}

impl SharedKeys {
    pub async fn open(store: &Store, location: &Location) -> Result<SharedKeys, SharedKeyError> {
        let password = location.password();
        if password.is_none() {
            warn!(
                "the connection to the database needs no password: who can read the database can \
                 read the keys in it"
            );
        }
        let salt = random_bytes::<SEALING_SALT_BYTES>();
        let salt = store.put_secret_if_absent(SALT, &salt).await?;
        let password = password.unwrap_or_default();
        let derive = move || SealingKey::from_password(&password, &salt);
        let sealing = tokio::task::spawn_blocking(derive).await;
        Ok(SharedKeys {
            store: store.clone(),
            sealing: sealing.map_err(|_| SharedKeyError::Derivation)?,
        })
    }

    /// The key that all nodes use. `local` is what the file at `path` holds, if there is one.
    pub async fn agree(
        &self,
        name: &'static str,
        path: &Path,
        local: Option<String>,
        make: impl Fn() -> String,
    ) -> Result<String, SharedKeyError> {
        for _ in 0..ATTEMPTS {
            match (self.find(name).await?, &local) {
                (Stored::Open { text, .. }, None) => return Ok(text),
                (Stored::Open { text, .. }, Some(local)) if text == *local => return Ok(text),
                (Stored::Open { .. }, Some(_)) => {
                    return Err(SharedKeyError::Differs(path.to_owned(), name));
                }
                (Stored::Closed(sealed), Some(local)) => {
                    if self.replace(name, &sealed, local).await? {
                        info!("'{name}' in the database is encrypted under the new password");
                    }
                }
                (Stored::Closed(_), None) => {
                    return Err(SharedKeyError::OtherPassword(path.to_owned(), name));
                }
                (Stored::Absent, Some(local)) => drop(self.insert(name, local).await?),
                (Stored::Absent, None) => {
                    let text = make();
                    if self.insert(name, &text).await? {
                        keep(path, &text);
                    }
                }
            }
        }
        Err(SharedKeyError::Contended(name))
    }

    pub(crate) async fn find(&self, name: &'static str) -> Result<Stored, SharedKeyError> {
        let Some(sealed) = self.store.secret(name).await? else {
            return Ok(Stored::Absent);
        };
        match self.sealing.open(name, &sealed) {
            Some(text) => {
                let text = String::from_utf8(text).map_err(|_| SharedKeyError::Damaged(name))?;
                Ok(Stored::Open { sealed, text })
            }
            None => Ok(Stored::Closed(sealed)),
        }
    }

    /// False: another node was quicker.
    pub(crate) async fn insert(
        &self,
        name: &'static str,
        text: &str,
    ) -> Result<bool, SharedKeyError> {
        let sealed = self.sealing.seal(name, random_bytes(), text.as_bytes())?;
        let stored = self.store.put_secret_if_absent(name, &sealed).await?;
        Ok(stored == sealed)
    }

    /// False: another node was quicker.
    pub(crate) async fn replace(
        &self,
        name: &'static str,
        known: &[u8],
        text: &str,
    ) -> Result<bool, SharedKeyError> {
        let sealed = self.sealing.seal(name, random_bytes(), text.as_bytes())?;
        Ok(self.store.replace_secret(name, known, &sealed).await?)
    }
}

/// The keys that the program is started with.
pub struct ProgramKeys {
    pub api: ApiKey,
    /// Those of a database that nodes share.
    pub shared: Option<SharedKeys>,
}

impl ProgramKeys {
    pub async fn open(root: &Path, shared: Option<SharedKeys>) -> Result<ProgramKeys, ApiKeyError> {
        let api = ApiKey::of_all(root, shared.as_ref()).await?;
        Ok(ProgramKeys { api, shared })
    }
}

/// Writes the file of a key that this node has made.
pub(crate) fn keep(path: &Path, text: &str) {
    match private_file::create(path, text) {
        Ok(()) => info!("a new key is in {}", path.display()),
        Err(error) => warn!(
            "{} cannot be written: {error}; the key is in the database alone",
            path.display()
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const NAME: &str = "api-key";

    async fn store() -> Store {
        Store::open(Location::Memory).await.unwrap()
    }

    async fn keys(store: &Store, password: &str) -> SharedKeys {
        let location = Location::Postgres(format!("host=x password={password}"));
        SharedKeys::open(store, &location).await.unwrap()
    }

    #[tokio::test]
    async fn nodes_agree_and_one_writes_the_file() {
        let (store, folder) = (store().await, tempfile::tempdir().unwrap());
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
        let (first, second) = (keys(&store, "pw").await, keys(&store, "pw").await);
        let (a, b) = tokio::join!(
            first.agree(NAME, &one, None, || "a".to_owned()),
            second.agree(NAME, &two, None, || "b".to_owned())
        );
        let (a, b) = (a.unwrap(), b.unwrap());
        assert_eq!(a, b);
        let files = [one, two].map(|path| fs::read_to_string(path).ok());
        let files: Vec<String> = files.into_iter().flatten().collect();
        assert_eq!(files, [a]);
    }

    #[tokio::test]
    async fn a_file_is_the_operators_word_unless_the_database_differs() {
        let (store, path) = (store().await, Path::new("/nowhere/KEY"));
        let keys = keys(&store, "pw").await;
        let agree = |local: Option<&str>| {
            let local = local.map(str::to_owned);
            keys.agree(NAME, path, local, || "made".to_owned())
        };
        assert_eq!(agree(Some("mine")).await.unwrap(), "mine");
        assert_eq!(agree(None).await.unwrap(), "mine");
        let error = agree(Some("other")).await.unwrap_err().to_string();
        assert!(error.contains("/nowhere/KEY differs"), "{error}");
        let sealed = store.secret(NAME).await.unwrap().unwrap();
        assert!(!sealed.windows(4).any(|part| part == b"mine"));
    }

    #[tokio::test]
    async fn after_another_password_only_a_file_helps() {
        let (store, path) = (store().await, Path::new("/nowhere/KEY"));
        let mine = || Some("mine".to_owned());
        let never = || panic!("a key is made");
        let before = keys(&store, "old").await;
        before.agree(NAME, path, mine(), never).await.unwrap();
        let after = keys(&store, "new").await;
        let error = after.agree(NAME, path, None, never).await.unwrap_err();
        assert!(error.to_string().contains("password"), "{error}");
        after.agree(NAME, path, mine(), never).await.unwrap();
        assert_eq!(after.agree(NAME, path, None, never).await.unwrap(), "mine");
    }
}
