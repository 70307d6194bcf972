//! `cargo xtask bench store`: what the store costs, in commits, bytes and seconds.
//!
//! Commits are compared with a bare loop on the same engine in the same run, because machines and
//! disks differ.

use std::process::Command;

use crate::failure::Result;
use crate::project::Project;
use crate::shell;

/// Builds the measuring program (an example of `store`) and passes the arguments on.
pub fn run(project: &Project, arguments: &[&str]) -> Result<()> {
    let build = "cargo build --locked --release --package store --example store_bench";
    shell::run_in_terminal(project.command(build))?;
    let mut bench = Command::new(project.target.join("release/examples/store_bench"));
    bench.args(arguments);
    shell::run_in_terminal(bench)
}
