//! Pads that are in memory, each with one writer.
//!
//! A live pad is a task that owns the pad's head. Whoever wants to change the pad sends a
//! [`Command`] and waits for the answer; whoever wants to read takes the newest [`Head`], which is
//! a value and costs nothing. The writer stores before it answers or publishes, so what is visible
//! is durable.

mod command;

mod registry;

mod task;

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot, watch};

pub(crate) use command::{Command, Edit};
pub(crate) use registry::{Exclusive, Registry};

use pad::{AuthorId, Head, PadId};
use store::PadKey;

use crate::error::Error;

/// A handle on a live pad.
#[derive(Clone, Debug)]
pub(crate) struct LivePad {
    pub id: PadId,
    pub key: PadKey,
    mailbox: mpsc::Sender<Command>,
    head: watch::Receiver<Head>,
    /// Counts the handles: the registry's own and those of users.
    handles: Arc<()>,
}

/// The writer has ended: the pad was deleted, moved or let go, or the store failed. Opening the pad
/// again tells which.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed;

impl LivePad {
    fn new(
        id: PadId,
        key: PadKey,
        mailbox: mpsc::Sender<Command>,
        head: watch::Receiver<Head>,
    ) -> LivePad {
        LivePad {
            id,
            key,
            mailbox,
            head,
            handles: Arc::default(),
        }
    }

    /// The newest stored state.
    pub fn head(&self) -> Head {
        self.head.borrow().clone()
    }

    fn is_closed(&self) -> bool {
        self.mailbox.is_closed()
    }

    /// Whether the registry alone holds the pad.
    fn is_unused(&self) -> bool {
        Arc::strong_count(&self.handles) == 1
    }

    /// Makes an edit the next revision, stored when this returns.
    pub async fn edit(&self, edit: Edit, author: AuthorId) -> Result<Result<(), Error>, Closed> {
        self.ask(|reply| Command::Edit {
            edit,
            author,
            reply,
        })
        .await
    }

    /// Looks whether another process has written to the pad.
    async fn catch_up(&self) -> Result<(), Closed> {
        self.ask(|reply| Command::CatchUp { reply })
            .await?
            .map_err(|_| Closed)
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

    /// Lets the writer finish what it has begun, and waits for its end.
    async fn stop(&self) {
        if self.mailbox.send(Command::Stop).await.is_ok() {
            self.mailbox.closed().await;
        }
    }
}
