//! Live pads by their number in the store, without keeping them alive.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

use pad::PadId;
use store::PadKey;
use tokio::sync::{mpsc, watch};

use crate::live::{Command, LivePad, Published, Shared};

/// A live pad that may be gone.
#[derive(Clone, Debug)]
pub(crate) struct WeakPad {
    id: PadId,
    key: PadKey,
    mailbox: mpsc::WeakSender<Command>,
    published: watch::Receiver<Published>,
    shared: Weak<Shared>,
}

impl WeakPad {
    pub(crate) fn upgrade(&self) -> Option<LivePad> {
        Some(LivePad {
            id: self.id.clone(),
            key: self.key,
            mailbox: self.mailbox.upgrade()?,
            published: self.published.clone(),
            shared: self.shared.upgrade()?,
        })
    }
}

impl LivePad {
    pub(crate) fn downgrade(&self) -> WeakPad {
        WeakPad {
            id: self.id.clone(),
            key: self.key,
            mailbox: self.mailbox.downgrade(),
            published: self.published.clone(),
            shared: std::sync::Arc::downgrade(&self.shared),
        }
    }
}

/// The live pads of a node. Looking one up never waits for those who open or delete it.
#[derive(Debug, Default)]
pub(super) struct Handles(Mutex<BTreeMap<PadKey, WeakPad>>);

impl Handles {
    pub(super) fn add(&self, pad: &LivePad) {
        self.lock().insert(pad.key, pad.downgrade());
    }

    pub(super) fn find(&self, key: PadKey) -> Option<LivePad> {
        let pad = self.lock().get(&key)?.upgrade()?;
        (!pad.is_closed()).then_some(pad)
    }

    /// All that are live; forgets the others.
    pub(super) fn all(&self) -> Vec<LivePad> {
        let mut live = Vec::new();
        self.lock().retain(|_, pad| {
            let pad = pad.upgrade().filter(|pad| !pad.is_closed());
            let is_live = pad.is_some();
            live.extend(pad);
            is_live
        });
        live
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PadKey, WeakPad>> {
        // Nothing under this lock can panic halfway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
