//! Authorship: how much of a pad's text is whose.

use contract::Error;
use pad::{AuthorId, PadId, edit};

use crate::Service;

impl Service {
    /// How many UTF-16 units of the text each author has written, most first. Text of nobody in
    /// particular is left out.
    pub async fn get_authorship(&self, pad: &PadId) -> Result<Vec<(AuthorId, usize)>, Error> {
        let head = self.head(pad).await?;
        Ok(edit::shares(&head.document, &head.pool))
    }
}
