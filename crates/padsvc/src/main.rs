//! padsvc: one program that serves collaborative pads.
//!
//! This crate is the rim. It alone knows the command line, the environment, HTTP and the clock;
//! a line that decides something about a pad belongs in another crate. Read in this order:
//! `cli` (what was asked), `configure` (with which settings), `serve` (how it is wired), `accept`
//! (how connections come in), `http` (what is answered), `stop` (how it ends).

mod accept;
mod accounts;
mod api_key;
mod cli;
mod client_ip;
mod commands;
mod conversions;
mod cookies;
mod creation_limits;
mod device_key;
mod http;
mod office;
mod operate;
mod query;
mod rate_limit;
mod restart;
mod serve;
mod session_key;
mod signing_keys;
mod socket;
mod tls;
mod update;
mod visitor;
mod who;

use std::fmt::Display;
use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::Parser;
use cli::Command;
use serve::Ended;
use settings::Options;
use update::{Booted, supervise};

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let options = &cli.options;
    if !matches!(&cli.command, Some(Command::Upkeep(it)) if it.writes_for_everybody()) {
        system::private_file::by_default();
    }
    match cli.command {
        None | Some(Command::Serve) => serve(options),
        Some(Command::Supervise) => match wait_for(supervise::run(options)) {
            Ok(code) => code,
            Err(error) => exit(Err(error)),
        },
        Some(Command::Loadtest(test)) => exit(wait_for(loadtest::run(&test))),
        Some(Command::Upkeep(command)) => wait_for(commands::run(options, command)),
    }
}

/// How far an update had got is looked at before anything that can break.
fn serve(options: &Options) -> ExitCode {
    let updates = match update::boot::boot(&options.root, options.version()) {
        Booted::Ready(updates) => updates,
        Booted::Restart => return ExitCode::from(update::RESTART),
    };
    match wait_for(serve::run(options, updates)) {
        Ok(Ended::Stopped) => ExitCode::SUCCESS,
        Ok(Ended::Update) => ExitCode::from(update::RESTART),
        Ok(Ended::Anew(program)) => exit(Err(program.start_anew())),
        Err(error) => exit(Err(error)),
    }
}

#[tokio::main]
async fn wait_for<T>(task: impl Future<Output = T>) -> T {
    task.await
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
