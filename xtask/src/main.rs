//! The project's own commands, so that everything a contributor runs is `cargo xtask <command>`.
//!
//! This crate knows file paths and other programs and imports nothing of ours.

mod bench;
mod clients;
mod differential;
mod fuzz;
mod packaging;
mod project;
mod rehearsal;
mod shell;
mod soak;
mod test;
mod tidy;
// One rule for installing packages: the build script's own.
#[path = "../../crates/bundle/build/npm.rs"]
mod npm;

use std::io::{Write, stderr};
use std::process::ExitCode;

use project::Project;

const USAGE: &str = "\
Usage: cargo xtask <command>

  test [--verbose] [STAGE…]   everything CI does, or only the stages named
  web                         the stages of web/: types, lint, unit tests
  tidy                        the rules of the tree that no compiler checks
  bench [CASE…]               instruction counts, under valgrind
  bench commit                the same for a commit, with small and large pads
  bench api [--seconds N] [--large] [CASE…]  the running server under load
  bench page                  the pad page in a browser, beside the bare editor
  bench store commits|size|open|list [N]     what the store costs
  fuzz [--seconds N] [TARGET…]  each fuzz target for a while (needs a nightly toolchain)
  soak [--minutes N]          the long versions: more cases, more fuzzing
  soak hostile [--minutes N] [--seed N]
                              a hostile crowd beside loyal editors
  image [--quick]             the steps of the Dockerfile, without a container engine
  deb [--quick]               the Debian package: built, unpacked, started
  update-rehearsal [--quick]  a clone of this repository updates itself, and back
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            if !message.is_empty() {
                let _ = writeln!(stderr(), "{}", message.trim_end());
            }
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), String> {
    let project = Project::find()?;
    match arguments {
        ["test", rest @ ..] => test::run(&project, rest),
        ["web"] => test::run(&project, &["web"]),
        ["tidy"] => tidy::run(&project),
        ["bench", rest @ ..] => bench::run(&project, rest),
        ["fuzz", rest @ ..] => fuzz::run(&project, rest),
        ["soak", rest @ ..] => soak::run(&project, rest),
        [what @ ("image" | "deb"), rest @ ..] => packaging::run(&project, what, rest),
        ["update-rehearsal", rest @ ..] => rehearsal::run(&project, rest),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        [unknown, ..] => Err(format!("unknown command: {unknown}\n\n{USAGE}")),
    }
}
