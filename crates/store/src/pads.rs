//! Pads: creating them, reading them, and what their row says.

use std::ops::Range;
use std::sync::Arc;

use changeset::Document;
use pad::{AuthorId, Credit, Head, PadId, ReadOnlyId, Rev, Revision, Timestamp, Title, TokenHash};

use crate::building::make_room;
use crate::cluster::{Note, leave};
use crate::engine::Turn;
use crate::error::Error;
use crate::history::{self, Addition, Ledger};
use crate::record::{NewPad, PadKey, PadRecord, SavedRevision};
use crate::sql::{Bind, Failure, Row, Tx, damaged};
use crate::{Store, removal};

impl Store {
    /// Creates a pad with its first revisions. `None`: the name is taken.
    pub async fn create_pad(&self, new: NewPad<'_>) -> Result<Option<PadKey>, Error> {
        let turn = Turn::named(new.id.as_str());
        let creation = Creation::new(new)?;
        let create = self.names.noting(move |tx| creation.run(tx));
        self.engine.write(turn, create).await
    }

    /// Creates a pad in place of the one that has its name, if there is one.
    pub async fn create_pad_over(&self, new: NewPad<'_>) -> Result<Option<PadKey>, Error> {
        let creation = Creation::new(new)?;
        let node = self.node;
        let create = self.names.noting(move |tx| {
            make_room(tx, &creation.id, true, node)?;
            creation.run(tx)
        });
        let created = self.engine.write(Turn::Alone, self.noting(create)).await?;
        self.engine.wake();
        Ok(created)
    }

    pub async fn pad(&self, id: &PadId) -> Result<Option<PadRecord>, Error> {
        let id = id.clone();
        self.engine.read(move |tx| find(tx, &id)).await
    }

    /// The newest document, with the whole pool.
    pub async fn load_head(&self, key: PadKey) -> Result<Option<Head>, Error> {
        self.engine.read(move |tx| load_head(tx, key)).await
    }

    /// The revisions of a range, as far as they exist.
    pub async fn revisions(&self, key: PadKey, range: Range<Rev>) -> Result<Vec<Revision>, Error> {
        let clamped = move |next: i64| {
            let bound = |rev: Rev| i64::try_from(rev.0).unwrap_or(i64::MAX).min(next);
            bound(range.start)..bound(range.end)
        };
        let read = move |tx: &mut dyn Tx| match state(tx, key)? {
            Some(state) => {
                let range = clamped(state.next);
                history::revisions(tx, key, range.start..range.end.max(range.start))
            }
            None => Ok(Vec::new()),
        };
        self.engine.read(read).await
    }

    pub async fn credits(&self, key: PadKey, end: Rev) -> Result<Vec<Credit>, Error> {
        let end = i64::try_from(end.0).unwrap_or(i64::MAX);
        let read = move |tx: &mut dyn Tx| history::credits(tx, key, end);
        self.engine.read(read).await
    }

    /// The document at a revision. `None`: there is no such revision.
    pub async fn document_at(&self, key: PadKey, rev: Rev) -> Result<Option<Document>, Error> {
        let rev = i64::try_from(rev.0).unwrap_or(i64::MAX);
        let read = move |tx: &mut dyn Tx| match state(tx, key)? {
            Some(state) if rev < state.next => {
                let pool = history::pool(tx, key, state.next_attribute)?;
                history::document_at(tx, key, rev, &pool).map(Some)
            }
            _ => Ok(None),
        };
        self.engine.read(read).await
    }

    /// Takes the pad's name away; the rest is removed in the background. False: it has none.
    pub async fn delete_pad(&self, key: PadKey) -> Result<bool, Error> {
        let turn = Turn::Of(key.0);
        let node = self.node;
        let delete = self.names.noting(move |tx| {
            let deleted = removal::mark_deleted(tx, key)?;
            if deleted {
                leave(tx, node, &Note::Gone(key), None)?;
            }
            Ok(deleted)
        });
        let delete = self.noting(delete);
        let deleted = self.engine.write(turn, delete).await?;
        self.engine.wake();
        Ok(deleted)
    }

    pub async fn set_public(&self, key: PadKey, public: bool) -> Result<bool, Error> {
        let note = (!public).then_some(Note::Closed(key));
        self.change_row(
            key,
            note,
            "UPDATE pads SET public = $1 WHERE key = $2 AND name IS NOT NULL",
            move |tx, sql| tx.execute(sql, &[public.into(), key.0.into()]),
        )
        .await
    }

