//! Importing: a pad gets the history of a file, or of what could be read of a damaged pad.
//!
//! As when compacting, a new pad is built and takes the old one's place in one transaction, unless
//! somebody has written in the meantime; or it gets a name of its own. A pad from elsewhere comes
//! with more than its history: its [`Origin`].

use std::sync::Arc;

use changeset::{Attribute, Document, Pool};
use pad::{
    Author, AuthorId, ChatMessage, Head, PadId, ReadOnlyId, Rev, Revision, Step, Timestamp, Title,
    TokenHash,
};

use crate::Store;
use crate::building::{Building, PadRow, make_room};
use crate::chat;
use crate::cluster::{NodeId, Note, leave};
use crate::engine::Turn;
use crate::error::Error;
use crate::history::{self, Addition, Ledger};
use crate::limits::{COMPACT_REVISIONS, COPY_ROWS};
use crate::people;
use crate::record::{PadKey, SavedRevision, Transfer};
use crate::removal;
use crate::sql::{Failure, Tx};
use crate::transfer::interrupted;

/// What a pad consists of. Every revision must apply to the ones before it.
#[derive(Clone, Debug)]
pub struct Import {
    /// With all attributes of all revisions.
    pub pool: Arc<Pool>,
    pub revisions: Vec<Revision>,
    pub chat: Vec<ChatMessage>,
    pub saved: Vec<SavedRevision>,
    /// Of a pad that is replaced the title stays if the import has none.
    pub title: Option<Title>,
    /// Those who are not known yet are created.
    pub authors: Vec<Author>,
}

/// What a pad of another service had besides.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    pub created: Timestamp,
    pub creator: Option<AuthorId>,
    pub public: bool,
    pub settings: Option<String>,
    pub read_only_id: Option<ReadOnlyId>,
    pub deletion: Option<TokenHash>,
}

impl Store {
    /// Makes a pad of an import. `None`: there is one of that name, which stays as it is.
    pub async fn import_new(
        &self,
        id: &PadId,
        origin: Origin,
        import: Import,
    ) -> Result<Option<PadKey>, Error> {
        let (end, id) = (self.build_import(PadKey(0), import).await?, id.clone());
        let finish = self.names.noting(move |tx| end.begin(tx, &id, &origin));
        let done = self.engine.write(Turn::Alone, finish).await?;
        self.engine.wake();
        Ok(match done {
            Transfer::Done(key) => Some(key),
            _ => None,
        })
    }

    /// Gives a pad the history, chat and marked revisions of an import. Its name, read-only id,
    /// deletion token, options and public status stay, and its title unless the import has one.
    /// Gives the pad's key from now on.
    ///
    /// `None`: the newest revision is not `head`, or the pad is gone; nothing was done.
    pub async fn import_pad(
        &self,
        key: PadKey,
        head: Rev,
        import: Import,
    ) -> Result<Option<PadKey>, Error> {
        let end = self.build_import(key, import).await?;
        let node = self.node;
        let finish = self.noting(move |tx| end.replace(tx, head, node));
        let done = self.engine.write(Turn::Alone, finish).await?;
        self.engine.wake();
        Ok(done)
    }

    /// Makes a pad of an import, with the options of another one that stays as it is.
    pub async fn import_beside(
        &self,
        key: PadKey,
        to: &PadId,
        now: Timestamp,
        import: Import,
    ) -> Result<Transfer, Error> {
        let (end, to) = (self.build_import(key, import).await?, to.clone());
        let finish = self.names.noting(move |tx| end.add(tx, &to, now));
        let done = self.engine.write(Turn::Alone, finish).await?;
        self.engine.wake();
        Ok(done)
    }

    /// Everything but the last transaction.
    async fn build_import(&self, key: PadKey, import: Import) -> Result<End, Error> {
        let Import {
            pool,
            revisions,
            chat,
            saved,
            title,
            authors,
        } = import;
        let attributes = pool.entries();
        let attributes = attributes.map(|(number, attribute)| (number, attribute.clone()));
        let building = self.start_import(key, attributes.collect()).await?;
        let last = revisions.last().map(|revision| revision.time);
        self.import_revisions(building, revisions, &pool).await?;
        for part in chat.chunks(COPY_ROWS as usize) {
            let part = part.to_vec();
            let write = move |tx: &mut dyn Tx| add_chat(tx, building, &part);
            self.add(write).await?;
        }
        Ok(End {
            building,
            time: last.unwrap_or_default(),
            next_attribute: pool.next_number(),
            saved,
            title,
            authors,
        })
    }

    async fn start_import(
        &self,
        key: PadKey,
        attributes: Vec<(u32, Attribute)>,
    ) -> Result<Building, Error> {
        let write = move |tx: &mut dyn Tx| {
            let building = Building::start(tx, key)?;
            history::add_attributes(tx, building.key, &attributes)?;
            Ok(building)
        };
        self.engine.write(Turn::Alone, write).await
    }

