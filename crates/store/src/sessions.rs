//! Sessions, which let authors into groups.
//!
//! An id is all that a visitor shows, so the database holds its hash; the id itself only encrypted.
//! A session whose id cannot be decrypted, because the key is another, lets in as before and ends
//! as before, but is in no listing.

use std::sync::Arc;

use pad::{AuthorId, GroupId, Session, SessionId, Timestamp};

use crate::Store;
use crate::cluster::{Note, leave};
use crate::engine::Turn;
use crate::error::Error;
use crate::people::digest;
use crate::session_key::SessionKey;
use crate::sql::{Bind, Dialect, Failure, Row, Tx};

impl Store {
    pub async fn create_session(&self, session: &Session) -> Result<(), Error> {
        let (session, key) = (session.clone(), self.session_key.clone());
        let turn = Turn::named(session.id.as_str());
        let write = move |tx: &mut dyn Tx| insert(tx, &session, key.as_deref()).map(drop);
        self.engine.write(turn, write).await
    }

    pub async fn session(&self, id: &SessionId) -> Result<Option<Session>, Error> {
        let id = id.clone();
        self.engine.read(move |tx| find(tx, &id)).await
    }

    /// Those that exist, in the order asked for.
    pub async fn sessions(&self, ids: &[SessionId]) -> Result<Vec<Session>, Error> {
        if ids.is_empty() {
            // Most visitors bring none.
            return Ok(Vec::new());
        }
        let ids = ids.to_vec();
        let read = move |tx: &mut dyn Tx| {
            let found = ids.iter().filter_map(|id| find(tx, id).transpose());
            found.collect()
        };
        self.engine.read(read).await
    }

    /// False: there is no such session.
    pub async fn delete_session(&self, id: &SessionId) -> Result<bool, Error> {
        let (hash, turn) = (digest(id.as_str()), Turn::named(id.as_str()));
        let node = self.node;
        let write = self.noting(move |tx| {
            let sql = "DELETE FROM hashed_sessions WHERE hash = $1";
            let is_deleted = tx.execute(sql, &[hash.as_slice().into()])? > 0;
            if is_deleted {
                leave(tx, node, &ended(&hash), None)?;
            }
            Ok(is_deleted)
        });
        self.engine.write(turn, write).await
    }

    /// By id.
    pub async fn sessions_of_group(&self, id: &GroupId) -> Result<Vec<Session>, Error> {
        let (id, key) = (id.clone(), self.session_key.clone());
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT hash, sealed_id, group_id, author, valid_until FROM hashed_sessions
                 WHERE group_id = $1",
                &[id.as_str().into()],
            )?;
            listed(rows, key.as_ref())
        };
        self.engine.read(read).await
    }

    /// By id.
    pub async fn sessions_of_author(&self, id: &AuthorId) -> Result<Vec<Session>, Error> {
        let (id, key) = (id.clone(), self.session_key.clone());
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT hash, sealed_id, group_id, author, valid_until FROM hashed_sessions
                 WHERE author = $1",
                &[id.as_str().into()],
            )?;
            listed(rows, key.as_ref())
        };
        self.engine.read(read).await
    }

    pub async fn count_sessions(&self) -> Result<u64, Error> {
        let read = |tx: &mut dyn Tx| {
            let row = tx.row("SELECT COUNT(*) FROM hashed_sessions", &[])?;
            row.map_or(Ok(0), |mut row| row.count(0))
        };
        self.engine.read(read).await
    }

    /// Removes the sessions that had ended at a point in time. Says how many.
    pub async fn remove_expired_sessions(&self, before: Timestamp) -> Result<u64, Error> {
        let seconds = before.millis().div_euclid(1000);
        let write = move |tx: &mut dyn Tx| {
            tx.execute(
                "DELETE FROM hashed_sessions WHERE valid_until <= $1",
                &[seconds.into()],
            )
        };
        self.engine.write(Turn::Alone, write).await
    }
}

/// The note that the session with a hash was deleted.
pub(crate) fn ended(hash: &[u8]) -> Note {
    Note::SessionEnded(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Takes the ids out of the clear that an earlier release has stored, before this one was
/// installed or after it was put back. Says how many there were.
pub(crate) fn hash_plain(tx: &mut dyn Tx, key: Option<&SessionKey>) -> Result<u64, Failure> {
    let sql = "SELECT id, group_id, author, valid_until FROM sessions";
    let rows = tx.rows(sql, &[])?;
    if rows.is_empty() {
        return Ok(0);
    }
    let count = rows.len() as u64;
    for mut row in rows {
        let id = row.id(0, SessionId::parse)?;
        insert(tx, &session(id, &mut row, 1)?, key)?;
    }
    match tx.dialect() {
        // Rows that are only deleted can still be read in the file.
        Dialect::Sqlite => {
            tx.define("PRAGMA secure_delete = ON")?;
            tx.execute("DELETE FROM sessions", &[])?;
            tx.define("PRAGMA secure_delete = OFF")?;
        }
        Dialect::Postgres => tx.define("TRUNCATE sessions")?,
    }
    Ok(count)
}

fn insert(tx: &mut dyn Tx, session: &Session, key: Option<&SessionKey>) -> Result<u64, Failure> {
    let hash = digest(session.id.as_str());
    let sealed = key.map(|key| key.seal(&hash, &session.id)).transpose()?;
    tx.execute(
        "INSERT INTO hashed_sessions (hash, sealed_id, group_id, author, valid_until)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (hash) DO NOTHING",
        &[
            hash.as_slice().into(),
            sealed.as_deref().map_or(Bind::Null, Bind::Blob),
            session.group.as_str().into(),
            session.author.as_str().into(),
            session.valid_until.into(),
        ],
    )
}

fn find(tx: &mut dyn Tx, id: &SessionId) -> Result<Option<Session>, Failure> {
    let row = tx.row(
        "SELECT group_id, author, valid_until FROM hashed_sessions WHERE hash = $1",
        &[digest(id.as_str()).as_slice().into()],
    )?;
    row.map(|mut row| session(id.clone(), &mut row, 0))
        .transpose()
}

fn listed(rows: Vec<Row>, key: Option<&Arc<SessionKey>>) -> Result<Vec<Session>, Failure> {
    let mut sessions = Vec::with_capacity(rows.len());
    for mut row in rows {
        let (hash, sealed) = (row.blob(0)?, row.optional_blob(1)?);
        let id = sealed.and_then(|sealed| key?.open(&hash, &sealed));
        if let Some(id) = id {
            sessions.push(session(id, &mut row, 2)?);
        }
    }
    sessions.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(sessions)
}

/// Group, author and end are in this and the next columns.
fn session(id: SessionId, row: &mut Row, column: usize) -> Result<Session, Failure> {
    Ok(Session {
        id,
        group: row.id(column, GroupId::parse)?,
        author: row.id(column + 1, AuthorId::parse)?,
        valid_until: row.int(column + 2)?,
    })
}
