//! Integrity check and repair of pads.

use pad::{PadId, Rev};
use serde_json::{Value, json};
use service::Repair;
use store::Problem;

use super::progress::count;
use super::{Failure, Operations, Pads, ProgressSender, Summary};

impl Operations {
    /// Lists all problems, a row each: first those the database engine finds in its own files, then
    /// those in the content.
    pub async fn check(&self, pads: &Pads, out: &ProgressSender) -> Result<Summary, Failure> {
        let (mut checked, mut damaged) = (0, 0);
        let mut found = match pads {
            Pads::Named(_) => 0,
            _ => self.check_database(out).await?,
        };
        let mut walk = self.walk(pads).await?;
        loop {
            let record = match walk.next(out).await {
                Ok(Some(record)) => record,
                Ok(None) => break,
                Err(Failure::Gone) => return Err(Failure::Gone),
                Err(failure) => {
                    found += 1;
                    let problem = format!("the list of pads ends early: {failure}");
                    report_database_problem(out, &problem).await?;
                    break;
                }
            };
            let problems = self.problems_of(&record.id).await?;
            checked += 1;
            damaged += usize::from(!problems.is_empty());
            found += problems.len();
            for problem in problems {
                report_problem(out, &record.id, &problem).await?;
            }
        }
        let checked_text = format!("checked {}", count(checked, "pad"));
        Ok(Summary {
            text: match (found, damaged) {
                (0, _) => format!("{checked_text}: no problems"),
                (_, 0) => format!(
                    "{checked_text}: {} outside of them",
                    count(found, "problem")
                ),
                _ => format!(
                    "{checked_text}: {} in {damaged} of them",
                    count(found, "problem")
                ),
            },
            data: json!({ "checked": checked, "damaged": damaged, "problems": found }),
            ok: found == 0,
        })
    }

    /// Runs the engine's own check and looks for rows of no pad. Returns the number of problems.
    async fn check_database(&self, out: &ProgressSender) -> Result<usize, Failure> {
        let store = self.service.store();
        let engine = store.check_engine().await?;
        if let Some(skipped) = engine.skipped {
            out.row(skipped.clone(), json!({ "skipped": skipped }))
                .await?;
        }
        let rows = store.check_tables().await?;
        let problems = [engine.problems, rows].concat();
        for problem in &problems {
            report_database_problem(out, problem).await?;
        }
        Ok(problems.len())
    }

    /// The problems of a pad. An unreadable pad does not stop the check.
    async fn problems_of(&self, pad: &PadId) -> Result<Vec<String>, Failure> {
        match self.service.store().check_pad(pad).await {
            Ok(problems) => Ok(problems.iter().map(Problem::to_string).collect()),
            Err(error @ store::Error::Corrupt(_)) => Ok(vec![error.to_string()]),
            Err(error) => Err(error.into()),
        }
    }

    /// Rebuilds indexes, and damaged pads whose revisions are complete. Lists what is lost.
    pub async fn repair(
        &self,
        pads: &Pads,
        dry_run: bool,
        out: &ProgressSender,
    ) -> Result<Summary, Failure> {
        let (mut repaired, mut lost) = (0, 0);
        let beyond = match pads {
            Pads::Named(_) => 0,
            _ => self.repair_database(dry_run, out).await?,
        };
        let mut walk = self.walk(pads).await?;
        while let Some(record) = walk.next(out).await? {
            let pad = record.id;
            let problems = self.problems_of(&pad).await?;
            if problems.is_empty() {
                continue;
            }
            for problem in &problems {
                report_problem(out, &pad, problem).await?;
            }
            let outcome = self.repair_one(&pad, dry_run).await?;
            let (text, data) = repair_row(&pad, &outcome, dry_run);
            out.row(text, data).await?;
            match outcome {
                Repair::Done => repaired += 1,
                Repair::Lost(_) => lost += 1,
            }
        }
        let verb = if dry_run { "would repair" } else { "repaired" };
        let losses = match lost {
            0 => String::new(),
            lost => format!("; {} of which revisions are lost", count(lost, "pad")),
        };
        let rest = match beyond {
            0 => String::new(),
            beyond => format!(
                "; {} of the database cannot be repaired: restore a backup",
                count(beyond, "problem")
            ),
        };
        Ok(Summary {
            text: format!("{verb} {}{losses}{rest}", count(repaired, "pad")),
            data: json!({
                "repaired": repaired, "lost": lost, "beyondRepair": beyond, "dryRun": dry_run,
            }),
            ok: lost == 0 && beyond == 0,
        })
    }

