//! The writer of one pad.
//!
//! It wakes for one reason: commands in its mailbox. It takes all that wait, plans them one after
//! another on the head, stores the result once, and then publishes and answers. While it stores,
//! the next batch gathers. It ends when it gets the command to stop, when every handle is gone,
//! when the pad is gone, or when the store fails: then nothing was promised, and the next open
//! reads the truth. While nothing can be stored it goes on, and refuses changes.

use pad::{Author, OptionRules, OptionsPatch, PadId, PadOptions, Revision, Timestamp};
use store::{Appended, PadKey, Store};
use tokio::sync::{mpsc, watch};

use crate::error::Error;
use crate::limits::{BATCH, REPLANS};
use crate::live::command::{Change, Command, SetOptions};
use crate::live::plan::{self, Plan, Rules};
use crate::live::published::Published;
use crate::options::{from_stored, to_stored};

pub(super) struct Writer {
    pub id: PadId,
    pub key: PadKey,
    pub store: Store,
    pub published: watch::Sender<Published>,
    pub mailbox: mpsc::Receiver<Command>,
    pub max_text: usize,
    pub options: OptionRules,
    /// Whether lists of pads may not know of all revisions yet.
    pub is_unlisted: bool,
    pub now: Box<dyn Fn() -> Timestamp + Send + Sync>,
}

impl Writer {
    pub(super) async fn run(mut self) {
        let mut commands = Vec::new();
        while self.mailbox.recv_many(&mut commands, BATCH).await > 0 {
            let mut changes = Vec::new();
            let mut options = Vec::new();
            let mut catching_up = Vec::new();
            let mut settling = Vec::new();
            let mut stop = false;
            for command in commands.drain(..) {
                match command {
                    Command::Change(change) => changes.push(change),
                    Command::SetOptions(set) => options.push(set),
                    Command::CatchUp { reply } => catching_up.push(reply),
                    Command::Settle { reply } => settling.push(reply),
                    Command::Stop => stop = true,
                }
            }
            if !changes.is_empty() && !self.write(changes).await {
                return;
            }
            for SetOptions { patch, reply } in options {
                let _ = reply.send(self.set_options(&patch).await);
            }
            if !catching_up.is_empty() {
                let outcome = self.catch_up().await;
                let failed = outcome.is_err();
                for reply in catching_up {
                    let _ = reply.send(outcome.clone());
                }
                if failed {
                    return;
                }
            }
            for reply in settling {
                let _ = reply.send(());
            }
            if stop {
                break;
            }
        }
        if self.is_unlisted {
            // At worst a list is in an older order.
            let _ = self.store.refresh_listing(self.key).await;
        }
    }

    /// Stores a batch of changes. False when the writer must end.
    async fn write(&mut self, changes: Vec<Change>) -> bool {
        for _ in 0..REPLANS {
            match self.try_write(&changes).await {
                Ok(Some(plan)) => {
                    let published = plan.publish(&self.published.borrow());
                    self.published.send_replace(published);
                    plan.answer(changes);
                    return true;
                }
                Ok(None) => {}
                Err(error) => {
                    plan::fail(changes, &error);
                    // Then the head is what it was, and members stay and read.
                    return error == Error::NotStored;
                }
            }
        }
        plan::fail(changes, &Error::Internal);
        true
    }

    /// Plans and stores. `None` if another process was faster; then its revisions are known now.
    async fn try_write(&mut self, changes: &[Change]) -> Result<Option<Plan>, Error> {
        self.end_erased_seats(changes).await?;
        let published = self.published.borrow().clone();
        let rules = Rules {
            published: &published,
            older: &self.older(changes, &published).await?,
            max_text: self.max_text,
            now: (self.now)(),
        };
        let plan = Plan::of(changes, &rules);
        if plan.step.revisions.is_empty() {
            return Ok(Some(plan));
        }
        match self
            .store
            .append(self.key, &published.head, &plan.step)
            .await?
        {
            Appended::Done => {
                self.is_unlisted = true;
                Ok(Some(plan))
            }
            Appended::Conflict => {
                self.catch_up().await?;
                Ok(None)
            }
        }
    }

    /// Changes the options that are stored, and gives those that hold then. Commands come one after
    /// another here; another process may be faster, and then its options are the ones to change.
    async fn set_options(&self, patch: &OptionsPatch) -> Result<PadOptions, Error> {
        for _ in 0..REPLANS {
            let record = self.store.pad(&self.id).await?;
            let record = record.filter(|record| record.key == self.key);
            let stored = record.ok_or(Error::PadMissing)?.settings;
            let before = from_stored(stored.as_deref(), &self.options);
            let after = before.apply(patch, &self.options);
            let settings = to_stored(&after);
            let set = self
                .store
                .set_settings(self.key, stored.as_deref(), &settings, None);
            if set.await? {
                return Ok(after);
            }
        }
        Err(Error::Internal)
    }

    /// Ends the seats of authors that another process has erased. In a store of our own, seats end
    /// when the author is erased.
    async fn end_erased_seats(&self, changes: &[Change]) -> Result<(), Error> {
        if !self.store.is_shared() {
            return Ok(());
        }
        let submitted = |change: &Change| match change {
            Change::Submit {
                submission, from, ..
            } => Some((submission.author.clone(), from.clone())),
            Change::Edit { .. } => None,
        };
        let (mut ids, seats): (Vec<_>, Vec<_>) = changes.iter().filter_map(submitted).unzip();
        let writers: Vec<_> = ids.iter().cloned().zip(seats).collect();
        ids.sort();
        ids.dedup();
        let authors = self.store.authors(&ids).await?;
        for erased in authors.into_iter().filter(Author::is_erased) {
            let own = writers.iter().filter(|(author, _)| *author == erased.id);
            own.for_each(|(_, seat)| seat.erase());
        }
        Ok(())
    }

    /// The revisions before the remembered ones, as far back as the changes need.
    async fn older(
        &self,
        changes: &[Change],
        published: &Published,
    ) -> Result<Vec<Revision>, Error> {
        match plan::oldest_needed(changes, published) {
            Some(first) => Ok(self
                .store
                .revisions(self.key, first..published.head.next_rev())
                .await?),
            None => Ok(Vec::new()),
        }
    }

    /// Takes from the store what another process has written.
    async fn catch_up(&mut self) -> Result<(), Error> {
        let head = self
            .store
            .load_head(self.key)
            .await?
            .ok_or(Error::PadMissing)?;
        let known = self.published.borrow().clone();
        let missed = known.head.next_rev()..head.next_rev();
        let missed = self.store.revisions(self.key, missed).await?;
        // The head was read first, so that nothing is shown that it does not contain.
        let missed = missed.into_iter().map(|revision| (revision, None));
        self.published.send_replace(known.extended(missed, head));
        Ok(())
    }
}
