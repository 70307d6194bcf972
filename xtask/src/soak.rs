//! `cargo xtask soak`: the long versions of what `test` does briefly.
//!
//! Property tests and the comparison of Rust and TypeScript read `PADSVC_SOAK`, a factor for their
//! number of cases; the tests of bad input and of crashes read how many they shall do; the fuzz
//! targets and the tester of the API get minutes in place of seconds. `soak hostile` is a hostile
//! crowd beside loyal editors, for half an hour.
//! Tests are optimised builds, since time is what this spends.

use std::time::Instant;

use crate::failure::Result;
use crate::project::Project;
use crate::shell::Log;
use crate::{clients, differential, fuzz, shell};

const FACTOR: u32 = 10;
const CASES: u32 = 5_000;
const CYCLES: u32 = 50;
const API_SECONDS: u32 = 300;
const FUZZ_MINUTES: u32 = 5;
const HOSTILE_MINUTES: u32 = 30;

const USAGE: &str = "usage: cargo xtask soak [--minutes N], \
                     or cargo xtask soak hostile [--minutes N] [--seed N]";

pub fn run(project: &Project, arguments: &[&str]) -> Result<()> {
    let start = Instant::now();
    let result = match arguments {
        ["hostile", options @ ..] => {
            let minutes = option(options, "--minutes")?.unwrap_or(HOSTILE_MINUTES);
            hostile(project, minutes, option(options, "--seed")?)
        }
        options => {
            // For libFuzzer no seconds means no end.
            let minutes = option(options, "--minutes")?.unwrap_or(FUZZ_MINUTES);
            everything(project, minutes)
        }
    };
    println!("total time {} min", start.elapsed().as_secs() / 60);
    result
}

/// The number after a name, at least one.
fn option(options: &[&str], wanted: &str) -> Result<Option<u32>> {
    let mut found = None;
    for pair in options.chunks(2) {
        match pair {
            [name @ ("--minutes" | "--seed"), number] => match number.parse() {
                Ok(1..) if *name != wanted => {}
                Ok(number @ 1..) => found = Some(number),
                _ => return Err(format!("not a number for {name}: {number}").into()),
            },
            _ => return Err(USAGE.into()),
        }
    }
    Ok(found)
}

fn everything(project: &Project, fuzz_minutes: u32) -> Result<()> {
    let mut tests = project.command(match shell::on_path("cargo-nextest") {
        true => "cargo nextest run --release --workspace --no-fail-fast --profile soak",
        false => "cargo test --release --workspace --no-fail-fast",
    });
    tests.env("PADSVC_SOAK", FACTOR.to_string());
    tests.env("PADSVC_CASES", CASES.to_string());
    tests.env("PADSVC_CYCLES", CYCLES.to_string());
    let tested = shell::run_in_terminal(tests);
    let compared = differential::commands(project)
        .into_iter()
        .try_for_each(|mut command| {
            command.env("PADSVC_SOAK", FACTOR.to_string());
            shell::run_in_terminal(command)
        });
    let called = call(project);
    let fuzzed = match fuzz::is_possible(project) {
        true => fuzz::run(project, &["--seconds", &(fuzz_minutes * 60).to_string()]),
        false => {
            println!("no nightly toolchain with cargo-fuzz; the fuzz targets are not run");
            Ok(())
        }
    };
    let attacked = hostile(project, HOSTILE_MINUTES, None);
    tested.and(compared).and(called).and(fuzzed).and(attacked)
}

/// A hostile crowd beside loyal editors: what happened, how long editors waited, and the memory.
fn hostile(project: &Project, minutes: u32, seed: Option<u32>) -> Result<()> {
    let mut command = project.command(
        "cargo test --release --package padsvc --test it -- --nocapture --exact \
         hostile::loyal_editors_lose_nothing_beside_a_hostile_crowd",
    );
    command.env("PADSVC_HOSTILE_MINUTES", minutes.to_string());
    if let Some(seed) = seed {
        command.env("PADSVC_HOSTILE_SEED", seed.to_string());
    }
    shell::run_in_terminal(command)
}

/// Generated calls of the API.
fn call(project: &Project) -> Result<()> {
    shell::run_in_terminal(project.command("cargo build --locked --package padsvc"))?;
    let mut log = Log::create(&project.scratch().join("soak-api.log"), true)?;
    clients::test_properties(project, &mut log, API_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_names_and_numbers() {
        let both = ["--seed", "7", "--minutes", "2"];
        assert_eq!(option(&both, "--minutes"), Ok(Some(2)));
        assert_eq!(option(&both, "--seed"), Ok(Some(7)));
        assert_eq!(option(&[], "--seed"), Ok(None));
        for wrong in [&["--minutes", "0"][..], &["--minutes"], &["--hours", "1"]] {
            assert!(option(wrong, "--seed").is_err(), "{wrong:?}");
        }
    }
}
