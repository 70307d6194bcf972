//! Opening the store of a root folder: `var/` with private files, and the session key.
//!
//! With the embedded store the key is a file. A PostgreSQL database holds the key that all nodes
//! have, so it is opened first.

use std::io;
use std::path::{Path, PathBuf};

use identity::session_key;
use identity::shared_keys::{SharedKeyError, SharedKeys};
use identity::signing_keys::{self, SigningKeysError};
use settings::configuration;
use store::{Location, Opening, Store};
use system::private_file;
use thiserror::Error;
use tracing::warn;

/// Each text tells the operator what to change.
#[derive(Debug, Error)]
pub enum OpenError {
    #[error(transparent)]
    Configuration(#[from] configuration::Error),
    #[error("cannot create {}: {}", .0.display(), .1)]
    Var(PathBuf, io::Error),
    #[error(transparent)]
    SessionKey(#[from] session_key::SessionKeyError),
    #[error(transparent)]
    SharedKeys(#[from] SharedKeyError),
    #[error(transparent)]
    SigningKeys(#[from] SigningKeysError),
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error("plugins.keys in the settings: {0}")]
    PluginKey(#[from] plugin::catalogue::KeyError),
    #[error("there is no database {}", .0.display())]
    NoDatabase(PathBuf),
    #[error("{} {}", .0.display(), .1)]
    Server(PathBuf, &'static str),
}

/// Creates `var/`, closes what others may read of it, and reads the key that an embedded store
/// needs.
pub fn prepare(var: &Path, database: Location) -> Result<Opening, OpenError> {
    std::fs::create_dir_all(var).map_err(|error| OpenError::Var(var.to_owned(), error))?;
    let file = match &database {
        Location::Embedded(file) => Some(file.as_path()),
        _ => None,
    };
    for (path, outcome) in private_file::tighten(var, file) {
        let path = path.display();
        match outcome {
            Ok(()) => warn!("others could read {path}; from now on only this user can"),
            Err(error) => warn!("others can read {path}, and that cannot be changed: {error}"),
        }
    }
    let session_key = match &database {
        Location::Postgres(_) => None,
        _ => Some(session_key::open(var)?),
    };
    Ok(Opening {
        location: database,
        session_key,
        node: None,
    })
}

/// Opens a store that was prepared. Also gives the keys that are in a PostgreSQL database.
pub async fn open(var: &Path, opening: Opening) -> Result<(Store, Option<SharedKeys>), OpenError> {
    let location = opening.location.clone();
    let store = Store::open(opening).await?;
    if !matches!(location, Location::Postgres(_)) {
        return Ok((store, None));
    }
    let keys = SharedKeys::open(&store, &location).await?;
    let key = session_key::open_shared(var, &keys).await?;
    signing_keys::agree(var, &keys).await?;
    Ok((store.with_session_key(key).await?, Some(keys)))
}
