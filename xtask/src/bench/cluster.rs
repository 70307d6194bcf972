//! `cargo xtask bench cluster`: several nodes on one PostgreSQL, as ratios within one run.

use std::process::Command;

use crate::failure::Result;
use crate::project::Project;
use crate::shell;

/// Builds the program and the measuring one (an example of `loadtest`) and passes the arguments on.
pub fn run(project: &Project, arguments: &[&str]) -> Result<()> {
    let build =
        "cargo build --locked --release -p padsvc -p loadtest --bin padsvc --example cluster";
    shell::run_in_terminal(project.command(build))?;
    let release = project.target.join("release");
    let mut bench = Command::new(release.join("examples/cluster"));
    bench.arg(release.join("padsvc"));
    bench.arg(project.scratch().join("bench-cluster"));
    bench.args(arguments);
    shell::run_in_terminal(bench)
}
