//! Roster of a pad: its current members.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pad::{AuthorId, Colour, Rev, SessionId, Timestamp};

/// A connection that is in a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemberId(u64);

impl MemberId {
    /// A number that no other member of this process has.
    fn next() -> MemberId {
        static LAST: AtomicU64 = AtomicU64::new(0);
        MemberId(LAST.fetch_add(1, Ordering::Relaxed) + 1)
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

/// A member's seat: the right to write. It ends when the same author comes with another connection:
/// what still arrives through the old one is then too late, because its client starts from what
/// the pad had when it came back, and sends again what it finds missing.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub member: MemberId,
    state: Arc<SeatState>,
}

#[derive(Debug, Default)]
struct SeatState {
    is_taken: AtomicBool,
    is_erased: AtomicBool,
    /// The last revision that the member has made; revision 0 is no member's.
    own: AtomicU64,
}

impl Seat {
    fn new(member: MemberId) -> Seat {
        Seat {
            member,
            state: Arc::default(),
        }
    }

    /// Whether the same author has come with another connection.
    pub(crate) fn is_taken(&self) -> bool {
        self.state.is_taken.load(Ordering::SeqCst)
    }

    /// Whether the author is erased. The seat then counts as taken.
    pub(crate) fn is_erased(&self) -> bool {
        self.state.is_erased.load(Ordering::SeqCst)
    }

    /// Ends the right to write, because the author is erased.
    pub(crate) fn erase(&self) {
        self.state.is_erased.store(true, Ordering::SeqCst);
        self.state.is_taken.store(true, Ordering::SeqCst);
    }

    /// Notes a revision as the member's own.
    pub(crate) fn has_made(&self, rev: Rev) {
        self.state.own.store(rev.0, Ordering::SeqCst);
    }

    /// Whether the member's last change became that revision.
    pub(crate) fn made_last(&self, rev: Rev) -> bool {
        self.state.own.load(Ordering::SeqCst) == rev.0
    }
}

#[derive(Debug, Default)]
pub(crate) struct Roster(Mutex<Vec<(Presence, Seat)>>);

/// A member that has just come.
pub(crate) struct Arrival {
    pub presence: Presence,
    pub seat: Seat,
    /// Whose seat it took.
    pub replaced: Vec<MemberId>,
}

impl Roster {
    /// Adds a member, which takes the seats of the same author's other connections. Windows that
    /// only look neither take a seat nor lose one.
    pub(crate) fn join(
        &self,
        author: &pad::Author,
        session: Option<SessionId>,
        looks_only: bool,
        now: Timestamp,
    ) -> Arrival {
        let presence = Presence {
            member: MemberId::next(),
            author: author.id.clone(),
            name: author.name.clone(),
            colour: author.colour.clone(),
            joined: now,
            session,
            looks_only,
        };
        let seat = Seat::new(presence.member);
        let mut replaced = Vec::new();
        let mut members = self.lock();
        members.retain(|(other, seat)| {
            let stays = other.author != author.id || other.looks_only || looks_only;
            if !stays {
                seat.state.is_taken.store(true, Ordering::SeqCst);
                replaced.push(other.member);
            }
            stays
        });
        members.push((presence.clone(), seat.clone()));
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
            .iter()
            .position(|(presence, _)| presence.member == member)?;
        let (presence, _) = members.remove(at);
        let same = |(other, _): &(Presence, Seat)| other.author == presence.author;
        let last = !members.iter().any(same);
        Some((presence, last))
    }

    /// Removes all members of an erased author and ends their seats.
    pub(crate) fn evict(&self, author: &AuthorId) -> Vec<Presence> {
        let mut evicted = Vec::new();
        self.lock().retain(|(presence, seat)| {
            let stays = presence.author != *author;
            if !stays {
                seat.erase();
                evicted.push(presence.clone());
            }
            stays
        });
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
        let members = members.iter_mut().map(|(presence, _)| presence);
        for presence in members.filter(|presence| presence.author == *author) {
            presence.name = name.map(str::to_owned);
            presence.colour = colour.clone();
            is_here = true;
        }
        if is_here {
            tell();
        }
    }

    pub(crate) fn members(&self) -> Vec<Presence> {
        let members = self.lock();
        members
            .iter()
            .map(|(presence, _)| presence.clone())
            .collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Presence, Seat)>> {
        // Nothing under this lock can panic halfway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
