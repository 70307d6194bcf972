//! Calling npm in the web folder. Shared with xtask, so that both install by the same rule.

use std::error::Error;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// Installs the locked packages when they are missing or older than the lock file.
pub(crate) fn install_if_stale(web: &Path) -> Result<(), Box<dyn Error>> {
    // npm writes this file last, so it stands for a complete installation.
    let installed = modified(&web.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= modified(&web.join("package-lock.json")) {
        return Ok(());
    }
    run(web, &["ci", "--no-progress"]).map(drop)
}

/// Runs npm and returns what it printed; a failure holds all of it.
pub(crate) fn run(web: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new("npm")
        .args(arguments)
        .current_dir(web)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                "npm is not installed. The web pages are built with it: install \
                                    Node.js 20.19 or newer, which brings npm, and build again."
                    .to_owned()
            }
            _ => format!("npm could not be started: {error}"),
        })?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    Err(format!(
        "npm {} failed in {}:\n{text}",
        arguments.join(" "),
        web.display()
    )
    .into())
}

fn modified(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file)
        .and_then(|about| about.modified())
        .ok()
}
