//! The balanced tree of leaves.
//!
//! All leaves lie at the same depth. Nodes are shared between documents and copied only along the
//! path of an edit. Every child is listed with the sums of what is below it, which is how positions
//! and lines are found.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use super::leaf::Leaf;
use crate::error::Error;
use crate::op::Attribs;
use crate::text::{NEWLINE, count_newlines};

/// A node with more than this is split.
pub(super) const MAX_CHILDREN: usize = if cfg!(test) { 4 } else { 16 };
/// What a new node holds at most, so that some more fit in before it is split.
pub(super) const GOOD_CHILDREN: usize = MAX_CHILDREN * 3 / 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    pub units: usize,
    pub newlines: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Child {
    pub summary: Summary,
    pub node: Arc<Node>,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Leaf(Leaf),
    Inner(Vec<Child>),
}

/// What to do with a range of a document. For an insert the range is empty.
pub(super) enum Edit<'a> {
    Insert {
        units: &'a [u16],
        attribs: &'a Attribs,
    },
    Delete,
    Restyle(&'a dyn Fn(&Attribs) -> Result<Attribs, Error>),
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    root: Child,
}

impl Tree {
    pub(super) fn from_leaf(leaf: Leaf) -> Tree {
        let mut tree = Tree {
            root: Child::leaf(leaf),
        };
        let siblings = split_oversize(&mut tree.root);
        tree.grow(siblings);
        tree
    }

    pub(super) fn root(&self) -> &Child {
        &self.root
    }

    pub(super) fn summary(&self) -> Summary {
        self.root.summary
    }

    /// Changes a range, which must lie within the tree.
    pub(super) fn edit(&mut self, range: Range<usize>, edit: &Edit<'_>) -> Result<(), Error> {
        // An empty insert, which stored changes may contain, must not leave an empty run.
        let does_nothing = match edit {
            Edit::Insert { units, .. } => units.is_empty(),
            Edit::Delete | Edit::Restyle(_) => range.is_empty(),
        };
        if does_nothing {
            return Ok(());
        }
        let siblings = self.root.edit(range, edit)?;
        self.grow(siblings);
        self.shrink();
        Ok(())
    }

    /// Puts new roots on top until there is one node at the top again.
    fn grow(&mut self, mut siblings: Vec<Child>) {
        while !siblings.is_empty() {
            let mut children = vec![self.root.clone()];
            children.append(&mut siblings);
            self.root = Child::inner(children);
            siblings = split_oversize(&mut self.root);
        }
    }

    fn shrink(&mut self) {
        loop {
            let only = match &*self.root.node {
                Node::Inner(children) => match children.as_slice() {
                    [] => Child::leaf(Leaf::default()),
                    [only] => only.clone(),
                    _ => return,
                },
                Node::Leaf(_) => return,
            };
            self.root = only;
        }
    }

    /// Newlines in the first `at` units.
    pub(super) fn newlines_before(&self, at: usize) -> usize {
        let mut newlines = 0;
        let mut rest = at;
        let mut child = &self.root;
        loop {
            if rest >= child.summary.units {
                return newlines + child.summary.newlines;
            }
            match &*child.node {
                Node::Leaf(leaf) => {
                    let units = leaf.units.get(..rest).unwrap_or(&leaf.units);
                    return newlines + count_newlines(units);
                }
                Node::Inner(children) => {
                    let mut next = None;
                    for candidate in children {
                        if rest < candidate.summary.units {
                            next = Some(candidate);
                            break;
                        }
                        rest -= candidate.summary.units;
                        newlines += candidate.summary.newlines;
                    }
                    let Some(next) = next else { return newlines };
                    child = next;
                }
            }
        }
    }

    /// The position behind the newline of that number, counted from one; the end if there is none.
    pub(super) fn after_newline(&self, number: usize) -> usize {
        let mut position = 0;
        let mut rest = number;
        let mut child = &self.root;
        loop {
            if rest == 0 || rest > child.summary.newlines {
                return position + if rest == 0 { 0 } else { child.summary.units };
            }
            match &*child.node {
                Node::Leaf(leaf) => {
                    let newlines = leaf
                        .units
                        .iter()
                        .enumerate()
                        .filter(|&(_, &unit)| unit == NEWLINE);
                    let found = newlines.map(|(at, _)| at + 1).nth(rest - 1);
                    return position + found.unwrap_or(leaf.units.len());
                }
                Node::Inner(children) => {
                    let mut next = None;
                    for candidate in children {
                        if rest <= candidate.summary.newlines {
                            next = Some(candidate);
                            break;
                        }
                        rest -= candidate.summary.newlines;
                        position += candidate.summary.units;
                    }
                    let Some(next) = next else { return position };
                    child = next;
                }
            }
        }
    }
}

