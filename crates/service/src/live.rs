//! Pads that are in memory, each with one writer.
//!
//! A live pad is a task that owns the pad's head. A caller that changes the pad sends a
//! [`Command`] and waits for the answer; a reader takes the newest [`Head`], which is
//! a value and costs nothing. The writer stores before it answers or publishes, so what is visible
//! is durable.

mod batch;

mod carets;

mod command;

mod counters;

mod encoded;

mod event;

mod feed;

mod pace;

mod plan;

mod published;

mod registry;

mod roster;

mod seats;

mod snapshot;

mod task;

mod weak;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use contract::Error;
use hints::{Comparisons, RevisionHint};
use pad::{AuthorId, Head, OptionsPatch, PadId, PadOptions, Rev, Submission, Title};
use store::{PadKey, SavedRevision, Store};
use tokio::sync::{Mutex, broadcast, mpsc, oneshot, watch};

pub use batch::{Batch, BatchedRevision};
pub use carets::Caret;
pub(crate) use carets::Carets;
pub use command::{Acceptance, SubmitError};
pub(crate) use command::{Change, Command, Edit, Naming, Reply, Request, SetOptions};
pub(crate) use counters::Counters;
pub use counters::WriteCounts;
pub use encoded::Encoded;
pub use event::{Ending, Event, Expulsion};
pub use feed::{Delivery, Feed};
pub use published::LiveRevision;
pub(crate) use published::Published;
pub(crate) use registry::Registry;
pub(crate) use roster::{ColourOffer, Roster, RosterChanges, Seat, SeatRequest};
pub use roster::{MemberId, Presence};
pub use snapshot::Snapshot;
pub(crate) use weak::WeakPad;

use crate::cluster::Cluster;
use crate::hooks::{HookSet, Notice};
use crate::limits::EVENTS;

/// A handle on a live pad.
#[derive(Clone, Debug)]
pub(crate) struct LivePad {
    pub id: PadId,
    pub key: PadKey,
    mailbox: mpsc::Sender<Command>,
    published: watch::Receiver<Published>,
    shared: Arc<Shared>,
}

/// What all handles of a live pad have in common. As many handles as references.
#[derive(Debug)]
struct Shared {
    roster: Roster,
    carets: Carets,
    /// Behind references, because a channel takes the room for all it may hold at once.
    events: broadcast::Sender<Arc<Event>>,
    ending: OnceLock<Ending>,
    snapshot: snapshot::LastSnapshot,
    cluster: Option<Arc<Cluster>>,
    hooks: HookSet,
    /// Held while the roster is compared with the store.
    syncing: Mutex<()>,
    /// Held while the label of a marked revision is read and delivered.
    naming: Mutex<()>,
    synced: Comparisons,
    /// The newest revision that other nodes got hints of, and the attributes they know then.
    hinted: AtomicU64,
    hinted_attributes: AtomicU32,
    /// What members that take batches may learn of.
    ticks: watch::Receiver<Arc<pace::Tick>>,
}

/// Answered when the writer has caught up.
pub(crate) type Learning = oneshot::Receiver<Result<(), Error>>;

/// The writer has ended: the pad was deleted, moved or let go, or the store failed. Opening the pad
/// again tells which.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed;

/// Why the writer did not carry out a command.
#[derive(Clone, Debug)]
pub(crate) enum CommandError {
    Closed,
    Failed(Error),
}

impl From<Closed> for CommandError {
    fn from(_: Closed) -> CommandError {
        CommandError::Closed
    }
}

