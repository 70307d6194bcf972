//! A text whose every unit carries attributes, made for small edits of large texts.
//!
//! The units and their attribute runs lie in a balanced tree of small pieces (`document/tree.rs`).
//! A document is a value: cloning takes a reference, applying a change gives a new document that
//! shares all untouched pieces with the old one. An edit therefore costs the logarithm of the
//! length, and a reader of an older document is never disturbed.

mod leaf;

mod pieces;

mod tree;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub use pieces::Piece;
pub(crate) use pieces::Pieces;

use self::leaf::Leaf;
use self::tree::{Edit, Tree};
use crate::assemble::Merger;
use crate::attribs::compose_attribs;
use crate::error::Error;
use crate::notation::print_ops;
use crate::op::{Attribs, Changeset, Op, OpKind};
use crate::pool::Pool;
use crate::text::{Text, count_newlines, split_after_last_newline};

#[derive(Clone, Debug)]
pub struct Document {
    tree: Tree,
}

impl Document {
    /// A text without attributes.
    pub fn plain(text: &[u16]) -> Document {
        let mut leaf = Leaf::default();
        leaf.push(text, &Attribs::none());
        Document {
            tree: Tree::from_leaf(leaf),
        }
    }

    /// A text with the attributes of an attribution string.
    pub fn from_atext(text: &[u16], attribution: &[Op]) -> Result<Document, Error> {
        let mut leaf = Leaf::default();
        let mut rest = text;
        for op in attribution {
            let (units, after) = rest
                .split_at_checked(op.chars)
                .ok_or(Error::AttributionMismatch)?;
            if op.kind != OpKind::Insert || count_newlines(units) != op.lines {
                return Err(Error::AttributionMismatch);
            }
            leaf.push(units, &op.attribs);
            rest = after;
        }
        if !rest.is_empty() {
            return Err(Error::AttributionMismatch);
        }
        Ok(Document {
            tree: Tree::from_leaf(leaf),
        })
    }

    /// Length in UTF-16 units.
    pub fn len(&self) -> usize {
        self.tree.summary().units
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of newlines.
    pub fn newlines(&self) -> usize {
        self.tree.summary().newlines
    }

    pub fn text(&self) -> Text {
        self.slice(0..self.len())
    }

    /// The units of a range; what lies beyond the end is left out.
    pub fn slice(&self, range: Range<usize>) -> Text {
        let mut text = Text::with_capacity(range.len().min(self.len()));
        for piece in self.pieces(range) {
            text.push_units(piece.units);
        }
        text
    }

    pub fn unit_at(&self, at: usize) -> Option<u16> {
        self.pieces(at..at.checked_add(1)?)
            .next()
            .and_then(|piece| piece.units.first().copied())
    }

    pub fn attribs_at(&self, at: usize) -> Option<&Attribs> {
        self.pieces(at..at.checked_add(1)?)
            .next()
            .map(|piece| piece.attribs)
    }

    /// The stretches of equal attributes in a range, in order. A stretch may come in several
    /// pieces.
    pub fn pieces(&self, range: Range<usize>) -> Pieces<'_> {
        Pieces::new(&self.tree, range)
    }

    /// How many newlines lie before a position, and where its line starts.
    pub fn line_at(&self, at: usize) -> (usize, usize) {
        let newlines = self.tree.newlines_before(at);
        (newlines, self.line_start(newlines))
    }

    /// Where the line of that number starts; the end of the document if it has fewer lines.
    pub fn line_start(&self, line: usize) -> usize {
        if line == 0 {
            0
        } else {
            self.tree.after_newline(line)
        }
    }

    /// The attribution string as operations, in canonical form.
    pub fn attribution(&self) -> Vec<Op> {
        let mut merger = Merger::default();
        for piece in self.pieces(0..self.len()) {
            push_run(&mut merger, piece);
        }
        merger.into_ops()
    }

    /// The attribution string.
    pub fn attribs(&self) -> String {
        print_ops(&self.attribution())
    }

    /// The document after a change. The pool must be that of the change and of the document.
    ///
    /// The length stated for the new text is not looked at: older data may hold wrong ones.
    pub fn apply(&self, change: &Changeset, pool: &Pool) -> Result<Document, Error> {
        self.clone().into_applied(change, pool)
    }

    /// Like [`Document::apply`], for a document that is not needed any more: what it does not
    /// share with others is changed in place, so that a long history is replayed without copies.
    pub fn into_applied(self, change: &Changeset, pool: &Pool) -> Result<Document, Error> {
        if change.old_len != self.len() {
            return Err(Error::ApplyLengthMismatch);
        }
        let mut tree = self.tree;
        let mut at = 0;
        let mut newlines_before = 0;
        let mut bank = &*change.bank;
        for op in &change.ops {
            if op.kind == OpKind::Insert {
                let (units, rest) = bank.split_at_checked(op.chars).ok_or(Error::ReadPastEnd)?;
                if count_newlines(units) != op.lines {
                    return Err(Error::ApplyNewlineCount);
                }
                tree.edit(
                    at..at,
                    &Edit::Insert {
                        units,
                        attribs: &op.attribs,
                    },
                )?;
                bank = rest;
                at += op.chars;
                newlines_before += op.lines;
                continue;
            }
            let range = at..end_within(at, op.chars, tree.summary().units)?;
            let newlines = tree.newlines_before(range.end) - newlines_before;
            if newlines != op.lines {
                return Err(Error::ApplyNewlineCount);
            }
            if op.kind == OpKind::Delete {
                tree.edit(range, &Edit::Delete)?;
                continue;
            }
            if !op.attribs.is_empty() {
                let restyle = |old: &Attribs| compose_attribs(old, &op.attribs, false, pool);
                tree.edit(range.clone(), &Edit::Restyle(&restyle))?;
            }
            at = range.end;
            newlines_before += newlines;
        }
        Ok(Document { tree })
    }
}

/// Two documents are equal when every unit has the same value and attributes.
impl PartialEq for Document {
    fn eq(&self, other: &Document) -> bool {
        self.len() == other.len()
            && self.text() == other.text()
            && self.attribution() == other.attribution()
    }
}

impl Eq for Document {}

/// Where a span ends that must not reach beyond a text.
pub(crate) fn end_within(start: usize, chars: usize, len: usize) -> Result<usize, Error> {
    let end = start.checked_add(chars).filter(|&end| end <= len);
    end.ok_or(Error::ReadPastEnd)
}

fn push_run(merger: &mut Merger, piece: Piece<'_>) {
    let (whole_lines, rest) = split_after_last_newline(piece.units);
    let lines = count_newlines(whole_lines);
    merger.push(Op::new(
        OpKind::Insert,
        whole_lines.len(),
        lines,
        piece.attribs.clone(),
    ));
    merger.push(Op::new(
        OpKind::Insert,
        rest.len(),
        0,
        piece.attribs.clone(),
    ));
}
