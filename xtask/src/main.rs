//! The project's own commands, so that everything a contributor runs is `cargo xtask <command>`.
//!
//! This crate knows file paths and other programs and imports nothing of ours.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a tool: it looks for programs and measures"
)]

mod bench;
mod clients;
mod deny;
mod differential;
mod failure;
mod fuzz;
mod packaging;
mod project;
mod rehearsal;
mod shell;
mod soak;
mod test;
mod tidy;
mod usage;
// One rule for installing packages: the build script's own.
#[path = "../../crates/bundle/build/npm.rs"]
mod npm;

use std::io::{Write, stderr};
use std::process::ExitCode;

use failure::Result;
use project::Project;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let message = failure.to_string();
            if !message.is_empty() {
                let _ = writeln!(stderr(), "{}", message.trim_end());
            }
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    if let Some(help) = usage::help(arguments) {
        print!("{}", help?);
        return Ok(());
    }
    let project = Project::find()?;
    match arguments {
        ["test", rest @ ..] => test::run(&project, rest),
        ["web", rest @ ..] => {
            usage::none("web", rest)?;
            test::run(&project, &["web"])
        }
        ["tidy", rest @ ..] => {
            usage::none("tidy", rest)?;
            tidy::run(&project)
        }
        ["bench", rest @ ..] => bench::run(&project, rest),
        ["fuzz", rest @ ..] => fuzz::run(&project, rest),
        ["soak", rest @ ..] => soak::run(&project, rest),
        [what @ ("image" | "deb"), rest @ ..] => packaging::run(&project, what, rest),
        ["update-rehearsal", rest @ ..] => rehearsal::run(&project, rest),
        [unknown, ..] => Err(usage::unknown(unknown).into()),
        [] => Ok(()),
    }
}
