//! Pads, one after the other.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};

use changeset::Text;
use convert::native::{self, ChatMessage, Key, RevisionSource, StoredRevision, Warning};
use pad::{AuthorId, PadId, ReadOnlyId, Rev, TokenHash};
use store::{Origin, PadRecord};
use wtf_json::Json;

use crate::attributes;
use crate::bounds;
use crate::ledger::{Row, fingerprint};
use crate::people::timestamp;
use crate::records::{Records, json};
use crate::report::{Outcome, Report};
use crate::verify;
use crate::{Error, Plan, Progress};

/// So many keys are looked through at a time.
const KEYS: usize = 10_000;
/// As many characters as a hash has.
const HASH_DIGITS: usize = 64;

pub(crate) async fn migrate(
    records: &Records,
    plan: Option<&Plan<'_>>,
    report: &mut Report,
    progress: Progress<'_>,
) -> Result<(), Error> {
    let names = names(records)?;
    for (name, done) in names.iter().zip(1..) {
        migrate_one(records, plan, name, report).await?;
        progress(done, names.len() as u64);
    }
    if let Some(plan) = plan.filter(|plan| plan.follow) {
        let names: HashSet<&str> = names.iter().map(String::as_str).collect();
        remove_others(plan, &names, report).await?;
    }
    Ok(())
}

fn names(records: &Records) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    let mut pages = records.pages("pad:", KEYS);
    while let Some(keys) = pages.next()? {
        let is_pad = |rest: &String| matches!(Key::parse(&format!("pad:{rest}")), Key::Pad(_));
        names.extend(keys.into_iter().filter(is_pad));
    }
    Ok(names)
}

/// A pad in the source.
pub(crate) struct Stored<'a> {
    records: &'a Records,
    pub name: &'a str,
    pub record: Json,
    /// Why a record could not be read, if the database itself failed.
    failure: RefCell<Option<Error>>,
}

/// A pad made of its records, or why that is impossible.
enum Assembled {
    Pad(Box<native::Pad>, Vec<Warning>),
    Unreadable(convert::Error),
}

impl<'a> Stored<'a> {
    fn chat(&self) -> Result<BTreeMap<u64, ChatMessage>, Error> {
        let mut chat = BTreeMap::new();
        for number in self.chat_numbers()? {
            let text = self
                .records
                .text(&format!("pad:{}:chat:{number}", self.name))?;
            if let Some(message) = text.as_deref().and_then(json) {
                chat.insert(number, native::chat_message(message));
            }
        }
        Ok(chat)
    }

    pub(crate) fn chat_numbers(&self) -> Result<Vec<u64>, Error> {
        self.records.numbers(&format!("pad:{}:chat:", self.name))
    }

    /// As [`native::assemble`], unless the database fails.
    fn read(&self) -> Result<Assembled, Error> {
        let chat = self.chat()?;
        let mut warnings = Vec::new();
        let source = native::Source {
            id: self.name.to_owned(),
            record: &self.record,
            revisions: self,
            chat,
            authorless: native::Authorless::Stays,
            longest: usize::MAX,
        };
        let pad = native::assemble(source, &mut warnings);
        match self.failure.take() {
            Some(error) => Err(error),
            None => Ok(match pad {
                Ok(pad) => Assembled::Pad(Box::new(pad), warnings),
                Err(error) => Assembled::Unreadable(error),
            }),
        }
    }

    fn note<T>(&self, result: Result<T, Error>) -> Option<T> {
        result
            .map_err(|error| self.failure.replace(Some(error)))
            .ok()
    }
}

impl RevisionSource for Stored<'_> {
    fn numbers(&self) -> Vec<u64> {
        let numbers = self.records.numbers(&format!("pad:{}:revs:", self.name));
        self.note(numbers).unwrap_or_default()
    }

    fn revision(&self, number: u64) -> Option<StoredRevision> {
        let key = format!("pad:{}:revs:{number}", self.name);
        let text = self.note(self.records.text(&key)).flatten()?;
        StoredRevision::read(&json(&text)?)
    }
}

