//! Who sends a request: nobody known, a user, or an administrator.

use pad::access::Rights;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    Anonymous,
    User(User),
    Admin(String),
}

/// Somebody who is signed in and does not administer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub name: String,
    /// What they may do with pads; `None` is nothing.
    pub rights: Option<Rights>,
}

/// Why somebody may not come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// They have to say who they are.
    NotSignedIn,
    /// They have, and it does not help.
    NotForThem,
}

/// By what somebody shows who they are. Kept while a connection lasts, to be looked at again: a
/// login ends while people write.
#[derive(Clone, Default)]
pub enum Proof {
    #[default]
    Nothing,
    /// The text of a login.
    Login(String),
    /// The name that a proxy vouches for.
    Vouched(String),
}
