//! The records of a file, one by one.
//!
//! A record that lacks something less important than text gets a default; only what contradicts
//! itself is refused.

use std::collections::{BTreeMap, BTreeSet};

use changeset::{Attribute, Changeset, Document, Pool, Text, parse_ops};
use pad::limits::{AttributeBudget, check_attribute};
use wtf_json::Json;

use super::{Author, ChatMessage, Colour, PluginRecord, SavedRevision, author_id};
use crate::Error;

/// What a file holds, sorted by kind.
#[derive(Default)]
pub(super) struct Records {
    /// The pad that everything in the file has to belong to.
    id: Option<String>,
    pad: Option<Json>,
    pub revisions: BTreeMap<u64, StoredRevision>,
    pub chat: BTreeMap<u64, ChatMessage>,
    pub authors: Vec<Author>,
    pub others: Vec<(String, Json)>,
}

/// The revisions of a pad as they are stored. They are asked for in their order, so that a long
/// history need not be in memory.
pub trait RevisionSource {
    /// The numbers of those that are there, ascending.
    fn numbers(&self) -> Vec<u64>;

    /// `None` if it is not there or cannot be read.
    fn revision(&self, number: u64) -> Option<StoredRevision>;
}

impl RevisionSource for BTreeMap<u64, StoredRevision> {
    fn numbers(&self) -> Vec<u64> {
        self.keys().copied().collect()
    }

    fn revision(&self, number: u64) -> Option<StoredRevision> {
        self.get(&number).cloned()
    }
}

/// The record of a revision.
#[derive(Clone)]
pub struct StoredRevision {
    pub(super) changeset: Text,
    pub(super) author: String,
    pub(super) timestamp: Option<u64>,
    /// Every hundredth revision has it.
    pub(super) key: Option<KeyRevision>,
}

impl StoredRevision {
    pub fn read(json: &Json) -> Option<StoredRevision> {
        let meta = json.get("meta");
        let author = meta.and_then(|meta| string(meta, "author"));
        Some(StoredRevision {
            changeset: json.get("changeset")?.as_text()?.clone(),
            author: author.map(author_id).unwrap_or_default(),
            timestamp: meta.and_then(|meta| time(meta, "timestamp")),
            key: meta.and_then(key_revision),
        })
    }

    pub fn changeset(&self) -> &Text {
        &self.changeset
    }

    /// Empty if nobody is known.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// The text after it, if it is a key revision.
    pub fn text(&self) -> Option<Text> {
        self.key.as_ref().map(|key| key.document.text())
    }

    pub(super) fn used_attributes(&self) -> Vec<u32> {
        let change = Changeset::unpack_units(&self.changeset);
        let ops = change.map(|change| change.ops).unwrap_or_default();
        ops.iter().flat_map(|op| op.attribs.iter()).collect()
    }
}

/// The whole document after a revision, and the attributes that it refers to.
#[derive(Clone)]
pub(super) struct KeyRevision {
    pub document: Document,
    pub attributes: BTreeMap<u32, Attribute>,
}

