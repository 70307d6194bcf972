//! Events of a pad that its members receive besides revisions.

use std::sync::Arc;

use pad::{AuthorId, OptionsPatch, Title};
use store::SavedRevision;

use crate::chat_entry::ChatEntry;
use crate::live::roster::{MemberId, Presence};

/// Told to the members of one pad. Who falls too far behind must rejoin.
#[derive(Clone, Debug)]
pub enum Event {
    Chat(Arc<ChatEntry>),
    /// Somebody came, or has another name or colour; told to all but that member.
    Info {
        presence: Presence,
    },
    /// The last member of an author is gone.
    Left {
        presence: Presence,
    },
    /// An author has no caret in that window any more, but in others.
    CaretGone {
        author: AuthorId,
        window: u32,
    },
    Saved(Arc<SavedRevision>),
    /// A saved revision has another label.
    SavedNamed(Arc<SavedRevision>),
    /// The pad has another title, or none.
    Titled(Option<Title>),
    /// A member suggests a name to an author; told to the members of that author.
    NameSuggested {
        to: AuthorId,
        name: Arc<str>,
    },
    /// The pad's creator set options for everybody: the values that hold now, of those that were
    /// set, and the name of the creator.
    OptionsChanged {
        options: Arc<OptionsPatch>,
        by: Option<String>,
    },
    /// A message of the integration's own type.
    Custom {
        kind: Arc<str>,
        time: pad::Timestamp,
    },
    /// Something an operator says; sticky if it stays until it is dismissed.
    Announcement {
        text: Arc<str>,
        sticky: bool,
        time: pad::Timestamp,
    },
    /// The service restarts soon: the name of a text, and how many seconds are left.
    Restart {
        key: Arc<str>,
        seconds_left: u64,
        time: pad::Timestamp,
    },
    /// What pages get for parts that are not ours has changed.
    PageParts(Arc<serde_json::Value>),
    /// These members must go, and why.
    Expel {
        members: Arc<[MemberId]>,
        reason: Expulsion,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expulsion {
    /// The same window came with another connection, or the author has too many windows.
    Duplicate,
    /// The right to be here is gone.
    Denied,
    /// The author is erased. The client loads again and is somebody else.
    Erased,
}

/// Why a pad is no longer live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Deleted or moved.
    Gone,
    /// Still there, but what members know of its history no longer holds.
    Replaced,
    /// The service stops, or the store failed. Coming again later helps.
    Interrupted,
}
