//! Authorship: how much of a pad's text is whose.

use std::collections::BTreeMap;

use pad::edit;
use pad::{AuthorId, PadId};

use crate::Service;
use crate::error::Error;

impl Service {
    /// How many UTF-16 units of the text each author has written, most first. Text of nobody in
    /// particular is left out.
    pub async fn get_authorship(&self, pad: &PadId) -> Result<Vec<(AuthorId, usize)>, Error> {
        let head = self.head(pad).await?;
        let mut units: BTreeMap<String, usize> = BTreeMap::new();
        for run in edit::runs_of(&head.document, &head.pool) {
            let author = run.attributes.iter().find(|it| it.key == "author");
            if let Some(author) = author {
                *units.entry(author.value.clone()).or_default() += run.text.len();
            }
        }
        let known = |(author, units): (String, usize)| Some((AuthorId::parse(&author)?, units));
        let mut shares: Vec<(AuthorId, usize)> = units.into_iter().filter_map(known).collect();
        shares.retain(|(author, _)| !author.is_system());
        shares.sort_by_key(|(_, units)| std::cmp::Reverse(*units));
        Ok(shares)
    }
}
