//! Operator commands, from the command line to the output.
//!
//! A command on pads becomes a task for `operate`. The rest is done here: copies of the database,
//! files on this side of the socket, settings, passwords, and pages of the manual. Exit codes:
//! 0: success; 1: failure; 2: usage error; 3: a migration that lost something.

mod copies;
mod display;
mod dump;
mod error;
mod export;
mod import;
mod migrate;
mod nodes;
mod passwords;
mod plugins;
mod settings;
mod shell;

use std::process::ExitCode;

use serde_json::json;
use store::Location;

use crate::arguments::{self, OperatorCommand};
use crate::open_store::OpenError;
use crate::operate::client::{Executor, find_server};
use crate::operate::{Pads, Row, Summary, Task, TaskEvent};
use ::settings::Configuration;
use ::settings::Options;
use display::Display;
use error::CommandError;

/// Outcome of a command: a summary to show, or the reason of the failure.
type Outcome = Result<Summary, CommandError>;

/// `program` is the whole command line, which manual and completions describe.
pub async fn run(options: &Options, command: OperatorCommand, program: clap::Command) -> ExitCode {
    match command {
        OperatorCommand::Check(it) => {
            let pads = named_or_all(it.pads);
            work(options, Task::Check { pads }, it.output.json).await
        }
        OperatorCommand::Compact(it) => {
            let json = it.output.json;
            work(options, compact(it), json).await
        }
        OperatorCommand::Repair(it) => {
            let task = Task::Repair {
                pads: named_or_all(it.pads),
                dry_run: it.rehearsal.dry_run,
            };
            work(options, task, it.output.json).await
        }
        OperatorCommand::Rebuild(it) => {
            let task = Task::Rebuild {
                to: it.to.unwrap_or_else(|| format!("{}-rebuilt", it.pad)),
                pad: it.pad,
                rev: it.rev,
                dry_run: it.rehearsal.dry_run,
            };
            work(options, task, it.output.json).await
        }
        OperatorCommand::Delete(it) => {
            let task = Task::Delete {
                pads: it.pads,
                dry_run: it.rehearsal.dry_run,
            };
            work(options, task, it.output.json).await
        }
        OperatorCommand::Session(it) => {
            let json = it.output.json;
            work(options, session(it), json).await
        }
        OperatorCommand::Health(it) => {
            execute_on_server(options, Task::Health, it.output.json).await
        }
        OperatorCommand::Nodes(it) => nodes::run(options, &it).await,
        OperatorCommand::LogLevel(it) => {
            let task = Task::LogLevel { level: it.level };
            execute_on_server(options, task, it.output.json).await
        }
        OperatorCommand::Restart(it) => {
            execute_on_server(options, Task::Restart, it.output.json).await
        }
        OperatorCommand::Dump(it) => dump::run(options, &it).await,
        OperatorCommand::Export(it) => export::run(options, &it).await,
        OperatorCommand::Import(it) => import::run(options, &it).await,
        OperatorCommand::Migrate(it) => migrate::run(options, &it).await,
        OperatorCommand::Backup(it) => copies::backup(options, &it).await,
        OperatorCommand::Restore(it) => copies::restore(options, &it).await,
        OperatorCommand::Plugins(it) => plugins::run(options, it).await,
        OperatorCommand::CheckSettings(it) => settings::run(options, &it),
        OperatorCommand::HashPassword(it) => passwords::run(&it),
        OperatorCommand::Completions(it) => shell::completions(&it, program),
        OperatorCommand::Man(it) => shell::manual(&it, program),
    }
}

/// Clap ensures that there are names or `--all`.
fn named_or_all(pads: Vec<String>) -> Pads {
    if pads.is_empty() {
        Pads::All
    } else {
        Pads::Named(pads)
    }
}

fn compact(it: arguments::Compact) -> Task {
    Task::Compact {
        pads: match it.older_than {
            Some(days) => Pads::Unchanged { days },
            None => named_or_all(it.pads),
        },
        keep: it.keep.filter(|keep| *keep > 0),
        dry_run: it.rehearsal.dry_run,
    }
}

fn session(it: arguments::Session) -> Task {
    Task::Session {
        group: it.group,
        author: it.author,
        name: it.name,
        pad: it.pad,
        seconds: it.hours.saturating_mul(60 * 60),
        dry_run: it.rehearsal.dry_run,
    }
}

/// Executes a task that needs a server.
async fn execute_on_server(options: &Options, task: Task, json: bool) -> ExitCode {
    let problem = match find_server(&options.root).await {
        Ok(Some(_)) => return work(options, task, json).await,
        Ok(None) => CommandError::NoServer(options.root.clone()),
        Err(error) => error.into(),
    };
    Display::new(json).end(Err(problem))
}

/// Executes one task and shows its outcome.
async fn work(options: &Options, task: Task, json: bool) -> ExitCode {
    let mut display = Display::new(json);
    let outcome = match Executor::open(options).await {
        Ok(executor) => {
            let mut on_event = |event: TaskEvent| {
                display.update(event);
                Ok(())
            };
            let outcome = executor.execute(task, &mut on_event).await;
            executor.close().await;
            outcome.map_err(CommandError::from)
        }
        Err(error) => {
            if let OpenError::Store(store::Error::Corrupt(_)) = error {
                list_damage(options, &mut display);
            }
            Err(error.into())
        }
    };
    display.end(outcome)
}

/// What the engine says about a database that cannot be opened any more.
fn list_damage(options: &Options, display: &mut Display) {
    let Ok(configuration) = Configuration::load(options) else {
        return;
    };
    if let Location::Embedded(file) = configuration.location(options)
        && let Ok(checked) = store::check_file(&file)
    {
        for problem in checked.problems {
            display.row(Row {
                text: format!("database: {problem}"),
                data: json!({ "problem": problem }),
            });
        }
    }
}
