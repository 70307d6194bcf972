//! Two changes of the same document, the second rewritten to come after the first.
//!
//! Law: `d · a · follow(a, b, First)` and `d · b · follow(b, a, Second)` are the same document.

use crate::assemble::Assembler;
use crate::attribs::follow_attribs;
use crate::compose::{Bank, OpCursor, Overlap};
use crate::error::Error;
use crate::op::{Changeset, Op, OpKind};
use crate::pool::{Attribute, Pool};
use crate::text::NEWLINE;

/// Which of two inserts at the same place stays in front when nothing else decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// That of the change being followed. The server's rule: what is stored stays in front.
    First,
    /// That of the change being rewritten.
    Second,
}

/// Rewrites `second` so that it does after `first` what it would have done before it.
pub fn follow(
    first: &Changeset,
    second: &Changeset,
    tie: Tie,
    pool: &Pool,
) -> Result<Changeset, Error> {
    if first.old_len != second.old_len {
        return Err(Error::FollowLengthMismatch);
    }
    let mut a = OpCursor::new(&first.ops);
    let mut b = OpCursor::new(&second.ops);
    let mut inserts = Inserts::new(first, second, tie, pool);
    let mut out = Assembler::new();
    loop {
        match (a.current.take(), b.current.take()) {
            (None, None) => break,
            (op_a, op_b) if is_insert(&op_a) || is_insert(&op_b) => {
                match inserts.next(op_a, op_b)? {
                    Next::First(op, other) => {
                        out.push(Op::keep(op.chars, op.lines));
                        b.current = other;
                        a.advance();
                    }
                    Next::Second(op, other) => {
                        out.push(op);
                        a.current = other;
                        b.advance();
                    }
                    Next::Neither => break,
                }
            }
            // Left over in the first change: nothing of it may leak into the second.
            (Some(_), None) => a.advance(),
            (None, Some(op)) => {
                out.push(op);
                b.advance();
            }
            (Some(op_a), Some(op_b)) => {
                let overlap = Overlap::of(&op_a, &op_b)?;
                match (op_a.kind, op_b.kind) {
                    (OpKind::Delete, _) => {}
                    (_, OpKind::Delete) => {
                        out.push(overlap.op(OpKind::Delete, op_b.attribs.clone()));
                    }
                    _ => {
                        let attribs = follow_attribs(&op_a.attribs, &op_b.attribs, pool)?;
                        out.push(overlap.op(OpKind::Keep, attribs));
                    }
                }
                a.put_back(op_a, &overlap)?;
                b.put_back(op_b, &overlap)?;
            }
        }
    }
    let (inserted, deleted) = out.totals();
    let old_len = first.new_len;
    let new_len = old_len
        .checked_add(inserted)
        .and_then(|len| len.checked_sub(deleted))
        .ok_or(Error::LengthMismatch)?;
    Ok(Changeset {
        old_len,
        new_len,
        ops: out.finish(),
        bank: second.bank.clone(),
    })
}

fn is_insert(op: &Option<Op>) -> bool {
    op.as_ref().is_some_and(|op| op.kind == OpKind::Insert)
}

/// The operation to write next, and the other one, which stays where it is.
enum Next {
    First(Op, Option<Op>),
    Second(Op, Option<Op>),
    Neither,
}

/// Decides between inserts at the same place.
struct Inserts<'a> {
    bank_a: Bank<'a>,
    bank_b: Bank<'a>,
    tie: Tie,
    /// The attribute that makes an insert go in front: line markers carry it.
    insert_first: Option<u32>,
}

impl<'a> Inserts<'a> {
    fn new(first: &'a Changeset, second: &'a Changeset, tie: Tie, pool: &Pool) -> Inserts<'a> {
        Inserts {
            bank_a: Bank(&first.bank),
            bank_b: Bank(&second.bank),
            tie,
            insert_first: pool.number_of(&Attribute::new("insertorder", "first")),
        }
    }

    fn next(&mut self, a: Option<Op>, b: Option<Op>) -> Result<Next, Error> {
        let first_goes = match (&a, &b) {
            (Some(op_a), Some(op_b)) if is_insert(&a) && is_insert(&b) => {
                self.first_of_two(op_a, op_b)
            }
            _ => is_insert(&a),
        };
        match (a, b) {
            (Some(op), other) if first_goes => {
                self.bank_a.take(op.chars)?;
                Ok(Next::First(op, other))
            }
            (other, Some(op)) => {
                self.bank_b.take(op.chars)?;
                Ok(Next::Second(op, other))
            }
            _ => Ok(Next::Neither),
        }
    }

    fn first_of_two(&self, a: &Op, b: &Op) -> bool {
        let goes_first = |op: &Op| op.attribs.iter().any(|n| Some(n) == self.insert_first);
        let (marked_a, marked_b) = (goes_first(a), goes_first(b));
        if marked_a != marked_b {
            return marked_a;
        }
        let breaks_a = self.bank_a.0.first() == Some(&NEWLINE);
        let breaks_b = self.bank_b.0.first() == Some(&NEWLINE);
        if breaks_a != breaks_b {
            return breaks_b;
        }
        self.tie == Tie::First
    }
}
