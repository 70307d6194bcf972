//! The keys that sign tokens, in a file of the root folder, or in the database that nodes share.
//!
//! They are made when one is first needed. Several processes may share them: one that finds that
//! a new key is due adds one to those that are there by then, and who meets a token of a key that
//! it does not know looks again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oidc::{KeyError, Keys};
use thiserror::Error;
use tokio::sync::Mutex;
use tracing::{info, warn};

use crate::shared_keys::{SharedKeyError, SharedKeys, Stored, keep};
use system::private_file;

const FILE: &str = "oidc-keys.json";
/// Their name in a database that nodes share.
const NAME: &str = "signing-keys";
/// How often keys are tried to store that another node stores at the same time.
const ATTEMPTS: usize = 5;
/// The keys are not looked at again for strange tokens before so many seconds have passed.
const LOOK_AGAIN_SECONDS: u64 = 60;

pub struct SigningKeys {
    home: Home,
    shared: Option<SharedKeys>,
    read: Mutex<Option<Read>>,
}

/// The file, and how its keys change.
#[derive(Clone)]
struct Home {
    path: PathBuf,
    /// How long a key must stay known after it has signed.
    longest_life: u64,
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
    #[error("making a key broke off")]
    BrokenOff,
    #[error(transparent)]
    Shared(#[from] SharedKeyError),
}

impl SigningKeys {
    /// `var` is the folder of what the service keeps.
    pub fn new(var: &Path, shared: Option<SharedKeys>, longest_life: u64) -> SigningKeys {
        let path = var.join(FILE);
        SigningKeys {
            home: Home { path, longest_life },
            shared,
            read: Mutex::default(),
        }
    }

    /// Keys to sign with. The first time, and when a new key is due, that takes a while.
    pub async fn to_sign(&self, now: u64) -> Result<Arc<Keys>, SigningKeysError> {
        let mut read = self.read.lock().await;
        if let Some(Read { keys, .. }) = &*read
            && !keys.are_due(now)
        {
            return Ok(Arc::clone(keys));
        }
        let home = self.home.clone();
        let keys = match &self.shared {
            None => blocking(move || home.current(now)).await?,
            Some(shared) => home.current_of_all(shared, now).await?,
        };
        let keys = Arc::new(keys);
        *read = Some(Read {
            keys: Arc::clone(&keys),
            at: now,
        });
        Ok(keys)
    }

    /// Keys to check a token with, if there are any.
    pub async fn to_check(&self, now: u64) -> Option<Arc<Keys>> {
        let mut read = self.read.lock().await;
        if read.is_none() {
            *read = self.look(now).await;
        }
        read.as_ref().map(|read| Arc::clone(&read.keys))
    }

    /// The same, after a token of an unknown key: what another process may have added.
    pub async fn to_check_again(&self, now: u64) -> Option<Arc<Keys>> {
        let mut read = self.read.lock().await;
        let last = read.as_ref()?.at;
        if now.saturating_sub(last) < LOOK_AGAIN_SECONDS {
            return None;
        }
        let found = self.look(now).await?;
        let keys = Arc::clone(&found.keys);
        *read = Some(found);
        Some(keys)
    }

