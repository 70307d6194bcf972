//! Which revision wrote a unit of a text: a walk back through the newest revisions.

use changeset::{Changeset, OpKind};

use crate::revision::{Rev, Revision, Timestamp};

/// How many revisions a walk goes back at most, so that a request costs about as much as a step
/// through the history. What is older is known to be older.
pub const ORIGIN_REVISIONS: u64 = 1_000;

/// Where a unit of a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The revision that inserted it, and its time.
    At(Rev, Timestamp),
    /// It was there before this revision, which is where the walk ended.
    Before(Rev, Timestamp),
}

/// Walks back through `revisions`, the first of which is `first`, with the place of a unit in the
/// text after the last of them. `None` if there are none, or the text has no such unit.
pub fn origin(first: Rev, revisions: &[Revision], unit: usize) -> Option<Origin> {
    let newest = revisions.last()?;
    if unit >= newest.change.new_len {
        return None;
    }
    let mut unit = unit;
    for (index, revision) in revisions.iter().enumerate().rev() {
        match unit_before(&revision.change, unit) {
            Some(before) => unit = before,
            None => return Some(Origin::At(first.plus(index as u64), revision.time)),
        }
    }
    let oldest = revisions.first()?;
    Some(Origin::Before(first, oldest.time))
}

/// Where a unit of the new text was in the old one; `None` if the change inserted it.
fn unit_before(change: &Changeset, unit: usize) -> Option<usize> {
    let (mut old, mut new) = (0, 0);
    for op in &change.ops {
        match op.kind {
            OpKind::Delete => old += op.chars,
            OpKind::Keep | OpKind::Insert if unit >= new + op.chars => {
                new += op.chars;
                if op.kind == OpKind::Keep {
                    old += op.chars;
                }
            }
            OpKind::Keep => return Some(old + unit - new),
            OpKind::Insert => return None,
        }
    }
    // What follows the last operation is kept.
    Some(old + unit - new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revisions(changes: &[&str]) -> Vec<Revision> {
        let revision = |(index, change): (usize, &&str)| Revision {
            change: Changeset::parse(change).unwrap(),
            author: None,
            time: Timestamp::from_seconds(index as i64),
        };
        changes.iter().enumerate().map(revision).collect()
    }

    #[test]
    fn a_unit_comes_from_the_revision_that_inserted_it() {
        // "abc\n", "abXXc\n", "bXXc\n" with the b bold, "bXXc!\n"
        let revisions = revisions(&[
            "Z:0>4|1+4$abc\n",
            "Z:4>2=2+2$XX",
            "Z:6<1-1*0=1$",
            "Z:5>1=4+1$!",
        ]);
        let at = |rev: u64| Some(Origin::At(Rev(rev), Timestamp::from_seconds(rev as i64)));
        let found: Vec<_> = (0..7)
            .map(|unit| origin(Rev(0), &revisions, unit))
            .collect();
        assert_eq!(
            found,
            [at(0), at(1), at(1), at(0), at(3), at(0), None],
            "b X X c ! newline, and no more"
        );
        // A walk that starts later knows only that it is older.
        let later = origin(Rev(2), &revisions[2..], 1);
        assert_eq!(
            later,
            Some(Origin::Before(Rev(2), Timestamp::from_seconds(2)))
        );
        assert_eq!(origin(Rev(0), &[], 0), None);
    }
}
