//! `crowds PROGRAM [--seconds N] [CASE…]`: what people cost the server, many in one pad and two in
//! each of many.
//!
//! Starts PROGRAM on a store of its own for each case, and measures with the generator that
//! `padsvc loadtest` is. Both share the processors of one machine, so that times and rates hold for
//! the machine and the hour; bytes and the rows of one run can be compared.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it measures and prints"
)]

#[path = "support/server.rs"]
mod server;

use std::process::ExitCode;
use std::time::Duration;

use loadtest::{LoadTest, Summary};
use server::{Outcome, Server};

/// Nobody is held up by a limit that is meant for strangers.
const SETTINGS: &str = r#"{
    "commitRateLimiting": {"duration": 1, "points": 1000000},
    "creationRateLimiting": {"padsPerMinute": 0, "historyBytesPerMinute": 0},
    "updateCheck": false
}"#;
const COLUMNS: [&str; 10] = [
    "people",
    "commits/s",
    "asked for",
    "acknowledged p50, ms",
    "acknowledged p95, ms",
    "seen by others p95, ms",
    "errors",
    "bytes for a revision",
    "server µs for a revision",
    "memory at most, MB",
];
/// Longer than any case takes.
const NEVER_MS: u64 = 3_600_000;

struct Case {
    name: &'static str,
    authors: usize,
    readers: usize,
    pads: usize,
    interval_ms: u64,
    batches: bool,
}

const fn case(name: &'static str, authors: usize, readers: usize, pads: usize) -> Case {
    Case {
        name,
        authors,
        readers,
        pads,
        interval_ms: 500,
        batches: true,
    }
}

const CASES: [Case; 6] = [
    Case {
        batches: false,
        ..case("500 type, each revision for itself", 500, 0, 1)
    },
    case("500 type", 500, 0, 1),
    case("1,000 type", 1_000, 0, 1),
    case("1,000 type and 5,000 read", 1_000, 5_000, 1),
    case("2 type in each of 4,000 pads", 2, 0, 4_000),
    Case {
        interval_ms: NEVER_MS,
        ..case("10,000 are connected and do nothing", 1, 9_999, 1)
    },
];

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let outcome = runtime
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(run()));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Outcome<()> {
    let usage = "usage: crowds PROGRAM [--seconds N] [CASE…]";
    let mut words = std::env::args().skip(1);
    let program = words.next().ok_or(usage)?;
    let (mut seconds, mut wanted) = (10, Vec::new());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seconds" => seconds = words.next().ok_or(usage)?.parse()?,
            option if option.starts_with('-') => return Err(usage.into()),
            _ => wanted.push(word),
        }
    }
    let is_wanted =
        |case: &&Case| wanted.is_empty() || wanted.iter().any(|name| case.name.contains(name));
    println!("| {} |", COLUMNS.join(" | "));
    println!("|---|{}", "---:|".repeat(COLUMNS.len() - 1));
    for case in CASES.iter().filter(is_wanted) {
        println!("{}", case.measure(&program, seconds).await?);
    }
    Ok(())
}

impl Case {
    async fn measure(&self, program: &str, seconds: u64) -> Outcome<String> {
        let root = tempfile::tempdir()?;
        std::fs::write(root.path().join("settings.json"), SETTINGS)?;
        let server = Server::start(program, root.path())?;
        let test = LoadTest {
            urls: vec![server.url()],
            authors: self.authors,
            readers: self.readers,
            batches: self.batches,
            pads: self.pads,
            interval: self.interval_ms,
            text: 0,
            seconds,
            ramp: false,
            limit: 0,
        };
        let before = server.processor_seconds()?;
        let summary = loadtest::measure(&test).await?;
        let worked = server.processor_seconds()? - before;
        Ok(self.row(&summary, worked, server.memory("VmHWM")?))
    }

    /// For each revision that somebody else learned of, which is what a crowd is paid with. The
    /// processor time is that of joining and leaving too.
    fn row(&self, summary: &Summary, worked: f64, memory_kib: u64) -> String {
        let asked = (self.authors * self.pads) as f64 * 1e3 / self.interval_ms as f64;
        let errors: u64 = summary.errors.iter().map(|(_, count)| count).sum();
        let milliseconds = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
        let for_one = |amount: f64, digits: usize| match summary.seen.count {
            0 => "–".to_owned(),
            count => format!("{:.digits$}", amount / count as f64),
        };
        format!(
            "| {} | {:.0} | {asked:.0} | {} | {} | {} | {errors} | {} | {} | {:.0} |",
            self.name,
            summary.rate(),
            milliseconds(summary.acknowledged.p50),
            milliseconds(summary.acknowledged.p95),
            milliseconds(summary.seen.p95),
            for_one(summary.received as f64, 0),
            for_one(worked * 1e6, 2),
            memory_kib as f64 * 1024.0 / 1e6,
        )
    }
}
