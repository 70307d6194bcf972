//! The queues of a channel: hints to be sent, and messages that were received. Both are bounded,
//! and nobody waits to put something into them.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::{Mutex, Notify, mpsc};

use crate::limits::{HINT_MESSAGES_WAITING, HINTS_WAITING};
use crate::{Hint, HintCounts, ReceivedHint};

#[derive(Default)]
pub(super) struct Counters {
    pub sent: AtomicU64,
    pub messages_sent: AtomicU64,
    pub bytes_sent: AtomicU64,
    pub received: AtomicU64,
    pub dropped: AtomicU64,
    pub missed: AtomicU64,
    pub refused: AtomicU64,
    pub disconnects: AtomicU64,
}

pub(super) fn count(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Ordering::Relaxed);
}

impl Counters {
    pub(super) fn read(&self) -> HintCounts {
        let value = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        HintCounts {
            sent: value(&self.sent),
            messages_sent: value(&self.messages_sent),
            bytes_sent: value(&self.bytes_sent),
            received: value(&self.received),
            dropped: value(&self.dropped),
            missed: value(&self.missed),
            refused: value(&self.refused),
            disconnects: value(&self.disconnects),
        }
    }
}

/// Set when a hint was dropped, taken when the next ones are sent.
#[derive(Default)]
pub(super) struct Overflow(AtomicBool);

impl Overflow {
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub(super) fn take(&self) -> bool {
        self.0.swap(false, Ordering::AcqRel)
    }
}

pub(super) fn outgoing() -> (mpsc::Sender<Hint>, mpsc::Receiver<Hint>) {
    mpsc::channel(HINTS_WAITING)
}

/// Leaves out what a later hint makes needless: of each window only the last caret counts, and
/// looking once is enough.
pub(super) fn newest_only(hints: Vec<Hint>) -> Vec<Hint> {
    let (mut carets, mut looks) = (HashSet::new(), false);
    let mut kept: Vec<Hint> = Vec::with_capacity(hints.len());
    for hint in hints.into_iter().rev() {
        let is_last = match &hint {
            Hint::Look => !std::mem::replace(&mut looks, true),
            Hint::Revision(_) => true,
            Hint::Caret(caret) => carets.insert((caret.pad, caret.author.clone(), caret.window)),
            Hint::CaretGone { pad, author } => carets.insert((*pad, author.clone(), 0)),
        };
        if is_last {
            kept.push(hint);
        }
    }
    kept.reverse();
    kept
}

/// Received messages.
pub(super) struct Inbox {
    sender: mpsc::Sender<Vec<ReceivedHint>>,
    receiver: Mutex<mpsc::Receiver<Vec<ReceivedHint>>>,
    missed: Notify,
}

impl Default for Inbox {
    fn default() -> Inbox {
        let (sender, receiver) = mpsc::channel(HINT_MESSAGES_WAITING);
        Inbox {
            sender,
            receiver: Mutex::new(receiver),
            missed: Notify::new(),
        }
    }
}

impl Inbox {
    pub(super) fn put(&self, hints: Vec<ReceivedHint>, counters: &Counters) {
        let size = hints.len();
        match self.sender.try_send(hints) {
            Ok(()) => count(&counters.received, size),
            Err(_) => {
                count(&counters.missed, 1);
                self.miss();
            }
        }
    }

    pub(super) fn miss(&self) {
        self.missed.notify_one();
    }

    pub(super) async fn next(&self) -> Vec<ReceivedHint> {
        let mut messages = self.receiver.lock().await;
        tokio::select! {
            biased;
            () = self.missed.notified() => vec![ReceivedHint::Missed],
            // The sender is here, so there is always one.
            hints = messages.recv() => hints.unwrap_or_default(),
        }
    }
}