    /// Stores a pad's options, if those it has are still `before`. False: they are others, or the
    /// pad is gone. Other nodes get `note` to show to the pad's members.
    pub async fn set_settings(
        &self,
        key: PadKey,
        before: Option<&str>,
        settings: &str,
        note: Option<String>,
    ) -> Result<bool, Error> {
        let note = note.map(|shown| Note::Options(key, shown));
        let (before, settings) = (before.unwrap_or_default().to_owned(), settings.to_owned());
        self.change_row(
            key,
            note,
            "UPDATE pads SET settings = $1
             WHERE key = $2 AND COALESCE(settings, '') = $3 AND name IS NOT NULL",
            move |tx, sql| {
                let (settings, before) = (settings.as_str(), before.as_str());
                tx.execute(sql, &[settings.into(), key.0.into(), before.into()])
            },
        )
        .await
    }

    /// Gives a pad a title, or takes it away. False: the pad is gone.
    pub async fn set_title(&self, key: PadKey, title: Option<&Title>) -> Result<bool, Error> {
        let title = title.cloned();
        self.change_row(
            key,
            Some(Note::Title(key)),
            "UPDATE pads SET title = $1 WHERE key = $2 AND name IS NOT NULL",
            move |tx, sql| {
                let title = title.as_ref().map(Title::as_str);
                tx.execute(sql, &[title.into(), key.0.into()])
            },
        )
        .await
    }

    /// The pad's read-only id; if it has none yet, the candidate becomes it. `None`: no such pad.
    pub async fn read_only_id(
        &self,
        key: PadKey,
        candidate: ReadOnlyId,
    ) -> Result<Option<ReadOnlyId>, Error> {
        let known = self.engine.read(move |tx| {
            let row = tx.row(
                "SELECT read_only_id FROM pads WHERE key = $1 AND name IS NOT NULL",
                &[key.0.into()],
            )?;
            row.map(|mut row| row.optional_id(0, ReadOnlyId::parse))
                .transpose()
        });
        if let Some(Some(id)) = known.await? {
            return Ok(Some(id));
        }
        let write = move |tx: &mut dyn Tx| {
            let row = tx.row(
                "UPDATE pads SET read_only_id = COALESCE(read_only_id, $1)
                 WHERE key = $2 AND name IS NOT NULL RETURNING read_only_id",
                &[candidate.as_str().into(), key.0.into()],
            )?;
            row.map(|mut row| row.id(0, ReadOnlyId::parse)).transpose()
        };
        self.engine.write(Turn::Of(key.0), write).await
    }

    pub async fn pad_of_read_only_id(&self, id: &ReadOnlyId) -> Result<Option<PadId>, Error> {
        let id = id.clone();
        let read = move |tx: &mut dyn Tx| {
            let row = tx.row(
                "SELECT name FROM pads WHERE read_only_id = $1 AND name IS NOT NULL",
                &[id.as_str().into()],
            )?;
            row.map(|mut row| row.id(0, PadId::parse)).transpose()
        };
        self.engine.read(read).await
    }

    /// Notes the hash of a token with which the pad may be deleted. False: it has one already.
    pub async fn issue_deletion_token(&self, key: PadKey, hash: &TokenHash) -> Result<bool, Error> {
        let hash = hash.clone();
        self.change_row(
            key,
            None,
            "UPDATE pads SET deletion = $1
             WHERE key = $2 AND deletion IS NULL AND name IS NOT NULL",
            move |tx, sql| tx.execute(sql, &[hash.0.as_str().into(), key.0.into()]),
        )
        .await
    }

    /// Marks a revision. False: it is marked already, or does not exist.
    pub async fn save_revision(&self, key: PadKey, saved: &SavedRevision) -> Result<bool, Error> {
        let saved = saved.clone();
        let note = Note::Saved(key, saved.rev);
        self.change_row(
            key,
            Some(note),
            "INSERT INTO saved_revisions (pad, rev, id, label, author, time)
             SELECT key, $1, $2, $3, $4, $5 FROM pads
             WHERE key = $6 AND name IS NOT NULL AND head >= $1
             ON CONFLICT (pad, rev) DO NOTHING",
            move |tx, sql| {
                let binds = [
                    saved.rev.into(),
                    saved.id.as_str().into(),
                    saved.label.as_str().into(),
                    saved.author.as_ref().map(AuthorId::as_str).into(),
                    saved.time.millis().into(),
                    key.0.into(),
                ];
                tx.execute(sql, &binds)
            },
        )
        .await
    }