async fn migrate_one(
    records: &Records,
    plan: Option<&Plan<'_>>,
    name: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let Some(text) = records.text(&format!("pad:{name}"))? else {
        return Ok(());
    };
    let Some((id, record)) = recognize(name, &text, report) else {
        return Ok(());
    };
    let source = Stored {
        records,
        name,
        record,
        failure: RefCell::new(None),
    };
    let Some(plan) = plan else {
        return rehearse(&source, report);
    };
    let side = Side::read(records, name)?;
    let mut prints = vec![
        Some(&*text),
        side.token.as_deref(),
        side.read_only.as_deref(),
    ];
    // Only where there is one, so that those of earlier releases are still the same.
    prints.extend(side.title.as_deref().map(Some));
    let print = fingerprint(&prints);
    if make_way(plan, &id, &source, &print, report).await? {
        bring(plan, &id, &source, (&side, print), report).await?;
    }
    Ok(())
}

/// The name and the record of a pad; `None` if it is none, or one that has to be left out.
fn recognize(name: &str, text: &str, report: &mut Report) -> Option<(PadId, Json)> {
    let Some(record) = json(text) else {
        leave_out(report, name, "its record is not JSON");
        return None;
    };
    if record.get("atext").is_none() {
        // Extensions put records there, too, such as the language of a text.
        let kind = name.rsplit_once(':').map_or(name, |(_, kind)| kind);
        let kind = format!("pad:…:{kind}");
        *report.plugin_records.entry(kind).or_default() += 1;
        return None;
    }
    let Some(id) = PadId::parse(name) else {
        leave_out(report, name, "no pad can have this name here");
        return None;
    };
    Some((id, record))
}

/// Whether a pad has to be brought: it is not here, or was removed to be replaced.
async fn make_way(
    plan: &Plan<'_>,
    id: &PadId,
    source: &Stored<'_>,
    print: &[u8],
    report: &mut Report,
) -> Result<bool, Error> {
    let Some(here) = plan.store.pad(id).await? else {
        return Ok(true);
    };
    let row = plan.ledger.get(&format!("pad:{}", source.name))?;
    let is_untouched = row.as_ref().is_some_and(|row| row.head == here.head);
    let is_current = row.is_some_and(|row| row.fingerprint == print);
    if !plan.follow || is_current {
        confirm(plan, &here, source, is_current && plan.follow, report).await?;
        return Ok(false);
    }
    if !is_untouched {
        let reason = "it was changed in both places; what is here stays as it is";
        report.add(source.name, Outcome::Different, reason);
        report.count_pad(Some(Outcome::Different));
        return Ok(false);
    }
    plan.store.delete_pad(here.key).await?;
    report.updated += 1;
    Ok(true)
}

async fn bring(
    plan: &Plan<'_>,
    id: &PadId,
    source: &Stored<'_>,
    (side, fingerprint): (&Side, Vec<u8>),
    report: &mut Report,
) -> Result<(), Error> {
    let name = source.name;
    let Some((mut pad, worst)) = read(source, report)? else {
        return Ok(());
    };
    let title = || side.title.as_deref().map(Text::from);
    pad.head.title = pad.head.title.or_else(title);
    let head = Rev(pad.revisions.len() as u64).minus(1);
    let row = Row { fingerprint, head };
    plan.ledger.put(&format!("pad:{name}"), &row)?;
    let origin = side.origin(&pad);
    let import = service::to_import(pad);
    plan.store.import_new(id, origin, import).await?;
    let Some(here) = plan.store.pad(id).await? else {
        leave_out(report, name, "it cannot be found after it was brought");
        return Ok(());
    };
    let difference = verify::compare(plan.store, &here, source, plan.verify).await?;
    source.failure.take().map_or(Ok(()), Err)?;
    let outcome = match difference {
        Some(difference) => {
            report.add(name, Outcome::Different, difference);
            Some(Outcome::Different)
        }
        None => worst,
    };
    report.count_pad(outcome);
    Ok(())
}

