//! The reason of a failure, in words for those who write or run a plugin. A script gets it as the
//! message of an error, so no code tells one reason from another.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(transparent)]
#[error("{0}")]
pub struct Reason(String);

impl Reason {
    /// What an error says, for `map_err`.
    pub fn of(error: impl Display) -> Reason {
        Reason(error.to_string())
    }
}

impl From<&str> for Reason {
    fn from(text: &str) -> Reason {
        Reason(text.to_owned())
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Reason {
        Reason(text)
    }
}
