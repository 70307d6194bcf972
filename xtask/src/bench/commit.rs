//! `cargo xtask bench commit`: what a commit costs, in instructions, from the member to the disk
//! and back. The cost must not grow with the text or with the history.

use std::path::Path;
use std::process::Command;

use super::{check_growth_of, count_instructions, grouped};
use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::shell::Log;

/// Two packs of revisions, so that sealing is part of the price. Neither the pad nor its history
/// differ by much between a run and the next.
const COMMITS: u64 = 1_024;
/// How many times the cost of the cheapest pad the dearest may cost.
const GROWTH_LIMIT: f64 = 2.0;

/// Units and revisions of the pads.
const PADS: [(u64, u64); 4] = [
    (1_000, 100),
    (1_000_000, 100),
    (10_000, 100),
    (10_000, 100_000),
];

pub fn run(project: &Project, log: &mut Log) -> Result<()> {
    let build = "cargo build --locked --release --package service --example commit_bench";
    log.run(project.command(build))?;
    let program = project.target.join("release/examples/commit_bench");
    println!("| text, UTF-16 units | revisions | instructions for a commit |");
    println!("|---:|---:|---:|");
    let mut costs = Vec::new();
    for (units, revisions) in PADS {
        let folder = project.scratch().join("bench-commit");
        let cost = cost_of_one(log, &program, &folder, units, revisions)?;
        let [units, revisions, shown] = [units, revisions, cost].map(grouped);
        println!("| {units} | {revisions} | {shown} |");
        costs.push(cost);
    }
    // One pair differs in the text, the other in the history.
    for (pair, name) in costs.chunks(2).zip(["text", "history"]) {
        check_growth_of(name, pair, GROWTH_LIMIT)?;
    }
    Ok(())
}

/// Prepares a pad at full speed and commits to it under valgrind.
fn cost_of_one(
    log: &mut Log,
    program: &Path,
    folder: &Path,
    units: u64,
    revisions: u64,
) -> Result<u64> {
    let _ = std::fs::remove_dir_all(folder);
    let create = std::fs::create_dir_all(folder);
    create.map_err(Failure::at(folder))?;
    let mut prepare = Command::new(program);
    prepare.arg(folder).arg("prepare");
    prepare.args([units.to_string(), revisions.to_string()]);
    log.run(prepare)?;
    let mut commits = |count: u64| {
        let mut command = Command::new(program);
        command.arg(folder).arg("commit").arg(count.to_string());
        count_instructions(log, &command)
    };
    let (once, twice) = (commits(COMMITS)?, commits(2 * COMMITS)?);
    Ok(twice.saturating_sub(once) / COMMITS)
}
