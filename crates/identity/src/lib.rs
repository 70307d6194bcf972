//! Who a request is from: its address, its cookies, its login, the API key, and what each may ask.
//!
//! `client_ip` finds the address behind proxies, `who` is the principal, `accounts` checks
//! passwords and logins, `visitor` is a browser in a pad. The limits per client stand here too,
//! since they are counted by the same identities: `rate_limit`, `creation_limits`.

pub mod accounts;
pub mod api_key;
pub mod client_ip;
pub mod cookies;
pub mod creation_limits;
pub mod device_key;
pub mod query;
pub mod rate_limit;
pub mod session_key;
pub mod signing_keys;
pub mod visitor;
pub mod who;
