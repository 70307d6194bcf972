//! The algebra in Rust against its twin in TypeScript: random requests, answers compared.

use std::process::Command;

use crate::project::Project;

/// What to run, in this order: build the twin, then ask both.
pub fn commands(project: &Project) -> [Command; 2] {
    let mut build = project.command("npm run --silent build:tools");
    build.current_dir(project.web());
    let compare = project.command(
        "cargo run --locked --quiet --package changeset --example differential -- \
         node web/dist-tools/differential.js",
    );
    [build, compare]
}
