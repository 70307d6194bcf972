//! Sign-in for programs and people, as OAuth 2.1 and OpenID Connect have it.
//!
//! Clients and users are those of the settings. A person signs in with a password and is sent back
//! to the client with a code; the client turns the code into a token, or, being a service, gets one
//! for its secret alone. Tokens are signed, so that anyone with the public keys can check them.
//!
//! The rules are here and the libraries do the arithmetic. It does not know HTTP, files, the clock
//! or a source of chance: they are arguments, and what comes out is a value. What is going on
//! (codes, logins, counts of failures) the caller keeps between two steps: [`Kept`]. Read in this
//! order: [`Provider`] (each step of a request), `authorize` (what a client may ask for), `codes`
//! and `grant` (how it becomes a token), `token` and `keys` (what a token is), `throttle` and
//! `browser` (those who guess, and those who do not), `external_provider` (we are the client).

mod authorize;
mod basic;
mod browser;
mod client;
mod codes;
pub mod discovery;
mod error;
pub mod external_provider;
mod grant;
mod kept;
mod keys;
mod logins;
mod parameters;
mod password;
mod pkce;
mod provider;
mod secret;
mod throttle;
mod token;
mod user;

pub use authorize::{AuthorizationError, Back, Request};
pub use basic::read_basic;
pub use browser::{BrowserId, DeviceCookies};
pub use client::{Client, Registration};
pub use codes::{Grant, IssuedToken, NoGrant, Redemption, revocation_key};
pub use error::{Error, ErrorKind};
pub use grant::{ClientRequest, GrantKind};
pub use kept::{Kept, KeptKey};
pub use keys::{KeyError, Keys};
pub use logins::{Life, Login, LoginRecord, login_key};
pub use parameters::Parameters;
pub use password::hash_password;
pub use provider::{Config, Lives, Moment, Provider};
pub use secret::same;
pub use throttle::{Attempt, Throttle, Wait};
pub use token::{Flaw, Subject, Verified, read_hint};
pub use user::User;
