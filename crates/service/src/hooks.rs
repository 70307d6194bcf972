//! Hooks: what a program around the service learns about pads, and what it may decide.
//!
//! A notice comes after the fact and waits for nothing. A decision is waited for, so the program
//! bounds the time it takes. Neither is on the path between a change and its acknowledgement, and
//! none carries an address, a token, a key or a session of a client.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use changeset::Text;
use contract::Error;
use pad::{AuthorId, PadId, Rev, Revision};
use serde_json::Value;

/// A decision that the service waits for.
pub type Decision<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A replacement, nothing to leave it as it is, or why it is refused.
pub type Review<T> = Result<Option<T>, Refusal>;

/// Why something does not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// In words, for the person who did it.
    Reason(String),
    /// What has to check it gave no answer.
    Unchecked,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        match refusal {
            Refusal::Reason(reason) => Error::Refused(reason),
            Refusal::Unchecked => Error::Unchecked,
        }
    }
}

/// What has happened. The one who learns of it does not hold up the service.
#[derive(Clone, Copy, Debug)]
pub enum Notice<'a> {
    PadCreated {
        pad: &'a PadId,
        author: Option<&'a AuthorId>,
    },
    /// The first member has entered a pad that nobody was in.
    PadOpened {
        pad: &'a PadId,
    },
    /// Revisions are stored, of which this is the first.
    PadChanged {
        pad: &'a PadId,
        from: Rev,
        revisions: &'a [Revision],
    },
    RevisionSaved {
        pad: &'a PadId,
        author: Option<&'a AuthorId>,
        rev: Rev,
        label: &'a str,
    },
    PadDeleted {
        pad: &'a PadId,
    },
    PadCopied {
        pad: &'a PadId,
        copy: &'a PadId,
        /// Whether the old pad is gone.
        moved: bool,
    },
    MemberJoined {
        pad: &'a PadId,
        author: &'a AuthorId,
        name: Option<&'a str>,
        read_only: bool,
    },
    /// The last connection of an author has left.
    MemberLeft {
        pad: &'a PadId,
        author: &'a AuthorId,
    },
}

/// What is taken from the rights of a visitor. They never become more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Narrowing {
    #[default]
    Nothing,
    ReadOnly,
    Denied,
    /// What has to decide gave no answer; it may a moment later.
    Unchecked,
}

/// The program around the service.
pub trait Hooks: Send + Sync + 'static {
    /// Returns at once. A notice for which there is no room is dropped.
    fn notify(&self, notice: Notice<'_>);

    /// The text that a pad begins with, which has none of its own.
    fn new_pad_text<'a>(
        &'a self,
        pad: &'a PadId,
        author: Option<&'a AuthorId>,
        text: &'a Text,
    ) -> Decision<'a, Option<Text>>;

    /// A chat message of a member.
    fn chat_message<'a>(
        &'a self,
        pad: &'a PadId,
        author: &'a AuthorId,
        name: Option<&'a str>,
        text: &'a Text,
    ) -> Decision<'a, Review<Text>>;

    /// A name that a member takes.
    fn member_name<'a>(
        &'a self,
        pad: &'a PadId,
        author: &'a AuthorId,
        name: &'a str,
    ) -> Decision<'a, Review<String>>;

    /// Whether [`Hooks::member_message`] decides anything at the moment.
    fn reviews_messages(&self) -> bool;

    /// What a member does other than typing, chatting and taking a name, with the text in it.
    fn member_message<'a>(
        &'a self,
        pad: &'a PadId,
        author: &'a AuthorId,
        kind: &'a str,
        text: Option<&'a str>,
    ) -> Decision<'a, Result<(), Refusal>>;

    /// Whether [`Hooks::access`] decides anything at the moment. Without it no author is looked up.
    fn narrows_access(&self) -> bool;

    /// What a visitor is refused who may enter a pad. The author is unknown at a first visit.
    fn access<'a>(
        &'a self,
        pad: &'a PadId,
        author: Option<&'a AuthorId>,
        read_only: bool,
    ) -> Decision<'a, Narrowing>;

    /// What the page of a member gets for parts that are not ours.
    fn page_parts<'a>(
        &'a self,
        pad: &'a PadId,
        author: &'a AuthorId,
        read_only: bool,
    ) -> Decision<'a, Value>;
}

/// The hooks of a service, if it has any.
#[derive(Clone, Default)]
pub(crate) struct HookSet(pub Option<Arc<dyn Hooks>>);

impl HookSet {
    pub(crate) fn notify(&self, notice: Notice<'_>) {
        if let Some(hooks) = &self.0 {
            hooks.notify(notice);
        }
    }

    pub(crate) async fn review_name(
        &self,
        pad: &PadId,
        author: &AuthorId,
        name: &str,
    ) -> Review<String> {
        match &self.0 {
            Some(hooks) => hooks.member_name(pad, author, name).await,
            None => Ok(None),
        }
    }

    pub(crate) async fn review_chat(
        &self,
        pad: &PadId,
        author: &AuthorId,
        name: Option<&str>,
        text: &Text,
    ) -> Review<Text> {
        match &self.0 {
            Some(hooks) => hooks.chat_message(pad, author, name, text).await,
            None => Ok(None),
        }
    }
}

impl fmt::Debug for HookSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = usize::from(self.0.is_some());
        f.debug_tuple("HookSet").field(&count).finish()
    }
}
