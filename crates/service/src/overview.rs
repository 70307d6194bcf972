//! Overview of the whole service for operators.

use std::collections::HashMap;
use std::sync::Arc;

use pad::PadId;

use crate::Service;
use crate::live::Event;

impl Service {
    /// The pads that somebody is in, and how many connections each has.
    pub async fn occupied_pads(&self) -> HashMap<PadId, usize> {
        let pads = self.live.pads().await.into_iter();
        let counted = pads.map(|pad| (pad.id.clone(), pad.roster().len()));
        counted.filter(|(_, members)| *members > 0).collect()
    }

    /// Tells everybody who is in a pad something, and how many that are.
    pub async fn say_to_all(&self, text: &str, sticky: bool) -> usize {
        let (text, time) = (Arc::from(text), self.now());
        let mut people = 0;
        for pad in self.live.pads().await {
            people += pad.roster().len();
            let text = Arc::clone(&text);
            pad.tell(Event::Announcement { text, sticky, time });
        }
        people
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
