//! Failure of a command: a text for people. Nothing but the exit code depends on which one it is.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

pub type Result<T, E = Failure> = std::result::Result<T, E>;

#[derive(Debug, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    /// Everything is printed already; the exit code alone is missing.
    pub fn printed() -> Failure {
        Failure(String::new())
    }

    /// For `map_err`: a failure with a file or folder.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Failure {
        |error| Failure(format!("{}: {error}", path.display()))
    }
}

impl Display for Failure {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure(text)
    }
}

impl From<&str> for Failure {
    fn from(text: &str) -> Failure {
        Failure(text.to_owned())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure(error.to_string())
    }
}

impl From<Box<dyn Error>> for Failure {
    fn from(error: Box<dyn Error>) -> Failure {
        Failure(error.to_string())
    }
}
