//! Reading an `.etherpad` file.
//!
//! What a person would miss is kept: the stored text wins over a history that does not lead to it,
//! a revision that cannot be used does not cost the others. What is dealt with so is a [`Warning`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use changeset::{Attribute, Pool};
use serde_json::Value;
use wtf_json::{Json, entries};

use super::history::{History, gap_label};
use super::records::{
    Records, RevisionSource, document, leave_out_excess, plugin_record, pool, saved_revision,
};
use super::{ChatMessage, Head, LOST_ATTRIBUTE, Pad, SavedRevision, TITLE};
use crate::{Error, Limits};

/// Something in a file that is not as it should be, and that has been dealt with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Revisions, from the first to the last, that are missing or do not apply. They now change
    /// nothing; the last one is the system author's and is marked.
    Gap(u64, u64),
    /// Most revisions are missing; one revision with the last text stands for all of them.
    HistoryLost(u64),
    /// So many attributes are missing in the pool; placeholders stand for them.
    LostAttributes(u64),
    /// So many revisions come after the last one that the pad knows of; they are left out.
    RevisionsBeyondHead(u64),
    /// The history does not lead to the stored text. A last revision now does.
    HeadDiffers,
    /// The stored text cannot be read; the one that the history leads to is taken.
    HeadUnreadable,
    /// So many chat messages have no record.
    MissingChat(u64),
    /// A saved revision is not one of the pad's; it is left out.
    UnusableSavedRevision,
    /// So many attributes are too long, or too many; the text has gone without them.
    AttributesLeftOut(u64),
    /// A record that does not belong to the pad; it is left out.
    ForeignRecord(String),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Gap(first, last) => f.write_str(&gap_label(*first, *last)),
            Warning::HistoryLost(count) => write!(
                f,
                "only {count} revisions are left of the history; the text alone was kept"
            ),
            Warning::LostAttributes(count) => {
                write!(f, "{count} attributes are missing in the pool")
            }
            Warning::RevisionsBeyondHead(count) => {
                write!(f, "{count} revisions after the last one were left out")
            }
            Warning::HeadDiffers => {
                f.write_str("the history did not lead to the text; a revision was added")
            }
            Warning::HeadUnreadable => {
                f.write_str("the text cannot be read; it was taken from the history")
            }
            Warning::MissingChat(count) => write!(f, "{count} chat messages are missing"),
            Warning::UnusableSavedRevision => f.write_str("a saved revision was left out"),
            Warning::AttributesLeftOut(count) => write!(
                f,
                "{count} attributes were left out because they are too long or too many"
            ),
            Warning::ForeignRecord(key) => write!(f, "the record {key} was left out"),
        }
    }
}

impl Warning {
    /// Whether something that people could see or read is gone.
    pub fn is_loss(&self) -> bool {
        match self {
            Warning::Gap(..)
            | Warning::HistoryLost(_)
            | Warning::LostAttributes(_)
            | Warning::HeadUnreadable
            | Warning::UnusableSavedRevision
            | Warning::AttributesLeftOut(_)
            | Warning::ForeignRecord(_) => true,
            Warning::RevisionsBeyondHead(_) | Warning::HeadDiffers | Warning::MissingChat(_) => {
                false
            }
        }
    }
}

/// Reads a pad, however large, and says what was wrong with the file.
pub fn read(file: &[u8]) -> Result<(Pad, Vec<Warning>), Error> {
    let unbounded = Limits {
        text: usize::MAX,
        records: usize::MAX,
        ..Limits::default()
    };
    read_within(file, &unbounded)
}

/// Reads a pad that has at most so much text and so many records.
pub fn read_within(file: &[u8], limits: &Limits) -> Result<(Pad, Vec<Warning>), Error> {
    let mut records = Records::default();
    for (count, entry) in entries(file)?.enumerate() {
        let (key, value) = entry?;
        if count >= limits.records {
            return Err(Error::TooComplex);
        }
        // Deleted records may remain as null.
        if !value.is_null() {
            records.add(&key.to_string_lossy(), value)?;
        }
    }
    let mut warnings = Vec::new();
    let pad = into_pad(records, limits.text, &mut warnings)?;
    Ok((pad, warnings))
}

fn into_pad(
    mut records: Records,
    longest: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Pad, Error> {
    let (id, record) = records.take_pad()?;
    let source = Source {
        id,
        record: &record,
        revisions: &records.revisions,
        chat: records.chat,
        authorless: Authorless::BecomesSystem,
        longest,
    };
    let mut pad = assemble(source, warnings)?;
    pad.authors = records.authors;
    for (key, value) in records.others {
        match plugin_record(&key, value, &pad.head.id) {
            // As ep_set_title_on_pad keeps it.
            Some(record) if record.prefix == "title" && record.rest.is_empty() => {
                let title = record.value.as_text().cloned();
                pad.head.title = pad.head.title.or(title);
            }
            Some(record) => pad.records.push(record),
            None => warnings.push(Warning::ForeignRecord(key)),
        }
    }
    Ok(pad)
}

/// What a pad is made of.
pub struct Source<'a> {
    pub id: String,
    pub record: &'a Json,
    pub revisions: &'a dyn RevisionSource,
    pub chat: BTreeMap<u64, ChatMessage>,
    pub authorless: Authorless,
    /// How long the text may be at any time.
    pub longest: usize,
}

