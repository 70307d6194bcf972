//! What the store takes and gives: plain data in the words of a pad.

use pad::{AuthorId, PadId, ReadOnlyId, Rev, Step, Timestamp, Title, TokenHash};

/// A pad's number inside the store. It stays when the pad is moved to another name, and is never
/// given to another pad. Compacting gives a pad a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PadKey(pub i64);

/// A pad without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PadRecord {
    pub key: PadKey,
    pub id: PadId,
    pub head: Rev,
    pub head_time: Timestamp,
    pub created: Timestamp,
    /// The author of revision 0.
    pub creator: Option<AuthorId>,
    pub chat_count: u64,
    /// Only meaningful for pads of groups.
    pub public: bool,
    /// The pad's options as JSON text.
    pub settings: Option<String>,
    pub title: Option<Title>,
    pub read_only_id: Option<ReadOnlyId>,
    pub deletion: Option<TokenHash>,
    /// Grows when a member's seat is taken on another node.
    pub seats: i64,
}

#[derive(Clone, Debug)]
pub struct NewPad<'a> {
    pub id: &'a PadId,
    /// Revision 0 and whatever follows it.
    pub step: &'a Step,
    pub deletion: Option<TokenHash>,
    pub public: bool,
    pub settings: Option<String>,
}

/// A revision that somebody marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedRevision {
    pub rev: Rev,
    pub id: String,
    pub label: String,
    pub author: Option<AuthorId>,
    pub time: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    Done,
    /// The head is not the expected one, or the pad is gone. Nothing was written.
    Conflict,
}

/// How a copy or a move ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    Done(PadKey),
    SourceMissing,
    DestinationExists,
}
