//! `idle PROGRAM`: what a server keeps once a crowd has left it, and how often it wakes up when
//! nobody is there.
//!
//! Starts PROGRAM on a store of its own and lets six times a thousand people into five hundred new
//! pads. Memory holds for any machine, as far as the crowd gets on; half the figures are of pages
//! of the program file, which all processes of it share.

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

use loadtest::LoadTest;
use server::{Outcome, Server};

/// Nobody is held up by a limit that is meant for strangers.
const SETTINGS: &str = r#"{
    "commitRateLimiting": {"duration": 1, "points": 1000000},
    "creationRateLimiting": {"padsPerMinute": 0, "historyBytesPerMinute": 0},
    "updateCheck": false
}"#;
const ROUNDS: usize = 6;
const MINUTE: Duration = Duration::from_secs(60);

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Outcome<()> {
    let program = std::env::args().nth(1).ok_or("usage: idle PROGRAM")?;
    let root = tempfile::tempdir()?;
    std::fs::write(root.path().join("settings.json"), SETTINGS)?;
    let server = Server::start(&program, root.path())?;
    println!("| | memory, MB | of it the program file, MB | wake-ups a second |");
    println!("|---|---:|---:|---:|");
    print_row("at the start", &server, None)?;
    for _ in 0..ROUNDS {
        loadtest::measure(&crowd(server.url())).await?;
    }
    print_row("after the last round", &server, None)?;
    tokio::time::sleep(MINUTE).await;
    print_row("a minute later", &server, None)?;
    let before = server.wakeups()?;
    tokio::time::sleep(MINUTE).await;
    let wakeups = server.wakeups()?.saturating_sub(before);
    print_row("two minutes later", &server, Some(wakeups))
}

fn crowd(url: String) -> LoadTest {
    LoadTest {
        urls: vec![url],
        authors: 2,
        readers: 0,
        batches: true,
        pads: 500,
        interval: 500,
        text: 0,
        seconds: 10,
        ramp: false,
        limit: 0,
    }
}

/// With how often the server woke up in the last minute, if that was counted.
fn print_row(when: &str, server: &Server, wakeups: Option<u64>) -> Outcome<()> {
    let megabytes = |name| Ok::<_, Box<dyn std::error::Error>>(mb(server.memory(name)?));
    let (all, file) = (megabytes("VmRSS")?, megabytes("RssFile")?);
    let wakeups = wakeups.map_or(String::new(), |count| {
        format!("{:.2}", count as f64 / MINUTE.as_secs_f64())
    });
    println!("| {when} | {all:.0} | {file:.0} | {wakeups} |");
    Ok(())
}

fn mb(kib: u64) -> f64 {
    kib as f64 * 1024.0 / 1e6
}
