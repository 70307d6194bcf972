//! Worker threads that carry out transactions.
//!
//! Work comes as jobs through two bounded queues, one for writing and one for reading. A writing
//! worker takes all jobs that wait, carries them out in one transaction, and answers them when that
//! is on disk: many pads share one flush. If one of them fails, the transaction is rolled back and
//! each is carried out by itself, so that a failure is its own job's alone. That is why a job can
//! be run again, and why it decides everything it can decide before it writes.
//!
//! No job is answered `Ok` before its transaction is durable. Reading jobs have connections of
//! their own and see one state of the database from beginning to end.

#![expect(
    clippy::disallowed_types,
    reason = "time-outs and how long commits take"
)]

mod job;

mod worker;

mod storage_state;

mod file;

mod sqlite;

mod server;

mod postgres;

mod claim;

#[cfg(any(test, feature = "testing"))]
mod faults;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};

use crate::error::Error;
use crate::limits::QUEUE;
use crate::sql::{Failure, Tx};

pub(crate) use self::postgres::{Postgres, owned as postgres_row};
#[cfg(any(test, feature = "testing"))]
pub use faults::FaultPlan;
#[cfg(any(test, feature = "testing"))]
pub(crate) use faults::Faulty;
pub(crate) use file::LockedFile;
pub(crate) use job::Turn;
use job::{Job, Message};
pub use server::{Messages, Server};
pub(crate) use sqlite::{Embedded, Memory, open_read_only, owned as sqlite_value};
use storage_state::Storage;
pub use storage_state::StorageState;
use worker::{Background, Inbox, WorkerContext};

/// Opens connections to one database.
pub(crate) trait Driver: Send + Sync {
    fn connect(&self, purpose: Purpose) -> Result<Box<dyn Connection>, Failure>;
    fn worker_counts(&self) -> WorkerCounts;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Write,
    Read,
}

/// Number of workers for each purpose, and how they batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkerCounts {
    pub writers: usize,
    /// 0: the writers read as well.
    pub readers: usize,
    /// Maximum number of jobs in one transaction.
    pub batch: usize,
    /// How long a writer waits at most for more jobs to share a transaction (group commit).
    pub max_linger: Option<Duration>,
}

/// A connection. Between `begin` and `commit` or `rollback` it is a transaction.
pub(crate) trait Connection: Tx {
    fn begin(&mut self) -> Result<(), Failure>;
    fn commit(&mut self) -> Result<(), CommitFailure>;
    fn rollback(&mut self) -> Result<(), Failure>;
    /// Whether anything was written since `begin`: committing nothing does not reach the disk.
    fn has_written(&self) -> bool;
}

#[derive(Debug)]
pub(crate) enum CommitFailure {
    /// Nothing was written.
    RolledBack(Failure),
    /// The connection broke when the answer was due.
    Unknown(Failure),
}

/// Work for idle workers. Returns whether there is more of it.
pub(crate) type BackgroundJob = fn(&mut dyn Tx) -> Result<bool, Failure>;

pub(crate) struct Engine {
    writes: mpsc::Sender<Message>,
    reads: mpsc::Sender<Message>,
    background: Arc<Background>,
    storage: Storage,
    /// Every worker holds a receiver, so that each is closed when the last one has ended.
    writers: watch::Sender<()>,
    readers: watch::Sender<()>,
}

impl Engine {
    pub(crate) fn start(driver: Arc<dyn Driver>, job: BackgroundJob) -> Result<Engine, Error> {
        let counts = driver.worker_counts();
        let (writes, inbox) = mpsc::channel(QUEUE);
        let [writers, readers] = [(); 2].map(|()| watch::Sender::new(()));
        let background = Arc::new(Background::new(job));
        let storage = Storage::default();
        let spawn_workers =
            |count, purpose, inbox, batch, max_linger, alive: &watch::Sender<()>| {
                let inbox = Arc::new(Inbox::new(inbox, batch, max_linger));
                for _ in 0..count {
                    let context = WorkerContext {
                        driver: Arc::clone(&driver),
                        purpose,
                        inbox: Arc::clone(&inbox),
                        background: Arc::clone(&background),
                        storage: storage.clone(),
                        _alive: alive.subscribe(),
                    };
                    context.spawn()?;
                }
                Ok::<(), Error>(())
            };
        spawn_workers(
            counts.writers,
            Purpose::Write,
            inbox,
            counts.batch,
            counts.max_linger,
            &writers,
        )?;
        let reads = match counts.readers {
            0 => writes.clone(),
            count => {
                let (reads, inbox) = mpsc::channel(QUEUE);
                spawn_workers(count, Purpose::Read, inbox, 1, None, &readers)?;
                reads
            }
        };
        Ok(Engine {
            writes,
            reads,
            background,
            storage,
            writers,
            readers,
        })
    }

    pub(crate) async fn write<T, F>(&self, turn: Turn, run: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Failure> + Send + 'static,
    {
        ask(&self.writes, turn, run).await
    }

    /// Whether writes succeed.
    pub(crate) fn storage(&self) -> watch::Receiver<StorageState> {
        self.storage.watch()
    }

    pub(crate) async fn read<T, F>(&self, run: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Failure> + Send + 'static,
    {
        ask(&self.reads, Turn::Alone, run).await
    }

    /// What is found, or else what is made by a writer that has looked again. So what is there
    /// already is found without waiting for a writer.
    pub(crate) async fn find_or_make<T, F, M>(
        &self,
        turn: Turn,
        find: F,
        mut make: M,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Fn(&mut dyn Tx) -> Result<Option<T>, Failure> + Copy + Send + 'static,
        M: FnMut(&mut dyn Tx) -> Result<T, Failure> + Send + 'static,
    {
        if let Some(found) = self.read(find).await? {
            return Ok(found);
        }
        let write = move |tx: &mut dyn Tx| match find(tx)? {
            Some(found) => Ok(found),
            None => make(tx),
        };
        self.write(turn, write).await
    }

    /// Wakes an idle worker for the background job.
    pub(crate) fn wake(&self) {
        self.background.request();
        // A worker that waits for jobs does not see the flag; an empty message wakes it. If the
        // queue is full, no worker waits.
        let _ = self.writes.try_send(Message::Wake);
    }

    /// Lets all jobs that wait be done, and waits until the workers have ended. Those who read go
    /// first: only one that may write brings the embedded database's log into it when it is the
    /// last to go, so that a database at rest is one file.
    pub(crate) async fn close(&self) {
        let _ = self.reads.send(Message::Stop).await;
        self.readers.closed().await;
        let _ = self.writes.send(Message::Stop).await;
        self.writers.closed().await;
    }
}

async fn ask<T, F>(queue: &mpsc::Sender<Message>, turn: Turn, run: F) -> Result<T, Error>
where
    T: Send + 'static,
    F: FnMut(&mut dyn Tx) -> Result<T, Failure> + Send + 'static,
{
    let closed = || Error::Unavailable("it is closed".to_owned());
    let (reply, answer) = oneshot::channel();
    let job = Job::new(turn, run, reply);
    queue.send(Message::Job(job)).await.map_err(|_| closed())?;
    answer.await.map_err(|_| closed())?
}
