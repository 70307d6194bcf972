//! The writer of one pad.
//!
//! It wakes for one reason: commands in its mailbox. It takes all that wait, plans them one after
//! another on the head, stores the result once, and then publishes and answers. While it stores,
//! the next batch gathers. It ends when it is told to stop, when every handle is gone, when the pad
//! is gone, or when the store fails: then nothing was promised, and the next open reads the truth.

use pad::{AuthorId, Head, Step, Timestamp};
use store::{Appended, PadKey, Store};
use tokio::sync::{mpsc, oneshot, watch};

use crate::error::Error;
use crate::limits::{BATCH, REPLANS};
use crate::live::command::{Command, Edit};

pub(super) struct Writer {
    pub key: PadKey,
    pub store: Store,
    pub head: watch::Sender<Head>,
    pub mailbox: mpsc::Receiver<Command>,
    pub max_text: usize,
    pub now: Box<dyn Fn() -> Timestamp + Send>,
}

/// An edit and who waits for it.
struct Waiting {
    edit: Edit,
    author: AuthorId,
    reply: oneshot::Sender<Result<(), Error>>,
}

impl Writer {
    pub async fn run(mut self) {
        let mut commands = Vec::new();
        while self.mailbox.recv_many(&mut commands, BATCH).await > 0 {
            let mut edits = Vec::new();
            let mut catching_up = Vec::new();
            let mut stop = false;
            for command in commands.drain(..) {
                match command {
                    Command::Edit {
                        edit,
                        author,
                        reply,
                    } => {
                        edits.push(Waiting {
                            edit,
                            author,
                            reply,
                        });
                    }
                    Command::CatchUp { reply } => catching_up.push(reply),
                    Command::Stop => stop = true,
                }
            }
            if !edits.is_empty() && !self.write(edits).await {
                return;
            }
            if !catching_up.is_empty() {
                let outcome = self.reload().await.map(|_| ());
                let failed = outcome.is_err();
                for reply in catching_up {
                    let _ = reply.send(outcome.clone());
                }
                if failed {
                    return;
                }
            }
            if stop {
                return;
            }
        }
    }

    /// Stores a batch of edits. False when the writer must end.
    async fn write(&mut self, edits: Vec<Waiting>) -> bool {
        for _ in 0..REPLANS {
            let before = self.head.borrow().clone();
            let (step, outcomes) = self.plan(&before, &edits);
            let stored = if step.revisions.is_empty() {
                Ok(Appended::Done)
            } else {
                self.store.append(self.key, &before, &step).await
            };
            match stored {
                Ok(Appended::Done) => {
                    self.head.send_replace(step.head);
                    answer(edits, outcomes);
                    return true;
                }
                Ok(Appended::Conflict) => match self.reload().await {
                    Ok(()) => {}
                    Err(error) => {
                        fail(edits, &error);
                        return false;
                    }
                },
                Err(error) => {
                    fail(edits, &error.into());
                    return false;
                }
            }
        }
        fail(edits, &Error::Internal);
        true
    }

    /// Makes the edits one after another on a head, without storing anything.
    fn plan(&self, before: &Head, edits: &[Waiting]) -> (Step, Vec<Result<(), Error>>) {
        let now = (self.now)();
        let mut plan = Step {
            revisions: Vec::new(),
            head: before.clone(),
        };
        let mut outcomes = Vec::with_capacity(edits.len());
        for Waiting { edit, author, .. } in edits {
            let prepared = edit.prepare(&plan.head, author);
            let grows = prepared.change.new_len > prepared.change.old_len;
            if grows && prepared.change.new_len > self.max_text {
                outcomes.push(Err(Error::TextTooLong));
                continue;
            }
            let author = Some(author.clone());
            let step = plan
                .head
                .advance(prepared.change, prepared.pool, author, now);
            outcomes.push(match step {
                Ok(step) => {
                    if let Some(step) = step {
                        plan.revisions.extend(step.revisions);
                        plan.head = step.head;
                    }
                    Ok(())
                }
                Err(error) => Err(error.into()),
            });
        }
        (plan, outcomes)
    }

    /// Takes the head from the store, where another process may have written.
    async fn reload(&mut self) -> Result<(), Error> {
        let head = self
            .store
            .load_head(self.key)
            .await?
            .ok_or(Error::PadMissing)?;
        self.head.send_replace(head);
        Ok(())
    }
}

fn answer(edits: Vec<Waiting>, outcomes: Vec<Result<(), Error>>) {
    for (waiting, outcome) in edits.into_iter().zip(outcomes) {
        // Nobody may be waiting any more; what is stored is stored.
        let _ = waiting.reply.send(outcome);
    }
}

fn fail(edits: Vec<Waiting>, error: &Error) {
    for waiting in edits {
        let _ = waiting.reply.send(Err(error.clone()));
    }
}
