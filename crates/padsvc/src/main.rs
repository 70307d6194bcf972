//! padsvc: one program that serves collaborative pads.
//!
//! This crate is the rim. It alone knows the command line, the environment, HTTP and the clock;
//! a line that decides something about a pad belongs in another crate. Read in this order:
//! `cli` (what was asked), `serve` (how it is wired), `http` (what is answered), `stop` (how it
//! ends).

mod cli;
mod http;
mod serve;
mod stop;

use std::io::{IsTerminal, Write, stderr};
use std::process::ExitCode;

use clap::Parser;
use tracing::Level;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    start_log();
    match serve::run(&cli.options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One plain line: whoever starts the server by hand reads this, not a log format.
            let _ = writeln!(stderr(), "padsvc: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The log goes to standard error, so that standard output holds the ready line and nothing else.
fn start_log() {
    tracing_subscriber::fmt()
        .with_max_level(Level::INFO)
        .with_target(false)
        .with_ansi(stderr().is_terminal())
        .with_writer(stderr)
        .init();
}
