//! Notes: what a node has changed besides texts, for the others to look at.

use std::sync::Arc;

use pad::{AuthorId, Rev, Timestamp};
use tokio::sync::watch;

use super::{NodeId, clock};
use crate::Store;
use crate::engine::Turn;
use crate::error::Error;
use crate::limits::{NOTES_MILLIS, NOTES_OVERLAP_MILLIS, NOTES_READ};
use crate::record::PadKey;
use crate::sql::{Bind, Dialect, Failure, Row, Tx, damaged};

pub(super) const PRESENCE: &str = "presence";

/// Where to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Somebody came to a pad or left it.
    Presence(PadKey),
    /// A chat message, by its number.
    Chat(PadKey, u64),
    Saved(PadKey, Rev),
    /// A saved revision has another label.
    SavedNamed(PadKey, Rev),
    /// A pad has another title.
    Title(PadKey),
    /// Options of a pad were set; what members are shown of it, in the writer's own form.
    Options(PadKey, String),
    /// A pad has no name any more, or another one.
    Gone(PadKey),
    /// A pad is still there, but its history is another.
    Replaced(PadKey),
    /// A pad is no longer open to everybody.
    Closed(PadKey),
    /// An author has another name or colour, or is erased.
    Author(AuthorId),
    /// A session was deleted; the hash of its id in hexadecimal digits.
    SessionEnded(String),
    /// A message to the members of one pad or of all, in the writer's own form.
    Message(Option<PadKey>, String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteRecord {
    pub number: i64,
    pub node: NodeId,
    pub note: Note,
}

/// Counts the jobs of this process that may have left a note.
#[derive(Clone)]
pub(crate) struct Notes(Arc<watch::Sender<u64>>);

impl Default for Notes {
    fn default() -> Notes {
        Notes(Arc::new(watch::Sender::new(0)))
    }
}

/// Counts when it is dropped.
struct Noted(Notes);

impl Drop for Noted {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count += 1);
    }
}

impl Store {
    /// Changes after notes of this process were committed. Others should look then.
    pub fn noted(&self) -> watch::Receiver<u64> {
        self.notes.0.subscribe()
    }

    /// A job that may leave notes, counted when it is over. The engine drops a job's work before it
    /// answers.
    pub(crate) fn noting<T, F>(
        &self,
        mut run: F,
    ) -> impl FnMut(&mut dyn Tx) -> Result<T, Failure> + Send + 'static
    where
        T: 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Failure> + Send + 'static,
    {
        let noted = self.node.map(|_| Noted(self.notes.clone()));
        move |tx| {
            let _until_the_job_is_dropped = &noted;
            run(tx)
        }
    }

    /// Leaves a note that belongs to no other change.
    pub async fn leave_note(&self, note: Note, now: Timestamp) -> Result<(), Error> {
        let node = self.node;
        let write = self.noting(move |tx| leave(tx, node, &note, Some(now)));
        self.engine.write(Turn::Alone, write).await
    }

    /// The notes of other nodes with a greater number, in order. Notes are numbered when they are
    /// written and visible when they are committed, so a lower number may come later:
    /// [`Store::recent_notes`] has those.
    pub async fn notes_after(&self, number: i64) -> Result<Vec<NoteRecord>, Error> {
        let own = self.node.map_or(-1, NodeId::number);
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT number, node, kind, pad, subject FROM notes
                 WHERE number > $1 AND node <> $2 ORDER BY number LIMIT $3",
                &[number.into(), own.into(), NOTES_READ.into()],
            )?;
            rows.into_iter().map(record).collect()
        };
        self.engine.read(read).await
    }

    /// The notes that other nodes have left in the last seconds and since the reader last looked,
    /// `silence` milliseconds ago, in order.
    pub async fn recent_notes(
        &self,
        now: Timestamp,
        silence: i64,
    ) -> Result<Vec<NoteRecord>, Error> {
        let own = self.node.map_or(-1, NodeId::number);
        let read = move |tx: &mut dyn Tx| {
            let since = clock(tx, now)? - NOTES_OVERLAP_MILLIS - silence.clamp(0, NOTES_MILLIS);
            let rows = tx.rows(
                "SELECT number, node, kind, pad, subject FROM notes
                 WHERE time >= $1 AND node <> $2 ORDER BY number LIMIT $3",
                &[since.into(), own.into(), NOTES_READ.into()],
            )?;
            rows.into_iter().map(record).collect()
        };
        self.engine.read(read).await
    }
}