/// What becomes of inserted text that has no author, as older versions have written it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authorless {
    /// It is the system author's, as Etherpad has it when it imports a file.
    BecomesSystem,
    /// It stays, as Etherpad has it in its own database.
    Stays,
}

/// Makes a pad of its record, its revisions and its chat, and says what was wrong with them. It
/// comes without authors and without records of extensions.
pub fn assemble(source: Source<'_>, warnings: &mut Vec<Warning>) -> Result<Pad, Error> {
    let Source {
        id,
        record,
        revisions,
        chat,
        authorless,
        longest,
    } = source;
    let pool = whole_pool(record, revisions, warnings)?;
    let mut history = History::new(pool, authorless);
    history.play(
        revisions,
        record.get("head").and_then(Json::as_u64),
        longest,
    )?;
    history.lead_to(record.get("atext").and_then(document))?;
    let played = history.finish(warnings);
    let mut saved = saved_revisions(record, played.revisions.len(), warnings);
    for mark in played.marks {
        if saved.iter().all(|other| other.revision != mark.revision) {
            saved.push(mark);
        }
    }
    let chat_head = record.get("chatHead").and_then(Json::as_u64);
    let missing = missing_chat(&chat, chat_head);
    if missing > 0 {
        warnings.push(Warning::MissingChat(missing));
    }
    let settings = record.get("padSettings").map(Json::to_value);
    Ok(Pad {
        head: Head {
            saved_revisions: saved,
            public_status: record.get("publicStatus").and_then(Json::as_bool) == Some(true),
            settings: settings.unwrap_or(Value::Null),
            title: record.get(TITLE).and_then(Json::as_text).cloned(),
            document: played.document,
            pool: played.pool,
            id,
        },
        authors: Vec::new(),
        revisions: played.revisions,
        chat: chat.into_values().collect(),
        records: Vec::new(),
    })
}

/// The pool of the pad. What is missing in it is taken from the key revisions, which have pools of
/// their own; what is in none of them gets a placeholder, so that what refers to it stays.
fn whole_pool(
    record: &Json,
    revisions: &dyn RevisionSource,
    warnings: &mut Vec<Warning>,
) -> Result<Pool, Error> {
    let pool = record.get("pool").and_then(pool);
    let (pool, left_out) = pool.ok_or(Error::NotAPad("its pool cannot be read"))?;
    if !left_out.is_empty() {
        warnings.push(Warning::AttributesLeftOut(left_out.len() as u64));
    }
    let next = pool.next_number();
    if (pool.len() + left_out.len()) as u64 == u64::from(next) {
        return Ok(pool);
    }
    let is_hole = |number: u32| number < next && !left_out.contains(&number);
    let mut entries: BTreeMap<u32, Attribute> = pool
        .entries()
        .map(|(number, attribute)| (number, attribute.clone()))
        .collect();
    let mut used = BTreeSet::new();
    for number in revisions.numbers() {
        let Some(revision) = revisions.revision(number) else {
            continue;
        };
        used.extend(revision.used_attributes());
        for (number, attribute) in revision.key.into_iter().flat_map(|key| key.attributes) {
            if is_hole(number) {
                entries.entry(number).or_insert(attribute);
            }
        }
    }
    let lost: Vec<u32> = used
        .into_iter()
        .filter(|number| is_hole(*number) && !entries.contains_key(number))
        .collect();
    if !lost.is_empty() {
        warnings.push(Warning::LostAttributes(lost.len() as u64));
    }
    for number in lost {
        let key = format!("{LOST_ATTRIBUTE}{number}");
        entries.insert(number, Attribute::new(key, "true"));
    }
    leave_out_excess(&mut entries);
    Ok(Pool::from_entries(entries, next))
}

/// Saved revisions, less those that the pad does not have.
fn saved_revisions(
    record: &Json,
    revisions: usize,
    warnings: &mut Vec<Warning>,
) -> Vec<SavedRevision> {
    let stored = record.get("savedRevisions").and_then(Json::as_array);
    let mut saved = Vec::new();
    for json in stored.unwrap_or_default() {
        match saved_revision(json).filter(|saved| saved.revision < revisions as u64) {
            Some(revision) => saved.push(revision),
            None => warnings.push(Warning::UnusableSavedRevision),
        }
    }
    saved
}

/// How many chat messages up to the last one have no record.
fn missing_chat(chat: &BTreeMap<u64, ChatMessage>, head: Option<u64>) -> u64 {
    let last = head.or(chat.last_key_value().map(|(&last, _)| last));
    last.map_or(0, |last| {
        let expected = last.saturating_add(1);
        expected.saturating_sub(chat.len() as u64)
    })
}
