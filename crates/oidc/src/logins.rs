//! Who is signed in, in which browser.
//!
//! A browser holds a random text that is new at each login; the caller keeps whose it is, under the
//! text's digest. Closing a login makes the text worthless, wherever a copy of it may be. What is
//! known of a person is the caller's: `P`.

use serde::{Deserialize, Serialize};

use crate::kept::KeptKey;
use crate::secret::digest;

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

/// What is kept of a login.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoginRecord<P> {
    pub person: P,
    pub since: u64,
    counted: u64,
    pub ends: u64,
}

impl<P: Clone> LoginRecord<P> {
    pub fn open(person: P, life: Life, now: u64) -> LoginRecord<P> {
        LoginRecord {
            person,
            since: now,
            counted: now,
            ends: now.saturating_add(life.seconds),
        }
    }

    pub fn is_open(&self, now: u64) -> bool {
        self.ends > now
    }

    /// The login after a visit that makes it last longer. `None`: this one does not count.
    pub fn extended(&self, life: Life, now: u64) -> Option<LoginRecord<P>> {
        let refresh = life.refresh_seconds;
        let counts = refresh > 0 && now.saturating_sub(self.counted) >= refresh;
        (counts && self.is_open(now)).then(|| LoginRecord {
            counted: now,
            ends: now.saturating_add(life.seconds),
            ..self.clone()
        })
    }
}

/// Where a login is kept.
pub fn login_key(text: &str) -> KeptKey {
    digest(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(seconds: u64, refresh_seconds: u64) -> Life {
        Life {
            seconds,
            refresh_seconds,
        }
    }

    #[test]
    fn a_login_lasts_while_it_is_used() {
        let life = life(100, 50);
        let login = LoginRecord::open("ada", life, 0);
        assert!(login.is_open(99) && !login.is_open(100));
        assert_eq!(login.extended(life, 49), None);
        assert_eq!(login.extended(life, 100), None);
        let longer = login.extended(life, 99).unwrap();
        assert!(longer.is_open(198) && !longer.is_open(199));
        assert_eq!((longer.person, longer.since), ("ada", 0));
    }

    #[test]
    fn a_login_that_is_not_refreshed_ends_on_time() {
        let login = LoginRecord::open("ada", life(100, 0), 0);
        assert_eq!(login.extended(life(100, 0), 99), None);
    }
}