    /// The keys that are there, if they are sound.
    async fn look(&self, now: u64) -> Option<Read> {
        let text = match &self.shared {
            None => fs::read_to_string(&self.home.path).ok()?,
            Some(shared) => match shared.find(NAME).await {
                Ok(Stored::Open { text, .. }) => text,
                Ok(_) => return None,
                Err(error) => {
                    warn!("the keys of tokens cannot be read: {error}");
                    return None;
                }
            },
        };
        match self.home.parse(&text) {
            Ok(keys) => Some(Read {
                keys: Arc::new(keys),
                at: now,
            }),
            Err(error) => {
                warn!("{error}");
                None
            }
        }
    }
}

/// Brings the file and the database of a node that starts together. Keys that have changed
/// meanwhile are the same keys; others are an error.
pub async fn agree(var: &Path, shared: &SharedKeys) -> Result<(), SigningKeysError> {
    let home = Home {
        path: var.join(FILE),
        longest_life: 0,
    };
    let local = home.local()?;
    for _ in 0..ATTEMPTS {
        match (shared.find(NAME).await?, &local) {
            (Stored::Absent, None) | (Stored::Open { .. }, None) => return Ok(()),
            (Stored::Open { text, .. }, Some(local)) => {
                let keys = home.parse(&text)?;
                if !keys.share_one_with(local) {
                    return Err(SharedKeyError::Differs(home.path, NAME).into());
                }
                return Ok(());
            }
            (Stored::Absent, Some(local)) => {
                shared.insert(NAME, &local.write()).await?;
            }
            (Stored::Closed(sealed), Some(local)) => {
                shared.replace(NAME, &sealed, &local.write()).await?;
            }
            (Stored::Closed(_), None) => {
                return Err(SharedKeyError::OtherPassword(home.path, NAME).into());
            }
        }
    }
    Err(SharedKeyError::Contended(NAME).into())
}

impl Home {
    fn parse(&self, text: &str) -> Result<Keys, SigningKeysError> {
        Keys::read(text).map_err(|error| self.in_keys(error))
    }

    fn in_keys(&self, error: KeyError) -> SigningKeysError {
        SigningKeysError::Keys(self.path.clone(), error)
    }

    fn in_file(&self, error: io::Error) -> SigningKeysError {
        SigningKeysError::File(self.path.clone(), error)
    }

    /// The keys of the file, if there is one.
    fn local(&self) -> Result<Option<Keys>, SigningKeysError> {
        if !self.path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&self.path).map_err(|error| self.in_file(error))?;
        self.parse(&text).map(Some)
    }

    /// The keys of the file, which is made and renewed when that is due.
    fn current(&self, now: u64) -> Result<Keys, SigningKeysError> {
        if !self.path.exists() {
            let keys = Keys::generate(now).map_err(|error| self.in_keys(error))?;
            let created = private_file::create(&self.path, &keys.write());
            created.map_err(|error| self.in_file(error))?;
            info!("new keys for tokens are in {}", self.path.display());
        }
        if private_file::can_be_read_by_others(&self.path) {
            warn!(
                "{} can be read by other users of this machine",
                self.path.display()
            );
        }
        // Also after creating it: another process may have been quicker.
        let text = fs::read_to_string(&self.path).map_err(|error| self.in_file(error))?;
        let keys = self.parse(&text)?;
        if !keys.are_due(now) {
            return Ok(keys);
        }
        let keys = self.renewed(&keys, now)?;
        let replaced = private_file::replace(&self.path, &keys.write());
        replaced.map_err(|error| self.in_file(error))?;
        info!("a new key for tokens is in {}", self.path.display());
        Ok(keys)
    }

    fn renewed(&self, keys: &Keys, now: u64) -> Result<Keys, SigningKeysError> {
        let renewed = keys.renewed(now, self.longest_life);
        renewed.map_err(|error| self.in_keys(error))
    }

    /// The keys of the database, which are made and renewed when that is due.
    async fn current_of_all(self, shared: &SharedKeys, now: u64) -> Result<Keys, SigningKeysError> {
        for _ in 0..ATTEMPTS {
            match shared.find(NAME).await? {
                Stored::Open { sealed, text } => {
                    let keys = self.parse(&text)?;
                    if !keys.are_due(now) {
                        return Ok(keys);
                    }
                    let home = self.clone();
                    let keys = blocking(move || home.renewed(&keys, now)).await?;
                    if shared.replace(NAME, &sealed, &keys.write()).await? {
                        info!("a new key for tokens is in the database");
                        return Ok(keys);
                    }
                }
                Stored::Absent => {
                    let home = self.clone();
                    let make = move || Keys::generate(now).map_err(|error| home.in_keys(error));
                    let text = blocking(make).await?.write();
                    if shared.insert(NAME, &text).await? {
                        keep(&self.path, &text);
                    }
                }
                Stored::Closed(_) => {
                    return Err(SharedKeyError::OtherPassword(self.path, NAME).into());
                }
            }
        }
        Err(SharedKeyError::Contended(NAME).into())
    }
}

