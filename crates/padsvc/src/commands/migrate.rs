//! `padsvc migrate`: what an Etherpad's database holds, brought over while no server runs.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;

use migrate::{Records, Report, Source};
use serde_json::json;
use service::Environment as _;
use store::Store;

use super::Outcome;
use super::display::Display;
use crate::cli::{Options, upkeep};
use crate::configure::Configuration;
use crate::environment::System;
use crate::operate::{Row, Summary};
use crate::serve;

/// What is read is put here, and removed afterwards.
const SCRATCH: &str = "migration.partial";

pub async fn run(options: &Options, arguments: &upkeep::Migrate) -> ExitCode {
    let mut display = Display::of_copying(arguments.output.json);
    let outcome = bring_over(options, arguments, &mut display).await;
    display.end(outcome)
}

async fn bring_over(
    options: &Options,
    arguments: &upkeep::Migrate,
    display: &mut Display,
) -> Outcome {
    let configuration = Configuration::load(options).map_err(|error| error.to_string())?;
    let source = Source::find(&arguments.from).map_err(|error| error.to_string())?;
    let var = options.root.join("var");
    let opening = serve::prepare(&var, configuration.location(options));
    let opening = opening.map_err(|error| error.to_string())?;
    let dry_run = arguments.rehearsal.dry_run;
    // First of all: it fails if a server runs.
    let store = match dry_run {
        true => None,
        false => Some(Store::open(opening).await),
    };
    let store = store.transpose().map_err(|error| error.to_string())?;
    let scratch = Scratch::new(var.join(SCRATCH));
    let records = read(source, scratch.0.clone(), display).await?;
    let mut progress = |done, total| display.progress(done, total);
    let brought = migrate::migrate(&records, store.as_ref(), System.now(), &mut progress).await;
    if let Some(store) = store {
        store.close().await;
    }
    let report = brought.map_err(|error| error.to_string())?;
    for note in &report.notes {
        display.row(Row {
            text: note.clone(),
            data: json!({ "note": note }),
        });
    }
    Ok(summary(&report, dry_run))
}

/// Reads on a thread of its own and shows how far it is.
async fn read(source: Source, scratch: PathBuf, display: &Display) -> Result<Records, String> {
    let (sender, reports) = mpsc::channel();
    let work = tokio::task::spawn_blocking(move || {
        let mut report = |done, total| sender.send((done, total)).unwrap_or(());
        Records::read(&source, &scratch, &mut report)
    });
    // Ends when all is read, since that drops the sender.
    tokio::task::block_in_place(|| {
        for (done, total) in reports {
            display.progress(done, total);
        }
    });
    let read = work.await.map_err(|error| error.to_string())?;
    read.map_err(|error| error.to_string())
}

fn summary(report: &Report, dry_run: bool) -> Summary {
    let verb = if dry_run { "would bring" } else { "brought" };
    let mut text = format!(
        "{verb} {} pads with {} revisions and {} chat messages, {} authors, {} groups and {} \
         sessions",
        report.pads,
        report.revisions,
        report.messages,
        report.authors,
        report.groups,
        report.sessions
    );
    if report.present > 0 {
        text.push_str(&format!("; {} pads were here already", report.present));
    }
    if report.failures > 0 {
        let failures = report.failures;
        text.push_str(&format!("; {failures} records could not be brought over"));
    }
    if report.notes_left_out > 0 {
        let count = report.notes_left_out;
        text.push_str(&format!("; {count} more remarks are not shown"));
    }
    for (kind, count) in &report.strangers {
        text.push_str(&format!("\nleft out: {count} records {kind}:…"));
    }
    Summary {
        text,
        data: json!({
            "pads": report.pads,
            "revisions": report.revisions,
            "messages": report.messages,
            "authors": report.authors,
            "tokens": report.tokens,
            "mappers": report.mappers,
            "groups": report.groups,
            "sessions": report.sessions,
            "present": report.present,
            "failures": report.failures,
            "leftOut": report.strangers,
            "dryRun": dry_run,
        }),
        ok: report.failures == 0,
    }
}

/// A file that is gone in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(path: PathBuf) -> Scratch {
        // What an attempt before has left.
        let _ = std::fs::remove_file(&path);
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
