//! Caret positions of the authors of a pad, one for each of their windows.
//!
//! Only the newest place of each window is kept, so there is nothing that could queue up: a member
//! that is slow to listen hears fewer of them, and the last one always. Changes are numbered, and a
//! listener remembers up to which number it has heard.

#![expect(clippy::disallowed_types, reason = "a pause between messages")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pad::{AuthorId, Rev};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::limits::{CARET_PAUSE, CARETS_AT_ONCE};
use crate::live::encoded::Encoded;

/// Where an author is in a window: between two units of the text at a revision.
#[derive(Debug)]
pub struct Caret {
    pub author: AuthorId,
    /// As [`MemberId::window`](crate::MemberId::window).
    pub window: u32,
    pub rev: Rev,
    pub position: u64,
    /// Where the selection began; the same as the position where nothing is selected.
    pub anchor: u64,
    pub encoded: Encoded,
}

type Newest = HashMap<(AuthorId, u32), (u64, Arc<Caret>)>;

#[derive(Debug)]
pub(crate) struct Carets {
    newest: Mutex<Newest>,
    changes: watch::Sender<u64>,
}

impl Default for Carets {
    fn default() -> Carets {
        Carets {
            newest: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }
}

impl Carets {
    pub(crate) fn put(&self, caret: Caret) {
        let mut newest = self.lock();
        let change = *self.changes.borrow() + 1;
        let key = (caret.author.clone(), caret.window);
        newest.insert(key, (change, Arc::new(caret)));
        self.changes.send_replace(change);
    }

    /// Others learn that an author is gone by other means.
    pub(crate) fn remove(&self, author: &AuthorId) {
        self.lock().retain(|(other, _), _| other != author);
    }

    /// Removes the caret of one window.
    pub(crate) fn remove_window(&self, author: &AuthorId, window: u32) {
        self.lock().remove(&(author.clone(), window));
    }

    /// The carets that changed after one change and not after another, the last one at the end: a
    /// client that knows no windows shows that one.
    fn between(&self, heard: u64, newest: u64) -> Vec<(u64, Arc<Caret>)> {
        let carets = self.lock();
        let mut meant: Vec<_> = carets
            .values()
            .filter(|(change, _)| (heard + 1..=newest).contains(change))
            .cloned()
            .collect();
        meant.sort_by_key(|(change, _)| *change);
        meant
    }

    fn lock(&self) -> MutexGuard<'_, Newest> {
        // Nothing under this lock can panic halfway.
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A member that wants to know where the others are.
pub(crate) struct CaretFeed {
    changes: watch::Receiver<u64>,
    heard: u64,
    /// Until then the others may move without being heard.
    quiet_until: Instant,
}

impl CaretFeed {
    pub(super) fn new(carets: &Carets) -> CaretFeed {
        CaretFeed {
            changes: carets.changes.subscribe(),
            heard: 0,
            quiet_until: Instant::now(),
        }
    }

    /// The newest change, if it is time to hear of one.
    pub(super) fn news(&mut self) -> Option<u64> {
        let newest = *self.changes.borrow_and_update();
        let is_time = Instant::now() >= self.quiet_until;
        (newest > self.heard && is_time).then_some(newest)
    }

    /// What happened up to that change, without the listener's own doing: that of its window, or of
    /// its author if it knows of no windows. A member that takes batches hears of a few at a time,
    /// and of none at a revision that it does not know yet; the others come after the pause.
    pub(super) fn take(
        &mut self,
        carets: &Carets,
        newest: u64,
        (author, window): (&AuthorId, u32),
        known: Option<Rev>,
    ) -> Vec<Arc<Caret>> {
        let mut meant = carets.between(self.heard, newest);
        let all = meant.len();
        if let Some(known) = known {
            meant.truncate(CARETS_AT_ONCE);
            let is_known = |(_, caret): &&(u64, Arc<Caret>)| caret.rev <= known;
            meant.truncate(meant.iter().take_while(is_known).count());
        }
        let is_rest = meant.len() < all;
        self.heard = match meant.last() {
            Some((change, _)) if is_rest => *change,
            None if is_rest => self.heard,
            _ => newest,
        };
        let is_other = |caret: &Caret| window != 0 && caret.window != window;
        let mut moved: Vec<_> = meant.into_iter().map(|(_, caret)| caret).collect();
        moved.retain(|caret| caret.author != *author || is_other(caret));
        if !moved.is_empty() || is_rest {
            self.quiet_until = Instant::now() + CARET_PAUSE;
        }
        moved
    }

    /// Waits until there may be news.
    pub(super) async fn wait(&mut self) {
        sleep_until(self.quiet_until).await;
        let heard = self.heard;
        // The sender lives as long as the pad that the listener holds.
        let _ = self.changes.wait_for(|newest| *newest > heard).await;
    }
}
