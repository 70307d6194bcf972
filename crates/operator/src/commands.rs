//! The operator's commands: from the command line to what is shown in the end.
//!
//! What concerns pads becomes a task for whoever can do it (`operate`). The rest is done here:
//! copies of the database, files on this side of the socket, settings, passwords, and pages of the
//! manual. Exit codes: 0 is done, 1 is not, 2 is a usage error;
//! 3 is a migration that lost something.

mod copies;
mod display;
mod dump;
mod export;
mod import;
mod migrate;
mod passwords;
mod settings;
mod shell;

use std::process::ExitCode;

use serde_json::json;
use store::Location;

use crate::arguments::{self, Upkeep};
use crate::open_store::OpenError;
use crate::operate::desk::{Desk, find_server};
use crate::operate::{Pads, Reply, Row, Summary, Task};
use ::settings::Configuration;
use ::settings::Options;
use display::Display;

/// What a command ends with: something to show, or why it could not be done.
type Outcome = Result<Summary, String>;

/// `program` is the whole command line, which manual and completions describe.
pub async fn run(options: &Options, command: Upkeep, program: clap::Command) -> ExitCode {
    match command {
        Upkeep::Check(it) => {
            let pads = named_or_all(it.pads);
            work(options, Task::Check { pads }, it.output.json).await
        }
        Upkeep::Compact(it) => {
            let json = it.output.json;
            work(options, compact(it), json).await
        }
        Upkeep::Repair(it) => {
            let task = Task::Repair {
                pads: named_or_all(it.pads),
                dry_run: it.rehearsal.dry_run,
            };
            work(options, task, it.output.json).await
        }
        Upkeep::Rebuild(it) => {
            let task = Task::Rebuild {
                to: it.to.unwrap_or_else(|| format!("{}-rebuilt", it.pad)),
                pad: it.pad,
                rev: it.rev,
                dry_run: it.rehearsal.dry_run,
            };
            work(options, task, it.output.json).await
        }
        Upkeep::Delete(it) => {
            let task = Task::Delete {
                pads: it.pads,
                dry_run: it.rehearsal.dry_run,
            };
            work(options, task, it.output.json).await
        }
        Upkeep::Session(it) => {
            let json = it.output.json;
            work(options, session(it), json).await
        }
        Upkeep::Health(it) => ask_server(options, Task::Health, it.output.json).await,
        Upkeep::LogLevel(it) => {
            let task = Task::LogLevel { level: it.level };
            ask_server(options, task, it.output.json).await
        }
        Upkeep::Restart(it) => ask_server(options, Task::Restart, it.output.json).await,
        Upkeep::Dump(it) => dump::run(options, &it).await,
        Upkeep::Export(it) => export::run(options, &it).await,
        Upkeep::Import(it) => import::run(options, &it).await,
        Upkeep::Migrate(it) => migrate::run(options, &it).await,
        Upkeep::Backup(it) => copies::backup(options, &it).await,
        Upkeep::Restore(it) => copies::restore(options, &it).await,
        Upkeep::CheckSettings(it) => settings::run(options, &it),
        Upkeep::HashPassword(it) => passwords::run(&it),
        Upkeep::Completions(it) => shell::completions(&it, program),
        Upkeep::Man(it) => shell::manual(&it, program),
    }
}

/// Clap sees to it that there are names or that all are meant.
fn named_or_all(pads: Vec<String>) -> Pads {
    match pads.is_empty() {
        true => Pads::All,
        false => Pads::Named(pads),
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

/// Has a task done that makes no sense without a server.
async fn ask_server(options: &Options, task: Task, json: bool) -> ExitCode {
    let problem = match find_server(&options.root).await {
        Ok(Some(_)) => return work(options, task, json).await,
        Ok(None) => format!("no server runs in {}", options.root.display()),
        Err(error) => error.to_string(),
    };
    Display::new(json).end(Err(problem))
}

/// Has one task done and shows what becomes of it.
async fn work(options: &Options, task: Task, json: bool) -> ExitCode {
    let mut display = Display::new(json);
    let outcome = match Desk::open(options).await {
        Ok(desk) => {
            let mut hear = |reply: Reply| {
                display.hear(reply);
                Ok(())
            };
            let outcome = desk.ask(task, &mut hear).await;
            desk.close().await;
            outcome
        }
        Err(error) => {
            if let OpenError::Store(store::Error::Corrupt(_)) = error {
                list_damage(options, &mut display);
            }
            Err(error.to_string())
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
