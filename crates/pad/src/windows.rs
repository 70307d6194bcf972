//! What is remembered of the windows in a pad: the last revision that each has made.
//!
//! By it a client that comes back learns whether its last change is stored. A record has a name, so
//! that a client whose window has another record than before knows that it says nothing.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ids::{AuthorId, WindowId};
use crate::revision::Rev;

#[derive(Debug)]
pub struct WindowRecord {
    pub name: u128,
    /// The last revision that the window has made; revision 0 is no window's.
    made: AtomicU64,
}

impl WindowRecord {
    pub fn new(name: u128) -> WindowRecord {
        let made = AtomicU64::new(0);
        WindowRecord { name, made }
    }

    /// Notes a revision as the window's own.
    pub fn has_made(&self, rev: Rev) {
        self.made.store(rev.0, Ordering::SeqCst);
    }

    /// Whether the window's last change became that revision.
    pub fn made_last(&self, rev: Rev) -> bool {
        self.made.load(Ordering::SeqCst) == rev.0
    }
}

/// The windows that came last, the newest at the end.
#[derive(Debug, Default)]
pub struct WindowRecords(VecDeque<(AuthorId, WindowId, Arc<WindowRecord>)>);

impl WindowRecords {
    /// The record of a window, or a new one of that name. Of more than `most` windows the oldest is
    /// forgotten.
    pub fn of(
        &mut self,
        author: &AuthorId,
        window: &WindowId,
        name: u128,
        most: usize,
    ) -> Arc<WindowRecord> {
        let mut records = self.0.iter();
        let at = records.position(|(owner, known, _)| owner == author && known == window);
        let known = at.and_then(|at| self.0.remove(at));
        let record = match known {
            Some((.., record)) => record,
            None => Arc::new(WindowRecord::new(name)),
        };
        let newest = (author.clone(), window.clone(), Arc::clone(&record));
        self.0.push_back(newest);
        if self.0.len() > most {
            self.0.pop_front();
        }
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_one_record_until_it_is_forgotten() {
        let author = AuthorId::random(1);
        let mut records = WindowRecords::default();
        let mut name = |window: &str, name| {
            let window = WindowId::parse(window).unwrap();
            records.of(&author, &window, name, 2).name
        };
        let found = [name("a", 1), name("b", 2), name("a", 3), name("c", 4)];
        assert_eq!(found, [1, 2, 1, 4]);
        assert_eq!([name("a", 5), name("b", 6)], [1, 6], "b was the oldest");
    }
}
