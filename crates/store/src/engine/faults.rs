//! A driver that fails where a plan says.
//!
//! Statements and commits are counted together. What the plan names fails once; before and after
//! it everything works.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{CommitFailure, Connection, Driver, Purpose, WorkerCounts};
use crate::sql::{Bind, Dialect, Failure, Row, Tx};

/// When and how to fail.
#[derive(Debug, Default)]
pub struct FaultPlan {
    steps: AtomicU64,
    /// Zero: never.
    fails_at: AtomicU64,
    breaks: bool,
    /// Whether the disk is full at the moment.
    is_full: AtomicBool,
}

impl FaultPlan {
    /// From now on nothing can be written, or everything can again.
    pub fn fill(&self, is_full: bool) {
        self.is_full.store(is_full, Ordering::SeqCst);
    }

    /// Statements are refused; commits are refused and nothing is written.
    pub fn refusing() -> Arc<FaultPlan> {
        Arc::default()
    }

    /// The connection breaks; a commit is carried out, but nobody learns of it.
    pub fn breaking() -> Arc<FaultPlan> {
        Arc::new(FaultPlan {
            breaks: true,
            ..FaultPlan::default()
        })
    }

    /// Has the step of that number from now on fail, counted from one.
    pub fn fail_at(&self, step: u64) {
        self.steps.store(0, Ordering::SeqCst);
        self.fails_at.store(step, Ordering::SeqCst);
    }

    /// Whether a planned step is still to come.
    pub fn is_pending(&self) -> bool {
        self.steps.load(Ordering::SeqCst) < self.fails_at.load(Ordering::SeqCst)
    }

    /// Stops failing. Says whether the planned step was reached.
    pub fn end(&self) -> bool {
        let planned = self.fails_at.swap(0, Ordering::SeqCst);
        self.steps.load(Ordering::SeqCst) >= planned
    }

    fn is_due(&self) -> bool {
        let step = self.steps.fetch_add(1, Ordering::SeqCst) + 1;
        step == self.fails_at.load(Ordering::SeqCst)
    }
}

/// Another driver that fails as planned.
pub(crate) struct Faulty {
    pub driver: Arc<dyn Driver>,
    pub plan: Arc<FaultPlan>,
}

impl Driver for Faulty {
    fn connect(&self, purpose: Purpose) -> Result<Box<dyn Connection>, Failure> {
        Ok(Box::new(FaultyConnection {
            connection: self.driver.connect(purpose)?,
            plan: Arc::clone(&self.plan),
        }))
    }

    fn worker_counts(&self) -> WorkerCounts {
        self.driver.worker_counts()
    }
}

struct FaultyConnection {
    connection: Box<dyn Connection>,
    plan: Arc<FaultPlan>,
}

impl FaultyConnection {
    fn step(&self) -> Result<(), Failure> {
        if !self.plan.is_due() {
            Ok(())
        } else if self.plan.breaks {
            Err(Failure::Lost("it broke, as planned".to_owned()))
        } else {
            Err(Failure::Statement("refused, as planned".to_owned()))
        }
    }
}

impl Connection for FaultyConnection {
    fn begin(&mut self) -> Result<(), Failure> {
        self.connection.begin()
    }

    fn commit(&mut self) -> Result<(), CommitFailure> {
        if self.plan.is_full.load(Ordering::SeqCst) && self.connection.has_written() {
            let full = Failure::Disk("full, as planned".to_owned());
            let failure = self.connection.rollback().err().unwrap_or(full);
            return Err(CommitFailure::RolledBack(failure));
        }
        match self.step() {
            Ok(()) => self.connection.commit(),
            Err(failure) if self.plan.breaks => {
                self.connection.commit()?;
                Err(CommitFailure::Unknown(failure))
            }
            Err(failure) => {
                let failure = self.connection.rollback().err().unwrap_or(failure);
                Err(CommitFailure::RolledBack(failure))
            }
        }
    }

    fn rollback(&mut self) -> Result<(), Failure> {
        self.connection.rollback()
    }

    fn has_written(&self) -> bool {
        self.connection.has_written()
    }
}

impl Tx for FaultyConnection {
    fn rows(&mut self, sql: &'static str, binds: &[Bind<'_>]) -> Result<Vec<Row>, Failure> {
        self.step()?;
        self.connection.rows(sql, binds)
    }

    fn execute(&mut self, sql: &'static str, binds: &[Bind<'_>]) -> Result<u64, Failure> {
        self.step()?;
        self.connection.execute(sql, binds)
    }

    fn define(&mut self, sql: &str) -> Result<(), Failure> {
        self.step()?;
        self.connection.define(sql)
    }

    fn dialect(&self) -> Dialect {
        self.connection.dialect()
    }
}
