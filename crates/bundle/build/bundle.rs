//! The web bundle in `web/dist`: is it the one these sources make, and if not, make it.
//!
//! A stamp in the folder holds a hash of the inputs. Times alone would not do: a checkout changes
//! them all, and the debug and the release build share one bundle.

use std::error::Error;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::npm;

/// Folders of `web/` that do not end up in the bundle.
const NOT_INPUTS: [&str; 7] = [
    "node_modules",
    "dist",
    "dist-tools",
    "test",
    "e2e",
    "bench",
    "tools",
];

/// Names the folder of a bundle that was made elsewhere, for machines without Node.js.
const BUNDLE: &str = "PADSVC_BUNDLE";

/// Returns the folder of an up-to-date bundle.
pub(crate) fn ensure(web: &Path) -> Result<PathBuf, Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={BUNDLE}");
    if let Some(bundle) = std::env::var_os(BUNDLE) {
        println!("cargo::rerun-if-changed={}", bundle.display());
        return Ok(bundle.into());
    }
    let inputs = inputs(web).map_err(|error| format!("{}: {error}", web.display()))?;
    let dist = web.join("dist");
    let stamp = dist.join(".stamp");
    for path in inputs.iter().chain([&stamp]) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let hash = hash(web, &inputs).map_err(|error| format!("{}: {error}", web.display()))?;

    // A debug and a release build may run side by side; only one of them may work in the folder.
    let _lock = File::create(web.join(".build-lock"))
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|error| format!("{}: {error}", web.display()))?;
    if fs::read_to_string(&stamp).is_ok_and(|stamped| stamped == hash) {
        return Ok(dist);
    }
    npm::install_if_stale(web)?;
    npm::run(web, &["run", "build"])?;
    write_stamp(&stamp, &hash).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(dist)
}

/// Everything in `web/` except what is generated, tests, and hidden files, in a fixed order.
fn inputs(web: &Path) -> io::Result<Vec<PathBuf>> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(web)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with('.') && !NOT_INPUTS.contains(&name.as_ref()) {
            inputs.push(entry.path());
        }
    }
    inputs.sort();
    Ok(inputs)
}

/// Names and contents of all inputs. The hasher's keys are fixed, and a different algorithm in a
/// later toolchain costs one rebuild, so the standard one is enough.
fn hash(web: &Path, inputs: &[PathBuf]) -> io::Result<String> {
    let mut hasher = DefaultHasher::new();
    let mut waiting: Vec<PathBuf> = inputs.iter().rev().cloned().collect();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let inside: io::Result<Vec<_>> = fs::read_dir(&path)?
                .map(|entry| entry.map(|entry| entry.path()))
                .collect();
            let mut inside = inside?;
            inside.sort();
            waiting.extend(inside.into_iter().rev());
            continue;
        }
        let name = path
            .strip_prefix(web)
            .unwrap_or(&path)
            .to_string_lossy()
            .into_owned();
        let content = fs::read(&path)?;
        hasher.write_usize(name.len());
        hasher.write(name.as_bytes());
        hasher.write_usize(content.len());
        hasher.write(&content);
    }
    Ok(format!("{:016x}\n", hasher.finish()))
}

/// The stamp is among the files cargo watches, so that a removed bundle is noticed. It is dated
/// back because cargo would take a file written during this run for a change made after it.
fn write_stamp(stamp: &Path, hash: &str) -> io::Result<()> {
    fs::write(stamp, hash)?;
    File::options()
        .write(true)
        .open(stamp)?
        .set_modified(SystemTime::UNIX_EPOCH)
}
