//! Revisions, and the document they lead to.
//!
//! Revision 0 changes the empty document, one newline, into the first text. The document at a
//! revision is what all changes up to it make of that newline.

use std::fmt;
use std::sync::Arc;

use changeset::{Attribute, Changeset, Document, NEWLINE, Pool};

use crate::ids::AuthorId;

/// The number of a revision; the first one is 0. Counts of revisions are plain numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rev(pub u64);

impl Rev {
    pub const FIRST: Rev = Rev(0);

    /// The revision after this one.
    pub fn next(self) -> Rev {
        self.plus(1)
    }

    /// The revision so many later.
    pub fn plus(self, count: u64) -> Rev {
        Rev(self.0.saturating_add(count))
    }

    /// The revision so many earlier, or the first one.
    pub fn minus(self, count: u64) -> Rev {
        Rev(self.0.saturating_sub(count))
    }

    /// How many revisions later than another this one is. `None`: it is earlier.
    pub fn since(self, earlier: Rev) -> Option<u64> {
        self.0.checked_sub(earlier.0)
    }
}

impl fmt::Display for Rev {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub fn from_seconds(seconds: i64) -> Timestamp {
        Timestamp(seconds.saturating_mul(1000))
    }

    pub fn millis(self) -> i64 {
        self.0
    }
}

/// One step in the history of a pad. Its attributes are numbered in the pad's pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    pub change: Changeset,
    /// `None` where imported history names nobody.
    pub author: Option<AuthorId>,
    pub time: Timestamp,
}

/// A pad's document at its newest revision. Cloning it is cheap, so readers get their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// `None` before revision 0.
    pub rev: Option<Rev>,
    pub document: Document,
    /// Every attribute that any revision used.
    pub pool: Arc<Pool>,
    /// When the newest revision was made.
    pub time: Timestamp,
}

/// What one accepted edit adds to a pad: usually one revision.
#[derive(Clone, Debug)]
pub struct Step {
    pub revisions: Vec<Revision>,
    pub head: Head,
}

impl Step {
    /// The attributes that the step added to the pool of the head before it.
    pub fn new_attributes(&self, before: &Head) -> Vec<(u32, Attribute)> {
        self.head
            .pool
            .entries_since(before.pool.next_number())
            .map(|(number, attribute)| (number, attribute.clone()))
            .collect()
    }
}

impl Head {
    /// The document that revision 0 changes.
    pub fn empty() -> Head {
        Head {
            rev: None,
            document: Document::plain(&[NEWLINE]),
            pool: Arc::default(),
            time: Timestamp::default(),
        }
    }

    /// The number of the next revision.
    pub fn next_rev(&self) -> Rev {
        self.rev.map_or(Rev::FIRST, Rev::next)
    }

    /// The head after a revision that is known to be right because it was stored.
    pub fn replay(&self, revision: &Revision) -> Result<Head, changeset::Error> {
        Ok(Head {
            rev: Some(self.next_rev()),
            document: self.document.apply(&revision.change, &self.pool)?,
            pool: Arc::clone(&self.pool),
            time: revision.time,
        })
    }

    /// Makes a change the next revision, if it changes anything. `pool` is the pad's pool with
    /// whatever the change needs on top.
    pub fn advance(
        &self,
        change: Changeset,
        mut pool: Arc<Pool>,
        author: Option<AuthorId>,
        now: Timestamp,
    ) -> Result<Option<Step>, changeset::Error> {
        let document = self.document.apply(&change, &pool)?;
        if self.rev.is_some() && !changes_anything(&self.document, &document, &change) {
            return Ok(None);
        }
        if let Some(author) = &author {
            Pool::intern_shared(&mut pool, &Attribute::new("author", author.as_str()));
        }
        // Clocks go back; the times of a history never do.
        let time = now.max(self.time);
        let head = Head {
            rev: Some(self.next_rev()),
            document,
            pool,
            time,
        };
        Ok(Some(Step {
            revisions: vec![Revision {
                change,
                author,
                time,
            }],
            head,
        }))
    }
}

/// Whether a change left any unit or attribute different. Looks only at what the change covers.
fn changes_anything(before: &Document, after: &Document, change: &Changeset) -> bool {
    if change.ops.is_empty() {
        return false;
    }
    if before.len() != after.len() {
        return true;
    }
    // Both documents have the same length, so what follows the last operation lies at the same
    // place in both, and comparing up to there is enough.
    let unmentioned = change.old_len - consumed(change).min(change.old_len);
    let end = before.len() - unmentioned;
    let start = match change.ops.first() {
        Some(op) if op.kind == changeset::OpKind::Keep && op.attribs.is_empty() => op.chars,
        _ => 0,
    };
    !same(before, after, start.min(end)..end)
}

fn consumed(change: &Changeset) -> usize {
    let consumes = |op: &&changeset::Op| op.kind != changeset::OpKind::Insert;
    change.ops.iter().filter(consumes).map(|op| op.chars).sum()
}

fn same(a: &Document, b: &Document, range: std::ops::Range<usize>) -> bool {
    let mut left = a.pieces(range.clone()).flat_map(units_with_attribs);
    let mut right = b.pieces(range).flat_map(units_with_attribs);
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (x, y) if x != y => return false,
            _ => {}
        }
    }
}

fn units_with_attribs(
    piece: changeset::Piece<'_>,
) -> impl Iterator<Item = (u16, &changeset::Attribs)> {
    piece.units.iter().map(move |&unit| (unit, piece.attribs))
}
