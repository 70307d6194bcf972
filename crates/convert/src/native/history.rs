//! The history of a stored pad: revisions played one by one, with gaps where some cannot be.
//!
//! Numbers of revisions never change, and a lost revision never costs what comes after it: at the
//! next key revision, which has the whole document stored, and at the head the text is right again.
//! A gap ends with a revision of the system author that is marked as one.

use changeset::{Changeset, Document, NEWLINE, Pool, Text};

use super::read::Warning;
use super::records::{RevisionSource, StoredRevision};
use super::replay::Replay;
use super::{Authorless, Revision, SYSTEM_AUTHOR, SavedRevision};
use crate::Error;

/// So many revisions may be missing in any pad, and as many again as there are.
const MOST_MISSING: u64 = 10_000;

/// What people read at a gap.
pub(super) fn gap_label(first: u64, last: u64) -> String {
    if first == last {
        format!("revision {first} could not be read")
    } else {
        format!("revisions {first} to {last} could not be read")
    }
}

pub(super) struct History {
    replay: Replay,
    revisions: Vec<Revision>,
    /// Revisions that could not be played since the text was last known to be right, and the
    /// document before the first of them.
    broken: Vec<u64>,
    before_broken: Document,
    warnings: Vec<Warning>,
    gaps: Vec<(u64, u64)>,
}

/// What a history comes to.
pub(super) struct Played {
    pub document: Document,
    pub pool: Pool,
    pub revisions: Vec<Revision>,
    /// Where gaps end.
    pub marks: Vec<SavedRevision>,
}

impl History {
    pub(super) fn new(pool: Pool, authorless: Authorless) -> History {
        let replay = Replay::new(pool, authorless);
        History {
            before_broken: replay.document.clone(),
            replay,
            revisions: Vec::new(),
            broken: Vec::new(),
            warnings: Vec::new(),
            gaps: Vec::new(),
        }
    }

    /// Plays all revisions up to the one that the pad says is its last.
    /// Fails if the text is ever longer than `longest`.
    pub(super) fn play(
        &mut self,
        stored: &dyn RevisionSource,
        head: Option<u64>,
        longest: usize,
    ) -> Result<(), Error> {
        let mut numbers = stored.numbers();
        if let Some(head) = head {
            let all = numbers.len();
            numbers.retain(|number| *number <= head);
            if numbers.len() < all {
                let count = (all - numbers.len()) as u64;
                self.warnings.push(Warning::RevisionsBeyondHead(count));
            }
        }
        let Some(&last_stored) = numbers.last() else {
            return Ok(());
        };
        // Each missing one takes room. A file cannot ask for much more of it than it is itself.
        let count = numbers.len() as u64;
        let bound = count.saturating_mul(2).saturating_add(MOST_MISSING);
        if last_stored > bound {
            self.warnings.push(Warning::HistoryLost(count));
            return Ok(());
        }
        let head = head.unwrap_or(last_stored);
        let last = if head > bound { last_stored } else { head };
        for number in 0..=last {
            match stored.revision(number) {
                Some(revision) => self.play_one(number, &revision),
                None => self.skip(number, String::new(), None),
            }
            if self.replay.document.len() > longest {
                return Err(Error::TextTooLong);
            }
        }
        if head > last {
            self.warnings.push(Warning::Gap(last + 1, head));
        }
        Ok(())
    }

    fn play_one(&mut self, number: u64, stored: &StoredRevision) {
        let before = self.replay.document.clone();
        self.play_or_skip(number, stored);
        let Some(key) = &stored.key else { return };
        // With nothing broken, attributes that a key revision wrote down differently are no damage.
        let is_right = if self.broken.is_empty() {
            self.replay.document.text() == key.document.text()
        } else {
            self.replay.agrees(&key.document)
        };
        if is_right {
            self.settle();
            return;
        }
        match self.broken.first() {
            Some(&first) if first < number => {
                self.revisions.pop();
                self.freeze(first);
                let target = self.replay.before(&stored.changeset, &key.document);
                self.jump(number - 1, target.as_ref().unwrap_or(&key.document));
                self.gaps.push((first, number - 1));
                self.play_or_skip(number, stored);
                if self.replay.document.text() != key.document.text() {
                    self.jump(number, &key.document);
                }
                self.broken.clear();
            }
            _ => {
                self.replay.document = before;
                self.jump(number, &key.document);
                self.gaps.push((number, number));
                self.broken.clear();
            }
        }
    }

