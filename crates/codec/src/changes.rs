//! Changes as bytes.
//!
//! In this order: for every change its number of operations and which of its lengths do not follow
//! from the others; for every operation its kind; the lengths; the newlines of those that have any;
//! the attributes of those that have any; and the characters of all changes, up to the end.

use changeset::{Attribs, Changeset, Op, OpKind, Text};

use super::bytes::{Reader, put_number, put_size};
use super::{Malformed, wtf8};

/// In the shape of a change, below its number of operations.
const STATES_OLD_LEN: u64 = 1;
const STATES_NEW_LEN: u64 = 2;
const STATES_BANK_LEN: u64 = 4;
const SHAPE_BITS: u32 = 3;

/// In the kind of an operation, above the kind itself.
const HAS_LINES: u8 = 4;
const HAS_ATTRIBS: u8 = 8;
const KIND_BITS: u8 = 3;

/// One change by itself.
pub fn encode_change(change: &Changeset) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 + change.bank.len());
    put_changes(&mut out, std::iter::once(change));
    out
}

pub fn decode_change(bytes: &[u8]) -> Result<Changeset, Malformed> {
    let mut changes = take_changes(&mut Reader::new(bytes), 1)?;
    changes.pop().ok_or(Malformed("no change"))
}

/// Writes changes that follow one another. Their number is not written.
pub(crate) fn put_changes<'a>(
    out: &mut Vec<u8>,
    changes: impl Iterator<Item = &'a Changeset> + Clone,
) {
    let mut expected_len = 0;
    for change in changes.clone() {
        put_shape(out, change, expected_len);
        expected_len = change.new_len;
    }
    let ops = changes.clone().flat_map(|change| &change.ops);
    out.extend(ops.clone().map(kind_of));
    ops.clone().for_each(|op| put_size(out, op.chars));
    for op in ops.clone().filter(|op| op.lines > 0) {
        put_size(out, op.lines);
    }
    for attribs in ops.map(|op| &op.attribs).filter(|list| !list.is_empty()) {
        put_attribs(out, attribs);
    }
    // One text and not one after the other: a pair of surrogates may have been typed in halves.
    let bank: Vec<u16> = changes
        .flat_map(|change| change.bank.iter().copied())
        .collect();
    wtf8::encode(&bank, out);
}

/// Reads `count` changes up to the end of the bytes.
pub(crate) fn take_changes(
    reader: &mut Reader<'_>,
    count: usize,
) -> Result<Vec<Changeset>, Malformed> {
    let mut shapes = Vec::new();
    for _ in 0..count {
        shapes.push(Shape::take(reader)?);
    }
    let mut changes = Vec::new();
    for shape in &shapes {
        let ops = reader.take(shape.ops)?.iter().map(|&kind| empty_op(kind));
        changes.push(Changeset {
            old_len: 0,
            new_len: 0,
            ops: ops.collect::<Result<_, _>>()?,
            bank: Text::new(),
        });
    }
    fill_ops(&mut changes, reader)?;
    let bank = wtf8::decode(reader.rest())?;
    let mut rest = bank.as_slice();
    let mut expected_len = 0;
    for (change, shape) in changes.iter_mut().zip(&shapes) {
        let (inserted, deleted) = totals(change);
        change.old_len = shape.old_len.unwrap_or(expected_len);
        let new_len = (change.old_len.saturating_add(inserted)).saturating_sub(deleted);
        change.new_len = shape.new_len.unwrap_or(new_len);
        expected_len = change.new_len;
        let taken = rest.split_at_checked(shape.bank_len.unwrap_or(inserted));
        let (units, after) = taken.ok_or(Malformed("characters are missing"))?;
        change.bank = Text::from(units);
        rest = after;
    }
    match rest {
        [] => Ok(changes),
        _ => Err(Malformed("characters are left over")),
    }
}

pub(crate) fn put_attribs(out: &mut Vec<u8>, attribs: &Attribs) {
    put_size(out, attribs.iter().len());
    attribs
        .iter()
        .for_each(|number| put_number(out, number.into()));
}

