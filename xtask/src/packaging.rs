//! `cargo xtask image` and `cargo xtask deb`: what `packaging/` promises, carried out in clean
//! folders and without a container engine, and what came out of it started as it is meant to be.

mod base;
mod deb;
mod dockerfile;
mod image;
mod stage;
mod started;

use std::path::Path;
use std::process::Command;

use crate::failure::Result;
use crate::project::Project;
use crate::shell::{self, Log};
use crate::usage;

const COPY: &str = "(git archive HEAD || tar --create --exclude-from=.dockerignore .) \
                    | tar --extract --touch --directory \"$0\"";

/// `--quick` builds without optimisation, and uses what was built and downloaded before.
pub fn run(project: &Project, what: &str, arguments: &[&str]) -> Result<()> {
    let quick = usage::quick(what, arguments)?;
    let mut log = Log::create(&project.scratch().join(format!("{what}.log")), true)?;
    match what {
        "image" => image::make_and_start(project, &mut log, quick),
        _ => deb::make_and_start(project, &mut log, quick),
    }
}

/// Both, quickly; for the tests.
pub fn check(project: &Project, log: &mut Log) -> Result<u64> {
    image::make_and_start(project, log, true)?;
    deb::make_and_start(project, log, true)?;
    Ok(2)
}

/// What is committed, and nothing else, in a new folder; where there is no repository, all but what
/// is not meant for images.
fn clean_copy(project: &Project, folder: &Path, log: &mut Log) -> Result<()> {
    stage::make_folder(folder)?;
    let mut copy = project.command("sh -euc");
    // The time of a file is when it was unpacked: cargo takes what is older than its last build for
    // unchanged.
    copy.arg(COPY).arg(folder);
    log.run(copy).map(drop)
}

fn is_root() -> bool {
    let mut id = Command::new("id");
    id.arg("-u");
    shell::capture(id).is_some_and(|user| user.trim() == "0")
}