    /// Gives a marked revision another label. False: it is not marked.
    pub async fn name_saved_revision(
        &self,
        key: PadKey,
        rev: Rev,
        label: &str,
    ) -> Result<bool, Error> {
        let label = label.to_owned();
        self.change_row(
            key,
            Some(Note::SavedNamed(key, rev)),
            "UPDATE saved_revisions SET label = $1 WHERE pad = $2 AND rev = $3
             AND EXISTS (SELECT 1 FROM pads WHERE key = $2 AND name IS NOT NULL)",
            move |tx, sql| tx.execute(sql, &[label.as_str().into(), key.0.into(), rev.into()]),
        )
        .await
    }

    /// The marked revisions, in their order.
    pub async fn saved_revisions(&self, key: PadKey) -> Result<Vec<SavedRevision>, Error> {
        self.engine.read(move |tx| saved_revisions(tx, key)).await
    }

    /// Names of pads, in the order of their bytes.
    pub async fn list_pads(&self, after: Option<&str>, limit: usize) -> Result<Vec<PadId>, Error> {
        let after = after.unwrap_or_default().to_owned();
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT name FROM pads WHERE name > $1 ORDER BY name LIMIT $2",
                &[after.as_str().into(), (limit as u64).into()],
            )?;
            names(rows)
        };
        self.engine.read(read).await
    }

    pub async fn count_pads(&self) -> Result<u64, Error> {
        let read = |tx: &mut dyn Tx| {
            let sql = "SELECT COUNT(*) FROM pads WHERE name IS NOT NULL";
            tx.row(sql, &[])?.map_or(Ok(0), |mut row| row.count(0))
        };
        self.engine.read(read).await
    }

    /// The authors in the pad's pool, in the order of their numbers.
    pub async fn authors_of_pad(&self, key: PadKey) -> Result<Vec<AuthorId>, Error> {
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT author FROM pad_authors WHERE pad = $1 ORDER BY number",
                &[key.0.into()],
            )?;
            rows.into_iter()
                .map(|mut row| row.id(0, AuthorId::parse))
                .collect()
        };
        self.engine.read(read).await
    }

    /// Carries out a statement that writes one row or none, and leaves a note if it did.
    async fn change_row(
        &self,
        key: PadKey,
        note: Option<Note>,
        sql: &'static str,
        run: impl Fn(&mut dyn Tx, &'static str) -> Result<u64, Failure> + Send + 'static,
    ) -> Result<bool, Error> {
        let node = self.node.filter(|_| note.is_some());
        let write = move |tx: &mut dyn Tx| {
            let is_changed = run(tx, sql)? > 0;
            if let Some(note) = note.as_ref().filter(|_| is_changed) {
                leave(tx, node, note, None)?;
            }
            Ok(is_changed)
        };
        match node {
            Some(_) => {
                let write = self.noting(write);
                self.engine.write(Turn::Of(key.0), write).await
            }
            None => self.engine.write(Turn::Of(key.0), write).await,
        }
    }
}

/// The names in a column of their own.
pub(crate) fn names(rows: Vec<Row>) -> Result<Vec<PadId>, Failure> {
    // There can be very many: the names are moved, not copied.
    let name = |mut row: Row| PadId::from_string(row.text(0)?).ok_or_else(damaged);
    rows.into_iter().map(name).collect()
}

struct Creation {
    id: PadId,
    created: Timestamp,
    creator: Option<AuthorId>,
    head_time: Timestamp,
    next_attribute: u32,
    attributes: Vec<(u32, changeset::Attribute)>,
    addition: Addition,
    public: bool,
    settings: Option<String>,
    deletion: Option<TokenHash>,
}

impl Creation {
    fn new(new: NewPad<'_>) -> Result<Creation, Error> {
        let before = Head::empty();
        let Some(first) = new.step.revisions.first().cloned() else {
            return Err(Error::Corrupt("a new pad has no revision".to_owned()));
        };
        Ok(Creation {
            id: new.id.clone(),
            created: first.time,
            creator: first.author,
            head_time: new.step.head.time,
            next_attribute: new.step.head.pool.next_number(),
            attributes: new.step.new_attributes(&before),
            addition: Addition::new(&before, new.step),
            public: new.public,
            settings: new.settings,
            deletion: new.deletion,
        })
    }

