//! Principal of a request: anonymous, a user, or an administrator.

use pad::access::Rights;

use crate::logins::KnownLogin;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Principal {
    Anonymous,
    User(User),
    Admin(String),
}

/// A signed-in user who is not an administrator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub name: String,
    /// What the user may do with pads; `None` is nothing.
    pub rights: Option<Rights>,
}

/// Reason to deny access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// The principal is anonymous; signing in may help.
    NotSignedIn,
    /// The principal is known and has no right to this.
    Forbidden,
}

/// Evidence of the principal. A connection keeps it and checks it again: a login can end while
/// people write.
#[derive(Clone, Default)]
pub enum Proof {
    #[default]
    Nothing,
    Login(KnownLogin),
    /// The user name in the header of a trusted reverse proxy.
    TrustedProxy(String),
}
