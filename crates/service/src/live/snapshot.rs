//! A head as newcomers get it, shared by all who are still reading theirs.
//!
//! A large text in the form that it has on the network takes as much memory as the text again. It
//! is made once for everybody who comes to the same revision, and is gone when the last one has it.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use pad::Head;

use crate::limits::LARGE_TEXT;
use crate::live::encoded::Encoded;
use crate::live::published::Published;

#[derive(Debug)]
pub struct Snapshot {
    pub head: Head,
    encoded: Encoded,
}

impl Snapshot {
    /// The head in the form it has on the network.
    pub fn encoded<T>(&self, encode: impl Fn(&Head) -> T) -> T
    where
        T: Clone + Send + Sync + 'static,
    {
        self.encoded.get_or_make(|| encode(&self.head))
    }
}

/// The last snapshot of a pad, as long as somebody has it.
#[derive(Debug, Default)]
pub(super) struct LastSnapshot(Mutex<Weak<Snapshot>>);

impl LastSnapshot {
    /// The newest head, or of a large text one a little older that somebody is still reading: the
    /// newcomer hears the revisions since then. So those who read slowly or not at all, and type in
    /// between, cannot make the server hold a copy for each of them.
    pub(super) fn take(&self, published: &Published) -> Arc<Snapshot> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = last.upgrade() {
            let is_newest = kept.head.rev == published.head.rev;
            let is_near = || published.since(kept.head.next_rev()).is_some();
            let is_large = kept.head.document.len() >= LARGE_TEXT;
            if is_newest || (is_large && is_near()) {
                return kept;
            }
        }
        let new = Arc::new(Snapshot {
            head: published.head.clone(),
            encoded: Encoded::default(),
        });
        *last = Arc::downgrade(&new);
        new
    }
}
