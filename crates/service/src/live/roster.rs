//! Roster of a pad: its current members, those on other nodes included.

mod seat;

mod sync;

mod windows;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pad::{
    AuthorId, Colour, Neighbours, SessionId, Timestamp, WindowId, WindowRecord, WindowRecords,
    given_colour,
};
use store::NodeId;

use crate::limits::RECORDS;

pub(crate) use seat::Seat;
pub(crate) use sync::RosterChanges;

/// The lowest bit of a member's number that belongs to the tag of its window.
const WINDOW_BIT: u32 = 40;

/// A connection that is in a pad, here or on another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId {
    /// `None`: this process.
    node: Option<NodeId>,
    /// The tag of its window, and below it a number that only it has.
    number: u64,
}

impl MemberId {
    /// A number that no other member of this process has.
    pub(crate) fn next(window: Option<&WindowId>) -> MemberId {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let tag = window.map_or(0, WindowId::tag);
        MemberId {
            node: None,
            number: (u64::from(tag) << WINDOW_BIT) + LAST.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }

    /// Tells the windows of one author apart, on all nodes. 0: its client has named none.
    pub fn window(self) -> u32 {
        u32::try_from(self.number >> WINDOW_BIT).unwrap_or(0)
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
    records: WindowRecords,
}

impl Members {
    /// A seat that the newcomer takes: of the same window, on any node.
    fn has_same_seat(newcomer: &Presence, other: &Presence) -> bool {
        other.author == newcomer.author
            && other.member.window() == newcomer.member.window()
            && !other.looks_only
            && !newcomer.looks_only
    }

    fn has_author(&self, author: &AuthorId) -> bool {
        self.local.iter().any(|(it, _)| it.author == *author)
            || self.remote.iter().any(|it| it.author == *author)
    }

    /// The colour that somebody gets in place of its own. In all windows it is the same.
    fn colour_for(&self, author: &pad::Author, offer: &ColourOffer) -> Option<Colour> {
        let members = self.local.iter().map(|(presence, _)| presence);
        let (own, others): (Vec<_>, Vec<_>) = members
            .chain(&self.remote)
            .partition(|it| it.author == author.id);
        if let Some(own) = own.first() {
            return Some(own.colour.clone());
        }
        let others = others.into_iter();
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
    pub window: Option<&'a WindowId>,
    /// What a record of the window is called that does not exist yet.
    pub entropy: u128,
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
    /// Adds a member, which takes the seats of other connections of the same window. Those that
    /// only look neither take a seat nor lose one. Its colour is chosen under the lock, so that of
    /// two who come at once the second sees the first.
    pub(crate) fn join(&self, newcomer: SeatRequest<'_>, offer: Option<ColourOffer>) -> Arrival {
        let SeatRequest {
            author, looks_only, ..
        } = newcomer;
        let mut members = self.lock();
        let colour = offer.and_then(|offer| members.colour_for(author, &offer));
        let window = newcomer.window.filter(|_| !looks_only);
        let presence = Presence {
            member: MemberId::next(window),
            author: author.id.clone(),
            name: author.name.clone(),
            colour: colour.unwrap_or_else(|| author.colour.clone()),
            joined: newcomer.now,
            session: newcomer.session,
            looks_only,
        };
        let record = match window {
            Some(window) => {
                let (id, name) = (&author.id, newcomer.entropy);
                members.records.of(id, window, name, RECORDS)
            }
            None => Arc::new(WindowRecord::new(newcomer.entropy)),
        };
        let seat = Seat::new(presence.member, newcomer.returns, record);
        let is_taken = |other: &Presence| Members::has_same_seat(&presence, other);
        let mut replaced = members.take(is_taken);
        replaced.extend(members.take_oldest_window(&author.id));
        // Their nodes learn of it from the store.
        members.remote.retain(|other| !is_taken(other));
        for other in members.all_mut().filter(|it| it.author == author.id) {
            other.name.clone_from(&presence.name);
            other.colour.clone_from(&presence.colour);
        }
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
