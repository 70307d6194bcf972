//! Why something was not done to a plugin. Each text says what to do differently.

use std::fmt;

use plugin::settings::ValueError;
use plugin::{PackageError, PatternsError, Permission};
use thiserror::Error;

use crate::catalogue::FetchError;

#[derive(Debug, Error)]
pub enum ManageError {
    #[error(transparent)]
    Package(#[from] PackageError),
    #[error("the files of the folder did not arrive; send them again")]
    Form,
    #[error("not agreed to: {0}")]
    Consent(Missing),
    #[error("the plugin does not ask for: {}", list(.0))]
    NotAsked(Vec<Permission>),
    #[error("this is not the package that was shown; look at what it asks for again")]
    NotAsShown,
    #[error("there is no plugin {0} installed")]
    NotInstalled(String),
    #[error("the plugin was changed by somebody else at the same time; look at it again")]
    Changed,
    #[error("too many plugins are installed; remove one first")]
    TooMany,
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Settings(Vec<ValueError>),
    #[error(transparent)]
    Pads(#[from] PatternsError),
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error("it cannot be stored: {0}")]
    Json(#[from] serde_json::Error),
}

impl ManageError {
    pub fn not_installed(name: &str) -> ManageError {
        const CHARACTERS: usize = 60;
        ManageError::NotInstalled(name.chars().take(CHARACTERS).collect())
    }
}

/// What a plugin asks for and nobody has agreed to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    pub permissions: Vec<Permission>,
    /// That its code runs in browsers.
    pub browsers: bool,
}

impl Missing {
    pub fn is_nothing(&self) -> bool {
        self.permissions.is_empty() && !self.browsers
    }
}

fn list(permissions: &[Permission]) -> String {
    let texts: Vec<String> = permissions.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let permissions = self.permissions.iter().map(ToString::to_string);
        let browsers = self.browsers.then(|| "code in browsers".to_owned());
        let all: Vec<String> = permissions.chain(browsers).collect();
        f.write_str(&all.join(", "))
    }
}
