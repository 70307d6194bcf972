//! Notes of other nodes: what they have changed besides texts.

use std::collections::BTreeSet;
use std::sync::Arc;

use contract::Error;
use pad::{AuthorId, Timestamp};
use store::{Note, NoteRecord, PadKey, Store};

use crate::Service;
use crate::api::with_names;
use crate::cluster::messages::Message;
use crate::erasure::evict;
use crate::limits::LONGEST_SILENCE;
use crate::live::{Ending, Event, LivePad};
use crate::members::{deny, is_uninvited};

/// Which notes this node has handled.
#[derive(Debug, Default)]
pub(super) struct HandledNotes {
    /// `None`: nothing was read yet.
    last: Option<i64>,
    /// Those of the last seconds.
    numbers: BTreeSet<i64>,
    /// When all recent ones were read.
    looked: Option<Timestamp>,
}

impl HandledNotes {
    /// Notes that are not handled yet. Those from before the first call concern nobody here.
    pub(super) async fn read(
        &mut self,
        store: &Store,
        now: Timestamp,
        all_recent: bool,
    ) -> Result<Vec<NoteRecord>, Error> {
        let Some(last) = self.last else {
            let recent = store.recent_notes(now, 0).await?;
            self.looked = Some(now);
            self.numbers = recent.iter().map(|note| note.number).collect();
            self.last = Some(self.numbers.last().copied().unwrap_or(0));
            return Ok(Vec::new());
        };
        let mut notes = Vec::new();
        if all_recent {
            notes = store.recent_notes(now, self.silence(now)).await?;
            self.looked = Some(now);
            let first = notes.first().map_or(i64::MAX, |note| note.number);
            self.numbers.retain(|number| *number >= first);
        }
        notes.extend(store.notes_after(last).await?);
        notes.retain(|note| self.numbers.insert(note.number));
        let newest = self.numbers.last().copied().unwrap_or(0);
        self.last = Some(last.max(newest));
        Ok(notes)
    }

    /// Whether notes may be gone that this node has not seen: the store did not answer for long.
    pub(super) fn has_missed(&self, now: Timestamp) -> bool {
        self.silence(now) > LONGEST_SILENCE
    }

    /// Milliseconds since all recent notes were read.
    fn silence(&self, now: Timestamp) -> i64 {
        let looked = self.looked.unwrap_or(now);
        now.millis().saturating_sub(looked.millis())
    }

    /// Handles a note again with the next look.
    pub(super) fn forget(&mut self, number: i64) {
        self.numbers.remove(&number);
    }
}

impl Service {
    /// Does here what another node has done there.
    pub(super) async fn handle_note(&self, note: &Note) -> Result<(), Error> {
        match note {
            Note::Presence(key) => match self.live.by_key(*key) {
                Some(pad) => self.sync_presence(&pad).await,
                None => Ok(()),
            },
            Note::Chat(key, number) => self.deliver_chat(*key, *number).await,
            Note::Saved(key, rev) => {
                let Some(pad) = self.live.by_key(*key) else {
                    return Ok(());
                };
                let saved = self.store.saved_revisions(*key).await?;
                if let Some(saved) = saved.into_iter().find(|saved| saved.rev == *rev) {
                    pad.tell(Event::Saved(Arc::new(saved)));
                }
                Ok(())
            }
            Note::SavedNamed(key, rev) => match self.live.by_key(*key) {
                Some(pad) => pad.deliver_saved_name(&self.store, *rev).await,
                None => Ok(()),
            },
            Note::Title(key) => {
                if let Some(pad) = self.live.by_key(*key) {
                    pad.read_title().await;
                }
                Ok(())
            }
            Note::Options(key, body) | Note::Message(Some(key), body) => {
                if let (Some(pad), Some(event)) = (self.live.by_key(*key), Message::event(body)) {
                    pad.tell(event);
                }
                Ok(())
            }
            Note::Message(None, body) => {
                if let Some(event) = Message::event(body) {
                    let pads = self.live.handles();
                    pads.iter().for_each(|pad| pad.tell(event.clone()));
                }
                Ok(())
            }
            Note::Gone(key) => self.end_live(*key, Ending::Gone).await,
            Note::Replaced(key) => self.end_live(*key, Ending::Replaced).await,
            Note::Closed(key) => {
                if let Some(pad) = self.live.by_key(*key) {
                    deny(&pad, is_uninvited);
                }
                Ok(())
            }
            Note::Author(author) => self.handle_author(author).await,
            Note::SessionEnded(hash) => {
                for pad in self.live.handles() {
                    deny(&pad, |presence| {
                        let session = presence.session.as_ref();
                        session.is_some_and(|session| store::session_hash(session) == *hash)
                    });
                }
                Ok(())
            }
        }
    }

    async fn end_live(&self, key: PadKey, ending: Ending) -> Result<(), Error> {
        if let Some(pad) = self.live.by_key(key) {
            pad.stop(ending).await;
        }
        Ok(())
    }

    async fn deliver_chat(&self, key: PadKey, number: u64) -> Result<(), Error> {
        let Some(pad) = self.live.by_key(key) else {
            return Ok(());
        };
        let messages = self
            .store
            .chat(key, number..number.saturating_add(1))
            .await?;
        let messages = messages.into_iter().map(|(_, message)| message).collect();
        for mut entry in with_names(&self.store, messages).await? {
            entry.number = Some(number);
            pad.tell(Event::Chat(Arc::new(entry)));
        }
        Ok(())
    }

    /// An author has another name or colour, or is erased.
    async fn handle_author(&self, id: &AuthorId) -> Result<(), Error> {
        let is_there = |pad: &LivePad| pad.roster().has_author(id);
        let pads: Vec<_> = self.live.handles().into_iter().filter(is_there).collect();
        if pads.is_empty() {
            return Ok(());
        }
        let Some(author) = self.store.author(id).await? else {
            return Ok(());
        };
        for pad in pads {
            if author.is_erased() {
                evict(&pad, id);
                continue;
            }
            if let Some(presence) = pad.roster().relabel(&author) {
                pad.tell(Event::Info { presence });
            }
        }
        Ok(())
    }
}
