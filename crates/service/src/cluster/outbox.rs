//! Hints that wait to be sent: the newest state of each pad and caret, however often it changed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hints::{CaretHint, Hint, RevisionContent, RevisionHint};
use pad::AuthorId;
use store::PadKey;
use tokio::sync::Notify;

use crate::limits::{HINTED_ATTRIBUTES, HINTED_BYTES, HINTED_REVISIONS, OUTBOX};
use crate::live::{LivePad, WeakPad};

#[derive(Debug, Default)]
pub(crate) struct Outbox {
    /// Nobody would receive a hint, so none is prepared: that would cost each commit a wake-up. A
    /// node that starts says so in its first hint, and looks at the database before that.
    is_alone: AtomicBool,
    waiting: Mutex<Waiting>,
    written: Notify,
    moved: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    pads: BTreeMap<PadKey, WeakPad>,
    carets: BTreeMap<(PadKey, AuthorId, u32), CaretHint>,
}

impl Outbox {
    /// A pad has revisions that were made here.
    pub(crate) fn has_written(&self, pad: &LivePad) {
        if self.is_alone() {
            return;
        }
        let mut waiting = self.lock();
        if waiting.pads.len() < OUTBOX {
            waiting
                .pads
                .entry(pad.key)
                .or_insert_with(|| pad.downgrade());
        }
        drop(waiting);
        self.written.notify_one();
    }

    pub(crate) fn has_moved(&self, caret: CaretHint) {
        if self.is_alone() {
            return;
        }
        let mut waiting = self.lock();
        if waiting.carets.len() < OUTBOX {
            let key = (caret.pad, caret.author.clone(), caret.window);
            waiting.carets.insert(key, caret);
        }
        drop(waiting);
        self.moved.notify_one();
    }

    pub(super) fn is_alone(&self) -> bool {
        self.is_alone.load(Ordering::Relaxed)
    }

    /// Whether there are other nodes.
    pub(super) fn set_alone(&self, is_alone: bool) {
        self.is_alone.store(is_alone, Ordering::Relaxed);
    }

    /// Waits for revisions to send.
    pub(super) async fn wait_for_revisions(&self) {
        self.written.notified().await;
    }

    /// Waits for carets to send.
    pub(super) async fn wait_for_carets(&self) {
        self.moved.notified().await;
    }

    pub(super) fn take_revisions(&self) -> impl Iterator<Item = Hint> + use<> {
        let pads = std::mem::take(&mut self.lock().pads);
        let pads = pads.into_values().filter_map(|pad| pad.upgrade());
        pads.flat_map(|pad| revisions(&pad))
    }

    pub(super) fn take_carets(&self) -> impl Iterator<Item = Hint> + use<> {
        let carets = std::mem::take(&mut self.lock().carets);
        carets.into_values().map(Hint::Caret)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing under this lock can panic halfway.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What others should learn of a pad: its last revisions, or only that there are some.
fn revisions(pad: &LivePad) -> Vec<Hint> {
    let published = pad.published();
    let Some(newest) = published.head.rev else {
        return Vec::new();
    };
    let (hinted, known_attributes) = pad.hinted(newest, published.head.pool.next_number());
    if hinted >= newest {
        return Vec::new();
    }
    let hint = |rev, content| {
        let pad = pad.key;
        Hint::Revision(RevisionHint { pad, rev, content })
    };
    let attributes: Vec<_> = published
        .head
        .pool
        .entries_since(known_attributes)
        .take(HINTED_ATTRIBUTES + 1)
        .map(|(number, attribute)| (number, attribute.clone()))
        .collect();
    let is_near = newest.0 - hinted.0 <= HINTED_REVISIONS && attributes.len() <= HINTED_ATTRIBUTES;
    let Some(recent) = published.since(hinted.next()).filter(|_| is_near) else {
        return vec![hint(newest, None)];
    };
    // The attributes of all of them go with each: a node may have read the ones before it.
    let recent = recent.filter(|live| live.is_made_here);
    let with_content = recent.map(|live| {
        let change = &live.revision.change;
        let is_small = change.bank.len() + change.ops.len() < HINTED_BYTES;
        let content = is_small.then(|| RevisionContent {
            revision: live.revision.clone(),
            attributes: attributes.clone(),
        });
        hint(live.rev, content)
    });
    with_content.collect()
}
