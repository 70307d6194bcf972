//! Pre-flight: whether an update can be installed, found out without changing anything that is
//! used. The first check that fails gives the reason.

use std::path::Path;
use std::time::Duration;

use rustix::fs::statvfs;
use update::plan::Found;
use update::target::Target;
use update::version::is_newer;
use update::{Config, InstallMethod};

use super::command::Shell;
use super::git::Git;
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

/// `Err` is the reason, with what is known about it.
pub(crate) async fn run(
    shell: Shell<'_>,
    tag: &str,
    config: &Config,
    demands: &Demands,
    is_locked_elsewhere: bool,
) -> Result<Found, String> {
    let git = Git(shell);
    if config.install_method != InstallMethod::Git {
        return Err("install-method-not-writable".to_owned());
    }
    clean(git).await?;
    enough_space(&shell.places.root, demands.min_free_megabytes)?;
    let rustc = tools(shell).await?;
    if is_locked_elsewhere {
        return Err("lock-held".to_owned());
    }
    let missing = |detail: String| format!("remote-tag-missing{detail}");
    match git.has_remote_tag(tag).await {
        Ok(true) => {}
        Ok(false) => return Err(missing(String::new())),
        Err(failure) => return Err(missing(format!(": {}", failure.text))),
    }
    let unfetched = |text: String| format!("tag-fetch-failed: {text}");
    let fetched = git
        .fetch(tag)
        .await
        .map_err(|failure| unfetched(failure.text))?;
    if demands.require_signature {
        let verified = git.verify(tag, &fetched, demands.keyring.as_deref()).await;
        verified.map_err(|text| format!("signature-verification-failed: {text}"))?;
    } else {
        let text = "the signature of the tag is not asked for (updates.requireSignature)";
        shell.journal.line(&format!("WARNING {text}"));
    }
    let manifest = git.show(&fetched.commit, "Cargo.toml").await;
    let manifest = manifest.map_err(|failure| unfetched(failure.text))?;
    let target = Target::read(&manifest).map_err(unfetched)?;
    if let Some(problem) = target.compiler_problem(&rustc) {
        return Err(format!("node-engine-mismatch: {problem}"));
    }
    let version = target.version.unwrap_or_default();
    if !is_newer(&version, &config.current) {
        let running = &config.current;
        return Err(format!(
            "target-not-newer: {tag} is version {version}, {running} is running"
        ));
    }
    let head = git
        .head()
        .await
        .map_err(|failure| unfetched(failure.text))?;
    let short: String = head.chars().take(12).collect();
    Ok(Found {
        from_release: Releases(shell.places)
            .current()
            .unwrap_or_else(|| format!("first-{short}")),
        from_sha: head,
        commit: fetched.commit,
        version,
    })
}

async fn clean(git: Git<'_>) -> Result<(), String> {
    let dirty = |detail: &str| format!("dirty-working-tree: {detail}");
    let changes = git
        .changes()
        .await
        .map_err(|failure| dirty(&failure.text))?;
    match changes.as_slice() {
        [] => Ok(()),
        [first] => Err(dirty(first)),
        [first, rest @ ..] => Err(dirty(&format!("{first} and {} more", rest.len()))),
    }
}

fn enough_space(root: &Path, needed: u64) -> Result<(), String> {
    // Where this cannot be asked for, it is not known to be too little.
    let Ok(volume) = statvfs(root) else {
        return Ok(());
    };
    let free = volume.f_bavail.saturating_mul(volume.f_frsize) / MEGABYTE;
    if free >= needed {
        Ok(())
    } else {
        Err(format!(
            "low-disk-space: {free} MB are free, {needed} MB are needed"
        ))
    }
}

/// Whether there is something to build with; the version of the compiler.
async fn tools(shell: Shell<'_>) -> Result<String, String> {
    let ask = |program| shell.command(program, &["--version"], QUICK);
    let missing = |text: String| format!("build-tool-missing: {text}");
    let cargo = ask("cargo").run().await;
    cargo.map_err(|failure| missing(failure.text))?;
    let rustc = ask("rustc").run().await;
    rustc.map_err(|failure| missing(failure.text))
}
