//! Two changes in a row as one.

use crate::assemble::Assembler;
use crate::attribs::compose_attribs;
use crate::error::Error;
use crate::op::{Attribs, Changeset, Op, OpKind};
use crate::pool::Pool;
use crate::text::Text;

/// The change that does `first` and then `second`.
pub fn compose(first: &Changeset, second: &Changeset, pool: &Pool) -> Result<Changeset, Error> {
    if first.new_len != second.old_len {
        return Err(Error::ComposeLengthMismatch);
    }
    let mut a = OpCursor::new(&first.ops);
    let mut b = OpCursor::new(&second.ops);
    let mut bank_a = Bank(&first.bank);
    let mut bank_b = Bank(&second.bank);
    let mut out = Assembler::new();
    let mut bank = Text::with_capacity(first.bank.len() + second.bank.len());
    let mut emit = |op: Op, source: &mut Bank| {
        if op.kind == OpKind::Insert {
            bank.push_units(source.take(op.chars)?);
        }
        out.push(op);
        Ok(())
    };
    loop {
        match (a.current.take(), b.current.take()) {
            (None, None) => break,
            (Some(op), None) => {
                emit(op, &mut bank_a)?;
                a.advance();
            }
            (None, Some(op)) => {
                emit(op, &mut bank_b)?;
                b.advance();
            }
            // What the first change deleted, the second never saw.
            (Some(op), other) if op.kind == OpKind::Delete => {
                emit(op, &mut bank_a)?;
                a.advance();
                b.current = other;
            }
            (other, Some(op)) if op.kind == OpKind::Insert => {
                emit(op, &mut bank_b)?;
                b.advance();
                a.current = other;
            }
            (Some(op_a), Some(op_b)) => {
                let overlap = Overlap::of(&op_a, &op_b)?;
                match (op_a.kind, op_b.kind) {
                    (OpKind::Insert, OpKind::Delete) => {
                        bank_a.take(overlap.chars)?;
                    }
                    (_, OpKind::Delete) => {
                        let op = overlap.op(OpKind::Delete, op_b.attribs.clone());
                        emit(op, &mut bank_b)?;
                    }
                    (kind, _) => {
                        let is_mutation = kind == OpKind::Keep;
                        let attribs =
                            compose_attribs(&op_a.attribs, &op_b.attribs, is_mutation, pool)?;
                        emit(overlap.op(kind, attribs), &mut bank_a)?;
                    }
                }
                a.put_back(op_a, &overlap)?;
                b.put_back(op_b, &overlap)?;
            }
        }
    }
    let ops = out.finish();
    Ok(Changeset {
        old_len: first.old_len,
        new_len: second.new_len,
        ops,
        bank,
    })
}

/// Walks through operations that are consumed piece by piece.
pub(crate) struct OpCursor<'a> {
    rest: std::slice::Iter<'a, Op>,
    /// What is left of the operation at the cursor.
    pub current: Option<Op>,
}

impl<'a> OpCursor<'a> {
    pub(crate) fn new(ops: &'a [Op]) -> OpCursor<'a> {
        let mut cursor = OpCursor {
            rest: ops.iter(),
            current: None,
        };
        cursor.advance();
        cursor
    }

    pub(crate) fn advance(&mut self) {
        // Empty operations say nothing; passing over them here keeps every loop moving.
        self.current = self.rest.by_ref().find(|op| op.chars > 0).cloned();
    }

    /// Makes what `overlap` leaves of `op` current, or the next operation if nothing is left.
    pub(crate) fn put_back(&mut self, mut op: Op, overlap: &Overlap) -> Result<(), Error> {
        op.chars -= overlap.chars.min(op.chars);
        op.lines = op
            .lines
            .checked_sub(overlap.lines)
            .ok_or(Error::LinesMismatch)?;
        if op.chars == 0 {
            self.advance();
        } else {
            self.current = Some(op);
        }
        Ok(())
    }
}

/// The stretch that two operations have in common: the shorter of them.
pub(crate) struct Overlap {
    pub chars: usize,
    pub lines: usize,
}

impl Overlap {
    pub(crate) fn of(a: &Op, b: &Op) -> Result<Overlap, Error> {
        if a.lines > a.chars || b.lines > b.chars {
            return Err(Error::MoreLinesThanChars);
        }
        let (short, long) = if a.chars <= b.chars { (a, b) } else { (b, a) };
        let fits =
            short.lines <= long.lines && (short.chars < long.chars || short.lines == long.lines);
        if !fits {
            return Err(Error::LinesMismatch);
        }
        Ok(Overlap {
            chars: short.chars,
            lines: short.lines,
        })
    }

    pub(crate) fn op(&self, kind: OpKind, attribs: Attribs) -> Op {
        Op::new(kind, self.chars, self.lines, attribs)
    }
}

/// The characters of a change that are not used yet.
pub(crate) struct Bank<'a>(pub &'a [u16]);

impl<'a> Bank<'a> {
    pub(crate) fn take(&mut self, chars: usize) -> Result<&'a [u16], Error> {
        let (taken, rest) = self.0.split_at_checked(chars).ok_or(Error::ReadPastEnd)?;
        self.0 = rest;
        Ok(taken)
    }
}
