//! The client's half of editing; the browser has its twin.
//!
//! What a user sees is `base · in_flight · pending`: the last document known from the server, the
//! one change that is on its way to it, and what has been typed since. At most one change is in
//! flight, so the server's answers need no matching.

use changeset::{Changeset, Document, Error, Pool, Tie, compose, follow};

use crate::accept::Submission;
use crate::ids::AuthorId;
use crate::revision::Rev;

pub struct Replica {
    author: AuthorId,
    rev: Option<Rev>,
    base: Document,
    /// Numbers of this replica's own; every change is moved here when it arrives.
    pool: Pool,
    in_flight: Option<Changeset>,
    pending: Changeset,
}

/// What the server tells a member, in order.
#[derive(Clone, Debug)]
pub enum Update {
    /// The change in flight is stored as that revision, or it had no effect when that was the
    /// newest one. More may have been heard since.
    Accepted { rev: Rev },
    /// A revision by somebody else.
    Changed {
        rev: Rev,
        change: Changeset,
        pool: Pool,
    },
}

impl Replica {
    pub fn new(author: AuthorId, rev: Option<Rev>, base: Document, pool: Pool) -> Replica {
        let pending = Changeset::identity(base.len());
        Replica {
            author,
            rev,
            base,
            pool,
            in_flight: None,
            pending,
        }
    }

    pub fn rev(&self) -> Option<Rev> {
        self.rev
    }

    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    pub fn pool_mut(&mut self) -> &mut Pool {
        &mut self.pool
    }

    /// The document the user sees.
    pub fn visible(&self) -> Result<Document, Error> {
        let mut document = self.base.clone();
        if let Some(change) = &self.in_flight {
            document = document.apply(change, &self.pool)?;
        }
        document.apply(&self.pending, &self.pool)
    }

    /// Whether everything typed has been stored by the server.
    pub fn is_settled(&self) -> bool {
        self.in_flight.is_none() && self.pending.is_identity()
    }

    /// Takes an edit of the visible document, numbered in this replica's pool.
    pub fn edit(&mut self, change: &Changeset) -> Result<(), Error> {
        self.pending = compose(&self.pending, change, &self.pool)?;
        Ok(())
    }

    /// The next change to send, if there is one and none is on its way.
    pub fn next_submission(&mut self) -> Option<Submission> {
        if self.in_flight.is_some() || self.pending.is_identity() {
            return None;
        }
        let rest = Changeset::identity(self.pending.new_len);
        let change = std::mem::replace(&mut self.pending, rest);
        self.in_flight = Some(change);
        self.resubmission()
    }

    /// The change in flight once more, for when the answer may have been lost.
    pub fn resubmission(&self) -> Option<Submission> {
        let change = self.in_flight.as_ref()?;
        let mut pool = Pool::new();
        let change = self.pool.move_changeset(change, &mut pool);
        Some(Submission {
            author: self.author.clone(),
            base: self.rev,
            change,
            pool,
        })
    }

    /// Whether a stored revision of this author is the change in flight: its acknowledgement got
    /// lost. `pool` is the pool of the stored change.
    pub fn is_in_flight(&self, change: &Changeset, pool: &Pool) -> bool {
        let mut own = self.pool.clone();
        let stored = pool.move_changeset(change, &mut own);
        self.in_flight.as_ref() == Some(&stored)
    }

    /// Takes an update and says what to apply to the visible document. Updates that are not the
    /// next one are repeats and change nothing.
    pub fn receive(&mut self, update: &Update) -> Result<Changeset, Error> {
        let next = self.rev.map_or(Rev::FIRST, Rev::next);
        match update {
            Update::Accepted { rev } => {
                if let Some(change) = self.in_flight.take() {
                    self.base = self.base.apply(&change, &self.pool)?;
                }
                self.rev = self.rev.max(Some(*rev));
                Ok(Changeset::identity(self.visible_len()))
            }
            Update::Changed { rev, .. } if *rev != next => {
                Ok(Changeset::identity(self.visible_len()))
            }
            Update::Changed { rev, change, pool } => {
                let change = pool.move_changeset(change, &mut self.pool);
                self.rev = Some(*rev);
                self.rebase(change)
            }
        }
    }

    /// Carries what is not stored yet over a stored change, and that change over it.
    fn rebase(&mut self, stored: Changeset) -> Result<Changeset, Error> {
        let pool = &self.pool;
        self.base = self.base.apply(&stored, pool)?;
        let mut incoming = stored;
        if let Some(in_flight) = self.in_flight.take() {
            // The server will place it behind what it stored first, so it goes behind here too.
            self.in_flight = Some(follow(&incoming, &in_flight, Tie::First, pool)?);
            incoming = follow(&in_flight, &incoming, Tie::Second, pool)?;
        }
        let pending = follow(&incoming, &self.pending, Tie::Second, pool)?;
        let shown = follow(&self.pending, &incoming, Tie::First, pool)?;
        self.pending = pending;
        Ok(shown)
    }

    fn visible_len(&self) -> usize {
        self.pending.new_len
    }
}
