//! Counters of what all writers of a process have stored.

use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteCounts {
    /// Batches that were stored.
    pub commits: u64,
    /// Batches that were planned again because another node was faster.
    pub replans: u64,
    /// Revisions of other nodes that a comparison with the store found before a hint told of them.
    pub unhinted: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    commits: AtomicU64,
    replans: AtomicU64,
    unhinted: AtomicU64,
}

impl Counters {
    pub(super) fn count_commit(&self) {
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_replan(&self) {
        self.replans.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_unhinted(&self, revisions: u64) {
        self.unhinted.fetch_add(revisions, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> WriteCounts {
        WriteCounts {
            commits: self.commits.load(Ordering::Relaxed),
            replans: self.replans.load(Ordering::Relaxed),
            unhinted: self.unhinted.load(Ordering::Relaxed),
        }
    }
}
