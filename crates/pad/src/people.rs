//! Authors, groups and sessions.

use crate::ids::{AuthorId, GroupId, SessionId};
use crate::revision::Timestamp;

/// How many colours a new author's colour is drawn from.
pub const PALETTE_SIZE: u32 = 64;

/// An author's colour: a place in the palette, or one the author chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Colour {
    Palette(u32),
    /// `#rgb` or `#rrggbb`.
    Hex(String),
}

impl Colour {
    pub fn parse_hex(text: &str) -> Option<Colour> {
        let digits = text.strip_prefix('#')?;
        let valid = matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit());
        valid.then(|| Colour::Hex(text.to_owned()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    pub id: AuthorId,
    pub name: Option<String>,
    pub colour: Colour,
    pub created: Timestamp,
    pub last_seen: Timestamp,
    /// Set once the author's personal data has been removed.
    pub erased: Option<Timestamp>,
}

/// The grant that lets an author into the pads of a group until a point in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub group: GroupId,
    pub author: AuthorId,
    /// Unix seconds, as the contract counts them here.
    pub valid_until: i64,
}

impl Session {
    pub fn is_valid(&self, now: Timestamp) -> bool {
        now.millis() < self.valid_until.saturating_mul(1000)
    }
}

/// What erasing an author removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Erasure {
    pub affected_pads: u64,
    pub removed_token_mappings: u64,
    pub removed_external_mappings: u64,
    pub cleared_chat_messages: u64,
}
