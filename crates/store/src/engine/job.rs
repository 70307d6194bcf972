//! A piece of work and the one who waits for it.

use tokio::sync::oneshot;

use crate::error::Error;
use crate::sql::{Failure, Tx};

pub(super) enum Message {
    Job(Job),
    Wake,
    Stop,
}

/// What a job may share a transaction with.
///
/// Two transactions that take the same rows in different orders wait for each other for ever. So
/// the jobs of a transaction are put in the order of what they take, the same everywhere, and a job
/// that takes more than one thing has a transaction to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Turn {
    Of(i64),
    Alone,
}

impl Turn {
    /// The turn of what is known by a name and not by a number.
    pub(crate) fn named(name: &str) -> Turn {
        // Any spread over the negative numbers will do; those of pads are positive.
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Turn::Of(hash as i64 | i64::MIN)
    }
}

pub(super) struct Job {
    pub turn: Turn,
    work: Box<dyn Work>,
}

impl Job {
    pub(super) fn new<T, F>(turn: Turn, run: F, reply: oneshot::Sender<Result<T, Error>>) -> Job
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Failure> + Send + 'static,
    {
        let work = Box::new(Task {
            run,
            value: None,
            reply,
        });
        Job { turn, work }
    }

    /// Does the work, not for the first time perhaps.
    pub(super) fn run(&mut self, tx: &mut dyn Tx) -> Result<(), Failure> {
        self.work.run(tx)
    }

    pub(super) fn answer(self, outcome: Result<(), Error>) {
        self.work.answer(outcome);
    }
}

/// A [`Task`] whose types are forgotten.
trait Work: Send {
    fn run(&mut self, tx: &mut dyn Tx) -> Result<(), Failure>;
    fn answer(self: Box<Self>, outcome: Result<(), Error>);
}

struct Task<F, T> {
    run: F,
    value: Option<T>,
    reply: oneshot::Sender<Result<T, Error>>,
}

impl<F, T> Work for Task<F, T>
where
    T: Send,
    F: FnMut(&mut dyn Tx) -> Result<T, Failure> + Send,
{
    fn run(&mut self, tx: &mut dyn Tx) -> Result<(), Failure> {
        self.value = Some((self.run)(tx)?);
        Ok(())
    }

    fn answer(self: Box<Self>, outcome: Result<(), Error>) {
        let Task { run, value, reply } = *self;
        // What it holds may tell others that it is over, and they must know before the one who
        // asked.
        drop(run);
        let never_run = || Error::Unavailable("it was not tried".to_owned());
        let answer = outcome.and_then(|()| value.ok_or_else(never_run));
        // The caller may have gone away; what was done is done.
        let _ = reply.send(answer);
    }
}
