//! Carrying a caret or a selection through a change.

use std::ops::Range;

use crate::op::{Changeset, OpKind};

/// On which side of a caret text goes that is inserted right there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsertionAt {
    /// The caret stays in front of it.
    After,
    /// The caret moves behind it.
    Before,
}

/// Where a range of the old text lies in the new one. Of a change that fits no text nothing can be
/// said, but it does no harm.
pub fn follow_range(
    change: &Changeset,
    range: Range<usize>,
    insertion: InsertionAt,
) -> Range<usize> {
    let Range { mut start, mut end } = range;
    let mut grown: isize = 0;
    for splice in splices(change) {
        let at = splice.start.saturating_add_signed(grown);
        let old_end = splice.end.saturating_add_signed(grown);
        let new_end = at.saturating_add(splice.inserted);
        let growth = splice.inserted.wrapping_sub(splice.end - splice.start) as isize;
        if at <= start && old_end >= end {
            let collapsed = if insertion == InsertionAt::After {
                at
            } else {
                new_end
            };
            (start, end) = (collapsed, collapsed);
        } else if old_end <= start {
            start = start.saturating_add_signed(growth);
            end = end.saturating_add_signed(growth);
        } else if at >= end {
            // Behind the range.
        } else if at >= start && old_end <= end {
            end = end.saturating_add_signed(growth);
        } else if at < start {
            start = new_end;
            end = end.saturating_add_signed(growth);
        } else {
            end = at;
        }
        grown = grown.saturating_add(growth);
    }
    start..end
}

/// A stretch of old text replaced by some new units.
struct Splice {
    start: usize,
    end: usize,
    inserted: usize,
}

/// The stretches that change, neighbouring deletes and inserts together.
fn splices(change: &Changeset) -> Vec<Splice> {
    let mut splices: Vec<Splice> = Vec::new();
    let mut at = 0;
    let mut open = false;
    for op in &change.ops {
        if op.kind == OpKind::Keep {
            at = op.chars.saturating_add(at);
            open = false;
            continue;
        }
        if !open {
            splices.push(Splice {
                start: at,
                end: at,
                inserted: 0,
            });
            open = true;
        }
        let Some(splice) = splices.last_mut() else {
            continue;
        };
        if op.kind == OpKind::Delete {
            at = op.chars.saturating_add(at);
            splice.end = at;
        } else {
            splice.inserted = op.chars.saturating_add(splice.inserted);
        }
    }
    splices
}
