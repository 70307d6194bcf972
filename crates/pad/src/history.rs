//! Stretches of history as a viewer asks for them: forwards, backwards, in steps of any size.

use changeset::{Attribute, Changeset, Document, Error, Pool, compose, inverse};

use crate::final_newline::{last_attribs, spares_final_newline, sparing_final_newline};
use crate::revision::{Rev, Revision, Timestamp};

/// How many steps one answer holds at most.
const STEPS: u64 = 100;

/// What a viewer asks for: steps of `granularity` revisions from `start` on.
#[derive(Clone, Copy, Debug)]
pub struct HistoryRequest {
    pub start: Rev,
    /// From one to [`COARSEST`].
    pub granularity: u64,
}

/// How many revisions a step may have, so that the revisions that are read for an answer are
/// bounded. No client asks for more.
pub const COARSEST: u64 = 100;

/// The revisions that an answer is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub start: Rev,
    /// The revision after the last one.
    pub end: Rev,
}

/// Step `i` leads from revision `start + i·granularity - 1` to `granularity` revisions later;
/// before revision 0 there is the empty document. All changes are numbered in `pool`.
#[derive(Clone, Debug)]
pub struct History {
    pub forwards: Vec<Changeset>,
    pub backwards: Vec<Changeset>,
    /// How many milliseconds each step took.
    pub time_deltas: Vec<i64>,
    pub pool: Pool,
}

impl HistoryRequest {
    /// The stretch to read, given the newest revision.
    pub fn stretch(&self, head: Rev) -> Stretch {
        let granularity = self.granularity.clamp(1, COARSEST);
        let wanted = self.start.plus(STEPS.saturating_mul(granularity));
        let end = wanted.min(head.next());
        Stretch {
            start: self.start.min(head),
            end: end.minus(end.0 % granularity),
        }
    }

    /// Makes the answer from the document and time before the stretch and the revisions in it.
    /// Before revision 0 the time is that of revision 0.
    pub fn answer(
        &self,
        before: &Document,
        time_before: Timestamp,
        revisions: &[Revision],
        pad_pool: &Pool,
    ) -> Result<History, Error> {
        let mut pad_pool = pad_pool.clone();
        let mut history = History {
            forwards: Vec::new(),
            backwards: Vec::new(),
            time_deltas: Vec::new(),
            pool: Pool::new(),
        };
        let mut document = before.clone();
        let mut time = time_before;
        for step in revisions.chunks_exact(self.granularity.clamp(1, COARSEST) as usize) {
            let forwards = composed(&document, step, &pad_pool)?;
            let forwards = spared(forwards, &document, &mut pad_pool)?;
            let backwards = inverse(&forwards, &document, &mut pad_pool)?;
            document = document.apply(&forwards, &pad_pool)?;
            let pool = &mut history.pool;
            history
                .forwards
                .push(pad_pool.move_changeset(&forwards, pool));
            history
                .backwards
                .push(pad_pool.move_changeset(&backwards, pool));
            let after = step.last().map_or(time, |revision| revision.time);
            history.time_deltas.push(after.millis() - time.millis());
            time = after;
        }
        Ok(history)
    }
}

/// Several revisions as one change. Old data holds changes whose newlines are counted wrongly; they
/// compose once they are counted again on the text they were made for.
fn composed(before: &Document, step: &[Revision], pool: &Pool) -> Result<Changeset, Error> {
    let identity = || Changeset::identity(before.len());
    let as_stored =
        step.iter().try_fold(
            None::<Changeset>,
            |whole, Revision { change, .. }| match whole {
                None => Ok(Some(change.clone())),
                Some(whole) => compose(&whole, change, pool).map(Some),
            },
        );
    if let Ok(whole) = as_stored {
        return Ok(whole.unwrap_or_else(identity));
    }
    let mut document = before.clone();
    let mut whole = identity();
    for Revision { change, .. } in step {
        let change = change.recounted(&document)?;
        whole = compose(&whole, &change, pool)?;
        document = document.apply(&change, pool)?;
    }
    Ok(whole)
}

/// A change that spares the final newline. Each revision of a step may, and the step not: after a
/// new text that replaces the newline in one piece, others are added.
fn spared(change: Changeset, before: &Document, pool: &mut Pool) -> Result<Changeset, Error> {
    if spares_final_newline(&change) {
        return Ok(change);
    }
    let keys: Vec<String> = last_attribs(before)
        .iter()
        .filter_map(|number| Some(pool.get(number)?.key.clone()))
        .collect();
    for key in keys {
        // To be named if the newline has to lose it.
        pool.intern(Attribute::new(key, ""));
    }
    sparing_final_newline(&change, before, pool)
}