/// Away from the tasks that serve requests.
async fn blocking<T, F>(make: F) -> Result<T, SigningKeysError>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, SigningKeysError> + Send + 'static,
{
    let made = tokio::task::spawn_blocking(make).await;
    made.map_err(|_| SigningKeysError::BrokenOff)?
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use store::{Location, Store};
    use system::environment::random_bytes;
    use system::hex;

    const DAY: u64 = 24 * 60 * 60;

    fn folder() -> PathBuf {
        let name = format!("padsvc-keys-{}", hex(&random_bytes::<8>()));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        path
    }

    #[tokio::test]
    async fn keys_are_made_when_they_are_needed_and_stay() {
        let var = folder();
        let keys = SigningKeys::new(&var, None, 3600);
        assert!(keys.to_check(0).await.is_none());
        assert!(!var.join(FILE).exists());
        let first = keys.to_sign(0).await.unwrap().public();
        let mode = fs::metadata(var.join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let restarted = SigningKeys::new(&var, None, 3600);
        assert_eq!(restarted.to_check(1).await.unwrap().public(), first);
        assert_eq!(restarted.to_sign(1).await.unwrap().public(), first);
        fs::remove_dir_all(var).unwrap();
    }

    #[tokio::test]
    async fn a_key_that_one_process_adds_is_found_by_another() {
        let var = folder();
        let one = SigningKeys::new(&var, None, 3600);
        let first = one.to_sign(0).await.unwrap().public();
        let other = SigningKeys::new(&var, None, 3600);
        assert_eq!(other.to_sign(0).await.unwrap().public(), first);
        let now = 91 * DAY;
        let both = one.to_sign(now).await.unwrap().public();
        assert_ne!(both, first);
        assert_eq!(other.to_check_again(30).await.map(|_| ()), None);
        assert_eq!(other.to_check_again(now).await.unwrap().public(), both);
        assert_eq!(other.to_sign(now).await.unwrap().public(), both);
        fs::remove_dir_all(var).unwrap();
    }

    #[tokio::test]
    async fn a_damaged_file_is_reported_and_not_replaced() {
        let var = folder();
        fs::write(var.join(FILE), "{}").unwrap();
        let keys = SigningKeys::new(&var, None, 3600);
        assert!(keys.to_check(0).await.is_none());
        let error = keys.to_sign(0).await.err().unwrap().to_string();
        assert!(error.contains("move the file away"), "{error}");
        assert_eq!(fs::read_to_string(var.join(FILE)).unwrap(), "{}");
        fs::remove_dir_all(var).unwrap();
    }

    #[tokio::test]
    async fn nodes_sign_with_the_same_keys() {
        let store = Store::open(Location::Memory).await.unwrap();
        let location = Location::Postgres("host=x password=pw".to_owned());
        let shared = SharedKeys::open(&store, &location).await.unwrap();
        let [one, two, other] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let node = |var: &Path| SigningKeys::new(var, Some(shared.clone()), 3600);
        let [first, second] = [node(one.path()), node(two.path())];
        assert!(second.to_check(0).await.is_none());
        let (a, b) = tokio::join!(first.to_sign(0), second.to_sign(0));
        let keys = a.unwrap().public();
        assert_eq!(keys, b.unwrap().public());
        let files = [&one, &two].map(|var| var.path().join(FILE).exists());
        assert_eq!(files.iter().filter(|is_there| **is_there).count(), 1);
        let now = 91 * DAY;
        let renewed = first.to_sign(now).await.unwrap().public();
        assert_ne!(renewed, keys);
        assert_eq!(second.to_check_again(now).await.unwrap().public(), renewed);
        // A file with the keys of before is no other key, one of another service is.
        for var in [&one, &two] {
            agree(var.path(), &shared).await.unwrap();
        }
        let foreign = Keys::generate(0).unwrap().write();
        fs::write(other.path().join(FILE), foreign).unwrap();
        let error = agree(other.path(), &shared).await.unwrap_err();
        assert!(error.to_string().contains("differs"), "{error}");
    }
}
