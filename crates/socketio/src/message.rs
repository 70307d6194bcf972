//! A message of a client, as the application gets it.

use bytes::Bytes;

/// An event from the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The number under which the client expects an acknowledgement.
    pub ack: Option<u64>,
    /// The JSON text of name and arguments, `["name",…]`: UTF-8, not parsed.
    pub arguments: Bytes,
}
