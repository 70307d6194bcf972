//! What a migration has done.

use std::collections::BTreeMap;

/// So many sentences are kept; the others are counted.
const MOST_NOTES: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub pads: u64,
    pub revisions: u64,
    pub messages: u64,
    pub authors: u64,
    /// Browsers that are known again, and names of other applications for authors and groups.
    pub tokens: u64,
    pub mappers: u64,
    pub groups: u64,
    pub sessions: u64,
    /// Pads that were here already.
    pub present: u64,
    /// What could not be brought over.
    pub failures: u64,
    /// What people should know, failures first of all.
    pub notes: Vec<String>,
    pub notes_left_out: u64,
    /// Records that mean nothing here, by the beginnings of their keys.
    pub strangers: BTreeMap<String, u64>,
}

impl Report {
    pub(crate) fn fail(&mut self, key: &str, reason: impl std::fmt::Display) {
        self.failures += 1;
        self.note(key, reason);
    }

    pub(crate) fn note(&mut self, key: &str, text: impl std::fmt::Display) {
        match self.notes.len() < MOST_NOTES {
            true => self.notes.push(format!("{key}: {text}")),
            false => self.notes_left_out += 1,
        }
    }
}
