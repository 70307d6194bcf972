//! Rolling back: the link and the checkout are what they were. May be done twice, or halfway and
//! then again.

use update::state::Change;

use super::command::{Shell, end_orphans};
use super::git::Git;
use super::releases::Releases;

/// `Err` says what could not be put back.
pub(crate) async fn run(shell: Shell<'_>, change: &Change) -> Result<(), String> {
    end_orphans(shell.places);
    // Without a link nothing was switched: what is started is where it always was.
    if shell.places.current().symlink_metadata().is_ok() {
        let switched = Releases(shell.places).switch(&change.from_release);
        switched.map_err(|error| format!("switch: {error}"))?;
    }
    let back = Git(shell).force_back(&change.from_sha).await;
    back.map_err(|failure| format!("checkout: {}", failure.text))
}