impl LivePad {
    fn new(
        id: PadId,
        key: PadKey,
        mailbox: mpsc::Sender<Command>,
        (published, ticks): (watch::Receiver<Published>, watch::Receiver<Arc<pace::Tick>>),
        (cluster, hooks): (Option<Arc<Cluster>>, HookSet),
    ) -> LivePad {
        let (events, _) = broadcast::channel(EVENTS);
        let head = published.borrow().head.clone();
        let shared = Shared {
            roster: Roster::default(),
            carets: Carets::default(),
            events,
            ending: OnceLock::new(),
            snapshot: snapshot::LastSnapshot::default(),
            cluster,
            hooks,
            syncing: Mutex::default(),
            naming: Mutex::default(),
            synced: Comparisons::default(),
            hinted: AtomicU64::new(head.rev.unwrap_or_default().0),
            hinted_attributes: AtomicU32::new(head.pool.next_number()),
            ticks,
        };
        LivePad {
            id,
            key,
            mailbox,
            published,
            shared: Arc::new(shared),
        }
    }

    /// The newest stored state.
    pub(crate) fn head(&self) -> Head {
        self.published.borrow().head.clone()
    }

    /// The state that a newcomer is shown.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.shared.snapshot.take(&self.published.borrow())
    }

    pub(crate) fn roster(&self) -> &Roster {
        &self.shared.roster
    }

    pub(crate) fn carets(&self) -> &Carets {
        &self.shared.carets
    }

    pub(crate) fn published(&self) -> Published {
        self.published.borrow().clone()
    }

    pub(crate) fn cluster(&self) -> Option<&Arc<Cluster>> {
        self.shared.cluster.as_ref()
    }

    pub(crate) fn hooks(&self) -> &HookSet {
        &self.shared.hooks
    }

    pub(crate) fn syncing(&self) -> &Mutex<()> {
        &self.shared.syncing
    }

    pub(crate) fn synced(&self) -> &Comparisons {
        &self.shared.synced
    }

    /// Notes what other nodes get hints of from now on; gives what they got hints of before.
    pub(crate) fn hinted(&self, newest: Rev, attributes: u32) -> (Rev, u32) {
        let known = &self.shared.hinted_attributes;
        (
            Rev(self.shared.hinted.swap(newest.0, Ordering::SeqCst)),
            known.swap(attributes, Ordering::SeqCst),
        )
    }

    /// Other nodes get a hint of what was written.
    fn hint(&self) {
        if let Some(cluster) = self.cluster() {
            cluster.outbox.has_written(self);
        }
    }

    /// Tells the members something. Nobody may be there.
    pub(crate) fn tell(&self, event: Event) {
        let _ = self.shared.events.send(Arc::new(event));
    }

    fn is_closed(&self) -> bool {
        self.mailbox.is_closed()
    }

    /// Whether the registry alone holds the pad.
    fn is_unused(&self) -> bool {
        Arc::strong_count(&self.shared) == 1
    }

    /// Makes an edit the next revision, stored when this returns.
    pub(crate) async fn edit(&self, edit: Edit, author: AuthorId) -> Result<(), CommandError> {
        let change = |reply| {
            Command::Change(Change {
                request: Request::Edit { edit, author },
                reply: Reply::Edit(reply),
            })
        };
        let edited = self.ask(change).await?.map_err(CommandError::Failed);
        self.hint();
        edited
    }

    /// Makes a member's change the next revision, stored when this returns.
    pub(crate) async fn submit(
        &self,
        submission: Submission,
        from: Seat,
    ) -> Result<Acceptance, SubmitError> {
        let change = |reply| {
            Command::Change(Change {
                request: Request::Submit { submission, from },
                reply: Reply::Submit(reply),
            })
        };
        let submitted = self.ask(change).await;
        self.hint();
        submitted.unwrap_or(Err(SubmitError::Unavailable))
    }

    /// Changes the pad's options, and gives those that hold then. Stored when this returns.
    pub(crate) async fn set_options(
        &self,
        patch: OptionsPatch,
        by: Option<String>,
    ) -> Result<PadOptions, CommandError> {
        self.ask(|reply| Command::SetOptions(SetOptions { patch, by, reply }))
            .await?
            .map_err(CommandError::Failed)
    }

    /// Gives the pad a title, or takes it away. Stored when this returns; members learn of it.
    pub(crate) async fn set_title(&self, title: Option<Title>) -> Result<(), CommandError> {
        self.ask(|reply| Command::Name(Naming::SetTitle { title, reply }))
            .await?
            .map_err(CommandError::Failed)
    }

    /// Publishes the title that is stored. What is set here meanwhile comes before or after it.
    pub(crate) async fn read_title(&self) {
        // A pad that has ended is opened with its title the next time.
        let _ = self.mailbox.send(Command::Name(Naming::ReadTitle)).await;
    }

    /// Gives a marked revision another label. Stored when this returns.
    pub(crate) async fn name_saved(&self, rev: Rev, label: String) -> Result<(), CommandError> {
        self.ask(|reply| Command::Name(Naming::SavedRevision { rev, label, reply }))
            .await?
            .map_err(CommandError::Failed)
    }

    pub(crate) fn notify_saved(&self, saved: &SavedRevision) {
        self.hooks().notify(Notice::RevisionSaved {
            pad: &self.id,
            author: saved.author.as_ref(),
            rev: saved.rev,
            label: &saved.label,
        });
    }

    /// Forgets where an author was in windows that are gone, while others are still there.
    pub(crate) fn close_windows(&self, author: &AuthorId, members: &[MemberId]) {
        let windows = members.iter().map(|member| member.window());
        for window in windows.filter(|window| *window != 0) {
            self.carets().remove_window(author, window);
            let author = author.clone();
            self.tell(Event::CaretGone { author, window });
        }
    }

    /// The last connection of an author is gone.
    pub(crate) fn notify_left(&self, author: &AuthorId) {
        let pad = &self.id;
        self.hooks().notify(Notice::MemberLeft { pad, author });
    }

    /// Members learn what a marked revision is called now. It is read while nobody else does this,
    /// so that of two who name it at once the last one is delivered last, on every node.
    pub(crate) async fn deliver_saved_name(&self, store: &Store, rev: Rev) -> Result<(), Error> {
        let _one_at_a_time = self.shared.naming.lock().await;
        let saved = store.saved_revisions(self.key).await?;
        if let Some(saved) = saved.into_iter().find(|saved| saved.rev == rev) {
            self.tell(Event::SavedNamed(Arc::new(saved)));
        }
        Ok(())
    }

    /// Takes from the store what another process has written to the pad, unless `newest`
    /// is known already.
    pub(crate) async fn catch_up(&self, newest: Option<Rev>) -> Result<(), Closed> {
        let sent = Vec::new();
        let catch_up = |reply| Command::CatchUp {
            newest,
            sent,
            reply,
        };
        self.ask(catch_up).await?.map_err(|_| Closed)
    }

    /// Hands revisions to the writer that other nodes have sent along; it reads what is missing.
    /// `None`: it is busy or has ended. Then comparing finds them.
    pub(crate) fn learn(&self, sent: Vec<RevisionHint>) -> Option<Learning> {
        let newest = sent.iter().map(|hint| hint.rev).max();
        let (reply, answer) = oneshot::channel();
        let catch_up = Command::CatchUp {
            newest,
            sent,
            reply,
        };
        self.mailbox.try_send(catch_up).ok()?;
        Some(answer)
    }

    /// Waits until everything is done that was asked for before.
    pub(crate) async fn settled(&self) -> Result<(), Closed> {
        self.ask(|reply| Command::Settle { reply }).await
    }

    async fn ask<T>(
        &self,
        command: impl FnOnce(oneshot::Sender<T>) -> Command,
    ) -> Result<T, Closed> {
        let (reply, answer) = oneshot::channel();
        self.mailbox
            .send(command(reply))
            .await
            .map_err(|_| Closed)?;
        answer.await.map_err(|_| Closed)
    }

    /// Lets the writer finish what it has begun, and waits for its end. Members will read why.
    pub(crate) async fn stop(&self, ending: Ending) {
        let _ = self.shared.ending.set(ending);
        if self.mailbox.send(Command::Stop).await.is_ok() {
            self.mailbox.closed().await;
        }
    }
}
