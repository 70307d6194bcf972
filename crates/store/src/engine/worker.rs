//! A worker: a thread with a connection that carries out jobs.
//!
//! It wakes for jobs, for the background job, and to stop. It reconnects when the next job comes,
//! with exponential backoff; in between it refuses jobs at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};

use super::job::{Job, Message, Turn};
use super::storage_state::Storage;
use super::{BackgroundJob, CommitFailure, Connection, Driver, Purpose};
use crate::error::Error;
use crate::limits::ATTEMPTS;
use crate::sql::{Failure, Tx};

const FIRST_BACKOFF: Duration = Duration::from_millis(50);
const LONGEST_BACKOFF: Duration = Duration::from_secs(5);

/// Everything a worker needs. It can be sent to the worker's thread; a connection cannot.
pub(super) struct WorkerContext {
    pub driver: Arc<dyn Driver>,
    pub purpose: Purpose,
    pub inbox: Arc<Inbox>,
    pub background: Arc<Background>,
    pub storage: Storage,
    /// Dropped last, when everything else is.
    pub _alive: watch::Receiver<()>,
}

impl WorkerContext {
    /// Starts the worker thread.
    pub(super) fn spawn(self) -> Result<(), Error> {
        let name = match self.purpose {
            Purpose::Write => "store-write",
            Purpose::Read => "store-read",
        };
        let thread = std::thread::Builder::new().name(name.to_owned());
        let started = thread.spawn(move || {
            let mut worker = Worker {
                connection: None,
                reconnect: Reconnect::default(),
                last: Batch::default(),
                context: self,
            };
            worker.run();
        });
        let refused = |error| Error::Unavailable(format!("no thread could be started: {error}"));
        started.map(drop).map_err(refused)
    }
}

struct Worker {
    connection: Option<Box<dyn Connection>>,
    reconnect: Reconnect,
    last: Batch,
    context: WorkerContext,
}

impl Worker {
    fn run(&mut self) {
        loop {
            let has_background_job =
                self.context.purpose == Purpose::Write && self.context.background.is_pending();
            let received = if has_background_job {
                self.context.inbox.try_receive()
            } else {
                self.context.inbox.receive()
            };
            match received {
                Received::Jobs(jobs) => self.run_batch(jobs),
                Received::Nothing if has_background_job => self.run_background_job(),
                Received::Nothing => {}
                Received::Closed => return,
            }
        }
    }

    /// Carries out jobs, after waiting a moment for those that are about to come.
    ///
    /// Those who were answered together ask again together, but one of them is first. Without
    /// waiting for the others it would have a flush of its own, every time.
    fn run_batch(&mut self, mut jobs: Vec<Job>) {
        if let Some(max_linger) = self.context.inbox.max_linger {
            let until = Instant::now() + (self.last.took / 4).min(max_linger);
            self.context.inbox.gather(&mut jobs, self.last.jobs, until);
        }
        let (count, start) = (jobs.len(), Instant::now());
        self.run_all(jobs);
        self.last = Batch {
            jobs: count,
            took: start.elapsed(),
        };
    }

    fn run_all(&mut self, mut jobs: Vec<Job>) {
        jobs.sort_by_key(|job| job.turn);
        let shared = jobs.partition_point(|job| job.turn != Turn::Alone);
        let alone = jobs.split_off(shared);
        let mut shared = jobs;
        if shared.len() > 1 {
            match self.attempt(&mut |tx| shared.iter_mut().try_for_each(|job| job.run(tx))) {
                Ok(()) => {
                    self.note_success();
                    shared.drain(..).for_each(|job| job.answer(Ok(())));
                }
                Err(Broken::RolledBack(_)) => {}
                // To do it again could be to do it twice.
                Err(Broken::Unknown(failure)) => {
                    let error = self.note_failure(Broken::Unknown(failure));
                    shared
                        .drain(..)
                        .for_each(|job| job.answer(Err(error.clone())));
                }
            }
        }
        for job in shared.into_iter().chain(alone) {
            self.run_alone(job);
        }
    }

