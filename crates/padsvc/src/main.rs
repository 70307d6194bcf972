//! padsvc: one program that serves collaborative pads.
//!
//! This crate is the rim. It alone knows the command line, the environment, HTTP and the clock;
//! a line that decides something about a pad belongs in another crate. Read in this order:
//! `cli` (what was asked), `configure` (with which settings), `serve` (how it is wired), `accept`
//! (how connections come in), `http` (what is answered), `stop` (how it ends).

mod accept;
mod accounts;
mod api_key;
mod check;
mod cli;
mod client_ip;
mod configure;
mod cookies;
mod environment;
mod http;
mod loadtest;
mod log;
mod private_file;
mod query;
mod serve;
mod settings;
mod signing_keys;
mod socket;
mod stop;
mod visitor;
mod who;

use std::fmt::Display;
use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::Parser;
use cli::Command;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let outcome = match cli.command {
        None | Some(Command::Serve) => serve::run(&cli.options).await.map(|()| true),
        Some(Command::Loadtest(test)) => return exit(loadtest::run(&test).await),
        Some(Command::Check { pad }) => check::run(&cli.options, pad.as_deref()).await,
    };
    exit(outcome)
}

/// Says why something could not be done, if it could not.
fn exit(outcome: Result<bool, impl Display>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // Plain lines: whoever starts the program by hand reads this, not a log format.
            let _ = writeln!(stderr(), "padsvc: {error}");
            ExitCode::FAILURE
        }
    }
}
