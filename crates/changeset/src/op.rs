//! Operations and changesets as plain data.
//!
//! A changeset walks the old text from its start. `Keep` and `Delete` consume old text, `Keep` and
//! `Insert` produce new text; whatever follows the last operation is kept. `lines` is the number of
//! newlines in the span, and a span with newlines ends in one, so a stretch such as `"ab\ncd"`
//! takes two operations. Data written by other programs breaks that last rule; applying tolerates
//! it.

use smallvec::SmallVec;

use crate::text::Text;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpKind {
    Keep,
    Insert,
    Delete,
}

/// Numbers of attributes in a pool, in the order they are written: ascending by *key*, not by
/// number.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Attribs(SmallVec<[u32; 4]>);

impl Attribs {
    pub fn none() -> Attribs {
        Attribs::default()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + '_ {
        self.0.iter().copied()
    }

    pub fn push(&mut self, number: u32) {
        self.0.push(number);
    }
}

impl Clone for Attribs {
    /// By copying the numbers as a whole. The derived way goes number by number and was the largest
    /// part of an edit.
    fn clone(&self) -> Attribs {
        Attribs(SmallVec::from_slice(&self.0))
    }
}

impl FromIterator<u32> for Attribs {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Attribs {
        Attribs(numbers.into_iter().collect())
    }
}

/// One step of a changeset, or one run of an attribution string (then always an insert).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    pub kind: OpKind,
    /// UTF-16 units in the span.
    pub chars: usize,
    /// Newlines in the span.
    pub lines: usize,
    /// For an insert all attributes of the new text, for a keep what to change about the old one.
    pub attribs: Attribs,
}

impl Op {
    pub fn new(kind: OpKind, chars: usize, lines: usize, attribs: Attribs) -> Op {
        Op {
            kind,
            chars,
            lines,
            attribs,
        }
    }

    pub fn keep(chars: usize, lines: usize) -> Op {
        Op::new(OpKind::Keep, chars, lines, Attribs::none())
    }

    pub(crate) fn is_plain_keep(&self) -> bool {
        self.kind == OpKind::Keep && self.attribs.is_empty()
    }
}

/// How a text of `old_len` units becomes one of `new_len` units.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Changeset {
    pub old_len: usize,
    pub new_len: usize,
    pub ops: Vec<Op>,
    /// The characters of all inserts, in order.
    pub bank: Text,
}

impl Changeset {
    /// The change that changes nothing in a text of `len` units.
    pub fn identity(len: usize) -> Changeset {
        Changeset {
            old_len: len,
            new_len: len,
            ops: Vec::new(),
            bank: Text::new(),
        }
    }

    /// Whether this is written as the identity. A keep whose attributes happen to change nothing
    /// is not: that depends on the document.
    pub fn is_identity(&self) -> bool {
        self.ops.is_empty() && self.old_len == self.new_len
    }
}
