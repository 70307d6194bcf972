//! Rolling back: the link and the checkout are what they were. May be done twice, or halfway and
//! then again.

use std::io;

use thiserror::Error;
use update::state::Change;

use super::command::{Failure, Shell, end_orphans};
use super::git::Git;
use super::releases::Releases;

/// What could not be put back.
#[derive(Debug, Error)]
pub(crate) enum RestoreError {
    #[error("switch: {0}")]
    Switch(io::Error),
    #[error("checkout: {0}")]
    CheckOut(Failure),
}

pub(crate) async fn run(shell: Shell<'_>, change: &Change) -> Result<(), RestoreError> {
    end_orphans(shell.places);
    // Without a link nothing was switched: what is started is where it always was.
    if shell.places.current().symlink_metadata().is_ok() {
        let switched = Releases(shell.places).switch(&change.from_release);
        switched.map_err(RestoreError::Switch)?;
    }
    let back = Git(shell).force_back(&change.from_sha).await;
    back.map_err(RestoreError::CheckOut)
}
