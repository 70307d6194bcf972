//! Who is in a pad.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pad::{AuthorId, Colour, SessionId, Timestamp};

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

#[derive(Debug, Default)]
pub(crate) struct Roster(Mutex<Vec<Presence>>);

impl Roster {
    /// Adds a member and gives those who were there before.
    pub fn join(
        &self,
        author: &pad::Author,
        session: Option<SessionId>,
        looks_only: bool,
        now: Timestamp,
    ) -> (Presence, Vec<Presence>) {
        let presence = Presence {
            member: MemberId::next(),
            author: author.id.clone(),
            name: author.name.clone(),
            colour: author.colour.clone(),
            joined: now,
            session,
            looks_only,
        };
        let mut members = self.lock();
        let others = members.clone();
        members.push(presence.clone());
        (presence, others)
    }

    /// Removes a member; true if its author is gone with it.
    pub fn leave(&self, member: MemberId) -> Option<(Presence, bool)> {
        let mut members = self.lock();
        let at = members
            .iter()
            .position(|presence| presence.member == member)?;
        let presence = members.remove(at);
        let last = !members.iter().any(|other| other.author == presence.author);
        Some((presence, last))
    }

    /// Gives every member of an author a name and a colour.
    pub fn rename(&self, author: &AuthorId, name: Option<&str>, colour: &Colour) {
        for presence in self
            .lock()
            .iter_mut()
            .filter(|presence| presence.author == *author)
        {
            presence.name = name.map(str::to_owned);
            presence.colour = colour.clone();
        }
    }

    pub fn members(&self) -> Vec<Presence> {
        self.lock().clone()
    }

    pub fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Presence>> {
        // Nothing under this lock can panic halfway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
