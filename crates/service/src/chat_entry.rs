//! One message of a chat, with the name its author has now.

use pad::ChatMessage;

/// A message as it is shown: with the name its author has now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatEntry {
    pub message: ChatMessage,
    pub author_name: Option<String>,
    /// Its number in the chat, where it is news.
    pub number: Option<u64>,
}