/// A pad that is here already: compared, and never changed.
async fn confirm(
    plan: &Plan<'_>,
    here: &PadRecord,
    source: &Stored<'_>,
    is_current: bool,
    report: &mut Report,
) -> Result<(), Error> {
    report.present += 1;
    let difference = if is_current {
        // Whatever was wrong with it was reported when it was brought.
        None
    } else {
        verify::compare(plan.store, here, source, plan.verify).await?
    };
    source.failure.take().map_or(Ok(()), Err)?;
    if let Some(difference) = &difference {
        let reason = format!("it was here already, and {difference}");
        report.add(source.name, Outcome::Different, reason);
    }
    report.count_pad(difference.map(|_| Outcome::Different));
    Ok(())
}

fn rehearse(source: &Stored<'_>, report: &mut Report) -> Result<(), Error> {
    if let Some((_, worst)) = read(source, report)? {
        report.count_pad(worst);
    }
    Ok(())
}

/// Reads a pad and counts what is in it; `None` if it has to be left out.
fn read(
    source: &Stored<'_>,
    report: &mut Report,
) -> Result<Option<(native::Pad, Option<Outcome>)>, Error> {
    let (pad, warnings) = match source.read()? {
        Assembled::Pad(pad, warnings) => (*pad, warnings),
        Assembled::Unreadable(error) => {
            leave_out(report, source.name, &error.to_string());
            return Ok(None);
        }
    };
    let mut worst = None;
    for warning in warnings {
        let outcome = if warning.is_loss() {
            Outcome::RepairedWithLoss
        } else {
            Outcome::Repaired
        };
        worst = worst.max(Some(outcome));
        report.add(source.name, outcome, warning);
    }
    for reason in bounds::exceeded(&pad) {
        let outcome = Outcome::RepairedWithLoss;
        worst = worst.max(Some(outcome));
        report.add(source.name, outcome, reason);
    }
    report.pads += 1;
    report.revisions += pad.revisions.len() as u64;
    report.messages += pad.chat.len() as u64;
    attributes::count(&pad.head, report);
    Ok(Some((pad, worst)))
}

fn leave_out(report: &mut Report, name: &str, reason: &str) {
    report.leave_out(name, reason);
    report.count_pad(Some(Outcome::LeftOut));
}

/// Removes pads that were brought before and that the source no longer has.
async fn remove_others(
    plan: &Plan<'_>,
    names: &HashSet<&str>,
    report: &mut Report,
) -> Result<(), Error> {
    for key in plan.ledger.keys("pad:")? {
        let name = key.strip_prefix("pad:").unwrap_or_default();
        if names.contains(name) {
            continue;
        }
        let (row, id) = (plan.ledger.get(&key)?, PadId::parse(name));
        let here = match &id {
            Some(id) => plan.store.pad(id).await?,
            None => None,
        };
        if let (Some(row), Some(here)) = (row, here) {
            if row.head != here.head {
                let reason = "it is gone from the source, and was changed here; it stays";
                report.add(name, Outcome::Different, reason);
                continue;
            }
            plan.store.delete_pad(here.key).await?;
            report.removed += 1;
        }
        plan.ledger.forget(&key)?;
    }
    Ok(())
}

/// Records about a pad that are not among its own.
struct Side {
    token: Option<String>,
    read_only: Option<String>,
    /// Of ep_set_title_on_pad.
    title: Option<String>,
}

impl Side {
    fn read(records: &Records, name: &str) -> Result<Side, Error> {
        Ok(Side {
            token: records.text(&format!("pad:{name}:deletionToken"))?,
            read_only: records.string(&format!("pad2readonly:{name}"))?,
            title: records.string(&format!("title:{name}"))?,
        })
    }

    fn origin(&self, pad: &native::Pad) -> Origin {
        let first = pad.revisions.first();
        let deletion = self.token.as_deref().and_then(json);
        let deletion = deletion.and_then(|it| it.get("hash")?.to_str());
        let is_hash = |text: &String| {
            text.len() == HASH_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let settings = &pad.head.settings;
        Origin {
            created: timestamp(first.map_or(0, |first| first.timestamp)),
            creator: first.and_then(|first| AuthorId::parse(&first.author)),
            public: pad.head.public_status,
            settings: settings.is_object().then(|| settings.to_string()),
            read_only_id: self.read_only.as_deref().and_then(ReadOnlyId::parse),
            deletion: deletion
                .filter(is_hash)
                .map(|hash| TokenHash(hash.to_ascii_lowercase())),
        }
    }
}
