//! Identity of a request: its principal, address, cookies, login and keys, and the limits of each.
//!
//! `client_ip` finds the address behind proxies, `principal` says who sends a request, `accounts`
//! checks passwords and logins, `visitor` is a browser in a pad. `logins`, `attempts` and `codes`
//! keep in the store what is going on, for all nodes. `rate_limit` and `creation_limits`
//! are here because they count by the same identities.

pub mod accounts;
pub mod api_key;
pub mod attempts;
pub mod client_ip;
pub mod codes;
pub mod cookies;
pub mod creation_limits;
pub mod device_key;
pub mod logins;
pub mod principal;
pub mod query;
pub mod rate_limit;
pub mod session_key;
pub mod shared_keys;
pub mod signing_keys;
pub mod visitor;
