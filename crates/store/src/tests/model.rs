//! What a store should do, in the simplest way: everything in memory, nothing shared, nothing
//! packed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use changeset::Document;
use pad::{
    Author, AuthorId, ChatMessage, Colour, Erasure, GroupId, Head, PadId, ReadOnlyId, Rev,
    Revision, Session, Step, Timestamp, TokenHash,
};

use crate::{Appended, SavedRevision, Transfer};

/// The number of a pad. The model counts for itself.
pub(super) type Key = usize;

#[derive(Clone)]
pub(super) struct ModelPad {
    /// `None`: deleted.
    pub name: Option<PadId>,
    pub revisions: Vec<Revision>,
    /// The document after each revision.
    pub documents: Vec<Document>,
    pub head: Head,
    pub created: Timestamp,
    pub creator: Option<AuthorId>,
    pub chat: Vec<ChatMessage>,
    pub saved: BTreeMap<u64, SavedRevision>,
    pub public: bool,
    pub settings: Option<String>,
    pub read_only_id: Option<ReadOnlyId>,
    pub deletion: Option<TokenHash>,
}

#[derive(Default)]
pub(super) struct Model {
    pub pads: Vec<ModelPad>,
    pub authors: HashMap<AuthorId, Author>,
    pub mappers: HashMap<String, AuthorId>,
    pub tokens: HashMap<String, AuthorId>,
    pub groups: BTreeMap<GroupId, Vec<String>>,
    pub sessions: BTreeMap<pad::SessionId, Session>,
}

impl Model {
    pub(super) fn find(&self, name: &PadId) -> Option<Key> {
        let has_name = |pad: &ModelPad| pad.name.as_ref() == Some(name);
        self.pads.iter().position(has_name)
    }

    pub(super) fn alive(&self, key: Key) -> Option<&ModelPad> {
        self.pads.get(key).filter(|pad| pad.name.is_some())
    }

    pub(super) fn alive_mut(&mut self, key: Key) -> Option<&mut ModelPad> {
        self.pads.get_mut(key).filter(|pad| pad.name.is_some())
    }

    pub(super) fn names(&self) -> Vec<PadId> {
        let mut names: Vec<PadId> = self
            .pads
            .iter()
            .filter_map(|pad| pad.name.clone())
            .collect();
        names.sort();
        names
    }

    pub(super) fn create(&mut self, name: &PadId, step: &Step) -> Option<Key> {
        if self.find(name).is_some() {
            return None;
        }
        let first = step.revisions.first().unwrap();
        let mut pad = ModelPad {
            name: Some(name.clone()),
            revisions: Vec::new(),
            documents: Vec::new(),
            head: Head::empty(),
            created: first.time,
            creator: first.author.clone(),
            chat: Vec::new(),
            saved: BTreeMap::new(),
            public: false,
            settings: None,
            read_only_id: None,
            deletion: None,
        };
        pad.add(step);
        self.pads.push(pad);
        Some(self.pads.len() - 1)
    }

    pub(super) fn append(&mut self, key: Key, before: &Head, step: &Step) -> Appended {
        match self.alive_mut(key) {
            Some(pad) if pad.head.rev == before.rev => {
                pad.add(step);
                Appended::Done
            }
            _ => Appended::Conflict,
        }
    }

    pub(super) fn delete(&mut self, key: Key) -> bool {
        match self.alive_mut(key) {
            Some(pad) => {
                pad.name = None;
                true
            }
            None => false,
        }
    }

    /// What a move or a copy would answer, if it cannot be done.
    fn hindrance(&self, key: Key, to: &PadId, replace: bool) -> Option<Transfer> {
        match (self.alive(key), self.find(to)) {
            (None, _) => Some(Transfer::SourceMissing),
            (_, Some(_)) if !replace => Some(Transfer::DestinationExists),
            _ => None,
        }
    }

