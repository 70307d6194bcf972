//! Enforcing an erasure: nobody acts as an erased author again.
//!
//! The store refuses names, colours and messages of an erased author. Here its connections end and
//! its sessions stop to admit anybody. With a shared store another process may have erased an
//! author, so the store is asked before an author is shown or believed.

use contract::Error;
use pad::{Author, AuthorId, Colour, Erasure, Session};

use crate::Service;
use crate::live::{Event, Expulsion, LivePad, Presence};

impl Service {
    /// Removes an author's personal data and ends its connections. What the author wrote stays.
    pub async fn anonymize_author(&self, author: &AuthorId) -> Result<Erasure, Error> {
        if !self.config.erasure {
            return Err(Error::ErasureDisabled);
        }
        let erasure = self.store.erase_author(author, self.now(), false).await?;
        // After the store, so that a connection made in between is either found here or finds its
        // author erased.
        for pad in self.live.pads().await {
            evict(&pad, author);
        }
        Ok(erasure)
    }

    /// The sessions that admit somebody: not those of an erased author.
    pub(crate) async fn admitting(&self, sessions: Vec<Session>) -> Result<Vec<Session>, Error> {
        if sessions.is_empty() {
            return Ok(sessions);
        }
        let ids: Vec<AuthorId> = sessions.iter().map(|it| it.author.clone()).collect();
        let erased = self.erased_among(&ids).await?;
        let admits = |session: &Session| !erased.contains(&session.author);
        Ok(sessions.into_iter().filter(admits).collect())
    }

    /// The members of a pad, without those whose author another process has erased.
    pub(crate) async fn present(&self, pad: &LivePad) -> Result<Vec<Presence>, Error> {
        let members = pad.roster().members();
        if !self.store.is_shared() {
            return Ok(members);
        }
        let ids: Vec<AuthorId> = members.iter().map(|it| it.author.clone()).collect();
        for author in self.erased_among(&ids).await? {
            evict(pad, &author);
        }
        Ok(pad.roster().members())
    }

    async fn erased_among(&self, ids: &[AuthorId]) -> Result<Vec<AuthorId>, Error> {
        let authors = self.store.authors(ids).await?;
        let erased = authors.into_iter().filter(Author::is_erased);
        Ok(erased.map(|author| author.id).collect())
    }
}

/// Ends all connections of an erased author to a pad, and makes the others forget the name.
pub(crate) fn evict(pad: &LivePad, author: &AuthorId) {
    let evicted = pad.roster().evict(author);
    let Some(first) = evicted.first().cloned() else {
        return;
    };
    pad.carets().remove(author);
    if evicted.iter().any(|presence| presence.member.is_local()) {
        pad.notify_left(author);
    }
    pad.tell(Event::Expel {
        members: evicted.iter().map(|presence| presence.member).collect(),
        reason: Expulsion::Erased,
    });
    let presence = Presence {
        name: None,
        colour: Colour::Palette(0),
        ..first
    };
    pad.tell(Event::Info {
        presence: presence.clone(),
    });
    pad.tell(Event::Left { presence });
}
