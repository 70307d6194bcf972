//! Pre-flight: whether an update can be installed, found out without changing anything that is
//! used. The first check that fails gives the reason.

use std::path::Path;
use std::time::Duration;

use rustix::fs::statvfs;
use thiserror::Error;
use update::plan::Found;
use update::target::{ManifestError, Target};
use update::version::is_newer;
use update::{Config, InstallMethod};

use super::command::{Failure, Shell};
use super::git::{Git, VerifyError};
use super::releases::Releases;

const QUICK: Duration = Duration::from_secs(30);
const MEGABYTE: u64 = 1024 * 1024;

/// What the operator asks of an update.
#[derive(Clone, Debug)]
pub(crate) struct Demands {
    pub min_free_megabytes: u64,
    pub require_signature: bool,
    pub keyring: Option<String>,
}

/// Why an update cannot be installed. The first word is a code that the admin area knows; what is
/// known about it follows.
#[derive(Debug, Error)]
pub(crate) enum PreflightError {
    #[error("install-method-not-writable")]
    NotWritable,
    #[error("dirty-working-tree: {0}")]
    Status(Failure),
    #[error("dirty-working-tree: {0}")]
    Changed(String),
    #[error("dirty-working-tree: {0} and {1} more")]
    ManyChanged(String, usize),
    #[error("low-disk-space: {free} MB are free, {needed} MB are needed")]
    LowSpace { free: u64, needed: u64 },
    #[error("build-tool-missing: {0}")]
    NoTool(Failure),
    #[error("lock-held")]
    Locked,
    #[error("remote-tag-missing")]
    NoTag,
    #[error("remote-tag-missing: {0}")]
    Remote(Failure),
    #[error("tag-fetch-failed: {0}")]
    Fetch(Failure),
    #[error("tag-fetch-failed: {0}")]
    Manifest(#[from] ManifestError),
    #[error("signature-verification-failed: {0}")]
    Signature(#[from] VerifyError),
    #[error("node-engine-mismatch: {0}")]
    Compiler(String),
    #[error("target-not-newer: {tag} is version {version}, {running} is running")]
    NotNewer {
        tag: String,
        version: String,
        running: String,
    },
}

pub(crate) async fn run(
    shell: Shell<'_>,
    tag: &str,
    config: &Config,
    demands: &Demands,
    is_locked_elsewhere: bool,
) -> Result<Found, PreflightError> {
    let git = Git(shell);
    if config.install_method != InstallMethod::Git {
        return Err(PreflightError::NotWritable);
    }
    clean(git).await?;
    enough_space(&shell.places.root, demands.min_free_megabytes)?;
    let rustc = tools(shell).await?;
    if is_locked_elsewhere {
        return Err(PreflightError::Locked);
    }
    let has_tag = git.has_remote_tag(tag).await;
    if !has_tag.map_err(PreflightError::Remote)? {
        return Err(PreflightError::NoTag);
    }
    let fetched = git.fetch(tag).await.map_err(PreflightError::Fetch)?;
    if demands.require_signature {
        git.verify(tag, &fetched, demands.keyring.as_deref())
            .await?;
    } else {
        let text = "the signature of the tag is not asked for (updates.requireSignature)";
        shell.journal.line(&format!("WARNING {text}"));
    }
    let manifest = git.read_file(&fetched.commit, "Cargo.toml").await;
    let target = Target::read(&manifest.map_err(PreflightError::Fetch)?)?;
    if let Some(problem) = target.compiler_problem(&rustc) {
        return Err(PreflightError::Compiler(problem));
    }
    let version = target.version.unwrap_or_default();
    if !is_newer(&version, &config.current) {
        return Err(PreflightError::NotNewer {
            tag: tag.to_owned(),
            version,
            running: config.current.clone(),
        });
    }
    let head = git.head().await.map_err(PreflightError::Fetch)?;
    let short: String = head.chars().take(12).collect();
    Ok(Found {
        hands_over: false,
        from_release: Releases(shell.places)
            .current()
            .unwrap_or_else(|| format!("first-{short}")),
        from_sha: head,
        commit: fetched.commit,
        version,
    })
}

async fn clean(git: Git<'_>) -> Result<(), PreflightError> {
    let changes = git.changes().await.map_err(PreflightError::Status)?;
    match changes.as_slice() {
        [] => Ok(()),
        [only] => Err(PreflightError::Changed(only.clone())),
        [first, rest @ ..] => Err(PreflightError::ManyChanged(first.clone(), rest.len())),
    }
}

fn enough_space(root: &Path, needed: u64) -> Result<(), PreflightError> {
    // Where this cannot be asked for, it is not known to be too little.
    let Ok(volume) = statvfs(root) else {
        return Ok(());
    };
    let free = volume.f_bavail.saturating_mul(volume.f_frsize) / MEGABYTE;
    if free >= needed {
        Ok(())
    } else {
        Err(PreflightError::LowSpace { free, needed })
    }
}

/// Whether there is something to build with; the version of the compiler.
async fn tools(shell: Shell<'_>) -> Result<String, PreflightError> {
    let version = |program| shell.command(program, &["--version"], QUICK);
    let cargo = version("cargo").run().await;
    cargo.map_err(PreflightError::NoTool)?;
    let rustc = version("rustc").run().await;
    rustc.map_err(PreflightError::NoTool)
}