    /// The key of the pad that has the name in the end, or why not.
    pub(super) fn rename(&mut self, key: Key, to: &PadId, replace: bool) -> Result<Key, Transfer> {
        if let Some(hindrance) = self.hindrance(key, to, replace) {
            return Err(hindrance);
        }
        if let Some(other) = self.find(to).filter(|other| *other != key) {
            self.delete(other);
        }
        self.pads[key].name = Some(to.clone());
        Ok(key)
    }

    pub(super) fn copy(
        &mut self,
        key: Key,
        to: &PadId,
        replace: bool,
        now: Timestamp,
    ) -> Result<Key, Transfer> {
        if let Some(hindrance) = self.hindrance(key, to, replace) {
            return Err(hindrance);
        }
        match self.find(to) {
            Some(other) if other == key => return Ok(key),
            Some(other) => drop(self.delete(other)),
            None => {}
        }
        let copy = ModelPad {
            name: Some(to.clone()),
            created: now,
            read_only_id: None,
            deletion: None,
            ..self.pads[key].clone()
        };
        self.pads.push(copy);
        Ok(self.pads.len() - 1)
    }

    pub(super) fn compact(&mut self, key: Key, keep: u64) -> Option<Key> {
        let pad = self.alive_mut(key)?;
        pad.saved.clear();
        let cut = pad.revisions.len().saturating_sub(keep as usize + 1);
        if cut == 0 {
            return Some(key);
        }
        let mut compacted = pad.clone();
        // Which change makes the base is the store's affair; the document is what counts.
        compacted.revisions.drain(..cut);
        compacted.documents.drain(..cut);
        compacted.head.rev = Some(Rev(compacted.revisions.len() as u64 - 1));
        compacted.revisions[0].author = None;
        pad.name = None;
        self.pads.push(compacted);
        Some(self.pads.len() - 1)
    }

    pub(super) fn erase(&mut self, id: &AuthorId, now: Timestamp, dry_run: bool) -> Erasure {
        let Some(author) = self.authors.get_mut(id) else {
            return Erasure::default();
        };
        let is_first = author.erased.is_none();
        let alive = self.pads.iter_mut().filter(|pad| pad.name.is_some());
        let mut erasure = Erasure::default();
        for pad in alive {
            let chats = pad
                .chat
                .iter()
                .any(|message| message.author.as_ref() == Some(id));
            let is_affected = if is_first {
                pad.authors().contains(id)
            } else {
                chats
            };
            erasure.affected_pads += u64::from(is_affected);
            for message in &mut pad.chat {
                if message.author.as_ref() == Some(id) {
                    erasure.cleared_chat_messages += 1;
                    if !dry_run {
                        message.author = None;
                    }
                }
            }
        }
        let count = |map: &HashMap<String, AuthorId>| map.values().filter(|a| *a == id).count();
        erasure.removed_token_mappings = count(&self.tokens) as u64;
        erasure.removed_external_mappings = count(&self.mappers) as u64;
        if !dry_run {
            self.tokens.retain(|_, author| author != id);
            self.mappers.retain(|_, author| author != id);
            author.name = None;
            author.colour = Colour::Palette(0);
            author.erased.get_or_insert(now);
        }
        erasure
    }

    pub(super) fn delete_group(&mut self, id: &GroupId) -> bool {
        if self.groups.remove(id).is_none() {
            return false;
        }
        self.sessions.retain(|_, session| session.group != *id);
        for pad in &mut self.pads {
            if pad.name.as_ref().and_then(PadId::group).as_ref() == Some(id) {
                pad.name = None;
            }
        }
        true
    }
}

impl ModelPad {
    fn add(&mut self, step: &Step) {
        for revision in &step.revisions {
            let mut before = self.head.clone();
            before.pool = Arc::clone(&step.head.pool);
            self.head = before.replay(revision).unwrap();
            self.revisions.push(revision.clone());
            self.documents.push(self.head.document.clone());
        }
    }

    pub(super) fn authors(&self) -> Vec<AuthorId> {
        let attributes = self.head.pool.entries().map(|(_, attribute)| attribute);
        let authors = attributes.filter(|attribute| attribute.key == "author");
        authors
            .filter_map(|author| AuthorId::parse(&author.value))
            .collect()
    }
}
