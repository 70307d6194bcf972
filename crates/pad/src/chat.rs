//! Chat messages.

use changeset::Text;

use crate::ids::AuthorId;
use crate::revision::Timestamp;

/// A stored message. The name shown with it is looked up when it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatMessage {
    pub text: Text,
    /// `None` when the author has been erased or imported data names nobody.
    pub author: Option<AuthorId>,
    pub time: Timestamp,
}
