//! What several nodes on one PostgreSQL cost: ratios, measured in one run.
//!
//! `cluster PADSVC FOLDER [--quick] [alone|hints|pad]` starts a private PostgreSQL and up to three
//! nodes, measures all or that part, and stops them at the end. `cargo xtask bench cluster` builds
//! what it takes and runs it.
//!
//! Everything shares the processors of one machine: PostgreSQL, the nodes and the people. So times
//! and rates hold for the machine and the hour, ratios and processor time for longer.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it measures and prints"
)]

mod alone;
#[allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "made for tests"
)]
#[path = "../../../store/src/tests/cluster.rs"]
mod cluster;
mod hints;
mod nodes;
mod observer;
mod one_pad;
mod processor;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use cluster::Cluster;
use processor::Postmaster;
use store::Location;

pub(crate) type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// What everything here needs to know.
pub(crate) struct Bench {
    program: PathBuf,
    folder: PathBuf,
    postgres: Cluster,
    postmaster: Postmaster,
    /// How long each measurement takes.
    time: Duration,
}

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

async fn run() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (seconds, arguments): (u64, Vec<&str>) = match arguments.contains(&"--quick") {
        true => (
            2,
            arguments
                .into_iter()
                .filter(|it| *it != "--quick")
                .collect(),
        ),
        false => (8, arguments),
    };
    let (program, folder, part) = match arguments.as_slice() {
        [program, folder] => (program, folder, None),
        [program, folder, part @ ("alone" | "hints" | "pad")] => (program, folder, Some(*part)),
        _ => return Err("usage: cluster PADSVC FOLDER [--quick] [alone|hints|pad]".into()),
    };
    let wants = |name| part.is_none_or(|part| part == name);
    let postgres = Cluster::wanted().ok_or("PADSVC_SKIP_POSTGRES is set: nothing to measure")?;
    let bench = Bench {
        program: program.into(),
        folder: folder.into(),
        postmaster: Postmaster::read(postgres.socket().0)?,
        postgres,
        time: Duration::from_secs(seconds),
    };
    if wants("alone") {
        alone::run(&bench).await?;
    }
    if wants("hints") {
        hints::run(&bench).await?;
    }
    if wants("pad") {
        one_pad::run(&bench).await?;
    }
    Ok(())
}

impl Bench {
    /// A new database.
    fn connection(&self) -> Outcome<String> {
        match self.postgres.database() {
            Location::Postgres(connection) => Ok(connection),
            other => Err(format!("not on a server: {other:?}").into()),
        }
    }
}
