//! `.etherpad` files: one pad with its whole history, as JSON.
//!
//! The file is one object whose members are database records: the pad, its authors, its revisions,
//! its chat. Writing goes record by record, so that a long history need not be in memory. Reading
//! takes what old and repaired databases contain, and gives back a pad that is sound: every
//! revision is canonical and applies to the one before it, and the last one gives the head.

mod atext;

mod write;

mod history;

mod records;

mod replay;

mod read;

use changeset::{Changeset, Document, Pool, Text};
use serde_json::Value;
use wtf_json::{Json, Object};

pub use read::{Authorless, Source, Warning, assemble, read, read_within};
pub use records::{Key, RevisionSource, StoredRevision, chat_message, document, pool};
pub use write::{Counts, Writer, write};

/// Who stands for text that nobody wrote. In files of the other program it has another name.
pub const SYSTEM_AUTHOR: &str = "a.padsvc-system";

/// What the keys of attributes begin with that stand for lost ones; their numbers follow.
pub const LOST_ATTRIBUTE: &str = "lost-attribute-";

/// The member of a pad's record that has its title. Etherpad keeps members that it does not know.
const TITLE: &str = "padTitle";

#[derive(Clone, Debug, PartialEq)]
pub struct Pad {
    pub head: Head,
    pub authors: Vec<Author>,
    /// The first one changes a document that is a single newline.
    pub revisions: Vec<Revision>,
    pub chat: Vec<ChatMessage>,
    pub records: Vec<PluginRecord>,
}

/// What is true of a pad now.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The name of the pad, or the read-only one it was exported by.
    pub id: String,
    pub document: Document,
    pub pool: Pool,
    pub saved_revisions: Vec<SavedRevision>,
    pub public_status: bool,
    /// The options of the pad as they are stored; null if it has none.
    pub settings: Value,
    /// What the pad is called, apart from its address.
    pub title: Option<Text>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    pub changeset: Changeset,
    /// Empty if nobody is known.
    pub author: String,
    /// Unix milliseconds, as all times here.
    pub timestamp: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedRevision {
    pub id: String,
    pub revision: u64,
    pub saved_by: String,
    pub label: Text,
    pub timestamp: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatMessage {
    pub text: Text,
    pub author: Option<String>,
    /// The author's name at the time of export.
    pub name: Option<String>,
    pub time: u64,
    /// Members that an extension added.
    pub extra: Object,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    pub id: String,
    pub name: Option<String>,
    pub colour: Colour,
    pub timestamp: u64,
    pub last_seen: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Colour {
    /// A place in the palette.
    Palette(u32),
    /// As CSS writes it.
    Hex(String),
}

/// What an extension stores with a pad, under `prefix:`, the pad's id, and `rest`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginRecord {
    pub prefix: String,
    pub rest: String,
    pub value: Json,
}

/// An author's id as we know it: the author that stands for nobody has another name elsewhere.
fn author_id(id: String) -> String {
    match &*id {
        "a.etherpad-system" => SYSTEM_AUTHOR.to_owned(),
        _ => id,
    }
}
