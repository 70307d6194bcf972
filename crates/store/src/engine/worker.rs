//! A thread with a connection that carries out jobs.
//!
//! It wakes for jobs, for a reminder of the chore, and to stop. A connection that is lost is opened
//! again when the next job comes, with growing pauses in which jobs are refused at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};

use super::job::{Job, Message, Turn};
use super::storage_state::Storage;
use super::{Chore, CommitFailure, Connection, Driver, Purpose};
use crate::error::Error;
use crate::limits::ATTEMPTS;
use crate::sql::{Failure, Tx};

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// What a worker is given. It can be sent to the worker's thread; a connection cannot.
pub struct Post {
    pub driver: Arc<dyn Driver>,
    pub purpose: Purpose,
    pub inbox: Arc<Inbox>,
    pub chores: Arc<Chores>,
    pub storage: Storage,
    /// Dropped last, when everything else is.
    pub _alive: watch::Receiver<()>,
}

impl Post {
    /// Starts a worker.
    pub fn fill(self) -> Result<(), Error> {
        let name = match self.purpose {
            Purpose::Write => "store-write",
            Purpose::Read => "store-read",
        };
        let thread = std::thread::Builder::new().name(name.to_owned());
        let started = thread.spawn(move || {
            let mut worker = Worker {
                connection: None,
                retry: Retry::default(),
                last: Batch::default(),
                post: self,
            };
            worker.run();
        });
        let refused = |error| Error::Unavailable(format!("no thread could be started: {error}"));
        started.map(drop).map_err(refused)
    }
}

struct Worker {
    connection: Option<Box<dyn Connection>>,
    retry: Retry,
    last: Batch,
    post: Post,
}

impl Worker {
    fn run(&mut self) {
        loop {
            let has_chore = self.post.purpose == Purpose::Write && self.post.chores.is_pending();
            let taken = match has_chore {
                true => self.post.inbox.look(),
                false => self.post.inbox.wait(),
            };
            match taken {
                Taken::Jobs(jobs) => self.work_together(jobs),
                Taken::Nothing if has_chore => self.do_chore(),
                Taken::Nothing => {}
                Taken::Closed => return,
            }
        }
    }

    /// Carries out jobs, after waiting a moment for those that are about to come.
    ///
    /// Those who were answered together ask again together, but one of them is first. Without
    /// waiting for the others it would have a flush of its own, every time.
    fn work_together(&mut self, mut jobs: Vec<Job>) {
        if let Some(patience) = self.post.inbox.patience {
            let until = Instant::now() + (self.last.took / 4).min(patience);
            self.post.inbox.gather(&mut jobs, self.last.jobs, until);
        }
        let (count, start) = (jobs.len(), Instant::now());
        self.work_off(jobs);
        self.last = Batch {
            jobs: count,
            took: start.elapsed(),
        };
    }

    fn work_off(&mut self, mut jobs: Vec<Job>) {
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
            self.work_alone(job);
        }
    }

    fn work_alone(&mut self, mut job: Job) {
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

    /// Before anybody is answered, so that who acts on an answer finds the state that goes with it.
    fn note_success(&self) {
        let has_written = self.connection.as_ref().is_some_and(|it| it.has_written());
        if self.post.purpose == Purpose::Write && has_written {
            self.post.storage.works();
        }
    }

    /// What is answered: of a write that was surely not carried out, that it is not stored.
    fn note_failure(&self, broken: Broken) -> Error {
        let is_unknown = matches!(broken, Broken::Unknown(_));
        let reason = match &broken {
            Broken::RolledBack(Failure::Disk(reason) | Failure::Lost(reason))
            | Broken::Unknown(Failure::Disk(reason) | Failure::Lost(reason)) => reason.clone(),
            Broken::RolledBack(Failure::Error(Error::NotStored(reason))) => reason.clone(),
            _ => return broken.into(),
        };
        if self.post.purpose == Purpose::Read {
            return Error::Unavailable(reason);
        }
        self.post.storage.fails(&reason);
        match is_unknown {
            true => Error::Unavailable(reason),
            false => Error::NotStored(reason),
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
            None => self.retry.connect(&*self.post.driver, self.post.purpose)?,
        };
        Ok(&mut **self.connection.insert(connection))
    }

    fn do_chore(&mut self) {
        let chore = self.post.chores.chore;
        let mut more = false;
        let outcome = self.attempt(&mut |tx| {
            more = chore(tx)?;
            Ok(())
        });
        // After a failure it stays undone until somebody reminds again.
        if outcome.is_err() || !more {
            self.post.chores.rest();
        }
    }
}