    /// Rebuilds the indexes, which follow from the tables. Returns how many problems remain.
    async fn repair_database(&self, dry_run: bool, out: &ProgressSender) -> Result<usize, Failure> {
        let store = self.service.store();
        if !dry_run && !store.check_engine().await?.problems.is_empty() {
            let text = match store.rebuild_indexes().await {
                Ok(()) => "database: rebuilt all indexes".to_owned(),
                Err(error) => format!("database: indexes cannot be rebuilt: {error}"),
            };
            out.row(text.clone(), json!({ "database": text })).await?;
        }
        self.check_database(out).await
    }

    async fn repair_one(&self, pad: &PadId, dry_run: bool) -> Result<Repair, Failure> {
        let salvage = match self.service.store().salvage(pad).await {
            // Not even its row can be read.
            Err(store::Error::Corrupt(_)) => return Ok(Repair::Lost(None)),
            salvage => salvage?.ok_or(service::Error::PadMissing)?,
        };
        match (salvage.is_whole(), dry_run) {
            (true, false) => Ok(self.service.repair_pad(pad).await?),
            (true, true) => Ok(Repair::Done),
            (false, _) => Ok(Repair::Lost(salvage.last())),
        }
    }

    /// Creates a pad from a revision of another one.
    pub async fn rebuild(
        &self,
        name: &str,
        rev: Option<Rev>,
        to: &str,
        dry_run: bool,
    ) -> Result<Summary, Failure> {
        let pad = self.find(name).await?.id;
        let last = self.service.salvage(&pad).await?.last();
        let Some(last) = last else {
            return Err(Failure::NothingReachable(pad));
        };
        let rev = rev.unwrap_or(last);
        if rev > last {
            return Err(Failure::Unreachable { pad, rev, last });
        }
        let bad_name = || Failure::PadName(to.to_owned());
        let to = PadId::for_new(to).ok_or_else(bad_name)?;
        if self.service.store().pad(&to).await?.is_some() {
            return Err(Failure::PadExists(to));
        }
        if !dry_run {
            self.service.rebuild_pad(&pad, rev, &to).await?;
        }
        let verb = if dry_run { "would make" } else { "made" };
        Ok(Summary {
            text: format!("{verb} {to} of {pad} as it was at revision {rev}"),
            data: json!({
                "pad": pad.as_str(), "rev": rev.0, "to": to.as_str(), "dryRun": dry_run,
            }),
            ok: true,
        })
    }
}

async fn report_problem(out: &ProgressSender, pad: &PadId, problem: &str) -> Result<(), Failure> {
    let data = json!({ "pad": pad.as_str(), "problem": problem });
    out.row(format!("{pad}: {problem}"), data).await
}

async fn report_database_problem(out: &ProgressSender, problem: &str) -> Result<(), Failure> {
    let data = json!({ "problem": problem });
    out.row(format!("database: {problem}"), data).await
}

fn repair_row(pad: &PadId, outcome: &Repair, dry_run: bool) -> (String, Value) {
    let data = |repaired: bool, last: Option<Rev>| {
        let pad = pad.as_str();
        json!({ "pad": pad, "repaired": repaired, "last": last.map(|rev| rev.0) })
    };
    match outcome {
        Repair::Done if dry_run => (
            format!("{pad}: can be repaired, all revisions are there"),
            data(true, None),
        ),
        Repair::Done => (format!("{pad}: repaired"), data(true, None)),
        Repair::Lost(Some(last)) => (
            format!(
                "{pad}: can be followed up to revision {last}; \
                 `padsvc rebuild {pad}` makes another pad of that"
            ),
            data(false, Some(*last)),
        ),
        Repair::Lost(None) => (
            format!("{pad}: cannot be followed at all; look into a backup"),
            data(false, None),
        ),
    }
}
