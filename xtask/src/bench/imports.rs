//! `cargo xtask bench imports`: the memory that hostile files take.

use std::process::Command;

use crate::failure::Result;
use crate::project::Project;
use crate::shell;

pub fn run(project: &Project) -> Result<()> {
    let build =
        "cargo build --locked --release -p padsvc -p loadtest --bin padsvc --example imports";
    shell::run_in_terminal(project.command(build))?;
    let release = project.target.join("release");
    let mut bench = Command::new(release.join("examples/imports"));
    bench.arg(release.join("padsvc"));
    shell::run_in_terminal(bench)
}
