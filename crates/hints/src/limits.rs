//! Bounds of what nodes tell each other.

/// How many hints wait to be sent, and how many received messages wait to be read. What comes later
/// is dropped and counted; the other side then compares everything with the database.
pub(crate) const HINTS_WAITING: usize = 8192;
pub(crate) const HINT_MESSAGES_WAITING: usize = 1024;

/// What PostgreSQL takes as a message, in bytes; it has to be shorter than 8000.
pub(crate) const HINT_PAYLOAD: usize = 7996;

/// Senders whose keys are remembered.
pub(crate) const HINT_SENDERS: usize = 256;

/// A larger revision travels by its number alone: reading it is cheap compared with sending it to
/// nodes that may not have the pad open.
pub(crate) const HINT_REVISION: usize = 2048;

/// How many messages one statement sends. The rest follows in the next one.
pub(crate) const HINT_MESSAGES: usize = 64;
