//! Everything that can change a pad.

use changeset::{Document, Text};
use pad::edit::{self, Prepared, Run};
use pad::{AuthorId, Head};
use tokio::sync::oneshot;

use crate::error::Error;

pub(crate) enum Command {
    Edit {
        edit: Edit,
        author: AuthorId,
        reply: oneshot::Sender<Result<(), Error>>,
    },
    CatchUp {
        reply: oneshot::Sender<Result<(), Error>>,
    },
    Stop,
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
    pub fn prepare(&self, head: &Head, author: &AuthorId) -> Prepared {
        let Head { document, pool, .. } = head;
        match self {
            Edit::SetText(text) => edit::set_text(document, pool, text, author),
            Edit::AppendText(text) => edit::append_text(document, pool, text, author),
            Edit::SetRuns(runs) => edit::set_runs(document, pool, runs, author),
            Edit::Restore(old) => edit::restore(document, pool, old, author),
        }
    }
}
