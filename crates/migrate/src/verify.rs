//! Verification: a pad is read back from the store and compared with the source's own records.
//!
//! Texts are compared with those that the source has stored whole: the head's and those of key
//! revisions. [`Depth::All`] plays every revision of the source besides, in a way that knows
//! nothing of how pads are imported.

use changeset::{Changeset, Document, NEWLINE, Op, OpKind, Pool, Text};
use convert::native::{self, RevisionSource as _, SYSTEM_AUTHOR, StoredRevision};
use pad::{Head, Rev};
use store::{PadRecord, Store};
use wtf_json::Json;

use crate::Error;
use crate::pads::Stored;

/// How many key revisions of a pad are compared in a sample.
const SAMPLE: usize = 8;
/// How many revisions are read from the store at once.
const CHUNK: u64 = 500;

/// How much of a pad's history is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The head and some key revisions.
    Sample,
    /// Every revision.
    All,
}

/// What is not the same, if something is not.
pub(crate) async fn compare(
    store: &Store,
    pad: &PadRecord,
    source: &Stored<'_>,
    depth: Depth,
) -> Result<Option<String>, Error> {
    let Some(head) = store.load_head(pad.key).await? else {
        return Ok(Some("it cannot be read back".to_owned()));
    };
    if let Some(difference) = compare_head(&head, pad, source)? {
        return Ok(Some(difference));
    }
    if let Some(difference) = compare_key_revisions(store, pad, source, depth).await? {
        return Ok(Some(difference));
    }
    match depth {
        Depth::Sample => Ok(None),
        Depth::All => compare_history(store, pad, &head.pool, source).await,
    }
}

fn compare_head(
    head: &Head,
    pad: &PadRecord,
    source: &Stored<'_>,
) -> Result<Option<String>, Error> {
    let record = &source.record;
    let stored = record.get("atext").and_then(native::document);
    // A text without its last newline is none; the one that the history leads to is taken.
    let stored = stored.filter(|it| it.text().last() == Some(&NEWLINE));
    if let Some(stored) = stored {
        if stored.text() != head.document.text() {
            return Ok(Some("the text is not the same".to_owned()));
        }
        let pool = record.get("pool").and_then(native::pool);
        if !pool.is_some_and(|(pool, _)| {
            attributes_agree((&stored, &pool), (&head.document, &head.pool))
        }) {
            return Ok(Some("the text's attributes are not the same".to_owned()));
        }
    }
    let chat = source.chat_numbers()?.len() as u64;
    if chat != pad.chat_count {
        let here = pad.chat_count;
        return Ok(Some(format!("{here} chat messages are here, not {chat}")));
    }
    if let Some(theirs) = record.get("head").and_then(Json::as_u64)
        && pad.head < Rev(theirs)
    {
        let ours = pad.head;
        return Ok(Some(format!("its last revision is {ours}, not {theirs}")));
    }
    Ok(None)
}

async fn compare_key_revisions(
    store: &Store,
    pad: &PadRecord,
    source: &Stored<'_>,
    depth: Depth,
) -> Result<Option<String>, Error> {
    let keys: Vec<u64> = source
        .numbers()
        .into_iter()
        .filter(|number| number % 100 == 0 && *number <= pad.head.0)
        .collect();
    let step = match depth {
        Depth::Sample => keys.len().div_ceil(SAMPLE).max(1),
        Depth::All => 1,
    };
    for &number in keys.iter().rev().step_by(step) {
        let revision = source.revision(number);
        let Some(text) = revision.as_ref().and_then(StoredRevision::text) else {
            continue;
        };
        let document = store.document_at(pad.key, Rev(number)).await?;
        if document.is_none_or(|it| it.text() != text) {
            return Ok(Some(format!(
                "the text of revision {number} is not the same"
            )));
        }
    }
    Ok(None)
}