pub(crate) fn take_attribs(reader: &mut Reader<'_>) -> Result<Attribs, Malformed> {
    let mut attribs = Attribs::none();
    for _ in 0..reader.count()? {
        let number = u32::try_from(reader.number()?);
        attribs.push(number.map_err(|_| Malformed("an attribute's number is too large"))?);
    }
    Ok(attribs)
}

/// The number of operations of a change, and the lengths that do not follow from them.
struct Shape {
    ops: usize,
    old_len: Option<usize>,
    new_len: Option<usize>,
    bank_len: Option<usize>,
}

fn put_shape(out: &mut Vec<u8>, change: &Changeset, expected_len: usize) {
    let (inserted, deleted) = totals(change);
    let new_len = (change.old_len.saturating_add(inserted)).saturating_sub(deleted);
    let stated = [
        (
            change.old_len != expected_len,
            STATES_OLD_LEN,
            change.old_len,
        ),
        (change.new_len != new_len, STATES_NEW_LEN, change.new_len),
        (
            change.bank.len() != inserted,
            STATES_BANK_LEN,
            change.bank.len(),
        ),
    ];
    let stated = stated.iter().filter(|(differs, ..)| *differs);
    let flags = stated.clone().fold(0, |flags, (_, flag, _)| flags | flag);
    put_number(out, (change.ops.len() as u64) << SHAPE_BITS | flags);
    stated.for_each(|&(_, _, len)| put_size(out, len));
}

impl Shape {
    fn take(reader: &mut Reader<'_>) -> Result<Shape, Malformed> {
        let head = reader.number()?;
        let ops = usize::try_from(head >> SHAPE_BITS);
        let mut stated = |flag| match head & flag {
            0 => Ok(None),
            _ => reader.size().map(Some),
        };
        Ok(Shape {
            ops: ops.map_err(|_| Malformed("a number is too large"))?,
            old_len: stated(STATES_OLD_LEN)?,
            new_len: stated(STATES_NEW_LEN)?,
            bank_len: stated(STATES_BANK_LEN)?,
        })
    }
}

fn kind_of(op: &Op) -> u8 {
    let kind = match op.kind {
        OpKind::Keep => 0,
        OpKind::Insert => 1,
        OpKind::Delete => 2,
    };
    let lines = if op.lines > 0 { HAS_LINES } else { 0 };
    let attribs = if op.attribs.is_empty() {
        0
    } else {
        HAS_ATTRIBS
    };
    kind | lines | attribs
}

/// The operation of a kind. Where it has newlines or attributes, one stands for what is still to
/// be read.
fn empty_op(kind: u8) -> Result<Op, Malformed> {
    if kind & !(HAS_LINES | HAS_ATTRIBS | KIND_BITS) != 0 {
        return Err(Malformed("no such operation"));
    }
    let lines = usize::from(kind & HAS_LINES != 0);
    let attribs = (kind & HAS_ATTRIBS != 0).then_some(0).into_iter().collect();
    let kind = match kind & KIND_BITS {
        0 => OpKind::Keep,
        1 => OpKind::Insert,
        2 => OpKind::Delete,
        _ => return Err(Malformed("no such operation")),
    };
    Ok(Op::new(kind, 0, lines, attribs))
}

fn fill_ops(changes: &mut [Changeset], reader: &mut Reader<'_>) -> Result<(), Malformed> {
    for op in changes.iter_mut().flat_map(ops) {
        op.chars = reader.size()?;
    }
    for op in changes.iter_mut().flat_map(ops).filter(|op| op.lines > 0) {
        op.lines = reader.size()?;
    }
    let with_attribs = |op: &&mut Op| !op.attribs.is_empty();
    for op in changes.iter_mut().flat_map(ops).filter(with_attribs) {
        op.attribs = take_attribs(reader)?;
    }
    Ok(())
}

fn ops(change: &mut Changeset) -> &mut Vec<Op> {
    &mut change.ops
}

/// Units inserted and units deleted.
fn totals(change: &Changeset) -> (usize, usize) {
    let sum = |kind| {
        let ops = change.ops.iter().filter(|op| op.kind == kind);
        ops.fold(0, |sum: usize, op| sum.saturating_add(op.chars))
    };
    (sum(OpKind::Insert), sum(OpKind::Delete))
}