    fn run_alone(&mut self, mut job: Job) {
        let mut outcome = self.attempt(&mut |tx| job.run(tx));
        for _ in 1..ATTEMPTS {
            match outcome {
                // A connection may have been lost long ago; a new one has not.
                Err(Broken::RolledBack(Failure::Contended(_) | Failure::Lost(_))) => {
                    outcome = self.attempt(&mut |tx| job.run(tx));
                }
                _ => break,
            }
        }
        job.answer(match outcome {
            Ok(()) => {
                self.note_success();
                Ok(())
            }
            Err(broken) => Err(self.note_failure(broken)),
        });
    }

    /// Called before any answer, so that a caller that acts on it sees the matching state.
    fn note_success(&self) {
        let has_written = self.connection.as_ref().is_some_and(|it| it.has_written());
        if self.context.purpose == Purpose::Write && has_written {
            self.context.storage.works();
        }
    }

    /// The error to answer with. A write that was certainly not carried out is `NotStored`.
    fn note_failure(&self, broken: Broken) -> Error {
        let is_unknown = matches!(broken, Broken::Unknown(_));
        let reason = match &broken {
            Broken::RolledBack(Failure::Disk(reason) | Failure::Lost(reason))
            | Broken::Unknown(Failure::Disk(reason) | Failure::Lost(reason)) => reason.clone(),
            Broken::RolledBack(Failure::Error(Error::NotStored(reason))) => reason.clone(),
            _ => return broken.into(),
        };
        if self.context.purpose == Purpose::Read {
            return Error::Unavailable(reason);
        }
        self.context.storage.fails(&reason);
        if is_unknown {
            Error::Unavailable(reason)
        } else {
            Error::NotStored(reason)
        }
    }

    /// Carries out work in one transaction: all of it or nothing.
    fn attempt(&mut self, work: &mut Attempted<'_>) -> Result<(), Broken> {
        let outcome = carry_out(self.connected()?, work);
        let is_lost = matches!(
            outcome,
            Err(Broken::Unknown(_) | Broken::RolledBack(Failure::Lost(_)))
        );
        if is_lost {
            self.connection = None;
        }
        outcome
    }

    fn connected(&mut self) -> Result<&mut dyn Connection, Broken> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self
                .reconnect
                .connect(&*self.context.driver, self.context.purpose)?,
        };
        Ok(&mut **self.connection.insert(connection))
    }

    fn run_background_job(&mut self) {
        let job = self.context.background.job;
        let mut more = false;
        let outcome = self.attempt(&mut |tx| {
            more = job(tx)?;
            Ok(())
        });
        // After a failure it stays undone until the next wake-up.
        if outcome.is_err() || !more {
            self.context.background.clear();
        }
    }
}

type Attempted<'a> = dyn FnMut(&mut dyn Tx) -> Result<(), Failure> + 'a;

/// Size and duration of the last batch.
#[derive(Default)]
struct Batch {
    jobs: usize,
    took: Duration,
}

/// A failed transaction.
enum Broken {
    RolledBack(Failure),
    Unknown(Failure),
}

impl From<Broken> for Error {
    fn from(broken: Broken) -> Error {
        match broken {
            Broken::RolledBack(failure) | Broken::Unknown(failure) => failure.into(),
        }
    }
}

fn carry_out(connection: &mut dyn Connection, work: &mut Attempted<'_>) -> Result<(), Broken> {
    connection.begin().map_err(Broken::RolledBack)?;
    let run = AssertUnwindSafe(|| work(&mut *connection));
    let outcome = catch_unwind(run).unwrap_or_else(|_| {
        let detail = "a job panicked".to_owned();
        Err(Failure::Error(Error::Unavailable(detail)))
    });
    if let Err(failure) = outcome {
        let failure = match connection.rollback() {
            Ok(()) => failure,
            Err(_) => Failure::Lost(Error::from(failure).to_string()),
        };
        return Err(Broken::RolledBack(failure));
    }
    connection.commit().map_err(|failure| match failure {
        CommitFailure::RolledBack(failure) => Broken::RolledBack(failure),
        CommitFailure::Unknown(failure) => Broken::Unknown(failure),
    })
}

/// Reconnects with exponential backoff.
#[derive(Default)]
struct Reconnect {
    backoff: Duration,
    not_before: Option<Instant>,
}

