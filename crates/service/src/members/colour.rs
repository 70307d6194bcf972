//! Colours of those who come into a pad: told apart from those who are there and those who wrote.

use pad::{Author, AuthorToken, Colour};

use crate::Service;
use crate::admission::{JoinError, JoinRequest, was_stored};
use crate::live::{ColourOffer, LivePad};
use crate::members::Member;

/// Of so many writers colours are looked at: among more no colour is free anyway.
const WRITERS: usize = 100;

impl Service {
    /// What an author's colour depends on. `None`: the author keeps its colour.
    pub(super) async fn colour_offer(
        &self,
        pad: &LivePad,
        author: &Author,
        is_new: bool,
        request: &JoinRequest,
    ) -> Result<Option<ColourOffer>, JoinError> {
        let is_given = matches!(author.colour, Colour::Given(_));
        if !is_given || request.known.is_some() || request.looks_only {
            return Ok(None);
        }
        let mut ids = self.store.authors_of_pad(pad.key).await?;
        ids.retain(|id| *id != author.id);
        ids.truncate(WRITERS);
        let writers = self.store.authors(&ids).await?.into_iter();
        Ok(Some(ColourOffer {
            is_new,
            wrote: writers.map(|writer| writer.colour).collect(),
            entropy: self.entropy(),
        }))
    }

    /// Stores the colour that an author came in with, if it is another than before.
    pub(super) async fn take_colour(
        &self,
        member: &Member,
        author: &mut Author,
        token: Option<&AuthorToken>,
    ) -> Result<(), JoinError> {
        let colour = &member.presence.colour;
        if *colour == author.colour {
            return Ok(());
        }
        author.colour = colour.clone();
        let stored = self.store.set_author_colour(&author.id, colour, self.now());
        if !was_stored(stored.await.map(drop))? {
            self.newcomers.update(token, author);
        }
        Ok(())
    }
}
