//! `cargo xtask bench api`: the running server under load, in requests and seconds.
//!
//! Seconds and not instructions, because the question is how a server, its disk and its clients get
//! along. The figures hold for the machine and the hour; compare them within one table.

use std::process::Command;

use crate::failure::Result;
use crate::project::Project;
use crate::shell;

/// Builds the program and the generator (an example of `loadtest`) and passes the arguments on.
pub fn run(project: &Project, arguments: &[&str]) -> Result<()> {
    let build = "cargo build --locked --release -p padsvc -p loadtest --bin padsvc --example load";
    shell::run_in_terminal(project.command(build))?;
    let release = project.target.join("release");
    let mut load = Command::new(release.join("examples/load"));
    load.arg(release.join("padsvc"));
    load.arg(project.scratch().join("bench-api"));
    load.args(arguments);
    shell::run_in_terminal(load)
}
