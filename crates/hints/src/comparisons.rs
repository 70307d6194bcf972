//! Comparisons with the store that many wait for at once.
//!
//! When a node dies, all of its members come to others in the same moment. Each needs to know that
//! a pad is what the store has; one look after they came tells all of them.

use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers comparisons by their beginning.
#[derive(Debug, Default)]
pub struct Comparisons {
    begun: AtomicU64,
    ended: AtomicU64,
}

/// The comparisons that had begun when somebody asked for one.
#[derive(Clone, Copy, Debug)]
pub struct Asked(u64);

/// A comparison under way.
#[derive(Debug)]
pub struct Begun(u64);

impl Comparisons {
    /// Called before waiting for a turn.
    pub fn ask(&self) -> Asked {
        Asked(self.begun.load(Ordering::SeqCst))
    }

    /// Whether another one has done the work: it began after this one was asked for.
    pub fn is_done(&self, asked: Asked) -> bool {
        self.ended.load(Ordering::SeqCst) > asked.0
    }

    pub fn begin(&self) -> Begun {
        Begun(self.begun.fetch_add(1, Ordering::SeqCst) + 1)
    }

    /// Called if it succeeded.
    pub fn end(&self, begun: Begun) {
        self.ended.fetch_max(begun.0, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_that_began_later_will_do() {
        let comparisons = Comparisons::default();
        let before = comparisons.ask();
        let first = comparisons.begin();
        let during = comparisons.ask();
        comparisons.end(first);
        assert!(comparisons.is_done(before));
        assert!(!comparisons.is_done(during));
        // One that fails serves nobody.
        let _failed = comparisons.begin();
        assert!(!comparisons.is_done(during));
        let third = comparisons.begin();
        comparisons.end(third);
        assert!(comparisons.is_done(during));
    }
}
