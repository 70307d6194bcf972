//! Overview of the whole service for operators.

use std::collections::HashMap;
use std::sync::Arc;

use contract::Error;
use pad::PadId;
use store::Note;

use crate::Service;
use crate::cluster::Message;
use crate::live::Event;

impl Service {
    /// The pads that somebody is in, on any node, and how many connections each has.
    pub async fn occupied_pads(&self) -> HashMap<PadId, usize> {
        if self.cluster.is_some()
            && let Ok(occupied) = self.store.occupied().await
        {
            let counted = occupied.into_iter();
            return counted
                .map(|(pad, members)| (pad, members as usize))
                .collect();
        }
        let pads = self.live.pads().await.into_iter();
        let counted = pads.map(|pad| (pad.id.clone(), pad.roster().len()));
        counted.filter(|(_, members)| *members > 0).collect()
    }

    /// Tells everybody who is in a pad something, and how many that are.
    pub async fn say_to_all(&self, text: &str, sticky: bool) -> usize {
        let (text, time) = (Arc::from(text), self.now());
        if self.cluster.is_some() {
            let note = Note::Message(None, Message::announcement(&text, sticky, time));
            if let Err(error) = self.store.leave_note(note, time).await {
                tracing::error!(%error, "an announcement does not reach other nodes");
            }
        }
        let mut people = 0;
        for pad in self.live.pads().await {
            people += pad.roster().len();
            let text = Arc::clone(&text);
            pad.tell(Event::Announcement { text, sticky, time });
        }
        people
    }

    /// Shows a notice to everybody who is in one pad.
    pub async fn show_notice(&self, pad: &PadId, text: &str) -> Result<(), Error> {
        let (live, time, sticky) = (self.open(pad).await?, self.now(), false);
        if self.cluster.is_some() {
            let message = Message::announcement(text, sticky, time);
            let note = Note::Message(Some(live.key), message);
            self.store.leave_note(note, time).await?;
        }
        let text = text.into();
        live.tell(Event::Announcement { text, sticky, time });
        Ok(())
    }

    /// Tells the pages of this node that parts which are not ours have changed.
    pub async fn announce_page_parts(&self, parts: impl Fn(&PadId) -> serde_json::Value) {
        for pad in self.live.pads().await {
            pad.tell(Event::PageParts(Arc::new(parts(&pad.id))));
        }
    }

    /// Whether histories may be compacted.
    pub fn compacts(&self) -> bool {
        self.config.compaction
    }

    /// Whether authors' personal data may be erased.
    pub fn erases(&self) -> bool {
        self.config.erasure
    }
}
