//! Reading an `.etherpad` file.
//!
//! What a person would miss is kept: the stored text wins over a history that does not lead to it,
//! a revision that cannot be used does not cost the others. What is dealt with so is a [`Warning`].

use std::collections::BTreeMap;
use std::fmt;

use changeset::{Changeset, Document, NEWLINE};
use serde_json::Value;

use super::records::{Records, StoredRevision, document, plugin_record, pool, saved_revision};
use super::replay::Replay;
use super::{ChatMessage, Head, Pad, Revision, SYSTEM_AUTHOR, SavedRevision};
use crate::wtf_json::{Json, entries};
use crate::{Error, Limits};

/// Something in a file that is not as it should be, and that has been dealt with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The file has no record of this revision; it is now one that changes nothing.
    MissingRevision(u64),
    /// This revision does not fit the text before it; it is now one that changes nothing.
    UnusableRevision(u64),
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
            Warning::MissingRevision(number) => write!(f, "revision {number} is missing"),
            Warning::UnusableRevision(number) => write!(f, "revision {number} cannot be applied"),
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
    let pool = record.get("pool").and_then(pool);
    let (pool, left_out) = pool.ok_or(Error::NotAPad("its pool cannot be read"))?;
    if left_out > 0 {
        warnings.push(Warning::AttributesLeftOut(left_out));
    }
    let mut history = History {
        replay: Replay::new(pool),
        revisions: Vec::new(),
        longest,
        warnings,
    };
    history.play(records.revisions, record.get("head").and_then(Json::as_u64))?;
    history.lead_to(record.get("atext").and_then(document))?;
    let History {
        replay, revisions, ..
    } = history;
    let head = Head {
        saved_revisions: saved_revisions(&record, revisions.len(), warnings),
        public_status: record.get("publicStatus").and_then(Json::as_bool) == Some(true),
        settings: record
            .get("padSettings")
            .map_or(Value::Null, Json::to_value),
        document: replay.document,
        pool: replay.pool,
        id,
    };
    let chat_head = record.get("chatHead").and_then(Json::as_u64);
    let missing = missing_chat(&records.chat, chat_head);
    if missing > 0 {
        warnings.push(Warning::MissingChat(missing));
    }
    let mut others = Vec::new();
    for (key, value) in records.others {
        match plugin_record(&key, value, &head.id) {
            Some(record) => others.push(record),
            None => warnings.push(Warning::ForeignRecord(key)),
        }
    }
    Ok(Pad {
        head,
        authors: records.authors,
        revisions,
        chat: records.chat.into_values().collect(),
        records: others,
    })
}

struct History<'a> {
    replay: Replay,
    revisions: Vec<Revision>,
    /// How long the text may be at any time.
    longest: usize,
    warnings: &'a mut Vec<Warning>,
}

impl History<'_> {
    /// Plays all revisions up to the one that the pad says is its last.
    fn play(
        &mut self,
        mut stored: BTreeMap<u64, StoredRevision>,
        head: Option<u64>,
    ) -> Result<(), Error> {
        if let Some(head) = head {
            let beyond = stored.split_off(&head.saturating_add(1));
            if !beyond.is_empty() {
                let count = beyond.len() as u64;
                self.warnings.push(Warning::RevisionsBeyondHead(count));
            }
        }
        let Some((&last, _)) = stored.last_key_value() else {
            return Ok(());
        };
        // Each missing one takes room. A file cannot ask for more of it than it is itself.
        if last / 2 > stored.len() as u64 {
            return Err(Error::NotAPad("most of its revisions are missing"));
        }
        for number in 0..=last {
            self.play_one(number, stored.remove(&number));
            if self.replay.document.len() > self.longest {
                return Err(Error::TextTooLong);
            }
        }
        if head.is_some_and(|head| head > last) {
            self.warnings.push(Warning::MissingRevision(last + 1));
        }
        Ok(())
    }

    fn play_one(&mut self, number: u64, stored: Option<StoredRevision>) {
        let identity = Changeset::identity(self.replay.document.len());
        let Some(stored) = stored else {
            self.warnings.push(Warning::MissingRevision(number));
            self.push(identity, String::new(), None);
            return;
        };
        let changeset = self.replay.play(&stored.changeset).unwrap_or_else(|_| {
            self.warnings.push(Warning::UnusableRevision(number));
            identity
        });
        self.push(changeset, stored.author, stored.timestamp);
    }

    fn push(&mut self, changeset: Changeset, author: String, timestamp: Option<u64>) {
        self.replay.know_author(&author);
        let before = self.revisions.last().map_or(0, |last| last.timestamp);
        self.revisions.push(Revision {
            changeset,
            author,
            timestamp: timestamp.unwrap_or(before),
        });
    }

    /// Adds a revision if the history does not lead to the stored text, or to none that can be a
    /// pad's.
    fn lead_to(&mut self, stored: Option<Document>) -> Result<(), Error> {
        let ends_well = |document: &Document| {
            let last = document.len().checked_sub(1);
            last.and_then(|last| document.unit_at(last)) == Some(NEWLINE)
        };
        let stored = stored.filter(ends_well);
        if stored.is_none() {
            if self.revisions.is_empty() {
                return Err(Error::NotAPad("it has neither text nor history"));
            }
            self.warnings.push(Warning::HeadUnreadable);
        }
        let correction = match stored {
            Some(stored) => self.replay.correct(&stored)?,
            None if !ends_well(&self.replay.document) => self.replay.end_line()?,
            None => None,
        };
        if let Some(changeset) = correction {
            self.warnings.push(Warning::HeadDiffers);
            self.push(changeset, SYSTEM_AUTHOR.to_owned(), None);
        } else if self.revisions.is_empty() {
            let changeset = Changeset::identity(self.replay.document.len());
            self.push(changeset, String::new(), None);
        }
        Ok(())
    }
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
