//! Canonical form of operation sequences.
//!
//! [`Merger`] joins neighbours and keeps the order. [`Assembler`] also puts, in every stretch
//! without keeps, the deletes before the inserts. What leaves an assembler is canonical: no empty
//! operation, no two neighbours that could be one, and, after [`Assembler::finish`], no plain keep
//! at the end.

use std::mem;

use crate::op::{Op, OpKind};

/// Joins operations of the same kind with the same attributes.
#[derive(Default)]
pub struct Merger {
    ops: Vec<Op>,
    /// Units of an in-line run that followed a run with newlines. They stay apart from it, unless
    /// more newlines follow.
    tail: usize,
}

impl Merger {
    pub fn push(&mut self, op: Op) {
        if op.chars == 0 {
            return;
        }
        match self.ops.last_mut() {
            Some(last) if last.kind == op.kind && last.attribs == op.attribs => {
                if op.lines > 0 {
                    grow(&mut last.chars, self.tail);
                    grow(&mut last.chars, op.chars);
                    grow(&mut last.lines, op.lines);
                    self.tail = 0;
                } else if last.lines == 0 {
                    grow(&mut last.chars, op.chars);
                } else {
                    grow(&mut self.tail, op.chars);
                }
            }
            _ => {
                self.release_tail();
                self.ops.push(op);
            }
        }
    }

    fn release_tail(&mut self) {
        if self.tail > 0
            && let Some(last) = self.ops.last()
        {
            let tail = Op::new(last.kind, self.tail, 0, last.attribs.clone());
            self.ops.push(tail);
            self.tail = 0;
        }
    }

    /// Drops a plain keep at the end: what is not mentioned is kept anyway.
    fn drop_final_keep(&mut self) {
        if self.ops.last().is_some_and(Op::is_plain_keep) {
            self.ops.pop();
            self.tail = 0;
        }
    }

    fn drain_into(&mut self, out: &mut Vec<Op>) {
        self.release_tail();
        if out.is_empty() {
            mem::swap(out, &mut self.ops);
        } else {
            out.append(&mut self.ops);
        }
    }

    /// The merged operations.
    pub fn into_ops(mut self) -> Vec<Op> {
        self.release_tail();
        self.ops
    }

    /// The merged operations of a change: [`Merger::into_ops`] without a plain keep at the end.
    pub fn finish(mut self) -> Vec<Op> {
        self.drop_final_keep();
        self.into_ops()
    }
}

/// Adds to a length. Damaged data may state lengths whose sum is no number; such a change fits no
/// text, and stays so.
fn grow(length: &mut usize, by: usize) {
    *length = length.saturating_add(by);
}

/// Whether an [`Assembler`] would leave the operations of a change as they are.
pub(crate) fn is_canonical(ops: &[Op]) -> bool {
    // A border that no assembler removes: between lines and what starts the next line, or between
    // operations that differ, unless a delete follows an insert.
    let stays = |before: &Op, after: &Op| match (before.kind, after.kind) {
        (OpKind::Insert, OpKind::Delete) => false,
        (a, b) if a != b => true,
        _ => before.attribs != after.attribs || (before.lines > 0 && after.lines == 0),
    };
    ops.iter().all(|op| op.chars > 0)
        && ops
            .iter()
            .zip(ops.iter().skip(1))
            .all(|(before, after)| stays(before, after))
        && !ops.last().is_some_and(Op::is_plain_keep)
}

/// Brings the operations of a change into canonical form.
#[derive(Default)]
pub struct Assembler {
    done: Vec<Op>,
    deletes: Merger,
    inserts: Merger,
    keeps: Merger,
    inserted: usize,
    deleted: usize,
}

impl Assembler {
    pub fn new() -> Assembler {
        Assembler::default()
    }

    pub fn push(&mut self, op: Op) {
        if op.chars == 0 {
            return;
        }
        match op.kind {
            OpKind::Keep => {
                self.flush_edits();
                self.keeps.push(op);
            }
            OpKind::Delete => {
                self.keeps.drain_into(&mut self.done);
                grow(&mut self.deleted, op.chars);
                self.deletes.push(op);
            }
            OpKind::Insert => {
                self.keeps.drain_into(&mut self.done);
                grow(&mut self.inserted, op.chars);
                self.inserts.push(op);
            }
        }
    }

    /// Units inserted and units deleted so far.
    pub fn totals(&self) -> (usize, usize) {
        (self.inserted, self.deleted)
    }

    fn flush_edits(&mut self) {
        self.deletes.drain_into(&mut self.done);
        self.inserts.drain_into(&mut self.done);
    }

    /// The operations as they are, a plain keep at the end included.
    pub fn into_ops(mut self) -> Vec<Op> {
        self.flush_edits();
        self.keeps.drain_into(&mut self.done);
        self.done
    }

    /// The operations of a whole change.
    pub fn finish(mut self) -> Vec<Op> {
        self.keeps.drop_final_keep();
        self.into_ops()
    }
}
