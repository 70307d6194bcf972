//! Appending revisions to a pad that others may append to at the same time.
//!
//! An append names the head and the seats that its plan was made on, and one statement compares
//! them, writes them and takes the pad's row. If they are others by now, the row is taken as it is:
//! what was missed is read under its lock, the plan is made again on top of that, and appended in
//! the same transaction. So who was overtaken plans once more and not in a race.

use pad::{Head, Rev, Step, Timestamp};

use crate::Store;
use crate::engine::Turn;
use crate::error::Error;
use crate::history::{self, Addition, Ledger};
use crate::limits::{LISTING_MILLIS, PACK_BYTES, PACK_REVISIONS};
use crate::missed::{self, Hold, Known, Missed};
use crate::record::{Appended, PadKey};
use crate::sql::{Bind, Failure, Tx};

/// How an append has ended.
#[derive(Clone, Debug)]
pub enum Added<P> {
    /// What was planned is stored.
    Planned,
    /// Others had written. What was planned on top of that is stored.
    Replanned(Box<Replanned<P>>),
    /// The pad is gone. Nothing was stored.
    Gone,
}

#[derive(Clone, Debug)]
pub struct Replanned<P> {
    pub missed: Missed,
    /// The head after what was missed.
    pub head: Head,
    /// What was planned on that head, and stored.
    pub plan: P,
}

impl Store {
    /// Adds revisions to a pad whose head is still `before`. Does not compare the seats.
    pub async fn append(&self, key: PadKey, before: &Head, step: &Step) -> Result<Appended, Error> {
        if before.rev.is_none() {
            return Ok(Appended::Conflict);
        }
        if step.revisions.is_empty() {
            return Ok(Appended::Done);
        }
        let append = Append::new(key, before, None, step);
        let write = move |tx: &mut dyn Tx| {
            Ok(match append.run(tx)? {
                true => Appended::Done,
                false => Appended::Conflict,
            })
        };
        self.engine.write(Turn::Of(key.0), write).await
    }

    /// Adds revisions that were planned on `before`. If the pad has another head by now, or another
    /// number of seats than a given one, `replan` plans again: it gets the head and what was
    /// missed, and gives what to add to it, which may be nothing. It may be called more than once;
    /// the last call counts. A caller that expects others to have been faster saves the attempt:
    /// the row is taken first.
    pub async fn append_or_replan<P, F>(
        &self,
        key: PadKey,
        before: &Head,
        seats: Option<i64>,
        step: &Step,
        expects_others: bool,
        mut replan: F,
    ) -> Result<Added<P>, Error>
    where
        P: AsRef<Step> + Send + 'static,
        F: FnMut(&Head, &Missed) -> P + Send + 'static,
    {
        let append = Append::new(key, before, seats, step);
        let (known, before) = (Known::new(before, seats), before.clone());
        let write = move |tx: &mut dyn Tx| {
            // Where others write too, being overtaken is likelier than that something is due.
            let is_planned = !expects_others
                && (append.run_briefly(tx)? || seats.is_none() && append.run_fully(tx)?);
            if is_planned {
                return Ok(Added::Planned);
            }
            let Some(missed) = missed::read(tx, key, known, Hold::Yes)? else {
                return Ok(Added::Gone);
            };
            let is_planned = missed.is_nothing()
                && (expects_others && append.run_briefly(tx)? || append.run_fully(tx)?);
            if is_planned {
                return Ok(Added::Planned);
            }
            let head = missed.apply(&before)?;
            let plan = replan(&head, &missed);
            let step = plan.as_ref();
            let append = Append::new(key, &head, None, step);
            if !step.revisions.is_empty() && !append.run(tx)? {
                let detail = "a pad changed while its row was held".to_owned();
                return Err(Failure::Contended(detail));
            }
            Ok(Added::Replanned(Box::new(Replanned { missed, head, plan })))
        };
        self.engine.write(Turn::Of(key.0), write).await
    }
}

struct Append {
    key: PadKey,
    expected: Rev,
    /// `None`: any.
    seats: Option<i64>,
    head_time: Timestamp,
    next_attribute: u32,
    attributes: Vec<(u32, changeset::Attribute)>,
    addition: Addition,
}

impl Append {
    fn new(key: PadKey, before: &Head, seats: Option<i64>, step: &Step) -> Append {
        Append {
            key,
            // A pad has a revision from the start, so this one is never the newest.
            expected: before.rev.unwrap_or(Rev(u64::MAX)),
            seats,
            head_time: step.head.time,
            next_attribute: step.head.pool.next_number(),
            attributes: step.new_attributes(before),
            addition: Addition::new(before, step),
        }
    }

    /// False: the head or the seats are others, or the pad is gone.
    fn run(&self, tx: &mut dyn Tx) -> Result<bool, Failure> {
        Ok(self.run_briefly(tx)? || self.run_fully(tx)?)
    }

    /// Also seals what has to be sealed, and brings lists up to date.
    fn run_fully(&self, tx: &mut dyn Tx) -> Result<bool, Failure> {
        // Compares, writes and takes the row at once. What it gives back is the state before.
        let row = tx.row(
            "UPDATE pads SET head = head + $1, head_time = $2, next_attribute = $3,
                 loose_bytes = loose_bytes + $4
             WHERE key = $5 AND head = $6 AND seats = COALESCE($7, seats) AND name IS NOT NULL
             RETURNING head - $1, sealed, loose_bytes - $4, snapshot_bytes, changed_bytes",
            &self.binds(),
        )?;
        let Some(mut row) = row else {
            return Ok(false);
        };
        let mut ledger = Ledger::read(&mut row, 0)?;
        history::add_attributes(tx, self.key, &self.attributes)?;
        self.addition.write(tx, self.key, &mut ledger)?;
        ledger.write(tx, self.key)?;
        Ok(true)
    }

    /// The way of nearly all revisions: nothing has to be sealed and lists need no update, so
    /// there is nothing to know of the pad. One statement for the pad and one for the revision.
    fn run_briefly(&self, tx: &mut dyn Tx) -> Result<bool, Failure> {
        let [a, b, c, d, e, f, g] = self.binds();
        let limits = [PACK_REVISIONS, PACK_BYTES, LISTING_MILLIS].map(Bind::from);
        let [h, i, j] = limits;
        let binds = [a, b, c, d, e, f, g, h, i, j];
        let count = tx.execute(
            "UPDATE pads SET head = head + $1, head_time = $2, next_attribute = $3,
                 loose_bytes = loose_bytes + $4
             WHERE key = $5 AND head = $6 AND seats = COALESCE($7, seats) AND name IS NOT NULL
                 AND head + $1 - sealed + 1 < $8 AND loose_bytes + $4 < $9
                 AND $2 < listed_time + $10",
            &binds,
        )?;
        if count > 0 {
            history::add_attributes(tx, self.key, &self.attributes)?;
            self.addition
                .write_rows(tx, self.key, self.expected.next())?;
        }
        Ok(count > 0)
    }

    fn binds(&self) -> [Bind<'static>; 7] {
        [
            self.addition.len().into(),
            self.head_time.millis().into(),
            i64::from(self.next_attribute).into(),
            self.addition.weight().into(),
            self.key.0.into(),
            self.expected.into(),
            self.seats.into(),
        ]
    }
}
