//! The writer of one pad.
//!
//! It wakes for one reason: commands in its mailbox. It takes all that wait, plans them one after
//! another on the head, stores the result once, and then publishes and answers. While it stores,
//! the next batch gathers. It ends when it gets the command to stop, when every handle is gone,
//! when the pad is gone, or when the store fails: then nothing was promised, and the next open
//! reads the truth. While nothing can be stored it goes on, and refuses changes.

use std::sync::Arc;

use contract::Error;
use hints::RevisionHint;
use pad::{
    Head, OptionRules, OptionsPatch, PadId, PadOptions, Rev, Revision, Step, Timestamp, Title,
};
use store::{Added, Missed, PadKey, Replanned, Store};
use tokio::sync::{mpsc, watch};

use crate::cluster::Message;
use crate::hooks::{HookSet, Notice};
use crate::limits::{BATCH, REPLANS};
use crate::live::Counters;
use crate::live::command::{Change, Command, Naming, Reply, Request, SetOptions};
use crate::live::pace::Pacer;
use crate::live::plan::{self, Plan, Planning};
use crate::live::published::Published;
use crate::live::seats::KnownSeats;
use crate::options::{from_stored, to_stored};

pub(super) struct Writer {
    pub id: PadId,
    pub key: PadKey,
    pub store: Store,
    pub published: watch::Sender<Published>,
    /// When members learn of what is published, of those that take batches.
    pub pacer: Pacer,
    pub seats: KnownSeats,
    pub counters: Arc<Counters>,
    pub mailbox: mpsc::Receiver<Command>,
    pub max_text: usize,
    pub options: OptionRules,
    /// Whether another node was faster the last time. Then that is likely the next time, too.
    pub was_overtaken: bool,
    /// Whether lists of pads may not know of all revisions yet.
    pub is_unlisted: bool,
    pub hooks: HookSet,
    pub now: Box<dyn Fn() -> Timestamp + Send + Sync>,
}