impl Child {
    fn leaf(leaf: Leaf) -> Child {
        Child {
            summary: leaf.summary(),
            node: Arc::new(Node::Leaf(leaf)),
        }
    }

    fn inner(children: Vec<Child>) -> Child {
        Child {
            summary: sum(&children),
            node: Arc::new(Node::Inner(children)),
        }
    }

    /// Changes a range of this subtree. Returns what no longer fits into it: nodes of the same
    /// height that belong right after it. The subtree may be left empty.
    fn edit(&mut self, range: Range<usize>, edit: &Edit<'_>) -> Result<Vec<Child>, Error> {
        match Arc::make_mut(&mut self.node) {
            Node::Leaf(leaf) => {
                leaf.edit(range, edit)?;
                self.summary = leaf.summary();
            }
            Node::Inner(children) => {
                edit_children(children, range, edit)?;
                self.summary = sum(children);
            }
        }
        Ok(split_oversize(self))
    }
}

fn sum(children: &[Child]) -> Summary {
    let mut sum = Summary::default();
    for child in children {
        sum.units += child.summary.units;
        sum.newlines += child.summary.newlines;
    }
    sum
}

/// Changes a range that lies under `children`, and tidies up around it.
fn edit_children(
    children: &mut Vec<Child>,
    range: Range<usize>,
    edit: &Edit<'_>,
) -> Result<(), Error> {
    let mut start = 0;
    let mut index = 0;
    let mut first_touched = None;
    while let Some(child) = children.get_mut(index) {
        let end = start + child.summary.units;
        // An insert at a border goes to the left, where typing usually continues.
        let touches = if range.is_empty() {
            range.start <= end
        } else {
            range.start < end
        };
        if touches {
            first_touched.get_or_insert(index);
            let local = range.start.max(start) - start..range.end.min(end) - start;
            let siblings = child.edit(local, edit)?;
            if child.summary.units == 0 {
                children.remove(index);
            } else {
                index += 1;
            }
            for sibling in siblings {
                children.insert(index, sibling);
                index += 1;
            }
            if range.end <= end {
                break;
            }
        } else {
            index += 1;
        }
        start = end;
    }
    if let Some(first) = first_touched {
        merge_small(children, first.saturating_sub(1)..=index);
    }
    Ok(())
}

/// Joins children with their right neighbours where two fit into one, so that the tree does not
/// fill with crumbs.
fn merge_small(children: &mut Vec<Child>, candidates: RangeInclusive<usize>) {
    for index in candidates.rev() {
        let (Some(left), Some(right)) = (children.get(index), children.get(index + 1)) else {
            continue;
        };
        let merged = match (&*left.node, &*right.node) {
            (Node::Leaf(a), Node::Leaf(b)) if a.fits_with(b) => {
                let mut leaf = a.clone();
                leaf.append(b);
                Child::leaf(leaf)
            }
            (Node::Inner(a), Node::Inner(b)) if a.len() + b.len() <= GOOD_CHILDREN => {
                let mut joined: Vec<Child> = a.iter().chain(b).cloned().collect();
                // What lay on both sides of the border were no neighbours until now.
                let border = a.len().saturating_sub(1);
                merge_small(&mut joined, border..=border);
                Child::inner(joined)
            }
            _ => continue,
        };
        children.remove(index + 1);
        if let Some(slot) = children.get_mut(index) {
            *slot = merged;
        }
    }
}

/// Splits a node that holds too much: it keeps the first part, the others are returned.
fn split_oversize(child: &mut Child) -> Vec<Child> {
    let parts: Vec<Child> = match &*child.node {
        Node::Leaf(leaf) if leaf.is_oversize() => {
            leaf.split().into_iter().map(Child::leaf).collect()
        }
        Node::Inner(children) if children.len() > MAX_CHILDREN => children
            .chunks(GOOD_CHILDREN)
            .map(|part| Child::inner(part.to_vec()))
            .collect(),
        _ => return Vec::new(),
    };
    let mut parts = parts.into_iter();
    if let Some(first) = parts.next() {
        *child = first;
    }
    parts.collect()
}
