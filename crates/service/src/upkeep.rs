//! Operator functions on pads: repair, and import under any name.
//!
//! As with everything that changes a pad as a whole, its writer has ended before the store is
//! changed.

use changeset::Text;
use contract::Error;
use convert::native;
use pad::edit::Run;
use pad::{AuthorId, PadId, Rev};
use store::{Salvage, Transfer};

use crate::Service;
use crate::files;
use crate::live::{Edit, Ending};

/// The outcome of repairing a pad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Stored again: all of its revisions are there, and everything that follows from them is
    /// right.
    Done,
    /// Revisions are missing or wrong. Nothing was done; the last that can be reached is named.
    Lost(Option<Rev>),
}

impl Service {
    /// Rebuilds everything that follows from a pad's revisions, if all of those are there.
    pub async fn repair_pad(&self, pad: &PadId) -> Result<Repair, Error> {
        let _taken = self.live.take(&[(pad, Some(Ending::Replaced))]).await;
        loop {
            let salvage = self.salvage(pad).await?;
            if !salvage.is_whole() {
                return Ok(Repair::Lost(salvage.last()));
            }
            let Salvage { record, import } = salvage;
            let stored = self.store.import_pad(record.key, record.head, import);
            // Another process may have written meanwhile; then its revision is part of the task.
            if stored.await?.is_some() {
                return Ok(Repair::Done);
            }
        }
    }

    /// What can be read of a pad, however damaged it is.
    pub async fn salvage(&self, pad: &PadId) -> Result<Salvage, Error> {
        self.store.salvage(pad).await?.ok_or(Error::PadMissing)
    }

    /// Makes another pad of what a pad was at a revision, with the history up to there.
    pub async fn rebuild_pad(&self, pad: &PadId, rev: Rev, to: &PadId) -> Result<(), Error> {
        self.check_destination(to).await?;
        let _taken = self.live.take(&[(to, None)]).await;
        let mut salvage = self.salvage(pad).await?;
        if salvage.last().is_none_or(|last| rev > last) {
            return Err(Error::RevTooHigh);
        }
        salvage.cut(rev);
        let Salvage { record, import } = salvage;
        let made = self.store.import_beside(record.key, to, self.now(), import);
        match made.await? {
            Transfer::Done(_) => Ok(()),
            Transfer::SourceMissing => Err(Error::PadMissing),
            Transfer::DestinationExists => Err(Error::DestinationExists),
        }
    }
}

impl Service {
    /// Gives a pad the whole history of a file, and makes the pad if there is none. One that is
    /// there loses its own history.
    pub async fn put_native(&self, pad: &PadId, file: native::Pad) -> Result<(), Error> {
        if file.head.document.len() > self.config.max_text {
            return Err(Error::TextTooLong);
        }
        self.make_sure_of(pad).await?;
        let _taken = self.live.take(&[(pad, Some(Ending::Replaced))]).await;
        let import = files::to_import(file);
        loop {
            let record = self.record(pad).await?;
            let stored = self
                .store
                .import_pad(record.key, record.head, import.clone());
            if stored.await?.is_some() {
                return Ok(());
            }
        }
    }

    /// Replaces the content of a pad by a revision of nobody in particular, and makes the pad if
    /// there is none.
    pub async fn put_runs(&self, pad: &PadId, runs: Vec<Run>) -> Result<(), Error> {
        if runs.iter().map(|run| run.text.len()).sum::<usize>() > self.config.max_text {
            return Err(Error::TextTooLong);
        }
        self.make_sure_of(pad).await?;
        let author = AuthorId::system();
        self.edit(pad, Edit::SetRuns(runs), &author).await
    }

    async fn make_sure_of(&self, pad: &PadId) -> Result<(), Error> {
        self.check_destination(pad).await?;
        // Whether it was there already is all the same.
        let made = self.new_pad(pad, Some(Text::default()), None, None).await?;
        drop(made);
        Ok(())
    }
}
