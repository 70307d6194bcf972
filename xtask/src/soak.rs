//! `cargo xtask soak`: the long versions of what `test` does briefly.
//!
//! Property tests and the comparison of Rust and TypeScript read `PADSVC_SOAK`, a factor for their
//! number of cases; the tests of bad input and of crashes read how many they shall do; the fuzz
//! targets and the tester of the API get minutes in place of seconds.
//! Tests are optimised builds, since time is what this spends.

use std::time::Instant;

use crate::project::Project;
use crate::shell::Log;
use crate::{clients, differential, fuzz, shell};

const FACTOR: u32 = 10;
const CASES: u32 = 5_000;
const CYCLES: u32 = 50;
const API_SECONDS: u32 = 300;
const FUZZ_MINUTES: u32 = 5;

pub fn run(project: &Project, arguments: &[&str]) -> Result<(), String> {
    let minutes = match arguments {
        [] => FUZZ_MINUTES,
        // For libFuzzer no seconds means no end.
        ["--minutes", minutes] => match minutes.parse() {
            Ok(minutes) if minutes > 0 => minutes,
            _ => return Err(format!("not a number of minutes: {minutes}")),
        },
        _ => return Err("usage: cargo xtask soak [--minutes N]".to_owned()),
    };
    let start = Instant::now();
    let mut tests = project.command(match shell::on_path("cargo-nextest") {
        true => "cargo nextest run --release --workspace --no-fail-fast",
        false => "cargo test --release --workspace --no-fail-fast",
    });
    tests.env("PADSVC_SOAK", FACTOR.to_string());
    tests.env("PADSVC_CASES", CASES.to_string());
    tests.env("PADSVC_CYCLES", CYCLES.to_string());
    let tested = shell::show(tests);
    let compared = differential::commands(project)
        .into_iter()
        .try_for_each(|mut command| {
            command.env("PADSVC_SOAK", FACTOR.to_string());
            shell::show(command)
        });
    let called = call(project);
    let fuzzed = match fuzz::is_possible(project) {
        true => fuzz::run(project, &["--seconds", &(minutes * 60).to_string()]),
        false => {
            println!("no nightly toolchain with cargo-fuzz; the fuzz targets are not run");
            Ok(())
        }
    };
    println!("total time {} min", start.elapsed().as_secs() / 60);
    tested.and(compared).and(called).and(fuzzed)
}

/// Generated calls of the API.
fn call(project: &Project) -> Result<(), String> {
    shell::show(project.command("cargo build --locked --package padsvc"))?;
    let mut log = Log::create(&project.scratch().join("soak-api.log"), true)?;
    clients::test_properties(project, &mut log, API_SECONDS)
}
