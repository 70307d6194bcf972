//! `padsvc check`: does what is stored hold together?
//!
//! Reads every pad the way serving it would, and lists what is wrong, a line for each thing.
//! Nothing is repaired. The embedded database must not be in use, so that what is read stands
//! still.

use std::io::{self, Write};

use pad::PadId;
use store::{Location, Store};

use crate::cli::Options;
use crate::configure::Configuration;
use crate::log;
use crate::serve::StartError;

/// How many names are read from the store at a time.
const PAGE: usize = 1_000;

/// True if there is nothing wrong.
pub async fn run(options: &Options, pad: Option<&str>) -> Result<bool, StartError> {
    let configuration = Configuration::load(options)?;
    let _log = log::start(&configuration.settings.log);
    let location = configuration.location(options);
    if let Location::Embedded(file) = &location
        && !file.exists()
    {
        // Opening it would create it.
        let text = format!("there is no database {}", file.display());
        return Err(StartError::Nothing(text));
    }
    let store = Store::open(location).await?;
    let report = match pad {
        Some(name) => check_one(&store, name).await,
        None => check_all(&store).await,
    };
    store.close().await;
    let report = report?;
    say(&report.summary());
    Ok(report.problems == 0)
}

#[derive(Default)]
struct Report {
    pads: usize,
    damaged: usize,
    problems: usize,
}

impl Report {
    fn summary(&self) -> String {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let checked = format!("checked {} pad{}", self.pads, plural(self.pads));
        match self.problems {
            0 => format!("{checked}: no problems"),
            problems => format!(
                "{checked}: {problems} problem{} in {} of them",
                plural(problems),
                self.damaged
            ),
        }
    }

    async fn look_at(&mut self, store: &Store, pad: &PadId) -> Result<(), store::Error> {
        let problems = store.check_pad(pad).await?;
        self.pads += 1;
        self.damaged += usize::from(!problems.is_empty());
        self.problems += problems.len();
        for problem in problems {
            say(&format!("{pad}: {problem}"));
        }
        Ok(())
    }
}

async fn check_one(store: &Store, name: &str) -> Result<Report, StartError> {
    let missing = || StartError::Nothing(format!("there is no pad {name}"));
    let pad = PadId::parse(name).ok_or_else(missing)?;
    store.pad(&pad).await?.ok_or_else(missing)?;
    let mut report = Report::default();
    report.look_at(store, &pad).await?;
    Ok(report)
}

async fn check_all(store: &Store) -> Result<Report, StartError> {
    let mut report = Report::default();
    let mut after: Option<PadId> = None;
    loop {
        let start = after.as_ref().map(PadId::as_str);
        let page = store.list_pads(start, PAGE).await?;
        for pad in &page {
            report.look_at(store, pad).await?;
        }
        match page.into_iter().next_back() {
            Some(last) => after = Some(last),
            None => return Ok(report),
        }
    }
}

fn say(line: &str) {
    // Whoever closes standard output early has seen enough; the exit code is still right.
    let _ = writeln!(io::stdout(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_counts() {
        let report = |pads, damaged, problems| Report {
            pads,
            damaged,
            problems,
        };
        for (report, text) in [
            (report(0, 0, 0), "checked 0 pads: no problems"),
            (report(1, 0, 0), "checked 1 pad: no problems"),
            (report(7, 1, 1), "checked 7 pads: 1 problem in 1 of them"),
            (report(7, 2, 5), "checked 7 pads: 5 problems in 2 of them"),
        ] {
            assert_eq!(report.summary(), text);
        }
    }
}
