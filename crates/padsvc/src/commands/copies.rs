//! `padsvc backup` and `padsvc restore`: copies of the embedded database.
//!
//! A copy is read by this process itself, beside whoever uses the database: one state of it, and
//! nobody waits. A server that runs must not find its database replaced, so restoring needs it to
//! be stopped; single pads come back into a running one by `export` and `import`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;

use serde_json::json;

use super::Outcome;
use super::display::Display;
use crate::cli::{Options, upkeep};
use crate::configure::Configuration;
use crate::operate::Summary;
use crate::settings::DatabaseKind;

pub async fn backup(options: &Options, arguments: &upkeep::Backup) -> ExitCode {
    let display = Display::new(arguments.output.json);
    let outcome = back_up(options, arguments, &display).await;
    display.end(outcome)
}

pub async fn restore(options: &Options, arguments: &upkeep::Restore) -> ExitCode {
    let display = Display::new(arguments.output.json);
    let outcome = put_back(options, arguments, &display).await;
    display.end(outcome)
}

async fn back_up(options: &Options, arguments: &upkeep::Backup, display: &Display) -> Outcome {
    let database = database(options)?;
    if !database.exists() {
        return Err(format!("there is no database {}", database.display()));
    }
    let (to, dry_run) = (arguments.file.clone(), arguments.rehearsal.dry_run);
    if to.exists() {
        return Err(format!("{} is there already", to.display()));
    }
    if !dry_run {
        let copy = move |report: store::Report<'_>| store::backup(&database, &to, report);
        follow(display, copy).await?;
    }
    let size = std::fs::metadata(match dry_run {
        true => self::database(options)?,
        false => arguments.file.clone(),
    });
    let bytes = size.map_err(|error| error.to_string())?.len();
    let verb = if dry_run { "would write" } else { "wrote" };
    let file = arguments.file.display();
    Ok(Summary {
        text: format!("{verb} {file}, {}", megabytes(bytes)),
        data: json!({ "file": file.to_string(), "bytes": bytes, "dryRun": dry_run }),
        ok: true,
    })
}

async fn put_back(options: &Options, arguments: &upkeep::Restore, display: &Display) -> Outcome {
    let database = database(options)?;
    let (from, to) = (arguments.file.clone(), database.clone());
    let (replace, dry_run) = (arguments.force, arguments.rehearsal.dry_run);
    let is_there = database.exists();
    if is_there && !replace {
        let text = "is there already; --force replaces it";
        return Err(format!("{} {text}", database.display()));
    }
    let copy = move |report: store::Report<'_>| match dry_run {
        true => store::examine(&from),
        false => store::restore(&from, &to, replace, report),
    };
    follow(display, copy).await?;
    let verb = if dry_run { "would restore" } else { "restored" };
    let shown = database.display().to_string();
    Ok(Summary {
        text: format!("{verb} {shown}"),
        data: json!({ "file": shown, "replaced": is_there, "dryRun": dry_run }),
        ok: true,
    })
}

/// The file of the database, where it is one.
fn database(options: &Options) -> Result<PathBuf, String> {
    let configuration = Configuration::load(options).map_err(|error| error.to_string())?;
    let database = &configuration.settings.database;
    match database.kind {
        DatabaseKind::Embedded => Ok(database.file_in(&options.root)),
        DatabaseKind::Postgres => Err("the pads are in PostgreSQL: use pg_dump and pg_restore, \
             which copy one state of it while the service runs"
            .to_owned()),
    }
}

/// Copies on a thread of its own and shows how far it is.
async fn follow(
    display: &Display,
    copy: impl FnOnce(store::Report<'_>) -> Result<(), store::Error> + Send + 'static,
) -> Result<(), String> {
    let (sender, reports) = mpsc::channel();
    let work = tokio::task::spawn_blocking(move || {
        // Whoever shows it may have ended.
        copy(&mut |done, total| sender.send((done, total)).unwrap_or(()))
    });
    // Ends when the copy is made, since that drops the sender.
    tokio::task::block_in_place(|| {
        for (done, total) in reports {
            display.progress(done, total);
        }
    });
    let copied = work.await.map_err(|error| error.to_string())?;
    copied.map_err(|error| error.to_string())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
