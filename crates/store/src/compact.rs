//! Compacting: the beginning of a history becomes one revision.
//!
//! A new pad is built with the shortened history and takes the old one's place in one transaction,
//! unless somebody has written in the meantime.

use std::sync::Arc;

use changeset::{Document, Pool};
use pad::{Head, Revision, Step, Timestamp, whole_document};

use crate::Store;
use crate::building::{self, Building, Finish, PadRow, Progress};
use crate::cluster::{NodeId, Note, leave};
use crate::engine::Turn;
use crate::error::Error;
use crate::history::{self, Addition};
use crate::limits::COMPACT_REVISIONS;
use crate::record::PadKey;
use crate::removal;
use crate::sql::{Failure, Tx};
use crate::transfer::interrupted;

impl Store {
    /// Keeps the last `keep` revisions and makes one of all before them: a revision of nobody that
    /// makes the text as it was then, with the time of the last one it replaces. Everything else of
    /// the pad stays, but no revision is marked any more. Gives the pad's key from now on.
    ///
    /// `None`: the pad has changed meanwhile, or is gone; nothing was done.
    pub async fn compact_pad(
        &self,
        key: PadKey,
        keep: Option<u64>,
    ) -> Result<Option<PadKey>, Error> {
        let keep = keep.map_or(0, |keep| i64::try_from(keep).unwrap_or(i64::MAX));
        let plan = self
            .engine
            .read(move |tx| Plan::read(tx, key, keep))
            .await?;
        let compacted = match plan {
            None => Ok(None),
            Some(plan) if plan.cut <= 0 => self.clear_saved_revisions(key, plan.head).await,
            Some(plan) => self.build_compacted(Arc::new(plan)).await,
        };
        self.engine.wake();
        compacted
    }

    /// All that compacting does to a pad that is short enough.
    async fn clear_saved_revisions(&self, key: PadKey, head: i64) -> Result<Option<PadKey>, Error> {
        let write = move |tx: &mut dyn Tx| {
            let row = PadRow::hold(tx, key)?;
            if row.is_none_or(|row| row.ledger.next != head + 1) {
                return Ok(None);
            }
            let sql = "DELETE FROM saved_revisions WHERE pad = $1";
            tx.execute(sql, &[key.0.into()])?;
            Ok(Some(key))
        };
        self.engine.write(Turn::Of(key.0), write).await
    }

    /// Leaves a pad that cannot be finished to be removed.
    async fn abandon(&self, building: Building) -> Result<Option<PadKey>, Error> {
        let give_up = move |tx: &mut dyn Tx| building.give_up(tx);
        self.engine.write(Turn::Alone, give_up).await?;
        Ok(None)
    }

    async fn build_compacted(&self, plan: Arc<Plan>) -> Result<Option<PadKey>, Error> {
        let base = Arc::clone(&plan);
        let start = move |tx: &mut dyn Tx| base.start(tx);
        let building = self.engine.write(Turn::Alone, start).await?;
        let mut document = plan.document.clone();
        let mut next = plan.cut + 1;
        while next <= plan.head {
            let end = (next + COMPACT_REVISIONS).min(plan.head + 1);
            let (range, before) = (Arc::clone(&plan), document.clone());
            // Read as one state, which a writing transaction would not see.
            let read = move |tx: &mut dyn Tx| range.range(tx, next..end, &before);
            let Some(Range { addition, after }) = self.engine.read(read).await? else {
                return self.abandon(building).await;
            };
            let write = move |tx: &mut dyn Tx| building.add(tx, &addition);
            if !self.engine.write(Turn::Alone, write).await? {
                return Err(interrupted());
            }
            document = after;
            next = end;
        }
        let chat = move |tx: &mut dyn Tx| building.copy_chat(tx);
        loop {
            if !self.repeat(chat).await? {
                return Err(interrupted());
            }
            let (last, node) = (Arc::clone(&plan), self.node);
            let finish = self.noting(move |tx| last.finish(tx, building, node));
            match self.engine.write(Turn::Alone, finish).await? {
                Finish::Done(done) => return Ok(done),
                Finish::Unfinished(Progress::Interrupted) => return Err(interrupted()),
                Finish::Unfinished(_) => {}
            }
        }
    }
}

