//! Installing: fetch, check out, build, and put the program into its folder. What runs goes on
//! running from where it is, and is kept to come back to.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;
use update::state::Change;

use super::command::{Failure, Shell};
use super::git::Git;
use super::releases::Releases;

const FETCH: Duration = Duration::from_secs(10 * 60);
const BUILD: Duration = Duration::from_secs(60 * 60);

/// Which step failed, and why.
#[derive(Debug, Error)]
pub(crate) enum InstallError {
    #[error("keep: {0}")]
    Keep(io::Error),
    #[error("fetch: {0}")]
    Fetch(Failure),
    #[error("fetch: {0} is not the commit any more that was verified")]
    Moved(String),
    #[error("checkout: {0}")]
    CheckOut(Failure),
    #[error("install: {0}")]
    Dependencies(Failure),
    #[error("build: {0}")]
    Build(Failure),
    #[error("place: {0}")]
    Place(io::Error),
}

pub(crate) async fn run(shell: Shell<'_>, tag: &str, change: &Change) -> Result<(), InstallError> {
    let kept = keep_running(shell, &change.from_release).await;
    kept.map_err(InstallError::Keep)?;
    let git = Git(shell);
    let fetched = git.fetch(tag).await;
    let fetched = fetched.map_err(InstallError::Fetch)?;
    if fetched.commit != change.commit {
        return Err(InstallError::Moved(tag.to_owned()));
    }
    let checked_out = git.check_out(&change.commit).await;
    checked_out.map_err(InstallError::CheckOut)?;
    let folder = shell.places.build();
    let folder = folder.to_string_lossy();
    let cargo = |arguments: &[&str], limit| {
        let command = shell.command("cargo", arguments, limit);
        command.env("CARGO_TERM_COLOR", "never").run()
    };
    let dependencies = cargo(&["fetch", "--locked"], FETCH).await;
    dependencies.map_err(InstallError::Dependencies)?;
    let arguments = ["build", "--release", "--locked", "--target-dir", &folder];
    let built = cargo(&arguments, BUILD).await;
    built.map_err(InstallError::Build)?;
    let program = shell.places.build().join("release/padsvc");
    let placed = place(shell, program, &change.to_release).await;
    placed.map_err(InstallError::Place)
}

/// A rollback needs neither compiler nor network, because the program that runs stays.
async fn keep_running(shell: Shell<'_>, release: &str) -> io::Result<()> {
    let running = match std::fs::exists("/proc/self/exe") {
        // This is the file that runs, also when another has taken its name since.
        Ok(true) => PathBuf::from("/proc/self/exe"),
        _ => std::env::current_exe()?,
    };
    place(shell, running, release).await
}

async fn place(shell: Shell<'_>, program: PathBuf, release: &str) -> io::Result<()> {
    let (places, release) = (shell.places.clone(), release.to_owned());
    // Large files take a moment, which requests shall not wait for.
    let placed = tokio::task::spawn_blocking(move || Releases(&places).place(&program, &release));
    placed
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::Interrupted.into()))
}
