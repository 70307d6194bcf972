//! Errors of operator commands. Each text says what to do differently.

use std::io;
use std::path::{Path, PathBuf};

use settings::configuration;
use thiserror::Error;
use tokio::task::JoinError;

use crate::open_store::OpenError;
use crate::operate::client::ExecuteError;

#[derive(Debug, Error)]
pub(super) enum CommandError {
    #[error(transparent)]
    Configuration(#[from] configuration::Error),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Package(#[from] plugin::PackageError),
    #[error(transparent)]
    Scenario(#[from] plugin::scenario::ScenarioError),
    #[error(transparent)]
    Migrate(#[from] migrate::Error),
    #[error("no server runs in {}", .0.display())]
    NoServer(PathBuf),
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    #[error("{0} is there already; --force replaces it")]
    ExistsUnforced(String),
    #[error("a file and --json cannot both be on standard output")]
    StandardOutput,
    #[error("--as goes with a single file")]
    OneName,
    #[error("a password must not be empty")]
    EmptyPassword,
    #[error("there is not enough memory to hash a password")]
    Memory,
    /// A thread of ours panicked.
    #[error(transparent)]
    Thread(#[from] JoinError),
}

impl CommandError {
    /// For `map_err`: an error of that file.
    pub(super) fn of_file(path: &Path) -> impl Fn(io::Error) -> CommandError {
        |error| CommandError::File(path.to_owned(), error)
    }
}