impl Reconnect {
    fn connect(
        &mut self,
        driver: &dyn Driver,
        purpose: Purpose,
    ) -> Result<Box<dyn Connection>, Broken> {
        if self.not_before.is_some_and(|then| Instant::now() < then) {
            let detail = "there is no connection to the database".to_owned();
            // Not as a loss, after which it would be tried again at once.
            return Err(Broken::RolledBack(Error::NotStored(detail).into()));
        }
        match driver.connect(purpose) {
            Ok(connection) => {
                *self = Reconnect::default();
                Ok(connection)
            }
            Err(failure) => {
                self.backoff = (self.backoff * 2).clamp(FIRST_BACKOFF, LONGEST_BACKOFF);
                self.not_before = Instant::now().checked_add(self.backoff);
                let error = match failure {
                    Failure::Error(error) => error,
                    other => Error::NotStored(Error::from(other).detail()),
                };
                Err(Broken::RolledBack(error.into()))
            }
        }
    }
}

/// The background job, and whether there is work for it.
pub(super) struct Background {
    pending: AtomicBool,
    job: BackgroundJob,
}

impl Background {
    pub(super) fn new(job: BackgroundJob) -> Background {
        let pending = AtomicBool::new(false);
        Background { pending, job }
    }

    pub(super) fn request(&self) {
        self.pending.store(true, Ordering::Relaxed);
    }

    fn clear(&self) {
        self.pending.store(false, Ordering::Relaxed);
    }

    fn is_pending(&self) -> bool {
        self.pending.load(Ordering::Relaxed)
    }
}

/// The receiving end of a queue, shared by several workers.
pub(super) struct Inbox {
    messages: Mutex<mpsc::Receiver<Message>>,
    batch: usize,
    /// How long to wait at most for more jobs.
    max_linger: Option<Duration>,
}

pub(super) enum Received {
    Jobs(Vec<Job>),
    Nothing,
    Closed,
}

impl Inbox {
    pub(super) fn new(
        messages: mpsc::Receiver<Message>,
        batch: usize,
        max_linger: Option<Duration>,
    ) -> Inbox {
        Inbox {
            messages: Mutex::new(messages),
            batch,
            max_linger,
        }
    }

    /// Takes more jobs until there are as many as expected, or until the deadline.
    fn gather(&self, jobs: &mut Vec<Job>, expected: usize, until: Instant) {
        while jobs.len() < expected && Instant::now() < until {
            match self.try_receive() {
                Received::Jobs(more) => jobs.extend(more),
                Received::Nothing => std::thread::yield_now(),
                Received::Closed => return,
            }
        }
    }

    /// Waits for jobs and takes all there are.
    fn receive(&self) -> Received {
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let mut received = Vec::new();
        match messages.blocking_recv_many(&mut received, self.batch) {
            0 => Received::Closed,
            _ => sort_out(received, &mut messages),
        }
    }

    /// Takes the jobs there are, without waiting.
    fn try_receive(&self) -> Received {
        let mut messages = match self.messages.try_lock() {
            Ok(messages) => messages,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another worker waits for jobs, so there are none.
            Err(TryLockError::WouldBlock) => return Received::Nothing,
        };
        let mut received = Vec::new();
        while received.len() < self.batch {
            match messages.try_recv() {
                Ok(message) => received.push(message),
                Err(mpsc::error::TryRecvError::Empty) => break,
                Err(mpsc::error::TryRecvError::Disconnected) if received.is_empty() => {
                    return Received::Closed;
                }
                Err(mpsc::error::TryRecvError::Disconnected) => break,
            }
        }
        sort_out(received, &mut messages)
    }
}

fn sort_out(received: Vec<Message>, messages: &mut mpsc::Receiver<Message>) -> Received {
    let mut jobs = Vec::new();
    for message in received {
        match message {
            Message::Job(job) => jobs.push(job),
            Message::Wake => {}
            // What came before it is still done; then there is nothing more.
            Message::Stop => messages.close(),
        }
    }
    if jobs.is_empty() {
        Received::Nothing
    } else {
        Received::Jobs(jobs)
    }
}
