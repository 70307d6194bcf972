//! `cargo xtask bench crowds|exports|idle|imports`: the running server, measured from outside by
//! the example of `loadtest` with that name.

use std::process::Command;

use crate::failure::Result;
use crate::project::Project;
use crate::shell;

/// Builds the program and the example, and passes the arguments on.
pub fn run(project: &Project, example: &str, arguments: &[&str]) -> Result<()> {
    let build = format!(
        "cargo build --locked --release -p padsvc -p loadtest --bin padsvc --example {example}"
    );
    shell::run_in_terminal(project.command(&build))?;
    let release = project.target.join("release");
    let mut bench = Command::new(release.join("examples").join(example));
    bench.arg(release.join("padsvc")).args(arguments);
    shell::run_in_terminal(bench)
}
