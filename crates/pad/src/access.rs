//! Who may open a pad, as whom, and what they may do in it.
//!
//! The answer depends on values that the caller has looked up; nothing is looked up here.

use crate::ids::{AuthorId, GroupId, PadId};
use crate::people::Session;
use crate::revision::Timestamp;

/// What is known of the pad that a visitor asks for.
#[derive(Clone, Copy, Debug)]
pub struct PadState {
    pub exists: bool,
    /// Whether a group's pad is open to everybody.
    pub public: bool,
    /// Whether the visitor came with the pad's read-only id.
    pub through_read_only_id: bool,
}

/// The operator's rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Policy {
    /// Nobody gets in without a group session.
    pub require_session: bool,
    /// Visitors cannot create pads; only the API can.
    pub edit_only: bool,
}

/// What a visitor brings along.
#[derive(Clone, Debug)]
pub struct Visitor<'a> {
    /// The sessions named by the visitor's cookie, in its order, those that exist.
    pub sessions: &'a [Session],
    /// The author that the visitor's token stands for.
    pub token_author: Option<&'a AuthorId>,
    /// What a logged-in user may do; `None` where no login is required.
    pub rights: Option<Rights>,
}

/// Rights of a logged-in user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rights {
    ReadOnly,
    Modify,
    Create,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// `None` if the visitor has neither a session nor a token yet.
    pub author: Option<AuthorId>,
    pub read_only: bool,
    /// The session that lets the visitor in: the right to be there ends with it.
    pub session: Option<Session>,
}

/// What a member may do in a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Reads, and changes nothing that others see.
    Reader,
    Writer,
    /// A writer who made the pad's first revision: may also set options and delete the pad.
    Creator,
}

impl Role {
    /// The author of the first revision who comes through a read-only id is a reader.
    pub fn of(author: &AuthorId, creator: Option<&AuthorId>, read_only: bool) -> Role {
        match (read_only, creator == Some(author)) {
            (true, _) => Role::Reader,
            (false, true) => Role::Creator,
            (false, false) => Role::Writer,
        }
    }

    pub fn may_write(self) -> bool {
        self != Role::Reader
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denial {
    /// The pad does not exist, and this visitor may not create it.
    MayNotCreate,
    /// The pad belongs to a group the visitor has no valid session for.
    NeedsSession,
}

/// Decides whether a visitor may open a pad.
pub fn decide(
    pad: &PadId,
    state: PadState,
    visitor: &Visitor<'_>,
    policy: Policy,
    now: Timestamp,
) -> Result<Grant, Denial> {
    let group = pad.group();
    let session = chosen(visitor.sessions, group.as_ref(), now);
    let read_only = state.through_read_only_id || visitor.rights == Some(Rights::ReadOnly);
    if !state.exists {
        let may_create = visitor.rights.is_none_or(|rights| rights == Rights::Create);
        if read_only || policy.edit_only || !may_create {
            return Err(Denial::MayNotCreate);
        }
    }
    if policy.require_session && session.is_none() {
        return Err(Denial::NeedsSession);
    }
    let open_to_all = !pad.is_group_pad() || (state.exists && state.public);
    if !open_to_all && session.is_none() {
        return Err(Denial::NeedsSession);
    }
    let author = session
        .map(|session| &session.author)
        .or(visitor.token_author)
        .cloned();
    Ok(Grant {
        author,
        read_only,
        session: session.cloned(),
    })
}

/// The session by which a visitor comes to a pad of a group. The first valid one of the cookie says
/// who the visitor is; of those that say the same the one that lasts longest is kept, so that
/// nobody is turned away while a session that would let the same author in is at hand.
fn chosen<'a>(
    sessions: &'a [Session],
    group: Option<&GroupId>,
    now: Timestamp,
) -> Option<&'a Session> {
    let valid = |session: &&Session| Some(&session.group) == group && session.is_valid(now);
    let first = sessions.iter().find(valid)?;
    let same = sessions.iter().filter(valid);
    let same = same.filter(|session| session.author == first.author);
    same.reduce(|best, session| {
        if session.valid_until > best.valid_until {
            session
        } else {
            best
        }
    })
}
