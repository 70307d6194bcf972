//! Commands to a pad's writer: everything that can change the pad.

use changeset::{Document, Text};
use contract::Error;
use hints::RevisionHint;
use pad::edit::{self, PreparedEdit, Run};
use pad::{AuthorId, Head, OptionsPatch, PadOptions, Rejection, Rev, Submission, Title};
use tokio::sync::oneshot;

use crate::live::Seat;

pub(crate) enum Command {
    Change(Change),
    SetOptions(SetOptions),
    Name(Naming),
    CatchUp {
        /// Revisions that other nodes have sent along, by number.
        sent: Vec<RevisionHint>,
        /// There is nothing to do if this revision is known. `None`: nobody knows which is newest.
        newest: Option<Rev>,
        reply: oneshot::Sender<Result<(), Error>>,
    },
    /// Answered when everything before it is done.
    Settle {
        reply: oneshot::Sender<()>,
    },
    Stop,
}

/// What the pad or a marked revision of it is called.
pub(crate) enum Naming {
    SetTitle {
        title: Option<Title>,
        reply: oneshot::Sender<Result<(), Error>>,
    },
    /// Another node has set the title: the stored one is published.
    ReadTitle,
    SavedRevision {
        rev: Rev,
        label: String,
        reply: oneshot::Sender<Result<(), Error>>,
    },
}

/// A change of the pad's options, and who waits for the options that hold then.
pub(crate) struct SetOptions {
    pub patch: OptionsPatch,
    /// The name of the author who sets them.
    pub by: Option<String>,
    pub reply: oneshot::Sender<Result<PadOptions, Error>>,
}

/// A change and who waits for it.
pub(crate) struct Change {
    pub request: Request,
    pub reply: Reply,
}

/// A change to be planned, perhaps more than once.
#[derive(Debug)]
pub(crate) enum Request {
    /// By the API or another part of the server.
    Edit { edit: Edit, author: AuthorId },
    /// By a member.
    Submit { submission: Submission, from: Seat },
}

/// Who waits for a change.
pub(crate) enum Reply {
    Edit(oneshot::Sender<Result<(), Error>>),
    Submit(oneshot::Sender<Result<Acceptance, SubmitError>>),
}

/// A member's change is stored, or had no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acceptance {
    pub rev: Rev,
    /// Without effect there is no revision that would tell the member.
    pub had_effect: bool,
}

/// A member's change is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmitError {
    /// It is wrong; sending it again does not help.
    Rejected(Rejection),
    /// The member may not write, and why.
    Forbidden(Error),
    /// The pad or the store is not there at the moment.
    Unavailable,
    /// Nothing can be stored at the moment. The same again may succeed later.
    NotStored,
}

/// A change that is made on whatever the head is when its turn comes.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    SetText(Text),
    AppendText(Text),
    SetRuns(Vec<Run>),
    /// An earlier document of the same pad.
    Restore(Document),
}

impl Edit {
    pub(crate) fn prepare(&self, head: &Head, author: &AuthorId) -> PreparedEdit {
        let Head { document, pool, .. } = head;
        match self {
            Edit::SetText(text) => edit::set_text(document, pool, text, author),
            Edit::AppendText(text) => edit::append_text(document, pool, text, author),
            Edit::SetRuns(runs) => edit::set_runs(document, pool, runs, author),
            Edit::Restore(old) => edit::restore(document, pool, old, author),
        }
    }
}
