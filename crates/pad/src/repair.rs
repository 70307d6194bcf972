//! Line markers belong at the start of a line.
//!
//! A marker is the `*` that carries a line's attributes. Joining lines or merging two edits can
//! leave one in the middle of a line, where it would show as a stray asterisk.

use std::sync::Arc;

use changeset::{Attribs, Attribute, Builder, Changeset, Document, NEWLINE, OpKind, Pool};

const MARKER_KEYS: [&str; 2] = ["list", "lmkr"];

/// The change that takes away markers that are not at the start of a line, looking only at what
/// `change` touched: what it inserted or restyled, and the unit behind each place where it cut.
pub(crate) fn misplaced_markers(
    document: &Document,
    change: &Changeset,
    pool: &mut Arc<Pool>,
) -> Option<Changeset> {
    let mut misplaced = Vec::new();
    for range in touched(change, document.len()) {
        let mut at = range.start;
        for piece in document.pieces(range) {
            if is_marker(piece.attribs, pool) {
                let units = piece.units.iter().enumerate();
                misplaced.extend(
                    units
                        .map(|(offset, &unit)| (at + offset, unit))
                        .filter(|&(at, _)| at > 0 && document.unit_at(at - 1) != Some(NEWLINE)),
                );
            }
            at += piece.units.len();
        }
    }
    if misplaced.is_empty() {
        return None;
    }
    let unmarked = misplaced
        .iter()
        .any(|&(_, unit)| unit == NEWLINE)
        .then(|| removal(pool));
    let mut builder = Builder::new(document.len());
    let mut done = 0;
    for (at, unit) in misplaced {
        builder.keep(&document.slice(done..at), &Attribs::none());
        match &unmarked {
            // A newline is more than a marker: it stays and loses the attributes.
            Some(unmarked) if unit == NEWLINE => builder.keep(&[unit], unmarked),
            _ => builder.delete(&[unit]),
        }
        done = at + 1;
    }
    Some(builder.finish())
}

fn is_marker(attribs: &Attribs, pool: &Pool) -> bool {
    let set = |key: &&str| {
        pool.value_of(attribs, key)
            .is_some_and(|value| !value.is_empty())
    };
    MARKER_KEYS.iter().any(set)
}

fn removal(pool: &mut Arc<Pool>) -> Attribs {
    let removed = |key: &&str| Pool::intern_shared(pool, &Attribute::new(*key, ""));
    MARKER_KEYS.iter().map(removed).collect()
}

/// Ranges of the new document, ascending and apart from each other.
fn touched(change: &Changeset, len: usize) -> Vec<std::ops::Range<usize>> {
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = 0;
    for op in &change.ops {
        let end = match op.kind {
            OpKind::Delete => at,
            _ => at + op.chars,
        };
        if op.kind != OpKind::Keep || !op.attribs.is_empty() {
            let range = at..(end + 1).min(len);
            match ranges.last_mut() {
                Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
                _ => ranges.push(range),
            }
        }
        at = end;
    }
    ranges
}
