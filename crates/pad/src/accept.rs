//! The server's half of editing: a change from a member becomes a revision, or is refused.
//!
//! Nothing is changed before everything is checked: the answer is a new head or a reason.

use std::sync::Arc;

use changeset::{
    Assembler, Attribs, Attribute, Changeset, NEWLINE, Op, OpKind, Pool, Tie, cmp_units, follow,
};

use crate::ids::AuthorId;
use crate::limits::{Exceeded, check_change, check_growth};
use crate::repair::misplaced_markers;
use crate::revision::{Head, Rev, Revision, Step, Timestamp};

/// A change as a member sends it.
#[derive(Clone, Debug)]
pub struct Submission {
    pub author: AuthorId,
    /// The revision the change was made on; `None` is the empty document before revision 0.
    pub base: Option<Rev>,
    pub change: Changeset,
    /// The pool that the change's numbers mean.
    pub pool: Pool,
}

/// Why a change is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The base is not a revision of this pad.
    UnknownBase,
    /// The change is wrong in itself or does not fit the text.
    Change(changeset::Error),
    /// New text must carry the author who sends it.
    InsertWithoutAuthor,
    /// Nobody writes in another's name.
    ForeignAuthor,
    /// The text would no longer end in a newline.
    FinalNewline,
    /// The text would be longer than a pad may be.
    TextTooLong,
    /// It brings too many attributes, or too long ones.
    Attributes(Exceeded),
}

impl From<Exceeded> for Rejection {
    fn from(exceeded: Exceeded) -> Rejection {
        Rejection::Attributes(exceeded)
    }
}

impl From<changeset::Error> for Rejection {
    fn from(error: changeset::Error) -> Rejection {
        Rejection::Change(error)
    }
}

/// Checks a change, carries it over the revisions it did not know, and makes it the next revision.
///
/// `since` are the revisions after the submission's base, up to the head. A step without revisions
/// means that the change has no effect or was already accepted before.
pub fn accept(
    head: &Head,
    since: &[Revision],
    submission: &Submission,
    max_text: usize,
    now: Timestamp,
) -> Result<Step, Rejection> {
    let is_repeated = |revision: &Revision, sent: &Changeset| {
        revision.author.as_ref() == Some(&submission.author) && revision.change == *sent
    };
    accept_unless(is_repeated, head, since, submission, (max_text, now))
}

/// The same for a client that knows which of its changes are stored and sends none of them again:
/// an equal change of its author is another one, made in another window.
pub fn accept_once(
    head: &Head,
    since: &[Revision],
    submission: &Submission,
    max_text: usize,
    now: Timestamp,
) -> Result<Step, Rejection> {
    accept_unless(|_, _| false, head, since, submission, (max_text, now))
}

fn accept_unless(
    is_repeated: impl Fn(&Revision, &Changeset) -> bool,
    head: &Head,
    since: &[Revision],
    submission: &Submission,
    (max_text, now): (usize, Timestamp),
) -> Result<Step, Rejection> {
    let known = submission.base.map_or(Rev::FIRST, Rev::next);
    if known.plus(since.len() as u64) != head.next_rev() {
        return Err(Rejection::UnknownBase);
    }
    check_change(&submission.change)?;
    check_authors(submission, &head.pool)?;
    let mut pool = Arc::clone(&head.pool);
    let sent = submission
        .pool
        .move_to_shared(&submission.change, &mut pool);
    check_growth(&head.pool, &pool)?;
    let sent = canonical_attribs(sent, &pool);
    let mut change = sent.clone();
    for revision in since {
        if is_repeated(revision, &sent) {
            // The acknowledgement got lost and the member sent its change again.
            change = Changeset::identity(sent.old_len);
        }
        change = follow(&revision.change, &change, Tie::First, &pool)?;
    }
    commit(head, change, pool, &submission.author, max_text, now)
}

fn commit(
    head: &Head,
    change: Changeset,
    pool: Arc<Pool>,
    author: &AuthorId,
    max_text: usize,
    now: Timestamp,
) -> Result<Step, Rejection> {
    if change.new_len > max_text && change.new_len > change.old_len {
        return Err(Rejection::TextTooLong);
    }
    let touched = change.clone();
    let Some(mut step) = head.advance(change, pool, Some(author.clone()), now)? else {
        return Ok(Step {
            revisions: Vec::new(),
            head: head.clone(),
        });
    };
    let document = &step.head.document;
    if document
        .len()
        .checked_sub(1)
        .and_then(|last| document.unit_at(last))
        != Some(NEWLINE)
    {
        return Err(Rejection::FinalNewline);
    }
    let mut pool = Arc::clone(&step.head.pool);
    if let Some(repair) = misplaced_markers(document, &touched, &mut pool)
        && let Some(repaired) = step.head.advance(repair, pool, Some(author.clone()), now)?
    {
        step.revisions.extend(repaired.revisions);
        step.head = repaired.head;
    }
    Ok(step)
}

/// A member writes only as itself. It may put another author back onto existing text (that is how
/// clearing authorship is undone), but only one who is part of this pad already.
fn check_authors(submission: &Submission, pad_pool: &Pool) -> Result<(), Rejection> {
    for op in &submission.change.ops {
        for number in op.attribs.iter() {
            submission.pool.resolve(number)?;
        }
        let author = submission
            .pool
            .value_of(&op.attribs, "author")
            .unwrap_or_default();
        if author.is_empty() {
            if op.kind == OpKind::Insert {
                return Err(Rejection::InsertWithoutAuthor);
            }
            continue;
        }
        let own = author == submission.author.as_str();
        let known = || {
            pad_pool
                .number_of(&Attribute::new("author", author))
                .is_some()
        };
        let allowed =
            author != AuthorId::system().as_str() && (own || (op.kind == OpKind::Keep && known()));
        if !allowed {
            return Err(Rejection::ForeignAuthor);
        }
    }
    Ok(())
}

/// Brings every attribute list into the order of keys, each key once, no empty values on inserts.
/// Other servers store such lists as they were sent; equal text would then not merge.
fn canonical_attribs(change: Changeset, pool: &Pool) -> Changeset {
    if change.ops.iter().all(|op| is_canonical(op, pool)) {
        return change;
    }
    let mut assembler = Assembler::new();
    for op in &change.ops {
        assembler.push(Op {
            attribs: sorted(op, pool),
            ..op.clone()
        });
    }
    Changeset {
        ops: assembler.finish(),
        ..change
    }
}

fn is_canonical(op: &Op, pool: &Pool) -> bool {
    let mut last: Option<&str> = None;
    op.attribs
        .iter()
        .filter_map(|number| pool.get(number))
        .all(|attribute| {
            let ascending = last.is_none_or(|last| cmp_units(last, &attribute.key).is_lt());
            last = Some(&attribute.key);
            ascending && (op.kind != OpKind::Insert || !attribute.value.is_empty())
        })
}

fn sorted(op: &Op, pool: &Pool) -> Attribs {
    let mut list: Vec<(u32, &Attribute)> = Vec::new();
    for number in op.attribs.iter() {
        let Some(attribute) = pool.get(number) else {
            continue;
        };
        list.retain(|(_, other)| other.key != attribute.key);
        if op.kind != OpKind::Insert || !attribute.value.is_empty() {
            list.push((number, attribute));
        }
    }
    list.sort_by(|a, b| cmp_units(&a.1.key, &b.1.key));
    list.into_iter().map(|(number, _)| number).collect()
}
