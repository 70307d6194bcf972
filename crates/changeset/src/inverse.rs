//! The change that takes a change back.

use crate::build::Builder;
use crate::document::{Document, end_within};
use crate::error::Error;
use crate::op::{Attribs, Changeset, OpKind};
use crate::pool::{Attribute, Pool, cmp_units};

/// The change that undoes `change`, which was made to `document`: text and attributes.
///
/// Taking back an attribute that was not there before needs its removal in the pool, so the pool
/// may grow.
pub fn inverse(
    change: &Changeset,
    document: &Document,
    pool: &mut Pool,
) -> Result<Changeset, Error> {
    if change.old_len != document.len() {
        return Err(Error::ApplyLengthMismatch);
    }
    let mut builder = Builder::new(change.new_len);
    let mut at = 0;
    let mut bank = &*change.bank;
    for op in &change.ops {
        let end = match op.kind {
            OpKind::Insert => at,
            OpKind::Keep | OpKind::Delete => end_within(at, op.chars, document.len())?,
        };
        match op.kind {
            OpKind::Insert => {
                let (inserted, rest) = bank.split_at_checked(op.chars).ok_or(Error::ReadPastEnd)?;
                builder.delete(inserted);
                bank = rest;
            }
            OpKind::Delete => {
                for piece in document.pieces(at..end) {
                    builder.insert(piece.units, piece.attribs);
                }
            }
            OpKind::Keep if op.attribs.is_empty() => {
                let (lines_before, _) = document.line_at(at);
                let (lines, line_start) = document.line_at(end);
                let whole_lines = line_start.max(at) - at;
                builder.keep_counted(whole_lines, lines - lines_before);
                builder.keep_counted(op.chars - whole_lines, 0);
            }
            OpKind::Keep => {
                for piece in document.pieces(at..end) {
                    let restored = undo_restyling(&op.attribs, piece.attribs, pool)?;
                    builder.keep(piece.units, &restored);
                }
            }
        }
        at = end;
    }
    Ok(builder.finish())
}

/// What to set on text that had `old` attributes when `change` has happened to it.
fn undo_restyling(change: &Attribs, old: &Attribs, pool: &mut Pool) -> Result<Attribs, Error> {
    // Stored changes may name a key twice or out of order; the last one counts.
    let mut set = Vec::new();
    for number in change.iter().rev() {
        set.push(pool.resolve(number)?.clone());
    }
    set.sort_by(|a, b| cmp_units(&a.key, &b.key));
    set.dedup_by(|earlier, last| earlier.key == last.key);
    let mut restored = Attribs::none();
    for Attribute { key, value } in set {
        let old_value = pool.value_of(old, &key).unwrap_or_default().to_owned();
        if old_value != value {
            restored.push(pool.intern(Attribute {
                key,
                value: old_value,
            }));
        }
    }
    Ok(restored)
}
