//! Reading a range of a document, run by run.

use std::ops::Range;

use super::leaf::Leaf;
use super::tree::{Child, Node, Tree};
use crate::op::Attribs;

/// Units that lie together and have the same attributes.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    pub units: &'a [u16],
    pub attribs: &'a Attribs,
}

/// The pieces of a range, in order. Starts in the logarithm of the length of the document.
pub struct Pieces<'a> {
    /// Subtrees still to be read, the next one last.
    stack: Vec<&'a Child>,
    leaf: Option<LeafPieces<'a>>,
    /// Units to pass over before the range starts.
    skip: usize,
    /// Units of the range still to be read.
    left: usize,
}

struct LeafPieces<'a> {
    leaf: &'a Leaf,
    run: usize,
    start: usize,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(tree: &'a Tree, range: Range<usize>) -> Pieces<'a> {
        Pieces {
            stack: vec![tree.root()],
            leaf: None,
            skip: range.start,
            left: range.len(),
        }
    }

    /// The part of a run that lies in the range.
    fn within_range(&mut self, piece: Piece<'a>) -> Option<Piece<'a>> {
        let skipped = self.skip.min(piece.units.len());
        self.skip -= skipped;
        let (_, units) = piece.units.split_at_checked(skipped)?;
        let units = units.get(..self.left).unwrap_or(units);
        self.left -= units.len();
        (!units.is_empty()).then_some(Piece { units, ..piece })
    }

    /// Goes on to the next leaf; false when there is none.
    fn next_leaf(&mut self) -> bool {
        while let Some(child) = self.stack.pop() {
            if self.skip >= child.summary.units {
                self.skip -= child.summary.units;
                continue;
            }
            match &*child.node {
                Node::Inner(children) => self.stack.extend(children.iter().rev()),
                Node::Leaf(leaf) => {
                    self.leaf = Some(LeafPieces {
                        leaf,
                        run: 0,
                        start: 0,
                    });
                    return true;
                }
            }
        }
        false
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        while self.left > 0 {
            match self.leaf.as_mut().and_then(LeafPieces::next) {
                Some(piece) => {
                    if let Some(piece) = self.within_range(piece) {
                        return Some(piece);
                    }
                }
                None => {
                    if !self.next_leaf() {
                        return None;
                    }
                }
            }
        }
        None
    }
}

impl<'a> Iterator for LeafPieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let run = self.leaf.runs.get(self.run)?;
        let end = self.start + run.chars;
        let units = self.leaf.units.get(self.start..end)?;
        self.run += 1;
        self.start = end;
        Some(Piece {
            units,
            attribs: &run.attribs,
        })
    }
}