/// Plays both histories. Where the source's cannot be played, it goes on at its next key revision.
async fn compare_history(
    store: &Store,
    pad: &PadRecord,
    pool: &Pool,
    source: &Stored<'_>,
) -> Result<Option<String>, Error> {
    let mut ours = Document::plain(&[NEWLINE]);
    let mut theirs = Some(Text::from("\n"));
    let mut number = 0;
    while number <= pad.head.0 {
        let some = store
            .revisions(pad.key, Rev(number)..Rev(number + CHUNK))
            .await?;
        if some.is_empty() {
            return Ok(Some(format!("revision {number} cannot be read back")));
        }
        for revision in some {
            ours = match ours.apply(&revision.change, pool) {
                Ok(document) => document,
                Err(_) => return Ok(Some(format!("revision {number} does not apply"))),
            };
            let stored = source.revision(number);
            theirs = stored.as_ref().and_then(|it| played(theirs, it));
            if theirs.as_ref().is_some_and(|it| *it != ours.text()) {
                return Ok(Some(format!(
                    "the text of revision {number} is not the same"
                )));
            }
            let author = revision.author.as_ref().map(|it| it.as_str());
            let is_same = |it: &StoredRevision| {
                author == Some(SYSTEM_AUTHOR) || it.author() == author.unwrap_or_default()
            };
            if !stored.as_ref().is_none_or(is_same) {
                return Ok(Some(format!(
                    "the author of revision {number} is not the same"
                )));
            }
            number += 1;
        }
    }
    Ok(None)
}

/// The text after a revision, by the plainest of means.
fn played(before: Option<Text>, revision: &StoredRevision) -> Option<Text> {
    if let Some(text) = revision.text() {
        return Some(text);
    }
    let before = before?;
    let change = Changeset::unpack_units(revision.changeset()).ok()?;
    let (mut old, mut bank) = (&*before, &*change.bank);
    let mut after: Vec<u16> = Vec::with_capacity(before.len());
    for op in &change.ops {
        match op.kind {
            OpKind::Insert => {
                let (inserted, rest) = bank.split_at_checked(op.chars)?;
                after.extend(inserted);
                bank = rest;
            }
            kind => {
                let (some, rest) = old.split_at_checked(op.chars)?;
                if kind == OpKind::Keep {
                    after.extend(some);
                }
                old = rest;
            }
        }
    }
    after.extend(old);
    (before.len() == change.old_len).then(|| after.into())
}

type Attributed<'a> = (&'a Document, &'a Pool);

/// Whether all characters have the same attributes. Only those count that the source's pool has:
/// what it has lost may have been found elsewhere.
fn attributes_agree(theirs: Attributed<'_>, ours: Attributed<'_>) -> bool {
    let known = theirs.1;
    let (theirs, ours) = (runs(theirs, known), runs(ours, known));
    let (mut theirs, mut ours) = (theirs.into_iter(), ours.into_iter());
    let (mut a, mut b) = (theirs.next(), ours.next());
    while let (Some(left), Some(right)) = (&mut a, &mut b) {
        if left.1 != right.1 {
            return false;
        }
        let chars = left.0.min(right.0);
        left.0 -= chars;
        right.0 -= chars;
        let (left_ends, right_ends) = (left.0 == 0, right.0 == 0);
        if left_ends {
            a = theirs.next();
        }
        if right_ends {
            b = ours.next();
        }
    }
    a.is_none() && b.is_none()
}

/// Stretches of text with their attributes, without those that say nothing.
fn runs((document, pool): Attributed<'_>, known: &Pool) -> Vec<(usize, Vec<(String, String)>)> {
    let run = |op: Op| {
        let numbers = op.attribs.iter();
        let numbers = numbers.filter(|number| known.get(*number).is_some());
        let attributes = numbers.filter_map(|number| pool.get(number));
        let mut attributes: Vec<(String, String)> = attributes
            .filter(|it| !it.value.is_empty())
            .map(|it| (it.key.clone(), it.value.clone()))
            .collect();
        attributes.sort();
        attributes.dedup_by(|a, b| a.0 == b.0);
        (op.chars, attributes)
    };
    let ops = document.attribution().into_iter().map(run);
    ops.filter(|(chars, _)| *chars > 0).collect()
}
