//! `cargo xtask bench plugins`: what plugins cost those who do not wait for them.
//!
//! Instructions of a commit with and without them; commits a second beside a plugin that cannot
//! keep up; the start of the program, and the memory of workers.

use std::path::Path;
use std::process::Command;

use super::{count_instructions, grouped};
use crate::failure::Result;
use crate::project::Project;
use crate::shell::{self, Log};

/// So many that what happens once at the start, sooner or later, does not show.
const COMMITS: u64 = 8_192;
/// As the example names them, and for people.
const KINDS: [(&str, &str); 4] = [
    ("without", "no host of plugins"),
    ("none", "nothing is installed"),
    ("five", "the five plugins of this repository"),
    ("listening", "five plugins that all have `padChanged`"),
];

pub fn run(project: &Project, log: &mut Log) -> Result<()> {
    let build = "cargo build --locked --release -p padsvc -p plugins --bin padsvc \
                 --example plugin_bench";
    shell::run_in_terminal(project.command(build))?;
    let release = project.target.join("release");
    let (bench, padsvc) = (
        release.join("examples/plugin_bench"),
        release.join("padsvc"),
    );
    let folder = project.scratch().join("bench-plugins");
    let command = |arguments: &[&str]| {
        let mut command = Command::new(&bench);
        command.arg(&folder).arg(&padsvc).args(arguments);
        command
    };
    println!("| plugins | instructions for a commit | more than without a host |");
    println!("|---|---:|---:|");
    let mut first = None;
    for (kind, meaning) in KINDS {
        let cost = cost_of_one(log, &bench, &folder, &padsvc, kind)?;
        let first = *first.get_or_insert(cost);
        let more = 100.0 * (cost as f64 / first.max(1) as f64 - 1.0);
        println!("| {meaning} | {} | {more:.2} % |", grouped(cost));
    }
    for what in ["pace", "start", "memory"] {
        shell::run_in_terminal(command(&[what]))?;
    }
    Ok(())
}

fn cost_of_one(
    log: &mut Log,
    bench: &Path,
    folder: &Path,
    padsvc: &Path,
    kind: &str,
) -> Result<u64> {
    let mut commits = |count: u64| {
        let mut command = Command::new(bench);
        command.arg(folder).arg(padsvc);
        command.args(["commit", kind, &count.to_string()]);
        count_instructions(log, &command)
    };
    let (once, twice) = (commits(COMMITS)?, commits(2 * COMMITS)?);
    Ok(twice.saturating_sub(once) / COMMITS)
}
