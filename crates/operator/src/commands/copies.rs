//! `padsvc backup` and `padsvc restore`: copies of the database.
//!
//! A copy is read by this process itself, beside the processes that use the database: one state of
//! it, and nobody waits. A server that runs must not find its database replaced, so restoring needs
//! it to be stopped; single pads come back into a running one by `export` and `import`.

use std::process::ExitCode;
use std::sync::mpsc;

use serde_json::json;
use store::Location;

use super::Outcome;
use super::display::Display;
use super::error::CommandError;
use crate::arguments;
use crate::open_store::OpenError;
use crate::operate::Summary;
use ::settings::Configuration;
use ::settings::Options;

pub(super) async fn backup(options: &Options, arguments: &arguments::Backup) -> ExitCode {
    let display = Display::of_copying(arguments.output.json);
    let outcome = back_up(options, arguments, &display).await;
    display.end(outcome)
}

pub(super) async fn restore(options: &Options, arguments: &arguments::Restore) -> ExitCode {
    let display = Display::of_copying(arguments.output.json);
    let outcome = put_back(options, arguments, &display).await;
    display.end(outcome)
}

async fn back_up(options: &Options, arguments: &arguments::Backup, display: &Display) -> Outcome {
    let database = database(options)?;
    if let Location::Embedded(file) = &database
        && !file.exists()
    {
        return Err(OpenError::NoDatabase(file.clone()).into());
    }
    let (from, to) = (database.clone(), arguments.file.clone());
    if to.exists() {
        return Err(CommandError::Exists(to));
    }
    let dry_run = arguments.rehearsal.dry_run;
    if !dry_run {
        let copy = move |report: store::Report<'_>| store::backup(&from, &to, report);
        follow(display, copy).await?;
    }
    let sized = match (dry_run, &database) {
        (false, _) => Some(&arguments.file),
        (true, Location::Embedded(file)) => Some(file),
        // Only the copy itself would tell.
        (true, _) => None,
    };
    let size = sized.map(std::fs::metadata).transpose();
    let bytes = size?.map(|it| it.len());
    let size = bytes.map(|bytes| format!(", {}", megabytes(bytes)));
    let verb = if dry_run { "would write" } else { "wrote" };
    let file = arguments.file.display();
    Ok(Summary {
        text: format!("{verb} {file}{}", size.unwrap_or_default()),
        data: json!({ "file": file.to_string(), "bytes": bytes, "dryRun": dry_run }),
        ok: true,
    })
}

async fn put_back(options: &Options, arguments: &arguments::Restore, display: &Display) -> Outcome {
    let database = database(options)?;
    let (shown, is_there) = match &database {
        Location::Embedded(file) => (file.display().to_string(), file.exists()),
        _ => ("the PostgreSQL database".to_owned(), false),
    };
    let (replace, dry_run) = (arguments.force, arguments.rehearsal.dry_run);
    if is_there && !replace {
        return Err(CommandError::ExistsUnforced(shown));
    }
    let from = arguments.file.clone();
    let copy = move |report: store::Report<'_>| {
        if dry_run {
            store::examine(&from)
        } else {
            store::restore(&from, &database, replace, report)
        }
    };
    follow(display, copy).await?;
    let verb = if dry_run { "would restore" } else { "restored" };
    Ok(Summary {
        text: format!("{verb} {shown}"),
        data: json!({ "database": shown, "replaced": is_there, "dryRun": dry_run }),
        ok: true,
    })
}

/// Where the pads are.
fn database(options: &Options) -> Result<Location, CommandError> {
    Ok(Configuration::load(options)?.location(options))
}

/// Copies on a thread of its own and shows how far it is.
async fn follow(
    display: &Display,
    copy: impl FnOnce(store::Report<'_>) -> Result<(), store::Error> + Send + 'static,
) -> Result<(), CommandError> {
    let (sender, reports) = mpsc::channel();
    let work = tokio::task::spawn_blocking(move || {
        // The receiver may have ended.
        copy(&mut |done, total| sender.send((done, total)).unwrap_or(()))
    });
    // Ends when the copy is made, since that drops the sender.
    tokio::task::block_in_place(|| {
        for (done, total) in reports {
            display.progress(done, total);
        }
    });
    Ok(work.await??)
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