type Attempted<'a> = dyn FnMut(&mut dyn Tx) -> Result<(), Failure> + 'a;

/// How many jobs there were, and how long they took.
#[derive(Default)]
struct Batch {
    jobs: usize,
    took: Duration,
}

/// Why a transaction did not end well.
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

/// When to try to connect again.
#[derive(Default)]
struct Retry {
    pause: Duration,
    not_before: Option<Instant>,
}

impl Retry {
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
                *self = Retry::default();
                Ok(connection)
            }
            Err(failure) => {
                self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
                self.not_before = Instant::now().checked_add(self.pause);
                let error = match failure {
                    Failure::Error(error) => error,
                    other => Error::NotStored(Error::from(other).detail()),
                };
                Err(Broken::RolledBack(error.into()))
            }
        }
    }
}

/// What all workers do when there is nothing else to do.
pub struct Chores {
    pending: AtomicBool,
    chore: Chore,
}

impl Chores {
    pub fn new(chore: Chore) -> Chores {
        let pending = AtomicBool::new(false);
        Chores { pending, chore }
    }

    pub fn remind(&self) {
        self.pending.store(true, Ordering::Relaxed);
    }

    fn rest(&self) {
        self.pending.store(false, Ordering::Relaxed);
    }

    fn is_pending(&self) -> bool {
        self.pending.load(Ordering::Relaxed)
    }
}

/// The end of a queue that several workers take from.
pub struct Inbox {
    messages: Mutex<mpsc::Receiver<Message>>,
    batch: usize,
    /// How long to wait at most for jobs that are about to come.
    patience: Option<Duration>,
}

pub enum Taken {
    Jobs(Vec<Job>),
    Nothing,
    Closed,
}

impl Inbox {
    pub fn new(
        messages: mpsc::Receiver<Message>,
        batch: usize,
        patience: Option<Duration>,
    ) -> Inbox {
        Inbox {
            messages: Mutex::new(messages),
            batch,
            patience,
        }
    }

    /// Takes more jobs until there are as many as expected, or until it has taken too long.
    fn gather(&self, jobs: &mut Vec<Job>, expected: usize, until: Instant) {
        while jobs.len() < expected && Instant::now() < until {
            match self.look() {
                Taken::Jobs(more) => jobs.extend(more),
                Taken::Nothing => std::thread::yield_now(),
                Taken::Closed => return,
            }
        }
    }

    /// Waits for jobs and takes all there are.
    fn wait(&self) -> Taken {
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = Vec::new();
        match messages.blocking_recv_many(&mut taken, self.batch) {
            0 => Taken::Closed,
            _ => sort_out(taken, &mut messages),
        }
    }

    /// Takes the jobs there are, without waiting.
    fn look(&self) -> Taken {
        let mut messages = match self.messages.try_lock() {
            Ok(messages) => messages,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another worker waits for jobs, so there are none.
            Err(TryLockError::WouldBlock) => return Taken::Nothing,
        };
        let mut taken = Vec::new();
        while taken.len() < self.batch {
            match messages.try_recv() {
                Ok(message) => taken.push(message),
                Err(mpsc::error::TryRecvError::Empty) => break,
                Err(mpsc::error::TryRecvError::Disconnected) if taken.is_empty() => {
                    return Taken::Closed;
                }
                Err(mpsc::error::TryRecvError::Disconnected) => break,
            }
        }
        sort_out(taken, &mut messages)
    }
}

fn sort_out(taken: Vec<Message>, messages: &mut mpsc::Receiver<Message>) -> Taken {
    let mut jobs = Vec::new();
    for message in taken {
        match message {
            Message::Job(job) => jobs.push(job),
            Message::Wake => {}
            // What came before it is still done; then there is nothing more.
            Message::Stop => messages.close(),
        }
    }
    match jobs.is_empty() {
        true => Taken::Nothing,
        false => Taken::Jobs(jobs),
    }
}
