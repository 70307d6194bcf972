//! Who is signed in, in which browser.
//!
//! A browser holds a random text that is new at each login; here is its digest, and whose it is.
//! Closing a login makes the text worthless, wherever a copy of it may be. What is known of a
//! person is the caller's: `P`.

use std::collections::HashMap;

use crate::secret::{Digest, digest};

/// How many logins are known at a time; when there are more, those that end first go first.
const MAX_LOGINS: usize = 10_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    pub user: String,
    /// When the password was shown.
    pub since: u64,
}

/// How long a login lasts, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Life {
    /// After the last visit that counted.
    pub seconds: u64,
    /// How long after a visit that counted the next one does; 0 is never.
    pub refresh_seconds: u64,
}

pub struct Logins<P> {
    life: Life,
    logins: HashMap<Digest, Known<P>>,
}

struct Known<P> {
    person: P,
    counted: u64,
    ends: u64,
}

impl<P: Clone> Logins<P> {
    pub fn new(life: Life) -> Logins<P> {
        Logins {
            life,
            logins: HashMap::new(),
        }
    }

    pub fn open(&mut self, text: &str, person: P, now: u64) {
        if self.logins.len() >= MAX_LOGINS {
            self.logins.retain(|_, known| known.ends > now);
        }
        if self.logins.len() >= MAX_LOGINS {
            let first = self.logins.iter().min_by_key(|(_, known)| known.ends);
            let first = first.map(|(key, _)| *key);
            first.map(|key| self.logins.remove(&key));
        }
        let known = Known {
            person,
            counted: now,
            ends: now.saturating_add(self.life.seconds),
        };
        self.logins.insert(digest(text), known);
    }

    /// Whose login it is; it lasts longer for being asked.
    pub fn find(&mut self, text: &str, now: u64) -> Option<P> {
        let known = self.logins.get_mut(&digest(text))?;
        if known.ends <= now {
            return None;
        }
        let refresh = self.life.refresh_seconds;
        if refresh > 0 && now.saturating_sub(known.counted) >= refresh {
            known.counted = now;
            known.ends = now.saturating_add(self.life.seconds);
        }
        Some(known.person.clone())
    }

    pub fn close(&mut self, text: &str) {
        self.logins.remove(&digest(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logins(seconds: u64, refresh_seconds: u64) -> Logins<&'static str> {
        Logins::new(Life {
            seconds,
            refresh_seconds,
        })
    }

    #[test]
    fn a_login_lasts_while_it_is_used_and_ends_when_it_is_closed() {
        let mut logins = logins(100, 50);
        logins.open("a", "ada", 0);
        logins.open("b", "bob", 0);
        assert_eq!(logins.find("a", 49), Some("ada"));
        assert_eq!(logins.find("b", 99), Some("bob"));
        assert_eq!(logins.find("a", 100), None);
        assert_eq!(logins.find("b", 150), Some("bob"));
        logins.close("b");
        assert_eq!(logins.find("b", 150), None);
        assert_eq!(logins.find("", 0), None);
    }

    #[test]
    fn a_login_that_is_not_refreshed_ends_on_time() {
        let mut logins = logins(100, 0);
        logins.open("a", "ada", 0);
        assert_eq!(logins.find("a", 99), Some("ada"));
        assert_eq!(logins.find("a", 100), None);
    }

    #[test]
    fn memory_is_bounded() {
        let mut logins = logins(100, 1);
        for n in 0..=MAX_LOGINS as u64 {
            logins.open(&n.to_string(), "ada", n / 1000);
        }
        assert_eq!(logins.logins.len(), MAX_LOGINS);
        assert!(logins.find(&MAX_LOGINS.to_string(), 10).is_some());
    }
}
