//! Looking whether pads hold together, and mending those that do not.

use pad::{PadId, Rev};
use serde_json::{Value, json};
use service::Repair;
use store::Problem;

use super::outlet::count;
use super::{Failure, Operations, Outlet, Pads, Summary};

impl Operations {
    /// Tells everything that is wrong, a row each.
    pub async fn check(&self, pads: &Pads, out: &Outlet) -> Result<Summary, Failure> {
        let (mut checked, mut damaged, mut found) = (0, 0, 0);
        let mut walk = self.walk(pads).await?;
        while let Some(record) = walk.next(out).await? {
            let problems = self.service.store().check_pad(&record.id).await?;
            checked += 1;
            damaged += usize::from(!problems.is_empty());
            found += problems.len();
            for problem in problems {
                tell(out, &record.id, &problem).await?;
            }
        }
        let checked_text = format!("checked {}", count(checked, "pad"));
        Ok(Summary {
            text: match found {
                0 => format!("{checked_text}: no problems"),
                _ => format!(
                    "{checked_text}: {} in {damaged} of them",
                    count(found, "problem")
                ),
            },
            data: json!({ "checked": checked, "damaged": damaged, "problems": found }),
            ok: found == 0,
        })
    }

    /// Stores damaged pads anew whose revisions are all there. Others are told.
    pub async fn repair(
        &self,
        pads: &Pads,
        dry_run: bool,
        out: &Outlet,
    ) -> Result<Summary, Failure> {
        let (mut repaired, mut lost) = (0, 0);
        let mut walk = self.walk(pads).await?;
        while let Some(record) = walk.next(out).await? {
            let pad = record.id;
            let problems = self.service.store().check_pad(&pad).await?;
            if problems.is_empty() {
                continue;
            }
            for problem in &problems {
                tell(out, &pad, problem).await?;
            }
            let outcome = self.repair_one(&pad, dry_run).await?;
            let (text, data) = told_repair(&pad, &outcome, dry_run);
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
        Ok(Summary {
            text: format!("{verb} {}{losses}", count(repaired, "pad")),
            data: json!({ "repaired": repaired, "lost": lost, "dryRun": dry_run }),
            ok: lost == 0,
        })
    }

    async fn repair_one(&self, pad: &PadId, dry_run: bool) -> Result<Repair, Failure> {
        if !dry_run {
            return Ok(self.service.repair_pad(pad).await?);
        }
        let salvage = self.service.salvage(pad).await?;
        Ok(match salvage.is_whole() {
            true => Repair::Done,
            false => Repair::Lost(salvage.last()),
        })
    }

    /// Makes a pad of what another one was at a revision.
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
            let text = format!("no revision of {pad} can be reached");
            return Err(Failure::Because(text));
        };
        let rev = rev.unwrap_or(last);
        if rev > last {
            let text = format!("revision {rev} of {pad} cannot be reached; the last is {last}");
            return Err(Failure::Because(text));
        }
        let bad_name = || Failure::Because(format!("a pad cannot be named {to}"));
        let to = PadId::for_new(to).ok_or_else(bad_name)?;
        if self.service.store().pad(&to).await?.is_some() {
            return Err(Failure::Because(format!("there is a pad {to} already")));
        }
        if !dry_run {
            self.service.rebuild_pad(&pad, rev, &to).await?;
        }
        let verb = if dry_run { "would make" } else { "made" };
        Ok(Summary {
            text: format!("{verb} {to} of {pad} as it was at revision {rev}"),
            data: json!({
                "pad": pad.as_str(), "rev": rev, "to": to.as_str(), "dryRun": dry_run,
            }),
            ok: true,
        })
    }
}

async fn tell(out: &Outlet, pad: &PadId, problem: &Problem) -> Result<(), Failure> {
    let data = json!({ "pad": pad.as_str(), "problem": problem.to_string() });
    out.row(format!("{pad}: {problem}"), data).await
}

fn told_repair(pad: &PadId, outcome: &Repair, dry_run: bool) -> (String, Value) {
    let data = |repaired: bool, last: Option<Rev>| {
        let pad = pad.as_str();
        json!({ "pad": pad, "repaired": repaired, "last": last })
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
