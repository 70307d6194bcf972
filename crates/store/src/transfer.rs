//! Moving and copying pads.

use pad::{PadId, Timestamp, TokenHash};

use crate::Store;
use crate::building::{self, Building, Finish, PadRow, Progress, make_room};
use crate::cluster::{NodeId, Note, leave};
use crate::engine::Turn;
use crate::error::Error;
use crate::limits::COPY_ATTEMPTS;
use crate::record::{PadKey, Transfer};
use crate::sql::{Failure, Tx};

impl Store {
    /// Gives a pad another name. Everything else stays, its key too.
    pub async fn move_pad(
        &self,
        key: PadKey,
        to: &PadId,
        replace: bool,
    ) -> Result<Transfer, Error> {
        let (to, node) = (to.clone(), self.node);
        let write = self
            .names
            .noting(move |tx| rename(tx, key, &to, replace, node));
        let write = self.noting(write);
        let moved = self.engine.write(Turn::Alone, write).await?;
        self.engine.wake();
        Ok(moved)
    }

    /// Makes a pad with the same history, chat, marked revisions and options under another name.
    pub async fn copy_pad(
        &self,
        key: PadKey,
        to: &PadId,
        replace: bool,
        deletion: Option<TokenHash>,
        now: Timestamp,
    ) -> Result<Transfer, Error> {
        let copy = Copy {
            source: key,
            to: to.clone(),
            replace,
            deletion,
            now,
            node: self.node,
        };
        for _ in 0..COPY_ATTEMPTS {
            if let Some(copied) = self.try_copy(&copy).await? {
                self.engine.wake();
                return Ok(copied);
            }
        }
        Err(interrupted())
    }

    /// `None`: another process gave up on it.
    async fn try_copy(&self, copy: &Copy) -> Result<Option<Transfer>, Error> {
        let check = copy.clone();
        let start = move |tx: &mut dyn Tx| check.start(tx);
        let building = match self.engine.write(Turn::Alone, start).await? {
            Start::Building(building) => building,
            Start::Ended(transfer) => return Ok(Some(transfer)),
        };
        loop {
            let packs = move |tx: &mut dyn Tx| building.copy_packs(tx);
            let chat = move |tx: &mut dyn Tx| building.copy_chat(tx);
            if !self.repeat(packs).await? || !self.repeat(chat).await? {
                return Ok(None);
            }
            let last = copy.clone();
            let finish = self.names.noting(move |tx| last.finish(tx, building));
            let finish = self.noting(finish);
            match self.engine.write(Turn::Alone, finish).await? {
                Finish::Done(done) => return Ok(Some(done)),
                Finish::Unfinished(Progress::Interrupted) => return Ok(None),
                // Much was written meanwhile.
                Finish::Unfinished(_) => {}
            }
        }
    }

    /// Takes steps until there are no more. False: the pad that was built is gone.
    pub(crate) async fn repeat(
        &self,
        step: impl Fn(&mut dyn Tx) -> Result<Progress, Failure> + Clone + Send + 'static,
    ) -> Result<bool, Error> {
        loop {
            match self.engine.write(Turn::Alone, step.clone()).await? {
                Progress::More => {}
                Progress::Done => return Ok(true),
                Progress::Interrupted => return Ok(false),
            }
        }
    }
}

pub(crate) fn interrupted() -> Error {
    Error::Unavailable("other processes were in the way".to_owned())
}

fn rename(
    tx: &mut dyn Tx,
    key: PadKey,
    to: &PadId,
    replace: bool,
    node: Option<NodeId>,
) -> Result<Transfer, Failure> {
    let Some(row) = PadRow::hold(tx, key)? else {
        return Ok(Transfer::SourceMissing);
    };
    if row.name == *to && replace {
        return Ok(Transfer::Done(key));
    }
    if !make_room(tx, to, replace, node)? {
        return Ok(Transfer::DestinationExists);
    }
    tx.execute(
        "UPDATE pads SET name = $1 WHERE key = $2",
        &[to.as_str().into(), key.0.into()],
    )?;
    leave(tx, node, &Note::Gone(key), None)?;
    Ok(Transfer::Done(key))
}

#[derive(Clone)]
struct Copy {
    source: PadKey,
    to: PadId,
    replace: bool,
    deletion: Option<TokenHash>,
    now: Timestamp,
    node: Option<NodeId>,
}

/// How the first transaction of a copy went.
enum Start {
    Building(Building),
    /// There is nothing to copy, or it must not be copied.
    Ended(Transfer),
}

impl Copy {
    fn start(&self, tx: &mut dyn Tx) -> Result<Start, Failure> {
        let sql = "SELECT key FROM pads WHERE name = $1";
        let holder = tx.row(sql, &[self.to.as_str().into()])?;
        let holder = holder.map(|mut row| row.int(0)).transpose()?;
        let Some(_) = PadRow::hold(tx, self.source)? else {
            return Ok(Start::Ended(Transfer::SourceMissing));
        };
        match holder {
            Some(_) if !self.replace => Ok(Start::Ended(Transfer::DestinationExists)),
            Some(key) if key == self.source.0 => Ok(Start::Ended(Transfer::Done(self.source))),
            _ => Building::start(tx, self.source).map(Start::Building),
        }
    }

    /// Copies what is left and gives the name. If too much is left, nothing is done.
    fn finish(&self, tx: &mut dyn Tx, building: Building) -> Result<Finish<Transfer>, Failure> {
        let Some(row) = PadRow::hold(tx, self.source)? else {
            building.give_up(tx)?;
            return Ok(Finish::Done(Transfer::SourceMissing));
        };
        for progress in [building.copy_packs(tx)?, building.copy_chat(tx)?] {
            if progress != Progress::Done {
                return Ok(Finish::Unfinished(progress));
            }
        }
        if !make_room(tx, &self.to, self.replace, self.node)? {
            building.give_up(tx)?;
            return Ok(Finish::Done(Transfer::DestinationExists));
        }
        let tables = [
            building::LOOSE_REVISIONS,
            building::ATTRIBUTES,
            building::AUTHORS,
            building::SAVED_REVISIONS,
        ];
        building.copy_rest(tx, &tables)?;
        let copy = PadRow {
            name: self.to.clone(),
            created: self.now,
            read_only_id: None,
            deletion: self.deletion.clone(),
            ..row
        };
        building.finish(tx, &copy)?;
        Ok(Finish::Done(Transfer::Done(building.key)))
    }
}
