//! Who is in a pad on all nodes.

use std::collections::BTreeSet;

use contract::Error;
use pad::{Author, AuthorId, Rev};
use store::{Arrival, SeatRecord};

use crate::Service;
use crate::admission::JoinError;
use crate::live::{Event, Expulsion, LivePad, Presence, RosterChanges, Seat};
use crate::members::Member;

impl Service {
    /// Stores that a member has come, and learns who else is there. On return nothing that the
    /// member has sent through other nodes can be stored any more.
    pub(crate) async fn arrive(
        &self,
        member: &Member,
        known: Option<Rev>,
    ) -> Result<(), JoinError> {
        if self.cluster.is_none() {
            return Ok(());
        }
        let pad = member.live();
        let arrival = arrival(pad, member.presence(), known.is_some());
        match self.store.arrive(&arrival, self.now()).await {
            Ok(seats) if seats >= 0 => member.seat().has_arrived(seats),
            // The author is erased, which the next look at it shows.
            Ok(_) => return Err(JoinError::Unavailable),
            // Other nodes do not see the member, and it writes nothing before it comes again.
            Err(store::Error::NotStored(_)) => {}
            Err(error) => return Err(error.into()),
        }
        if known.is_some() {
            // What the member has made on other nodes is part of what it missed.
            let caught_up = pad.catch_up(None).await;
            caught_up.map_err(|_| JoinError::Unavailable)?;
        }
        self.sync_presence(pad).await?;
        Ok(())
    }

    /// Makes a pad's roster what the store has, informs the members about the difference, and
    /// stores members of this node that other nodes do not know.
    pub(crate) async fn sync_presence(&self, pad: &LivePad) -> Result<(), Error> {
        self.sync_members(pad, false).await
    }

    /// [`Service::sync_presence`], with all names read again if notes may have been missed.
    pub(super) async fn sync_members(&self, pad: &LivePad, all_names: bool) -> Result<(), Error> {
        let Some(cluster) = &self.cluster else {
            return Ok(());
        };
        let asked = pad.synced().ask();
        // One at a time, so that an older state never comes after a newer one.
        let _turn = pad.syncing().lock().await;
        if pad.synced().is_done(asked) && !all_names {
            return Ok(());
        }
        let begun = pad.synced().begin();
        let known = pad.roster().stored();
        let rows = self.store.presence(pad.key).await?;
        let mut others = rows.clone();
        others.retain(|row| row.node != cluster.id);
        let ids = match all_names {
            true => authors_of(&others),
            false => pad.roster().unknown_authors(&others),
        };
        let mut authors = Vec::new();
        if !ids.is_empty() {
            authors = self.store.authors(&ids).await?;
        }
        authors.retain(|author: &Author| !author.is_erased());
        let changes = pad.roster().sync(cluster.id, &known, &rows, &authors);
        deliver(pad, &changes);
        for (presence, seat) in changes.unknown {
            self.store_again(pad, &presence, &seat).await?;
        }
        pad.synced().end(begun);
        Ok(())
    }

    /// Stores a member that could not be stored when it came, or whose node was taken for dead.
    async fn store_again(
        &self,
        pad: &LivePad,
        member: &Presence,
        seat: &Seat,
    ) -> Result<(), Error> {
        let seats = seat.seats();
        if seats.is_none() && seat.returns {
            // What it sent before may still be under way on another node: it must come again.
            return Ok(());
        }
        if seats.is_some() {
            // Nothing is stored for it until it is certain that its author was nowhere else.
            seat.take();
        }
        let arrival = Arrival {
            again: true,
            ..arrival(pad, member, false)
        };
        let now = self.store.arrive(&arrival, self.now()).await?;
        if now >= 0 && seats.is_none_or(|seats| seats == now) {
            seat.has_arrived(now);
            seat.give_back();
        }
        if !pad.roster().has(member.member) {
            // It left in the meantime.
            let number = member.member.number();
            self.store.depart(pad.key, number, self.now()).await?;
        }
        Ok(())
    }
}

fn authors_of(rows: &[SeatRecord]) -> Vec<AuthorId> {
    let authors: BTreeSet<&AuthorId> = rows.iter().map(|row| &row.author).collect();
    authors.into_iter().cloned().collect()
}

pub(crate) fn arrival(pad: &LivePad, member: &Presence, returns: bool) -> Arrival {
    Arrival {
        pad: pad.key,
        member: member.member.number(),
        author: member.author.clone(),
        joined: member.joined,
        looks_only: member.looks_only,
        returns,
        again: false,
    }
}

fn deliver(pad: &LivePad, changes: &RosterChanges) {
    if !changes.taken.is_empty() {
        pad.tell(Event::Expel {
            members: changes.taken.as_slice().into(),
            reason: Expulsion::Duplicate,
        });
    }
    for presence in &changes.closed {
        pad.close_windows(&presence.author, &[presence.member]);
    }
    for presence in &changes.came {
        let presence = presence.clone();
        pad.tell(Event::Info { presence });
    }
    for presence in &changes.left {
        pad.carets().remove(&presence.author);
        let presence = presence.clone();
        pad.tell(Event::Left { presence });
    }
}
