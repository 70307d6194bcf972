//! padsvc: one program that serves collaborative pads.
//!
//! This crate wires the others together and does nothing else. Read in this order: `cli` (what can
//! be asked), `serve` (how the parts start and stop), `chores` (what runs beside them).

mod chores;
mod cli;
mod front;
mod hosting;
mod node;
mod port;
mod serve;
mod start_error;

use std::fmt::Display;
use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use cli::{Cli, Command};
use operator::commands;
use serve::Ended;
use settings::Options;
use system::private_file;
use updater::{Booted, supervise};

fn main() -> ExitCode {
    // Before the command line is read, which maps 5 MB more of the program into every worker. A
    // worker has no options, no settings and no log.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|command| command == cli::PLUGIN_WORKER)
    {
        return plugin_worker::run();
    }
    let cli = Cli::parse();
    let options = &cli.options;
    if !matches!(&cli.command, Some(Command::Operate(it)) if it.writes_for_everybody()) {
        private_file::by_default();
    }
    match cli.command {
        None | Some(Command::Serve) => serve(options),
        Some(Command::Supervise) => match wait_for(supervise::run(options)) {
            Ok(code) => code,
            Err(error) => exit(Err(error)),
        },
        Some(Command::PluginWorker) => plugin_worker::run(),
        Some(Command::Loadtest(test)) => exit(wait_for(loadtest::run(&test))),
        Some(Command::Operate(command)) => {
            wait_for(commands::run(options, command, Cli::command()))
        }
    }
}

/// Looks at an update that was under way before anything that can break.
fn serve(options: &Options) -> ExitCode {
    let updates = match updater::boot::boot(&options.root, options.version()) {
        Booted::Ready(updates) => updates,
        Booted::Restart => return ExitCode::from(updater::RESTART),
    };
    match wait_for(serve::run(options, updates)) {
        Ok(Ended::Stopped) => ExitCode::SUCCESS,
        Ok(Ended::Update) => ExitCode::from(updater::RESTART),
        Ok(Ended::Restart(program)) => exit(Err(program.start_again())),
        Err(error) => exit(Err(error)),
    }
}

#[tokio::main]
async fn wait_for<T>(task: impl Future<Output = T>) -> T {
    task.await
}

/// Reports why something could not be done, if it could not.
fn exit(outcome: Result<bool, impl Display>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // Plain lines: people who start the program by hand read this, not a log format.
            let _ = writeln!(stderr(), "padsvc: {error}");
            ExitCode::FAILURE
        }
    }
}
