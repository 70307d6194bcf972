//! Chat.

use std::ops::Range;

use pad::ChatMessage;

use crate::{Error, PadKey, Store, missing};

#[allow(unused_variables)]
impl Store {
    /// The message's index; `None` if the pad is gone.
    pub async fn append_chat(
        &self,
        key: PadKey,
        message: &ChatMessage,
    ) -> Result<Option<u64>, Error> {
        missing()
    }
    pub async fn chat(
        &self,
        key: PadKey,
        range: Range<u64>,
    ) -> Result<Vec<(u64, ChatMessage)>, Error> {
        missing()
    }
}