/// What is to become of a pad's history.
struct Plan {
    source: PadKey,
    head: i64,
    /// The last revision that goes into the base.
    cut: i64,
    /// The document and the time at the cut.
    document: Document,
    time: Timestamp,
    pool: Arc<Pool>,
}

/// Revisions to be added, and the document after them.
struct Range {
    addition: Addition,
    after: Document,
}

impl Plan {
    fn read(tx: &mut dyn Tx, source: PadKey, keep: i64) -> Result<Option<Plan>, Failure> {
        let row = tx.row(
            "SELECT head, next_attribute FROM pads WHERE key = $1 AND name IS NOT NULL",
            &[source.0.into()],
        )?;
        let Some(mut row) = row else {
            return Ok(None);
        };
        let (head, next_attribute) = (row.int(0)?, row.int(1)?);
        let cut = head - keep;
        let at = cut.max(0);
        let pool = Arc::new(history::pool(tx, source, next_attribute)?);
        let document = history::document_at(tx, source, at, &pool)?;
        let last = history::revisions(tx, source, at..at + 1)?;
        Ok(Some(Plan {
            source,
            head,
            cut,
            document,
            time: last
                .first()
                .map_or_else(Timestamp::default, |revision| revision.time),
            pool,
        }))
    }

    fn start(&self, tx: &mut dyn Tx) -> Result<Building, Failure> {
        let building = Building::start(tx, self.source)?;
        building.copy_rest(tx, &[building::ATTRIBUTES, building::AUTHORS])?;
        let base = Revision {
            change: whole_document(&self.document, &self.pool),
            author: None,
            time: self.time,
        };
        let addition = self.addition(vec![base], &Head::empty().document, &self.document);
        building.add(tx, &addition)?;
        Ok(building)
    }

    /// A range of the revisions that are kept. `None`: the source is not what it was.
    fn range(
        &self,
        tx: &mut dyn Tx,
        range: std::ops::Range<i64>,
        before: &Document,
    ) -> Result<Option<Range>, Failure> {
        let sql = "SELECT head FROM pads WHERE key = $1 AND name IS NOT NULL";
        let source = tx.row(sql, &[self.source.0.into()])?;
        let head = source.map(|mut row| row.int(0)).transpose()?;
        if head != Some(self.head) {
            return Ok(None);
        }
        let revisions = history::revisions(tx, self.source, range)?;
        let mut after = before.clone();
        for revision in &revisions {
            after = after
                .into_applied(&revision.change, &self.pool)
                .map_err(|error| Error::Corrupt(format!("a revision does not fit: {error}")))?;
        }
        Ok(Some(Range {
            addition: self.addition(revisions, before, &after),
            after,
        }))
    }

    fn finish(
        &self,
        tx: &mut dyn Tx,
        building: Building,
        node: Option<NodeId>,
    ) -> Result<Finish<Option<PadKey>>, Failure> {
        let row = PadRow::hold(tx, self.source)?;
        let row = row.filter(|row| row.ledger.next == self.head + 1);
        let Some(row) = row else {
            building.give_up(tx)?;
            return Ok(Finish::Done(None));
        };
        let progress = building.copy_chat(tx)?;
        let ledger = building.ledger(tx)?;
        let (Some(ledger), Progress::Done) = (ledger, progress) else {
            return Ok(Finish::Unfinished(progress));
        };
        removal::mark_deleted(tx, self.source)?;
        leave(tx, node, &Note::Replaced(self.source), None)?;
        building.finish(tx, &PadRow { ledger, ..row })?;
        Ok(Finish::Done(Some(building.key)))
    }

    fn addition(&self, revisions: Vec<Revision>, before: &Document, after: &Document) -> Addition {
        let head = |document: &Document| Head {
            document: document.clone(),
            pool: Arc::clone(&self.pool),
            ..Head::empty()
        };
        let step = Step {
            revisions,
            head: head(after),
        };
        Addition::new(&head(before), &step)
    }
}