    fn run(&self, tx: &mut dyn Tx) -> Result<Option<PadKey>, Failure> {
        let row = tx.row(
            "INSERT INTO pads (name, head, head_time, created, creator, public, settings, deletion,
                 next_attribute)
             VALUES ($1, -1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (name) DO NOTHING RETURNING key",
            &[
                self.id.as_str().into(),
                self.head_time.millis().into(),
                self.created.millis().into(),
                self.creator.as_ref().map(AuthorId::as_str).into(),
                self.public.into(),
                self.settings.as_deref().into(),
                self.deletion.as_ref().map(|hash| hash.0.as_str()).into(),
                i64::from(self.next_attribute).into(),
            ],
        )?;
        let Some(mut row) = row else {
            return Ok(None);
        };
        let key = PadKey(row.int(0)?);
        history::add_attributes(tx, key, &self.attributes)?;
        let mut ledger = Ledger::default();
        self.addition.write(tx, key, &mut ledger)?;
        ledger.write(tx, key)?;
        Ok(Some(key))
    }
}

/// What is needed to read a history.
struct State {
    next: i64,
    next_attribute: i64,
    head_time: Timestamp,
}

fn state(tx: &mut dyn Tx, key: PadKey) -> Result<Option<State>, Failure> {
    let row = tx.row(
        "SELECT head, next_attribute, head_time FROM pads WHERE key = $1 AND name IS NOT NULL",
        &[key.0.into()],
    )?;
    let state = |mut row: Row| {
        Ok(State {
            next: row.int(0)? + 1,
            next_attribute: row.int(1)?,
            head_time: Timestamp(row.int(2)?),
        })
    };
    row.map(state).transpose()
}

fn load_head(tx: &mut dyn Tx, key: PadKey) -> Result<Option<Head>, Failure> {
    let Some(state) = state(tx, key)? else {
        return Ok(None);
    };
    let pool = history::pool(tx, key, state.next_attribute)?;
    let document = history::document_at(tx, key, state.next - 1, &pool)?;
    Ok(Some(Head {
        rev: u64::try_from(state.next - 1).ok().map(Rev),
        document,
        pool: Arc::new(pool),
        time: state.head_time,
    }))
}

pub(crate) fn find(tx: &mut dyn Tx, id: &PadId) -> Result<Option<PadRecord>, Failure> {
    let row = tx.row(
        "SELECT key, head, head_time, created, creator, chat_count, public, settings,
             read_only_id, deletion, seats, title
         FROM pads WHERE name = $1",
        &[Bind::Text(id.as_str())],
    )?;
    let record = |mut row: Row| {
        Ok(PadRecord {
            key: PadKey(row.int(0)?),
            id: id.clone(),
            head: row.rev(1)?,
            head_time: Timestamp(row.int(2)?),
            created: Timestamp(row.int(3)?),
            creator: row.optional_id(4, AuthorId::parse)?,
            chat_count: row.count(5)?,
            public: row.flag(6)?,
            settings: row.optional_text(7)?,
            read_only_id: row.optional_id(8, ReadOnlyId::parse)?,
            deletion: row.optional_text(9)?.map(TokenHash),
            seats: row.int(10)?,
            title: title(&mut row, 11)?,
        })
    };
    row.map(record).transpose()
}

/// The title in a column.
pub(crate) fn title(row: &mut Row, column: usize) -> Result<Option<Title>, Failure> {
    Ok(row.optional_text(column)?.as_deref().and_then(Title::cut))
}

pub(crate) fn saved_revisions(tx: &mut dyn Tx, key: PadKey) -> Result<Vec<SavedRevision>, Failure> {
    let rows = tx.rows(
        "SELECT rev, id, label, author, time FROM saved_revisions WHERE pad = $1 ORDER BY rev",
        &[key.0.into()],
    )?;
    let saved = |mut row: Row| {
        Ok(SavedRevision {
            rev: row.rev(0)?,
            id: row.text(1)?,
            label: row.text(2)?,
            author: row.optional_id(3, AuthorId::parse)?,
            time: Timestamp(row.int(4)?),
        })
    };
    rows.into_iter().map(saved).collect()
}