    async fn import_revisions(
        &self,
        building: Building,
        revisions: Vec<Revision>,
        pool: &Arc<Pool>,
    ) -> Result<(), Error> {
        let head = |document: Document| Head {
            document,
            pool: Arc::clone(pool),
            ..Head::empty()
        };
        let mut before = Head::empty().document;
        for part in revisions.chunks(COMPACT_REVISIONS as usize) {
            let mut after = before.clone();
            for revision in part {
                after = after
                    .into_applied(&revision.change, pool)
                    .map_err(|error| Error::Corrupt(format!("a revision does not fit: {error}")))?;
            }
            let step = Step {
                revisions: part.to_vec(),
                head: head(after.clone()),
            };
            let addition = Addition::new(&head(before), &step);
            let write = move |tx: &mut dyn Tx| building.add(tx, &addition);
            self.add(write).await?;
            before = after;
        }
        Ok(())
    }

    /// Adds a part to a pad that is being built.
    async fn add<F>(&self, write: F) -> Result<(), Error>
    where
        F: FnMut(&mut dyn Tx) -> Result<bool, Failure> + Send + 'static,
    {
        if self.engine.write(Turn::Alone, write).await? {
            Ok(())
        } else {
            Err(interrupted())
        }
    }
}

/// False: somebody else has given up on the pad.
fn add_chat(
    tx: &mut dyn Tx,
    building: Building,
    messages: &[ChatMessage],
) -> Result<bool, Failure> {
    let Some((_, count)) = building.hold(tx)? else {
        return Ok(false);
    };
    for (message, number) in messages.iter().zip(count..) {
        chat::insert(tx, building.key, number.unsigned_abs(), message)?;
    }
    let sql = "UPDATE pads SET chat_count = chat_count + $1 WHERE key = $2";
    let added = messages.len() as u64;
    tx.execute(sql, &[added.into(), building.key.0.into()])?;
    Ok(true)
}

/// The last transaction of an import.
struct End {
    building: Building,
    time: Timestamp,
    next_attribute: u32,
    saved: Vec<SavedRevision>,
    title: Option<Title>,
    authors: Vec<Author>,
}

impl End {
    fn replace(
        &self,
        tx: &mut dyn Tx,
        expected: Rev,
        node: Option<NodeId>,
    ) -> Result<Option<PadKey>, Failure> {
        let building = self.building;
        let row = PadRow::hold(tx, building.source)?;
        let row = row.filter(|row| Rev(row.ledger.next.unsigned_abs()) == expected.next());
        let Some(row) = row else {
            building.give_up(tx)?;
            return Ok(None);
        };
        removal::mark_deleted(tx, building.source)?;
        leave(tx, node, &Note::Replaced(building.source), None)?;
        self.finish(tx, row)?;
        Ok(Some(building.key))
    }

    fn add(&self, tx: &mut dyn Tx, to: &PadId, now: Timestamp) -> Result<Transfer, Failure> {
        let building = self.building;
        let Some(row) = PadRow::hold(tx, building.source)? else {
            building.give_up(tx)?;
            return Ok(Transfer::SourceMissing);
        };
        if !make_room(tx, to, false, None)? {
            building.give_up(tx)?;
            return Ok(Transfer::DestinationExists);
        }
        let row = PadRow {
            name: to.clone(),
            created: now,
            read_only_id: None,
            deletion: None,
            ..row
        };
        self.finish(tx, row)?;
        Ok(Transfer::Done(building.key))
    }

    fn begin(&self, tx: &mut dyn Tx, id: &PadId, origin: &Origin) -> Result<Transfer, Failure> {
        if !make_room(tx, id, false, None)? {
            self.building.give_up(tx)?;
            return Ok(Transfer::DestinationExists);
        }
        let row = PadRow {
            name: id.clone(),
            head_time: self.time,
            created: origin.created,
            creator: origin.creator.clone().map(AuthorId::into_string),
            public: origin.public,
            settings: origin.settings.clone(),
            title: None,
            read_only_id: origin.read_only_id.clone().map(ReadOnlyId::into_string),
            deletion: origin.deletion.clone(),
            next_attribute: 0,
            ledger: Ledger::default(),
        };
        self.finish(tx, row)?;
        Ok(Transfer::Done(self.building.key))
    }

    fn finish(&self, tx: &mut dyn Tx, row: PadRow) -> Result<(), Failure> {
        let Some(ledger) = self.building.ledger(tx)? else {
            return Err(Failure::Error(interrupted()));
        };
        for saved in &self.saved {
            self.save(tx, saved)?;
        }
        for author in &self.authors {
            people::create(tx, author)?;
        }
        let row = PadRow {
            ledger,
            head_time: self.time,
            next_attribute: i64::from(self.next_attribute),
            title: self.title.clone().or(row.title),
            ..row
        };
        self.building.finish(tx, &row)
    }

    fn save(&self, tx: &mut dyn Tx, saved: &SavedRevision) -> Result<(), Failure> {
        tx.execute(
            "INSERT INTO saved_revisions (pad, rev, id, label, author, time)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (pad, rev) DO NOTHING",
            &[
                self.building.key.0.into(),
                saved.rev.into(),
                saved.id.as_str().into(),
                saved.label.as_str().into(),
                saved.author.as_ref().map(AuthorId::as_str).into(),
                saved.time.millis().into(),
            ],
        )
        .map(drop)
    }
}