impl Writer {
    pub(super) async fn run(mut self) {
        let mut commands = Vec::new();
        while self.receive(&mut commands).await {
            let mut changes = Vec::new();
            let mut options = Vec::new();
            let mut names = Vec::new();
            let mut catching_up = Vec::new();
            let mut newest = Some(Rev::FIRST);
            let mut sent = Vec::new();
            let mut settling = Vec::new();
            let mut stop = false;
            for command in commands.drain(..) {
                match command {
                    Command::Change(change) => changes.push(change),
                    Command::SetOptions(set) => options.push(set),
                    Command::Name(naming) => names.push(naming),
                    Command::CatchUp {
                        newest: told,
                        sent: revisions,
                        reply,
                    } => {
                        sent.extend(revisions);
                        newest = newest.zip(told).map(|(one, other)| one.max(other));
                        catching_up.push(reply);
                    }
                    Command::Settle { reply } => settling.push(reply),
                    Command::Stop => stop = true,
                }
            }
            self.learn(sent);
            if !changes.is_empty() && !self.write(changes).await {
                return;
            }
            for SetOptions { patch, by, reply } in options {
                let _ = reply.send(self.set_options(&patch, by.as_deref()).await);
            }
            for naming in names {
                self.name(naming).await;
            }
            if !catching_up.is_empty() {
                let outcome = match self.knows(newest) {
                    true => Ok(()),
                    false => self.catch_up().await,
                };
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

    /// Waits for commands, and meanwhile delivers at the pad's pace. False when nobody is left.
    async fn receive(&mut self, commands: &mut Vec<Command>) -> bool {
        loop {
            tokio::select! {
                biased;
                () = self.pacer.due() => self.pacer.tick(&self.published.borrow()),
                received = self.mailbox.recv_many(commands, BATCH) => return received > 0,
            }
        }
    }

    fn publish(&mut self, published: Published) {
        self.published.send_replace(published);
        self.pacer.published(&self.published.borrow());
    }

    /// Whether the revision that a caller names as the newest is published.
    fn knows(&self, newest: Option<Rev>) -> bool {
        newest.is_some() && self.published.borrow().head.rev >= newest
    }

    /// Stores a batch of changes. False when the writer must end.
    async fn write(&mut self, changes: Vec<Change>) -> bool {
        let parts = changes.into_iter().map(|it| (it.request, it.reply));
        let (requests, replies): (Vec<Request>, Vec<Reply>) = parts.unzip();
        match self.store_batch(requests).await {
            Ok(plan) => {
                let step = plan.answer(replies);
                self.notify(&step);
                true
            }
            Err(error) => {
                plan::fail(replies, &error);
                // Then the head is what it was, and members stay and read.
                error == Error::NotStored
            }
        }
    }

    /// After the answers: nobody waits for those who learn of it.
    fn notify(&self, step: &Step) {
        if self.hooks.0.is_some() && !step.revisions.is_empty() {
            let newest = step.head.rev.unwrap_or_default();
            self.hooks.notify(Notice::PadChanged {
                pad: &self.id,
                from: newest.next().minus(step.revisions.len() as u64),
                revisions: &step.revisions,
            });
        }
    }

    /// Plans and stores, and publishes what is stored. If another node was faster, its revisions
    /// are published before those of the batch.
    async fn store_batch(&mut self, requests: Vec<Request>) -> Result<Plan, Error> {
        if self.store.is_shared() && plan::is_behind(&requests, &self.published.borrow()) {
            self.catch_up().await?;
        }
        let published = self.published.borrow().clone();
        let planning = Arc::new(Planning {
            older: self.older(&requests, &published).await?,
            requests,
            published,
            seats: self.seats.clone(),
            max_text: self.max_text,
            now: (self.now)(),
        });
        let plan = planning.plan();
        if plan.step.revisions.is_empty() {
            return Ok(plan);
        }
        let again = Arc::clone(&planning);
        let added = self.store.append_or_replan(
            self.key,
            &planning.published.head,
            planning.seats.number(),
            &plan.step,
            self.was_overtaken,
            move |head, missed| again.replan(head, missed),
        );
        let added = added.await?;
        self.was_overtaken = matches!(added, Added::Replanned(_));
        let plan = match added {
            Added::Planned => plan,
            Added::Replanned(replanned) => {
                self.counters.count_replan();
                let Replanned { missed, head, plan } = *replanned;
                self.adopt(missed, head);
                plan
            }
            Added::Gone => return Err(Error::PadMissing),
        };
        if !plan.step.revisions.is_empty() {
            self.counters.count_commit();
            self.is_unlisted = true;
            let published = plan.publish(&self.published.borrow());
            self.publish(published);
        }
        Ok(plan)
    }

    /// Changes the options that are stored, and gives those that hold then. Commands come one after
    /// another here; another process may be faster, and then its options are the ones to change.
    async fn set_options(
        &self,
        patch: &OptionsPatch,
        by: Option<&str>,
    ) -> Result<PadOptions, Error> {
        for _ in 0..REPLANS {
            let record = self.store.pad(&self.id).await?;
            let record = record.filter(|record| record.key == self.key);
            let stored = record.ok_or(Error::PadMissing)?.settings;
            let before = from_stored(stored.as_deref(), &self.options);
            let after = before.apply(patch, &self.options);
            let settings = to_stored(&after);
            let shared = self.store.node();
            let note = shared.map(|_| Message::options(&after.named_by(patch), by));
            let set = self
                .store
                .set_settings(self.key, stored.as_deref(), &settings, note);
            if set.await? {
                return Ok(after);
            }
        }
        Err(Error::Internal)
    }

    async fn name(&self, naming: Naming) {
        match naming {
            Naming::SetTitle { title, reply } => {
                let _ = reply.send(self.set_title(title).await);
            }
            Naming::ReadTitle => {
                // If the store fails, the node reads all notes again later.
                if let Ok(Some(record)) = self.store.pad(&self.id).await
                    && record.key == self.key
                {
                    self.publish_title(record.title);
                }
            }
            Naming::SavedRevision { rev, label, reply } => {
                let named = self.store.name_saved_revision(self.key, rev, &label);
                let named = match named.await {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(Error::NotSaved),
                    Err(error) => Err(error.into()),
                };
                let _ = reply.send(named);
            }
        }
    }

    async fn set_title(&self, title: Option<Title>) -> Result<(), Error> {
        if !self.store.set_title(self.key, title.as_ref()).await? {
            return Err(Error::PadMissing);
        }
        self.publish_title(title);
        Ok(())
    }

    fn publish_title(&self, title: Option<Title>) {
        self.published.send_if_modified(|published| {
            let is_other = published.title != title;
            if is_other {
                published.title = title;
            }
            is_other
        });
        self.pacer.wake();
    }

    /// The revisions before the remembered ones, as far back as the changes need.
    async fn older(
        &self,
        requests: &[Request],
        published: &Published,
    ) -> Result<Vec<Revision>, Error> {
        match plan::oldest_needed(requests, published) {
            Some(first) => Ok(self
                .store
                .revisions(self.key, first..published.head.next_rev())
                .await?),
            None => Ok(Vec::new()),
        }
    }

    /// Takes from the store what another node has written.
    async fn catch_up(&mut self) -> Result<(), Error> {
        let known = self.published.borrow().head.clone();
        let missed = self.store.missed(self.key, &known, self.seats.number());
        let missed = missed.await?.ok_or(Error::PadMissing)?;
        let head = missed.apply(&known)?;
        self.adopt(missed, head);
        Ok(())
    }

    /// Publishes revisions that other nodes have sent along, as far as they are the next ones.
    /// Where one is missing or does not fit, the store is read.
    fn learn(&mut self, mut sent: Vec<RevisionHint>) {
        sent.sort_by_key(|hint| hint.rev);
        for RevisionHint { rev, content, .. } in sent {
            let known = self.published.borrow().head.clone();
            if let Some(content) = content.filter(|_| rev == known.next_rev())
                && let Some(missed) = self.seats.only(content, &known)
                && let Ok(head) = missed.apply(&known)
            {
                self.adopt(missed, head);
            }
        }
    }

    /// Publishes what another node has written, up to a head, and learns who has lost a seat.
    fn adopt(&mut self, missed: Missed, head: Head) {
        self.seats = self.seats.after(&missed);
        if !missed.revisions.is_empty() {
            let published = self.published.borrow().adopted(missed.revisions, head);
            self.publish(published);
        }
    }
}
