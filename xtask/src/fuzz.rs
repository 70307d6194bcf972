//! `cargo xtask fuzz`: the fuzz targets in `fuzz/`, each for a while.
//!
//! New inputs go to a scratch folder; `fuzz/corpus` holds only what was put there on purpose.

use std::process::Command;

use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::shell;

const SECONDS: u32 = 60;

pub fn run(project: &Project, arguments: &[&str]) -> Result<()> {
    let (seconds, wanted) = match arguments {
        ["--seconds", seconds, rest @ ..] => match seconds.parse() {
            // For libFuzzer no seconds means no end.
            Ok(seconds) if seconds > 0 => (seconds, rest),
            _ => return Err(format!("not a number of seconds: {seconds}").into()),
        },
        rest => (SECONDS, rest),
    };
    let known = targets(project)?;
    if let Some(unknown) = wanted
        .iter()
        .find(|name| !known.iter().any(|target| target == *name))
    {
        return Err(format!(
            "no fuzz target is named {unknown}; there are: {}",
            known.join(" ")
        )
        .into());
    }
    if !is_possible(project) {
        return Err("fuzzing needs a nightly toolchain and cargo-fuzz:\n  \
                    rustup toolchain install nightly\n  cargo install cargo-fuzz --locked"
            .into());
    }
    for target in known
        .iter()
        .filter(|t| wanted.is_empty() || wanted.contains(&t.as_str()))
    {
        println!("{target}, {seconds} s");
        shell::run_in_terminal(command(project, target, seconds)?)?;
    }
    Ok(())
}

/// The names of all targets: one file each.
pub fn targets(project: &Project) -> Result<Vec<String>> {
    let folder = project.root.join("fuzz/fuzz_targets");
    let entries = std::fs::read_dir(&folder);
    let entries = entries.map_err(Failure::at(&folder))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".rs")?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

pub fn has_nightly(project: &Project) -> bool {
    let toolchains = shell::capture(project.command("rustup toolchain list"));
    toolchains.is_some_and(|list| list.lines().any(|line| line.starts_with("nightly")))
}

pub fn is_possible(project: &Project) -> bool {
    has_nightly(project) && shell::on_path("cargo-fuzz")
}

pub fn command(project: &Project, target: &str, seconds: u32) -> Result<Command> {
    // The first folder named is the one new inputs are written to.
    let found = project.scratch().join("corpus").join(target);
    std::fs::create_dir_all(&found).map_err(Failure::at(&found))?;
    let mut command = project.command("cargo +nightly fuzz run");
    command.arg(target).arg(found);
    let kept = project.root.join("fuzz/corpus").join(target);
    if kept.is_dir() {
        command.arg(kept);
    }
    command
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .arg("-print_final_stats=1");
    Ok(command)
}
