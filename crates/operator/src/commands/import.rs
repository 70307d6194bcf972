//! `padsvc import`: files become pads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use percent_encoding::percent_decode_str;
use serde_json::json;

use super::Outcome;
use super::display::Display;
use super::error::CommandError;
use crate::arguments;
use crate::operate::client::Executor;
use crate::operate::{Row, Summary, Task};
use ::settings::Options;

pub(super) async fn run(options: &Options, arguments: &arguments::Import) -> ExitCode {
    let mut display = Display::new(arguments.output.json);
    let outcome = match Executor::open(options).await {
        Ok(executor) => {
            let outcome = import(&executor, arguments, &mut display).await;
            executor.close().await;
            outcome
        }
        Err(error) => Err(error.into()),
    };
    display.end(outcome)
}

/// A file that cannot be imported does not hold up the others.
async fn import(
    executor: &Executor,
    arguments: &arguments::Import,
    display: &mut Display,
) -> Outcome {
    let files = files(&arguments.files)?;
    if arguments.name.is_some() && files.len() != 1 {
        return Err(CommandError::OneName);
    }
    let dry_run = arguments.rehearsal.dry_run;
    let total = files.len();
    let (mut imported, mut failed) = (0, 0);
    for file in files {
        display.progress(imported + failed, total as u64);
        let outcome = import_one(executor, arguments, &file).await;
        let problem = outcome.as_ref().err();
        let shown = file.display();
        display.row(Row {
            text: match &outcome {
                Ok(summary) => format!("{shown}: {}", summary.text),
                Err(error) => format!("{shown}: {error}"),
            },
            data: json!({
                "file": shown.to_string(),
                "result": outcome.as_ref().ok().map(|summary| &summary.data),
                "error": problem.map(ToString::to_string),
            }),
        });
        imported += u64::from(problem.is_none());
        failed += u64::from(problem.is_some());
    }
    let verb = if dry_run { "would import" } else { "imported" };
    let plural = if total == 1 { "" } else { "s" };
    Ok(Summary {
        text: format!("{verb} {imported} of {total} file{plural}"),
        data: json!({ "imported": imported, "failed": failed, "dryRun": dry_run }),
        ok: failed == 0,
    })
}

async fn import_one(executor: &Executor, arguments: &arguments::Import, file: &Path) -> Outcome {
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    let pad = match &arguments.name {
        Some(name) => name.clone(),
        None => {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            percent_decode_str(&stem).decode_utf8_lossy().into_owned()
        }
    };
    let task = Task::Import {
        pad,
        format: ending.into_owned(),
        content: fs::read(file)?,
        replace: arguments.force,
        dry_run: arguments.rehearsal.dry_run,
    };
    Ok(executor.execute(task, &mut |_| Ok(())).await?)
}

/// The files that are named, and those in folders that are.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, CommandError> {
    let mut files = Vec::new();
    for path in named {
        let because = CommandError::of_file(path);
        if !fs::metadata(path).map_err(&because)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(&because)? {
            let entry = entry.map_err(&because)?.path();
            if entry.is_file() {
                inside.push(entry);
            }
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::export::file_name;

    #[test]
    fn every_pad_finds_its_name_again() {
        for name in [
            "notes",
            "a b",
            "g.0123456789abcdef$x",
            "50%",
            "ä/ö",
            "..",
            "a.b",
            "日本",
        ] {
            let file = file_name(name, "etherpad");
            assert!(!file.contains('/'), "{file}");
            let stem = Path::new(&file).file_stem().unwrap().to_str().unwrap();
            let decoded = percent_decode_str(stem).decode_utf8_lossy();
            assert_eq!(decoded, name);
        }
    }
}
