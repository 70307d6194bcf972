//! `padsvc export`: pads become files.
//!
//! A file appears under its name with everything in it, or not at all.

use std::fs::{self, File};
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use super::Outcome;
use super::display::Display;
use super::error::CommandError;
use crate::arguments;
use crate::operate::client::Executor;
use crate::operate::{Row, Summary, Task, TaskEvent};
use ::settings::Options;

pub(super) async fn run(options: &Options, arguments: &arguments::Export) -> ExitCode {
    let mut display = Display::new(arguments.output.json);
    let outcome = match Executor::open(options).await {
        Ok(executor) => {
            let outcome = export(&executor, arguments, &mut display).await;
            executor.close().await;
            outcome
        }
        Err(error) => Err(error.into()),
    };
    if goes_to_standard_output(arguments) && outcome.is_ok() && !arguments.output.json {
        // There is the file already; a last line would be part of it.
        return ExitCode::SUCCESS;
    }
    display.end(outcome)
}

async fn export(
    executor: &Executor,
    arguments: &arguments::Export,
    display: &mut Display,
) -> Outcome {
    let names = if arguments.all {
        all_names(executor).await?
    } else {
        arguments.pads.clone()
    };
    let to = &arguments.to;
    let single = match names.as_slice() {
        [name] if !arguments.all && !to.is_dir() => Some(name),
        _ => None,
    };
    let Some(name) = single else {
        return export_many(executor, &names, arguments, display).await;
    };
    if goes_to_standard_output(arguments) {
        if arguments.output.json {
            return Err(CommandError::StandardOutput);
        }
        write_one(executor, name, arguments, &mut stdout()).await?;
    } else {
        save_one(executor, name, arguments, to).await?;
    }
    Ok(summary(1, 1, arguments))
}

/// A pad that cannot be exported does not hold up the others.
async fn export_many(
    executor: &Executor,
    names: &[String],
    arguments: &arguments::Export,
    display: &mut Display,
) -> Outcome {
    let to = &arguments.to;
    if !arguments.rehearsal.dry_run {
        fs::create_dir_all(to).map_err(CommandError::of_file(to))?;
    }
    let mut exported = 0;
    for (name, done) in names.iter().zip(0..) {
        display.progress(done, names.len() as u64);
        let file = to.join(file_name(name, arguments.format.name));
        let problem = save_one(executor, name, arguments, &file).await.err();
        let file = file.display();
        display.row(Row {
            text: match &problem {
                None => format!("{name}: {file}"),
                Some(problem) => format!("{name}: {problem}"),
            },
            data: match &problem {
                None => json!({ "pad": name, "file": file.to_string() }),
                Some(problem) => json!({ "pad": name, "error": problem.to_string() }),
            },
        });
        exported += usize::from(problem.is_none());
    }
    Ok(summary(exported, names.len(), arguments))
}

fn summary(exported: usize, total: usize, arguments: &arguments::Export) -> Summary {
    let dry_run = arguments.rehearsal.dry_run;
    let verb = if dry_run { "would export" } else { "exported" };
    let plural = if total == 1 { "" } else { "s" };
    let failed = total - exported;
    Summary {
        text: match failed {
            0 => format!("{verb} {exported} pad{plural}"),
            _ => format!("{verb} {exported} of {total} pad{plural}"),
        },
        data: json!({ "exported": exported, "failed": failed, "dryRun": dry_run }),
        ok: failed == 0,
    }
}

async fn all_names(executor: &Executor) -> Result<Vec<String>, CommandError> {
    let mut names = Vec::new();
    let mut on_event = |event: TaskEvent| {
        if let TaskEvent::Row(row) = event {
            names.push(row.text);
        }
        Ok(())
    };
    executor.execute(Task::List, &mut on_event).await?;
    Ok(names)
}

async fn save_one(
    executor: &Executor,
    name: &str,
    arguments: &arguments::Export,
    path: &Path,
) -> Result<(), CommandError> {
    if path.exists() && !arguments.force {
        let path = path.display().to_string();
        return Err(CommandError::ExistsUnforced(path));
    }
    if arguments.rehearsal.dry_run {
        return write_one(executor, name, arguments, &mut io::sink()).await;
    }
    let mut draft = path.as_os_str().to_owned();
    draft.push(".partial");
    let draft = PathBuf::from(draft);
    let mut file = File::create(&draft).map_err(CommandError::of_file(&draft))?;
    let written = write_one(executor, name, arguments, &mut file).await;
    let placed = written.and_then(|()| {
        let placed = file.sync_all().and_then(|()| fs::rename(&draft, path));
        placed.map_err(CommandError::of_file(path))
    });
    if placed.is_err() {
        let _ = fs::remove_file(&draft);
    }
    placed
}

async fn write_one(
    executor: &Executor,
    name: &str,
    arguments: &arguments::Export,
    to: &mut (dyn Write + Send),
) -> Result<(), CommandError> {
    let task = Task::Export {
        pad: name.to_owned(),
        format: arguments.format.name.to_owned(),
        rev: arguments.rev,
    };
    let mut on_event = |event: TaskEvent| match event {
        TaskEvent::Bytes(bytes) => to.write_all(&bytes),
        _ => Ok(()),
    };
    executor.execute(task, &mut on_event).await?;
    Ok(())
}

fn goes_to_standard_output(arguments: &arguments::Export) -> bool {
    arguments.to == Path::new("-") && !arguments.rehearsal.dry_run
}

/// What is no letter, digit or harmless sign is written by its bytes, so that every name of a pad
/// is one of a file and can be told from it.
pub(super) fn file_name(pad: &str, ending: &str) -> String {
    let mut name = String::new();
    for character in pad.chars() {
        if character.is_alphanumeric() || "-_.$ ".contains(character) {
            name.push(character);
            continue;
        }
        let mut bytes = [0; 4];
        for byte in character.encode_utf8(&mut bytes).bytes() {
            name += &format!("%{byte:02X}");
        }
    }
    format!("{name}.{ending}")
}
