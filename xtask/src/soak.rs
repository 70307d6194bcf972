//! `cargo xtask soak`: the long versions of what `test` does briefly.
//!
//! Property tests read `PADSVC_SOAK`, a factor for their number of cases; the fuzz targets get
//! minutes in place of seconds. Optimised builds, since time is what this spends.

use std::time::Instant;

use crate::project::Project;
use crate::{fuzz, shell};

const FACTOR: u32 = 10;
const FUZZ_MINUTES: u32 = 5;

pub fn run(project: &Project, arguments: &[&str]) -> Result<(), String> {
    let minutes = match arguments {
        [] => FUZZ_MINUTES,
        ["--minutes", minutes] => minutes
            .parse()
            .map_err(|_| format!("not a number: {minutes}"))?,
        _ => return Err("usage: cargo xtask soak [--minutes N]".to_owned()),
    };
    let start = Instant::now();
    let mut tests = project.command(match shell::on_path("cargo-nextest") {
        true => "cargo nextest run --release --workspace --no-fail-fast",
        false => "cargo test --release --workspace --no-fail-fast",
    });
    tests.env("PADSVC_SOAK", FACTOR.to_string());
    let tested = shell::show(tests);
    let fuzzed = match fuzz::is_possible(project) {
        true => fuzz::run(project, &["--seconds", &(minutes * 60).to_string()]),
        false => {
            println!("no nightly toolchain with cargo-fuzz; the fuzz targets are not run");
            Ok(())
        }
    };
    println!("total time {} min", start.elapsed().as_secs() / 60);
    tested.and(fuzzed)
}