/// What a database key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'a> {
    Pad(&'a str),
    Revision(&'a str, u64),
    Chat(&'a str, u64),
    /// A hash that is worth nothing anywhere else.
    DeletionToken(&'a str),
    Author(&'a str),
    Other,
}

impl Key<'_> {
    /// A pad's name may hold colons, so keys are read from their end.
    pub fn parse(key: &str) -> Key<'_> {
        if let Some(author) = key.strip_prefix("globalAuthor:") {
            return Key::Author(author);
        }
        let Some(rest) = key.strip_prefix("pad:") else {
            return Key::Other;
        };
        let numbered = |middle: &str| {
            let (pad, number) = rest.rsplit_once(middle)?;
            Some((pad, number.parse().ok()?))
        };
        if let Some((pad, number)) = numbered(":revs:") {
            Key::Revision(pad, number)
        } else if let Some((pad, number)) = numbered(":chat:") {
            Key::Chat(pad, number)
        } else if let Some(pad) = rest.strip_suffix(":deletionToken") {
            Key::DeletionToken(pad)
        } else {
            Key::Pad(rest)
        }
    }
}

impl Records {
    pub(super) fn add(&mut self, key: &str, value: Json) -> Result<(), Error> {
        match Key::parse(key) {
            Key::Pad(pad) => {
                self.belongs_to(pad)?;
                self.pad = Some(value);
            }
            Key::Revision(pad, number) => {
                self.belongs_to(pad)?;
                if let Some(revision) = StoredRevision::read(&value) {
                    self.revisions.insert(number, revision);
                }
            }
            Key::Chat(pad, number) => {
                self.belongs_to(pad)?;
                self.chat.insert(number, chat_message(value));
            }
            Key::DeletionToken(pad) => self.belongs_to(pad)?,
            Key::Author(id) => {
                match value.get("padIDs") {
                    None | Some(Json::Null) => {}
                    Some(Json::String(pad)) => self.belongs_to(&pad.to_string_lossy())?,
                    Some(_) => return Err(Error::NotAPad("an author has other pads in it")),
                }
                self.authors.push(author(id, &value));
            }
            Key::Other => self.others.push((key.to_owned(), value)),
        }
        Ok(())
    }

    /// The pad's id and record.
    pub(super) fn take_pad(&mut self) -> Result<(String, Json), Error> {
        let pad = self.id.take().zip(self.pad.take());
        pad.ok_or(Error::NotAPad("it has no record of one"))
    }

    fn belongs_to(&mut self, pad: &str) -> Result<(), Error> {
        match &self.id {
            Some(id) if id != pad => Err(Error::NotAPad("it names more than one")),
            Some(_) => Ok(()),
            None => {
                self.id = Some(pad.to_owned());
                Ok(())
            }
        }
    }
}

fn key_revision(meta: &Json) -> Option<KeyRevision> {
    Some(KeyRevision {
        document: document(meta.get("atext")?)?,
        attributes: meta.get("pool").and_then(attributes).unwrap_or_default(),
    })
}

/// A chat message as it is stored.
pub fn chat_message(json: Json) -> ChatMessage {
    const KNOWN: [&str; 5] = ["text", "time", "userId", "authorId", "userName"];
    let text = json.get("text").and_then(Json::as_text);
    let author = string(&json, "userId").or_else(|| string(&json, "authorId"));
    let mut message = ChatMessage {
        text: text.cloned().unwrap_or_default(),
        author: author.map(author_id),
        name: string(&json, "userName"),
        time: time(&json, "time").unwrap_or_default(),
        extra: Vec::new(),
    };
    if let Json::Object(members) = json {
        let is_known = |name: &Text| KNOWN.iter().any(|known| Text::from(*known) == *name);
        let extra = members.into_iter().filter(|(name, _)| !is_known(name));
        message.extra = extra.collect();
    }
    message
}

fn author(id: &str, json: &Json) -> Author {
    let colour = match json.get("colorId") {
        Some(Json::String(hex)) => Colour::Hex(hex.to_string_lossy()),
        Some(json) => {
            let index = json.as_u64().and_then(|index| u32::try_from(index).ok());
            Colour::Palette(index.unwrap_or_default())
        }
        None => Colour::Palette(0),
    };
    Author {
        id: author_id(id.to_owned()),
        name: string(json, "name"),
        colour,
        timestamp: time(json, "timestamp").unwrap_or_default(),
        last_seen: time(json, "lastSeen"),
    }
}

pub(super) fn saved_revision(json: &Json) -> Option<SavedRevision> {
    Some(SavedRevision {
        revision: json.get("revNum")?.as_u64()?,
        id: string(json, "id").unwrap_or_default(),
        saved_by: string(json, "savedById").map(author_id).unwrap_or_default(),
        label: json
            .get("label")
            .and_then(Json::as_text)
            .cloned()
            .unwrap_or_default(),
        timestamp: time(json, "timestamp").unwrap_or_default(),
    })
}

/// A record of an extension, if its key names the pad.
pub(super) fn plugin_record(key: &str, value: Json, pad: &str) -> Option<PluginRecord> {
    let (prefix, rest) = key.split_once(':')?;
    let rest = rest.strip_prefix(pad)?;
    (rest.is_empty() || rest.starts_with(':')).then(|| PluginRecord {
        prefix: prefix.to_owned(),
        rest: rest.to_owned(),
        value,
    })
}

/// A text with attributes as it is stored.
pub fn document(atext: &Json) -> Option<Document> {
    let attribution = parse_ops(&string(atext, "attribs")?).ok()?;
    Document::from_atext(atext.get("text")?.as_text()?, &attribution).ok()
}

/// Numbers from here on are not those of a real pool, and close to what a changeset can write.
const TOO_MANY_ATTRIBUTES: u64 = 1 << 30;

/// A pool as it is stored, and the numbers of attributes that are not in it because they are beyond
/// what a pad may have. What refers to those is repaired like any reference into a hole.
pub fn pool(json: &Json) -> Option<(Pool, BTreeSet<u32>)> {
    let next = json.get("nextNum").and_then(Json::as_u64).and_then(fitting);
    let mut entries = attributes(json)?;
    let left_out = leave_out_excess(&mut entries);
    let pool = Pool::from_entries(entries, next.unwrap_or_default());
    Some((pool, left_out))
}

/// Takes out what is beyond the bounds of a pad.
pub(super) fn leave_out_excess(entries: &mut BTreeMap<u32, Attribute>) -> BTreeSet<u32> {
    let mut room = AttributeBudget::default();
    let mut fits = |attribute| check_attribute(attribute).is_ok() && room.take(attribute).is_ok();
    let left_out = entries.iter().filter(|(_, attribute)| !fits(attribute));
    let left_out: BTreeSet<u32> = left_out.map(|(number, _)| *number).collect();
    entries.retain(|number, _| !left_out.contains(number));
    left_out
}

fn fitting(number: u64) -> Option<u32> {
    let fits = number < TOO_MANY_ATTRIBUTES;
    fits.then(|| u32::try_from(number).ok()).flatten()
}

/// Of a number that is there twice, as "1" and "01" or as it is, the last one counts.
fn attributes(pool: &Json) -> Option<BTreeMap<u32, Attribute>> {
    let members = pool.get("numToAttrib")?.as_object()?;
    let entries = members.iter().filter_map(|(number, pair)| {
        let number = number.to_string_lossy().parse().ok().and_then(fitting)?;
        Some((number, attribute(pair)?))
    });
    Some(entries.collect())
}

fn attribute(pair: &Json) -> Option<Attribute> {
    let [key, value] = pair.as_array()? else {
        return None;
    };
    let mut attribute = Attribute::new(key.to_str()?, attribute_value(value));
    if attribute.key == "author" {
        attribute.value = author_id(attribute.value);
    }
    Some(attribute)
}

/// Values are strings. Others are what JavaScript makes of them.
fn attribute_value(json: &Json) -> String {
    match json {
        Json::String(text) => text.to_string_lossy(),
        Json::Number(number) if number.as_f64() != Some(0.0) => number.to_string(),
        Json::Bool(true) => "true".to_owned(),
        _ => String::new(),
    }
}

fn string(json: &Json, name: &str) -> Option<String> {
    json.get(name)?.to_str()
}

/// A point in time. Some programs write it as a string.
fn time(json: &Json, name: &str) -> Option<u64> {
    match json.get(name)? {
        Json::String(digits) => digits.to_string_lossy().parse().ok(),
        Json::Number(number) => {
            let millis = number.as_f64().filter(|millis| *millis >= 0.0);
            number.as_u64().or(millis.map(|millis| millis as u64))
        }
        _ => None,
    }
}
