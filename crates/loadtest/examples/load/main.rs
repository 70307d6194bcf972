//! Measures a running server: requests in a second, and how long the slowest hundredth took.
//!
//! `load PADSVC FOLDER [--seconds N] [--large] [CASE…]` starts the program on an empty folder and
//! asks it for one thing after another, over 1, 16 and 64 connections. Where the machine has two
//! processors the program gets one and this generator the other. `cargo xtask bench api` builds
//! both and runs it.
//!
//! The bare `/health` is the yardstick: what HTTP, the log and one read of the store cost. The
//! processor time of the server for one request is the steadiest figure on a busy machine.

#![allow(clippy::disallowed_types, clippy::print_stdout, clippy::print_stderr)]

mod cases;
mod client;
mod server;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cases::Case;
use client::Connection;
use server::Server;

const CONNECTIONS: [usize; 3] = [1, 16, 64];

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Arguments {
    program: PathBuf,
    folder: PathBuf,
    seconds: f64,
    large: bool,
    cases: Vec<String>,
}

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let outcome = runtime
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(run(&arguments()?)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments> {
    let usage = "usage: load PADSVC FOLDER [--seconds N] [--large] [CASE…]";
    let mut words = std::env::args().skip(1);
    let mut arguments = Arguments {
        program: words.next().ok_or(usage)?.into(),
        folder: words.next().ok_or(usage)?.into(),
        seconds: 3.0,
        large: false,
        cases: Vec::new(),
    };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seconds" => arguments.seconds = words.next().ok_or(usage)?.parse()?,
            "--large" => arguments.large = true,
            option if option.starts_with('-') => return Err(usage.into()),
            _ => arguments.cases.push(word),
        }
    }
    Ok(arguments)
}

async fn run(arguments: &Arguments) -> Result<()> {
    let server = Server::start(&arguments.program, &arguments.folder)?;
    let chosen = |case: &Case| {
        arguments.cases.is_empty() || arguments.cases.iter().any(|name| case.name.contains(name))
    };
    println!("| request | connections | answer | requests/s | p99 ms | MB/s | server µs each |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for case in cases::all(arguments.large).into_iter().filter(chosen) {
        (case.prepare)(&server).await?;
        for connections in CONNECTIONS {
            let figures = measure(&server, &case, connections, arguments.seconds).await?;
            println!("| {} | {figures} |", case.name);
        }
    }
    Ok(())
}

struct Figures {
    connections: usize,
    answer_bytes: usize,
    seconds: f64,
    server_seconds: f64,
    /// In microseconds, sorted.
    times: Vec<u32>,
}

async fn measure(
    server: &Server,
    case: &Case,
    connections: usize,
    seconds: f64,
) -> Result<Figures> {
    // Not counted: what is slow the first time only.
    worker(server, case, 0, Instant::now() + Duration::from_millis(100)).await?;
    let server_before = server.processor_seconds()?;
    let begun = Instant::now();
    let end = begun + Duration::from_secs_f64(seconds);
    let workers = (0..connections).map(|number| worker(server, case, number, end));
    let outcomes = futures_util::future::try_join_all(workers).await?;
    let mut figures = Figures {
        connections,
        answer_bytes: 0,
        seconds: begun.elapsed().as_secs_f64(),
        server_seconds: server.processor_seconds()? - server_before,
        times: Vec::new(),
    };
    for (times, answer_bytes) in outcomes {
        figures.times.extend(times);
        figures.answer_bytes = answer_bytes;
    }
    figures.times.sort_unstable();
    Ok(figures)
}

/// Asks over one connection until the time is over.
async fn worker(
    server: &Server,
    case: &Case,
    number: usize,
    end: Instant,
) -> Result<(Vec<u32>, usize)> {
    let mut connection = Connection::open(&server.address).await?;
    let mut times = Vec::new();
    let mut answer_bytes = 0;
    while Instant::now() < end {
        let request = (case.request)(server, number);
        let begun = Instant::now();
        answer_bytes = connection.request(&request).await?;
        times.push(begun.elapsed().as_micros() as u32);
    }
    Ok((times, answer_bytes))
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = self.times.len();
        let rate = count as f64 / self.seconds;
        let p99 = self
            .times
            .get(count * 99 / 100)
            .copied()
            .unwrap_or_default();
        write!(
            f,
            "{} | {} | {rate:.0} | {:.2} | {:.0} | {:.0}",
            self.connections,
            self.answer_bytes,
            f64::from(p99) / 1000.0,
            rate * self.answer_bytes as f64 / 1e6,
            self.server_seconds * 1e6 / count.max(1) as f64,
        )
    }
}
