//! `padsvc migrate`: what an Etherpad's database holds, brought over while no server runs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;

use migrate::{Depth, Ledger, Leniency, Plan, Records, Report, Source, plugin_record};
use serde_json::{Value, json};
use service::Environment as _;

use super::display::Display;
use super::error::CommandError;
use crate::arguments::{self, Verify};
use crate::open_store::{open, prepare};
use crate::operate::{Row, Summary};
use ::settings::Configuration;
use settings::Options;
use system::environment::System;

/// What is read is put here, and removed afterwards.
const SCRATCH: &str = "migration.partial";

/// What earlier passes have brought, for `--follow`.
const LEDGER: &str = "migration.ledger";
/// Exit code: something was left out or repaired with loss.
const LOST: u8 = 3;
/// So many entries are shown to people; the report has all.
const SHOWN: usize = 1_000;

pub(super) async fn run(options: &Options, arguments: &arguments::Migrate) -> ExitCode {
    let mut display = Display::of_copying(arguments.output.json);
    match bring_over(options, arguments, &mut display).await {
        Ok(report) => {
            let lost = report.lost_something();
            let code = display.end(Ok(summary(&report, arguments)));
            if lost { ExitCode::from(LOST) } else { code }
        }
        Err(error) => display.end(Err(error)),
    }
}

async fn bring_over(
    options: &Options,
    arguments: &arguments::Migrate,
    display: &mut Display,
) -> Result<Report, CommandError> {
    let configuration = Configuration::load(options)?;
    let source = Source::find(&arguments.from)?;
    let var = options.root.join("var");
    let opening = prepare(&var, configuration.location(options))?;
    // First of all: it fails if a server runs.
    let target = if arguments.rehearsal.dry_run {
        None
    } else {
        let opened = open(&var, opening).await;
        let ledger = Ledger::open(&var.join(LEDGER))?;
        Some((opened?.0, ledger))
    };
    let scratch = Scratch::new(var.join(SCRATCH));
    let leniency = Leniency {
        question_marks: arguments.allow_question_marks,
    };
    let records = read(source, scratch.0.clone(), leniency, display).await?;
    let plan = target.as_ref().map(|(store, ledger)| Plan {
        store,
        ledger,
        follow: arguments.follow,
        verify: match arguments.verify {
            Verify::Sample => Depth::Sample,
            Verify::All => Depth::All,
        },
    });
    let mut progress = |done, total| display.progress(done, total);
    let brought = migrate::migrate(&records, plan.as_ref(), System.now(), &mut progress).await;
    if let Some((store, _)) = &target {
        store.close().await;
    }
    let report = brought?;
    for entry in report.entries.iter().take(SHOWN) {
        display.row(Row {
            text: entry.text(),
            data: entry.json(),
        });
    }
    if let Some(file) = &arguments.report {
        write_report(file, &report)?;
    }
    Ok(report)
}

fn write_report(file: &Path, report: &Report) -> Result<(), CommandError> {
    let mut json = report.json();
    let entries = report.entries.iter().map(migrate::Entry::json).collect();
    if let Some(members) = json.as_object_mut() {
        members.insert("entries".to_owned(), Value::Array(entries));
        let count = report.entries_left_out;
        members.insert("entriesNotListed".to_owned(), json!(count));
    }
    let text = format!("{json:#}\n");
    std::fs::write(file, text).map_err(CommandError::of_file(file))
}

/// Reads on a thread of its own and shows how far it is.
async fn read(
    source: Source,
    scratch: PathBuf,
    leniency: Leniency,
    display: &Display,
) -> Result<Records, CommandError> {
    let (sender, reports) = mpsc::channel();
    let work = tokio::task::spawn_blocking(move || {
        let mut report = |done, total| sender.send((done, total)).unwrap_or(());
        Records::read(&source, &scratch, leniency, &mut report)
    });
    // Ends when all is read, since that drops the sender.
    tokio::task::block_in_place(|| {
        for (done, total) in reports {
            display.progress(done, total);
        }
    });
    Ok(work.await??)
}

fn summary(report: &Report, arguments: &arguments::Migrate) -> Summary {
    let dry_run = arguments.rehearsal.dry_run;
    let verb = if dry_run { "would bring" } else { "brought" };
    let mut lines = vec![format!(
        "{verb} {} pads with {} revisions and {} chat messages, {} authors, {} groups and {} \
         sessions",
        report.pads,
        report.revisions,
        report.messages,
        report.authors,
        report.groups,
        report.sessions
    )];
    if report.present + report.updated + report.removed > 0 {
        lines.push(format!(
            "{} pads were here already, {} were updated, {} were removed",
            report.present, report.updated, report.removed
        ));
    }
    let counts = report.counts;
    let compared = if dry_run {
        "expected"
    } else {
        "compared with the source"
    };
    lines.push(format!(
        "{compared}: {} pads are the same, {} repaired, {} different, {} left out",
        counts.same, counts.repaired, counts.different, counts.left_out
    ));
    for (feature, uses) in &report.attributes {
        lines.push(format!(
            "kept of extensions: {feature}, {} places in {} pads",
            uses.spans, uses.pads
        ));
    }
    for (kind, count) in &report.plugin_records {
        let what = plugin_record(kind);
        lines.push(format!(
            "left out: {count} records of plugins: {kind} ({what})"
        ));
    }
    let more = report.entries.len().saturating_sub(SHOWN) as u64 + report.entries_left_out;
    if more > 0 {
        lines.push(format!("{more} more entries are not shown; see --report"));
    }
    let verdict = if !report.lost_something() {
        "nothing was lost"
    } else if report.losses == 0 {
        "nothing of Etherpad itself was lost; records of plugins have no place here"
    } else {
        "something was lost: see what is left out, different or repaired with loss"
    };
    lines.push(verdict.to_owned());
    let mut data = report.json();
    if let Some(members) = data.as_object_mut() {
        members.insert("dryRun".to_owned(), json!(dry_run));
    }
    Summary {
        text: lines.join("\n"),
        data,
        ok: !report.lost_something(),
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