    fn play_or_skip(&mut self, number: u64, stored: &StoredRevision) {
        let (author, time) = (stored.author.clone(), stored.timestamp);
        match self.replay.play(&stored.changeset) {
            Ok(change) => self.push(change, author, time),
            Err(_) => self.skip(number, author, time),
        }
    }

    /// A revision that changes nothing, since what it changed is not known.
    fn skip(&mut self, number: u64, author: String, timestamp: Option<u64>) {
        let document = &self.replay.document;
        let nothing = Changeset::identity(document.len());
        if self.broken.is_empty() {
            self.before_broken = document.clone();
        }
        self.broken.push(number);
        self.push(nothing, author, timestamp);
    }

    fn push(&mut self, changeset: Changeset, author: String, timestamp: Option<u64>) {
        self.replay.know_author(&author);
        let before = self.revisions.last().map_or(0, |last| last.timestamp);
        self.revisions.push(Revision {
            changeset,
            author,
            timestamp: timestamp.unwrap_or(before),
        });
    }

    /// The text is right again: only what could not be played is missing.
    fn settle(&mut self) {
        for number in std::mem::take(&mut self.broken) {
            match self.gaps.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => self.gaps.push((number, number)),
            }
        }
    }

    /// Lets revisions change nothing, from the first broken one on: what came after it was played
    /// on a text that is not right.
    fn freeze(&mut self, first: u64) {
        self.replay.document = self.before_broken.clone();
        let len = self.replay.document.len();
        let first = usize::try_from(first).unwrap_or(usize::MAX);
        for revision in self.revisions.iter_mut().skip(first) {
            revision.changeset = Changeset::identity(len);
        }
    }

    /// Lets a revision, after which everything is frozen or nothing played, lead to a document.
    fn jump(&mut self, number: u64, wanted: &Document) {
        let change = self.replay.correct(wanted).ok().flatten();
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        if let (Some(change), Some(revision)) = (change, self.revisions.get_mut(at)) {
            revision.changeset = change;
        }
    }

    /// Adds a revision if the history does not lead to the stored text, or to none that can be a
    /// pad's.
    pub(super) fn lead_to(&mut self, stored: Option<Document>) -> Result<(), Error> {
        let stored = stored.filter(ends_well);
        if stored.is_none() {
            if self.revisions.is_empty() {
                return Err(Error::NotAPad("it has neither text nor history"));
            }
            self.warnings.push(Warning::HeadUnreadable);
        }
        if let (Some(stored), Some(&first)) = (&stored, self.broken.first())
            && !self.replay.agrees(stored)
        {
            let last = self.revisions.len() as u64 - 1;
            self.freeze(first);
            self.jump(last, stored);
            self.gaps.push((first, last));
            self.broken.clear();
        }
        self.settle();
        let correction = match stored {
            Some(stored) => self.replay.correct(&stored)?,
            None if !ends_well(&self.replay.document) => self.replay.end_line()?,
            None => None,
        };
        if let Some(changeset) = correction {
            self.warnings.push(Warning::HeadDiffers);
            self.push(changeset, SYSTEM_AUTHOR.to_owned(), None);
        } else if self.revisions.is_empty() {
            let changeset = Changeset::identity(self.replay.document.len());
            self.push(changeset, String::new(), None);
        }
        Ok(())
    }

    /// The last revision of each gap becomes the system author's, and is marked.
    pub(super) fn finish(mut self, warnings: &mut Vec<Warning>) -> Played {
        let mut marks = Vec::new();
        for &(first, last) in &self.gaps {
            let at = usize::try_from(last).unwrap_or(usize::MAX);
            if let Some(revision) = self.revisions.get_mut(at) {
                self.replay.know_author(SYSTEM_AUTHOR);
                revision.author = SYSTEM_AUTHOR.to_owned();
                marks.push(SavedRevision {
                    id: format!("{last:020x}"),
                    revision: last,
                    saved_by: SYSTEM_AUTHOR.to_owned(),
                    label: Text::from(&*gap_label(first, last)),
                    timestamp: revision.timestamp,
                });
            }
            warnings.push(Warning::Gap(first, last));
        }
        warnings.append(&mut self.warnings);
        Played {
            document: self.replay.document,
            pool: self.replay.pool,
            revisions: self.revisions,
            marks,
        }
    }
}

fn ends_well(document: &Document) -> bool {
    let last = document.len().checked_sub(1);
    last.and_then(|last| document.unit_at(last)) == Some(NEWLINE)
}
