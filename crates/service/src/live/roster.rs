//! Roster of a pad: its current members, those on other nodes included.

mod seat;

mod sync;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pad::{AuthorId, Colour, Neighbours, SessionId, Timestamp, given_colour};
use store::NodeId;

pub(crate) use seat::Seat;
pub(crate) use sync::RosterChanges;

/// A connection that is in a pad, here or on another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId {
    /// `None`: this process.
    node: Option<NodeId>,
    number: u64,
}

impl MemberId {
    /// A number that no other member of this process has.
    fn next() -> MemberId {
        static LAST: AtomicU64 = AtomicU64::new(0);
        MemberId {
            node: None,
            number: LAST.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }

    /// Whether the member is connected to this process.
    pub(crate) fn is_local(self) -> bool {
        self.node.is_none()
    }

    /// The number under which the member's node stores it.
    pub(crate) fn number(self) -> u64 {
        self.number
    }
}

/// What others see of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presence {
    pub member: MemberId,
    pub author: AuthorId,
    pub name: Option<String>,
    pub colour: Colour,
    pub joined: Timestamp,
    /// The session that let the member in, if one did.
    pub session: Option<SessionId>,
    /// A window that only looks, beside another one of the same person.
    pub looks_only: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Roster(Mutex<Members>);

#[derive(Debug, Default)]
struct Members {
    local: Vec<(Presence, Seat)>,
    /// Those on other nodes, as far as they are known.
    remote: Vec<Presence>,
}

impl Members {
    fn has_author(&self, author: &AuthorId) -> bool {
        self.local.iter().any(|(it, _)| it.author == *author)
            || self.remote.iter().any(|it| it.author == *author)
    }

    /// The colour that somebody gets in place of its own.
    fn colour_for(&self, author: &pad::Author, offer: &ColourOffer) -> Option<Colour> {
        let members = self.local.iter().map(|(presence, _)| presence);
        let others = members
            .chain(&self.remote)
            .filter(|it| it.author != author.id);
        let present: Vec<Colour> = others.map(|it| it.colour.clone()).collect();
        let neighbours = Neighbours {
            present: &present,
            wrote: &offer.wrote,
        };
        given_colour(&author.colour, offer.is_new, neighbours, offer.entropy)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Presence> {
        let local = self.local.iter_mut().map(|(presence, _)| presence);
        local.chain(&mut self.remote)
    }
}

/// A connection that wants to become a member.
pub(crate) struct SeatRequest<'a> {
    pub author: &'a pad::Author,
    pub session: Option<SessionId>,
    pub looks_only: bool,
    /// Whether it was here before, and knows what the pad was like.
    pub returns: bool,
    pub now: Timestamp,
}

/// What the colour of a newcomer depends on, beside who is there.
pub(crate) struct ColourOffer {
    pub is_new: bool,
    pub wrote: Vec<Colour>,
    pub entropy: u128,
}

/// A member that has just come.
pub(crate) struct Arrival {
    pub presence: Presence,
    pub seat: Seat,
    /// Whose seat it took.
    pub replaced: Vec<MemberId>,
}

impl Roster {
    /// Adds a member, which takes the seats of the same author's other connections. Windows that
    /// only look neither take a seat nor lose one. Its colour is chosen under the lock, so that of
    /// two who come at once the second sees the first.
    pub(crate) fn join(&self, newcomer: SeatRequest<'_>, offer: Option<ColourOffer>) -> Arrival {
        let SeatRequest {
            author, looks_only, ..
        } = newcomer;
        let mut members = self.lock();
        let colour = offer.and_then(|offer| members.colour_for(author, &offer));
        let presence = Presence {
            member: MemberId::next(),
            author: author.id.clone(),
            name: author.name.clone(),
            colour: colour.unwrap_or_else(|| author.colour.clone()),
            joined: newcomer.now,
            session: newcomer.session,
            looks_only,
        };
        let seat = Seat::new(presence.member, newcomer.returns);
        let mut replaced = Vec::new();
        let stays = |other: &Presence| other.author != author.id || other.looks_only || looks_only;
        members.local.retain(|(other, seat)| {
            if !stays(other) {
                seat.take();
                replaced.push(other.member);
            }
            stays(other)
        });
        // Their nodes learn of it from the store.
        members.remote.retain(stays);
        members.local.push((presence.clone(), seat.clone()));
        Arrival {
            presence,
            seat,
            replaced,
        }
    }

    /// Removes a member; true if its author is gone with it.
    pub(crate) fn leave(&self, member: MemberId) -> Option<(Presence, bool)> {
        let mut members = self.lock();
        let at = members
            .local
            .iter()
            .position(|(presence, _)| presence.member == member)?;
        let (presence, _) = members.local.remove(at);
        let last = !members.has_author(&presence.author);
        Some((presence, last))
    }

    /// Removes all members of an erased author and ends their seats.
    pub(crate) fn evict(&self, author: &AuthorId) -> Vec<Presence> {
        let mut evicted = Vec::new();
        let mut members = self.lock();
        members.local.retain(|(presence, seat)| {
            let stays = presence.author != *author;
            if !stays {
                seat.erase();
                evicted.push(presence.clone());
            }
            stays
        });
        let is_evicted = |presence: &mut Presence| presence.author == *author;
        evicted.extend(members.remote.extract_if(.., is_evicted));
        evicted
    }

    /// Gives every member of an author a name and a colour. Calls `tell` if there is one, before
    /// anybody can be evicted: after that nobody hears the name.
    pub(crate) fn rename(
        &self,
        author: &AuthorId,
        name: Option<&str>,
        colour: &Colour,
        tell: impl FnOnce(),
    ) {
        let mut members = self.lock();
        let mut is_here = false;
        for presence in members.all_mut().filter(|it| it.author == *author) {
            presence.name = name.map(str::to_owned);
            presence.colour = colour.clone();
            is_here = true;
        }
        if is_here {
            tell();
        }
    }

    /// Takes over what the store has of an author. Gives one of its members if that is new.
    pub(crate) fn relabel(&self, author: &pad::Author) -> Option<Presence> {
        let mut members = self.lock();
        let mut changed = None;
        for presence in members.all_mut().filter(|it| it.author == author.id) {
            if presence.name != author.name || presence.colour != author.colour {
                presence.name.clone_from(&author.name);
                presence.colour.clone_from(&author.colour);
                changed = Some(presence.clone());
            }
        }
        changed
    }

    pub(crate) fn has_author(&self, author: &AuthorId) -> bool {
        self.lock().has_author(author)
    }

    /// Whether a member of this node is still there.
    pub(crate) fn has(&self, member: MemberId) -> bool {
        let members = self.lock();
        members.local.iter().any(|(it, _)| it.member == member)
    }

    /// The members of all nodes.
    pub(crate) fn members(&self) -> Vec<Presence> {
        let members = self.lock();
        let local = members.local.iter().map(|(presence, _)| presence);
        local.chain(&members.remote).cloned().collect()
    }

    /// The members of this node.
    pub(crate) fn local_members(&self) -> Vec<Presence> {
        let members = self.lock();
        let local = members.local.iter().map(|(presence, _)| presence.clone());
        local.collect()
    }

    /// How many members there are on all nodes.
    pub(crate) fn len(&self) -> usize {
        let members = self.lock();
        members.local.len() + members.remote.len()
    }

    /// How many members there are on this node.
    pub(crate) fn local_len(&self) -> usize {
        self.lock().local.len()
    }

    fn lock(&self) -> MutexGuard<'_, Members> {
        // Nothing under this lock can panic halfway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
