//! `padsvc plugins`: what is installed, and what authors of plugins need.

mod folder;

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

use plugin::package::ARCHIVE;
use plugin::{Name, Package, scenario, skeleton};
use semver::Version;
use serde_json::json;

use super::display::Display;
use super::error::CommandError;
use super::{Outcome, work};
use crate::arguments::plugins::{Install, New, Pack, PluginsCommand, Test};
use crate::operate::plugins::{Agreed, PluginTask};
use crate::operate::{Row, Summary, Task};
use ::settings::Options;

/// The command of this program that a worker is.
const WORKER: &str = "plugin-worker";

pub(super) async fn run(options: &Options, command: PluginsCommand) -> ExitCode {
    match command {
        PluginsCommand::List(it) => {
            work(options, Task::Plugins(PluginTask::List), it.output.json).await
        }
        PluginsCommand::Install(it) => {
            let json = it.output.json;
            match install(it) {
                Ok(task) => work(options, Task::Plugins(task), json).await,
                Err(error) => Display::new(json).end(Err(error)),
            }
        }
        PluginsCommand::Remove(it) => {
            let task = PluginTask::Remove { names: it.names };
            work(options, Task::Plugins(task), it.output.json).await
        }
        PluginsCommand::Enable(it) => {
            let (names, enabled) = (it.names, true);
            let task = PluginTask::SetEnabled { names, enabled };
            work(options, Task::Plugins(task), it.output.json).await
        }
        PluginsCommand::Disable(it) => {
            let (names, enabled) = (it.names, false);
            let task = PluginTask::SetEnabled { names, enabled };
            work(options, Task::Plugins(task), it.output.json).await
        }
        PluginsCommand::Pads(it) => {
            let (name, patterns) = (it.name, it.patterns);
            let task = PluginTask::Pads { name, patterns };
            work(options, Task::Plugins(task), it.output.json).await
        }
        PluginsCommand::New(it) => Display::new(it.output.json).end(new(&it)),
        PluginsCommand::Test(it) => {
            let mut display = Display::new(it.output.json);
            let outcome = test(&it, &mut display);
            display.end(outcome)
        }
        PluginsCommand::Pack(it) => Display::new(it.output.json).end(pack(&it)),
    }
}

/// A file or a folder, if there is one of that name; else a plugin of the catalogue.
fn install(it: Install) -> Result<PluginTask, CommandError> {
    let path = Path::new(&it.plugin);
    let (catalogue, archive) = match catalogued(&it.plugin) {
        Some(wanted) if !path.exists() => (Some(wanted), Vec::new()),
        _ => (None, archive(path)?),
    };
    Ok(PluginTask::Install {
        catalogue,
        archive,
        agreed: Agreed {
            sha256: it.sha256.map(|digits| digits.to_ascii_lowercase()),
            granted: it.grant.into_iter().collect(),
            all: it.grant_all,
            browsers: it.browsers,
        },
        dry_run: it.rehearsal.dry_run,
    })
}

/// `NAME` or `NAME@VERSION`.
fn catalogued(text: &str) -> Option<(Name, Option<Version>)> {
    let Some((name, version)) = text.split_once('@') else {
        return Some((text.parse().ok()?, None));
    };
    Some((name.parse().ok()?, Some(version.parse().ok()?)))
}

fn archive(path: &Path) -> Result<Vec<u8>, CommandError> {
    let because = CommandError::of_file(path);
    let found = fs::metadata(path).map_err(&because)?;
    if found.is_dir() {
        return Ok(folder::read(path)?.pack()?);
    }
    if found.len() > ARCHIVE as u64 {
        return Err(plugin::PackageError::ArchiveTooLong.into());
    }
    fs::read(path).map_err(because)
}

fn package(path: &Path) -> Result<Package, CommandError> {
    if path.is_dir() {
        return folder::read(path);
    }
    Ok(Package::unpack(&archive(path)?)?)
}

fn new(it: &New) -> Outcome {
    let name = it.name.as_str();
    let folder = it.to.clone().unwrap_or_else(|| name.into());
    if folder.exists() {
        return Err(CommandError::Exists(folder));
    }
    let files = skeleton::files(&it.name);
    for (path, bytes) in &files {
        let file = folder.join(path);
        let because = CommandError::of_file(&file);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(&because)?;
        }
        fs::write(&file, bytes).map_err(because)?;
    }
    let shown = folder.display().to_string();
    Ok(Summary {
        text: format!("made {shown}; `padsvc plugins test {shown}` runs its tests"),
        data: json!({ "folder": shown, "files": files.keys().collect::<Vec<_>>() }),
        ok: true,
    })
}

/// A test that fails does not hold up the others.
fn test(it: &Test, display: &mut Display) -> Outcome {
    let package = package(&it.plugin)?;
    let scenarios = scenario::scenarios(&package)?;
    let program = std::env::current_exe()?;
    let mut failed = 0;
    for scenario in &scenarios {
        let mut worker = Command::new(&program);
        worker.arg(WORKER).env_clear().env("TZ", "UTC");
        let outcome = plugin_worker::rehearse(&mut worker, &package, scenario);
        let problem = outcome.err().map(|error| error.to_string());
        let name = &scenario.name;
        failed += usize::from(problem.is_some());
        display.row(Row {
            text: match &problem {
                None => format!("{name}: passed"),
                Some(problem) => format!("{name}: failed: {problem}"),
            },
            data: json!({ "test": name, "error": problem }),
        });
    }
    let total = scenarios.len();
    Ok(Summary {
        text: format!("{} of {total} tests passed", total - failed),
        data: json!({ "tests": total, "failed": failed }),
        ok: failed == 0,
    })
}

fn pack(it: &Pack) -> Outcome {
    let package = folder::read(&it.folder)?;
    let to = it.to.clone().unwrap_or_else(|| package.file_name().into());
    let archive = package.pack()?;
    let because = CommandError::of_file(&to);
    let mut options = fs::OpenOptions::new();
    options.write(true);
    match it.force {
        true => options.create(true).truncate(true),
        false => options.create_new(true),
    };
    let opened = options.open(&to).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CommandError::ExistsUnforced(to.display().to_string()),
        _ => because(error),
    });
    io::Write::write_all(&mut opened?, &archive).map_err(CommandError::of_file(&to))?;
    Ok(Summary {
        text: format!("wrote {}", to.display()),
        data: json!({
            "file": to.display().to_string(),
            "bytes": archive.len(),
            "sha256": plugin::package::sha256(&archive),
        }),
        ok: true,
    })
}
