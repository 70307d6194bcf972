//! Who is signed in, in which browser.
//!
//! A browser holds a random text that is new at each login; here is its digest, and whose it is.
//! Closing a login makes the text worthless, wherever a copy of it may be.

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

pub struct Logins {
    /// How long a login lasts after the last visit.
    life: u64,
    logins: HashMap<Digest, Known>,
}

struct Known {
    login: Login,
    ends: u64,
}

impl Logins {
    pub fn new(life: u64) -> Logins {
        Logins {
            life,
            logins: HashMap::new(),
        }
    }

    pub fn open(&mut self, text: &str, user: &str, now: u64) {
        if self.logins.len() >= MAX_LOGINS {
            self.logins.retain(|_, known| known.ends > now);
        }
        if self.logins.len() >= MAX_LOGINS {
            let first = self.logins.iter().min_by_key(|(_, known)| known.ends);
            let first = first.map(|(key, _)| *key);
            first.map(|key| self.logins.remove(&key));
        }
        let login = Login {
            user: user.to_owned(),
            since: now,
        };
        let ends = now.saturating_add(self.life);
        self.logins.insert(digest(text), Known { login, ends });
    }

    /// Whose login it is; it lasts longer for being asked.
    pub fn find(&mut self, text: &str, now: u64) -> Option<Login> {
        let known = self.logins.get_mut(&digest(text))?;
        if known.ends <= now {
            return None;
        }
        known.ends = now.saturating_add(self.life);
        Some(known.login.clone())
    }

    pub fn close(&mut self, text: &str) {
        self.logins.remove(&digest(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_lasts_while_it_is_used_and_ends_when_it_is_closed() {
        let mut logins = Logins::new(100);
        logins.open("a", "ada", 0);
        logins.open("b", "bob", 0);
        assert_eq!(logins.find("a", 99).unwrap().user, "ada");
        assert_eq!(logins.find("b", 100), None);
        let ada = logins.find("a", 150).unwrap();
        assert_eq!(ada.since, 0);
        logins.close("a");
        assert_eq!(logins.find("a", 150), None);
        assert_eq!(logins.find("", 0), None);
    }

    #[test]
    fn memory_is_bounded() {
        let mut logins = Logins::new(100);
        for n in 0..=MAX_LOGINS as u64 {
            logins.open(&n.to_string(), "ada", n / 1000);
        }
        assert_eq!(logins.logins.len(), MAX_LOGINS);
        assert!(logins.find(&MAX_LOGINS.to_string(), 10).is_some());
    }
}