/// Leaves a note in a transaction. Without a node nobody else would read it.
///
/// Its time is that of the database's clock. The embedded database has none: there it is `now`, or
/// when any node gave a sign of life.
pub(crate) fn leave(
    tx: &mut dyn Tx,
    node: Option<NodeId>,
    note: &Note,
    now: Option<Timestamp>,
) -> Result<(), Failure> {
    let Some(node) = node else {
        return Ok(());
    };
    let (kind, pad, subject) = parts(note);
    let [node, kind] = [node.number().into(), Bind::from(kind)];
    let (pad, subject) = (pad.map(|key| key.0).into(), subject.as_deref().into());
    let count = match tx.dialect() {
        Dialect::Sqlite => tx.execute(
            "INSERT INTO notes (node, time, kind, pad, subject)
             VALUES ($1, COALESCE($2, (SELECT MAX(seen) FROM nodes), 0), $3, $4, $5)",
            &[node, now.map(Timestamp::millis).into(), kind, pad, subject],
        ),
        Dialect::Postgres => tx.execute(
            "INSERT INTO notes (node, time, kind, pad, subject)
             VALUES ($1, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT, $2, $3, $4)",
            &[node, kind, pad, subject],
        ),
    };
    count.map(drop)
}

fn parts(note: &Note) -> (&'static str, Option<PadKey>, Option<String>) {
    match note {
        Note::Presence(pad) => (PRESENCE, Some(*pad), None),
        Note::Chat(pad, number) => ("chat", Some(*pad), Some(number.to_string())),
        Note::Saved(pad, rev) => ("saved", Some(*pad), Some(rev.0.to_string())),
        Note::SavedNamed(pad, rev) => ("saved-named", Some(*pad), Some(rev.0.to_string())),
        Note::Title(pad) => ("title", Some(*pad), None),
        Note::Options(pad, shown) => ("options", Some(*pad), Some(shown.clone())),
        Note::Gone(pad) => ("gone", Some(*pad), None),
        Note::Replaced(pad) => ("replaced", Some(*pad), None),
        Note::Closed(pad) => ("closed", Some(*pad), None),
        Note::Author(author) => ("author", None, Some(author.as_str().to_owned())),
        Note::SessionEnded(hash) => ("session", None, Some(hash.clone())),
        Note::Message(pad, body) => ("message", *pad, Some(body.clone())),
    }
}

fn record(mut row: Row) -> Result<NoteRecord, Failure> {
    let (number, node) = (row.int(0)?, NodeId::from_stored(row.int(1)?)?);
    let kind = row.text(2)?;
    let pad = row.optional_int(3)?.map(PadKey);
    let key = || pad.ok_or_else(damaged);
    let mut subject = || row.text(4);
    let counted = |text: String| text.parse().map_err(|_| damaged());
    let note = match kind.as_str() {
        PRESENCE => Note::Presence(key()?),
        "chat" => Note::Chat(key()?, counted(subject()?)?),
        "saved" => Note::Saved(key()?, Rev(counted(subject()?)?)),
        "saved-named" => Note::SavedNamed(key()?, Rev(counted(subject()?)?)),
        "title" => Note::Title(key()?),
        "options" => Note::Options(key()?, subject()?),
        "gone" => Note::Gone(key()?),
        "replaced" => Note::Replaced(key()?),
        "closed" => Note::Closed(key()?),
        "author" => Note::Author(AuthorId::parse(&subject()?).ok_or_else(damaged)?),
        "session" => Note::SessionEnded(subject()?),
        "message" => Note::Message(pad, subject()?),
        // A later release may know more.
        _ => Note::Message(pad, String::new()),
    };
    Ok(NoteRecord { number, node, note })
}
