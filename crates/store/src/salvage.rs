//! What can still be read of a damaged pad.
//!
//! Revisions are followed from the first one as long as each can be read and fits what was before
//! it, also beyond the head that the pad's row names. Everything that only follows from them, such
//! as snapshots, weights and the list of authors, is left out: storing what was salvaged
//! rebuilds it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use changeset::{Document, Pool};
use pad::{AuthorId, ChatMessage, Head, PadId, Rev, Revision, Timestamp};

use crate::check::replay::decode_revisions;
use crate::error::Error;
use crate::import::Import;
use crate::limits::CHECK_ROWS;
use crate::record::{PadKey, PadRecord};
use crate::sql::{Failure, Row, Tx};
use crate::{Store, history, pads};
use codec::decode_text;

#[derive(Clone, Debug)]
pub struct Salvage {
    pub record: PadRecord,
    /// From the first revision to the last that fits.
    pub import: Import,
}

impl Salvage {
    /// Whether every revision is there that the pad says it has.
    pub fn is_whole(&self) -> bool {
        self.last() >= Some(self.record.head)
    }

    /// The last revision that fits.
    pub fn last(&self) -> Option<Rev> {
        let count = self.import.revisions.len() as u64;
        count.checked_sub(1).map(Rev)
    }

    /// Leaves out what came after a revision.
    pub fn cut(&mut self, rev: Rev) {
        let kept = usize::try_from(rev.0).map_or(usize::MAX, |rev| rev.saturating_add(1));
        self.import.revisions.truncate(kept);
        self.import.saved.retain(|saved| saved.rev <= rev);
    }
}

impl Store {
    /// `None`: there is no such pad.
    pub async fn salvage(&self, id: &PadId) -> Result<Option<Salvage>, Error> {
        let id = id.clone();
        let begun = self.engine.read(move |tx| begin(tx, &id)).await?;
        let Some((record, mut import)) = begun else {
            return Ok(None);
        };
        let key = record.key;
        let mut document = Head::empty().document;
        loop {
            let next = import.revisions.len() as i64;
            let (pool, before) = (Arc::clone(&import.pool), document);
            let read = move |tx: &mut dyn Tx| {
                follow(tx, key, next..next + CHECK_ROWS, before.clone(), &pool)
            };
            let (revisions, after) = self.engine.read(read).await?;
            let is_over = (revisions.len() as i64) < CHECK_ROWS;
            import.revisions.extend(revisions);
            document = after;
            if is_over {
                break;
            }
        }
        let end = Rev(import.revisions.len() as u64);
        import.saved.retain(|saved| saved.rev < end);
        Ok(Some(Salvage { record, import }))
    }
}

/// Everything but the revisions.
fn begin(tx: &mut dyn Tx, id: &PadId) -> Result<Option<(PadRecord, Import)>, Failure> {
    let Some(record) = pads::find(tx, id)? else {
        return Ok(None);
    };
    let row = tx.row(
        "SELECT COALESCE(MAX(number) + 1, 0) FROM attributes WHERE pad = $1",
        &[record.key.0.into()],
    )?;
    let next = row.map_or(Ok(0), |mut row| row.int(0))?;
    let import = Import {
        pool: Arc::new(history::pool(tx, record.key, next)?),
        revisions: Vec::new(),
        chat: readable_chat(tx, record.key)?,
        saved: pads::saved_revisions(tx, record.key)?,
        title: record.title.clone(),
        authors: Vec::new(),
    };
    Ok(Some((record, import)))
}

/// The revisions of a range up to the first that is missing or does not fit, and what they lead to.
fn follow(
    tx: &mut dyn Tx,
    key: PadKey,
    range: Range<i64>,
    mut document: Document,
    pool: &Pool,
) -> Result<(Vec<Revision>, Document), Failure> {
    let mut readable: BTreeMap<i64, Revision> =
        decode_revisions(tx, key, range.clone(), &mut Vec::new())?;
    let mut followed = Vec::new();
    for rev in range {
        let Some(revision) = readable.remove(&rev) else {
            break;
        };
        if !uses_only(&revision, pool) {
            break;
        }
        let Ok(after) = document.apply(&revision.change, pool) else {
            break;
        };
        document = after;
        followed.push(revision);
    }
    Ok((followed, document))
}

fn uses_only(revision: &Revision, pool: &Pool) -> bool {
    let mut numbers = revision.change.ops.iter().flat_map(|op| op.attribs.iter());
    numbers.all(|number| pool.get(number).is_some())
}

fn readable_chat(tx: &mut dyn Tx, key: PadKey) -> Result<Vec<ChatMessage>, Failure> {
    let rows = tx.rows(
        "SELECT author, time, text FROM chat WHERE pad = $1 ORDER BY number",
        &[key.0.into()],
    )?;
    let message = |mut row: Row| {
        Some(ChatMessage {
            author: row.optional_id(0, AuthorId::parse).ok()?,
            time: Timestamp(row.int(1).ok()?),
            text: decode_text(&row.blob(2).ok()?).ok()?,
        })
    };
    Ok(rows.into_iter().filter_map(message).collect())
}
