//! Slowing down those who guess passwords.
//!
//! After some failures each further one costs a wait that doubles. Failures are counted for an
//! account from one address, for an address, and for an account from everywhere; the first is the
//! strictest, so that a stranger who guesses does not lock out the owner, who is elsewhere. A
//! browser that signed in before is counted by itself, and an address that an account was signed in
//! to from is not held to what happens everywhere: no number of strangers keeps them out. Names and
//! addresses are kept as keyed hashes, in memory only, and not many of them.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};

use crate::browser::BrowserId;

/// How many failures are remembered at a time. When there are more, the older half is forgotten.
const MAX_ENTRIES: usize = 30_000;
/// How many pairs of account and address that have succeeded are remembered.
const MAX_PROVEN: usize = 10_000;
/// After this long without a failure all is forgotten.
const FORGET_SECONDS: u64 = 60 * 60;

#[derive(Clone, Copy)]
struct Rule {
    /// Failures without a consequence.
    free: u32,
    longest_wait_seconds: u64,
}

/// For an account from one address, or from one known browser.
const PAIR: Rule = Rule {
    free: 5,
    longest_wait_seconds: 15 * 60,
};
/// For an address; a whole school may be behind it.
const ADDRESS: Rule = Rule {
    free: 50,
    longest_wait_seconds: 15 * 60,
};
/// For an account, tried from many addresses.
const ACCOUNT: Rule = Rule {
    free: 100,
    longest_wait_seconds: 60,
};

impl Rule {
    fn wait(&self, failures: u32) -> u64 {
        match failures.checked_sub(self.free) {
            None | Some(0) => 0,
            Some(over) => 1_u64
                .checked_shl(over - 1)
                .filter(|_| over < 32)
                .unwrap_or(u64::MAX)
                .min(self.longest_wait_seconds),
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Entry {
    failures: u32,
    last: u64,
    closed_until: u64,
}

#[derive(Default)]
pub(crate) struct Throttle {
    hasher: RandomState,
    entries: HashMap<u64, Entry>,
    /// Accounts that were signed in to from an address, and when last.
    proven: HashMap<u64, u64>,
}

/// An attempt that was let through. Unless it is marked as a success it counts as a failure:
/// many at once do not get around the count.
#[must_use]
pub struct Attempt {
    /// The strictest counter first.
    keys: Vec<u64>,
    /// The pair of account and address, and when.
    pair: Option<(u64, u64)>,
}

/// Too many failures; to be tried again after so many seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait(pub u64);

impl Throttle {
    /// An attempt at an account from an address.
    pub(crate) fn admit(
        &mut self,
        account: &str,
        address: &impl Hash,
        now: u64,
    ) -> Result<Attempt, Wait> {
        let pair = self.hasher.hash_one((0, account, address));
        let mut counters = vec![(pair, PAIR)];
        counters.push((self.hasher.hash_one((1, address)), ADDRESS));
        if !self.proven.contains_key(&pair) {
            counters.push((self.hasher.hash_one((2, account)), ACCOUNT));
        }
        let keys = self.count(&counters, now)?;
        let pair = Some((pair, now));
        Ok(Attempt { keys, pair })
    }

    /// An attempt at an account from a browser that is known for it.
    pub(crate) fn admit_browser(
        &mut self,
        account: &str,
        browser: BrowserId,
        now: u64,
    ) -> Result<Attempt, Wait> {
        let own = self.hasher.hash_one((3, account, browser));
        let keys = self.count(&[(own, PAIR)], now)?;
        Ok(Attempt { keys, pair: None })
    }

    fn count(&mut self, counters: &[(u64, Rule)], now: u64) -> Result<Vec<u64>, Wait> {
        let entries = counters.iter().filter_map(|(key, _)| self.entries.get(key));
        let wait = entries.map(|entry| entry.closed_until.saturating_sub(now));
        match wait.max() {
            Some(seconds) if seconds > 0 => return Err(Wait(seconds)),
            _ => {}
        }
        if self.entries.len() + counters.len() > MAX_ENTRIES {
            self.make_room(now);
        }
        for (key, rule) in counters {
            let entry = self.entries.entry(*key).or_default();
            if is_over(entry, now) {
                entry.failures = 0;
            }
            entry.failures = entry.failures.saturating_add(1);
            entry.last = now;
            // Nobody waits for a clock that was set back.
            entry.closed_until = match rule.wait(entry.failures) {
                0 => 0,
                seconds => now.saturating_add(seconds),
            };
        }
        Ok(counters.iter().map(|(key, _)| *key).collect())
    }

    /// The account's failures from that address are forgotten. Those of the address are not: who
    /// has an account of their own could go on guessing others'.
    pub(crate) fn succeeded(&mut self, attempt: Attempt) {
        let mut keys = attempt.keys.into_iter();
        keys.next().map(|strictest| self.entries.remove(&strictest));
        for key in keys {
            if let Some(entry) = self.entries.get_mut(&key) {
                entry.failures = entry.failures.saturating_sub(1);
                entry.closed_until = 0;
            }
        }
        if let Some((pair, now)) = attempt.pair {
            if self.proven.len() >= MAX_PROVEN && !self.proven.contains_key(&pair) {
                let oldest = self.proven.iter().min_by_key(|(_, last)| **last);
                let oldest = oldest.map(|(key, _)| *key);
                oldest.map(|key| self.proven.remove(&key));
            }
            self.proven.insert(pair, now);
        }
    }

    fn make_room(&mut self, now: u64) {
        self.entries.retain(|_, entry| !is_over(entry, now));
        if self.entries.len() * 2 < MAX_ENTRIES {
            return;
        }
        let mut times: Vec<u64> = self.entries.values().map(|entry| entry.last).collect();
        let middle = times.len() / 2;
        let (_, median, _) = times.select_nth_unstable(middle);
        let median = *median;
        let mut surplus = self.entries.len().saturating_sub(MAX_ENTRIES / 2);
        self.entries.retain(|_, entry| {
            let goes = surplus > 0 && entry.last <= median;
            surplus -= usize::from(goes);
            !goes
        });
    }
}

fn is_over(entry: &Entry, now: u64) -> bool {
    now.saturating_sub(entry.last) >= FORGET_SECONDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browser::DeviceCookies;

    /// How long each of `count` failures in a row has to wait, when each waits as long as required.
    fn waits(throttle: &mut Throttle, account: &str, address: u8, count: usize) -> Vec<u64> {
        let mut now = 1_000_000;
        let mut waits = Vec::new();
        while waits.len() < count {
            let mut waited = 0;
            while let Err(Wait(seconds)) = throttle.admit(account, &address, now) {
                waited += seconds;
                now += seconds;
            }
            waits.push(waited);
        }
        waits
    }

    #[test]
    fn each_further_failure_waits_twice_as_long() {
        let mut throttle = Throttle::default();
        assert_eq!(
            waits(&mut throttle, "ada", 1, 18),
            [
                0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900
            ]
        );
    }

    #[test]
    fn a_refusal_costs_nothing_and_tells_how_long_it_takes() {
        let mut throttle = Throttle::default();
        for _ in 0..6 {
            let _ = throttle.admit("ada", &1, 100);
        }
        for now in [100, 100, 100] {
            assert_eq!(throttle.admit("ada", &1, now).err(), Some(Wait(1)));
        }
        assert!(throttle.admit("ada", &1, 101).is_ok());
    }

    #[test]
    fn the_owner_gets_in_from_elsewhere_while_somebody_guesses() {
        let mut throttle = Throttle::default();
        waits(&mut throttle, "ada", 1, 20);
        assert!(throttle.admit("ada", &2, 1_000_000).is_ok());
        assert!(throttle.admit("bob", &1, 1_000_000).is_ok());
    }

    #[test]
    fn strangers_lock_out_neither_a_known_browser_nor_a_known_address() {
        let mut throttle = Throttle::default();
        let cookies = DeviceCookies::new(&[1; 32]);
        let cookie = cookies.issue(None, "ada", [7; 16]);
        let browser = cookies.recognize(&cookie, "ada").unwrap();
        let attempt = throttle.admit("ada", &1, 5);
        throttle.succeeded(attempt.ok().unwrap());
        for n in 0..1000 {
            let _ = throttle.admit("ada", &(1000 + n), 5);
        }
        assert!(throttle.admit("ada", &2, 5).is_err());
        assert!(throttle.admit("ada", &1, 5).is_ok());
        assert!(throttle.admit_browser("ada", browser, 5).is_ok());
        // What the browser does wrong counts for itself, and for nobody else.
        let refused = (0..20)
            .filter(|_| throttle.admit_browser("ada", browser, 5).is_err())
            .count();
        assert_eq!(refused, 15);
        assert!(throttle.admit("ada", &1, 5).is_ok());
    }

    #[test]
    fn many_accounts_from_one_address_and_one_account_from_many_are_slowed() {
        let mut throttle = Throttle::default();
        let refused = (0..100)
            .filter(|n| throttle.admit(&format!("user{n}"), &1, 5).is_err())
            .count();
        assert_eq!(refused, 49);
        let refused = (0..200)
            .filter(|n| throttle.admit("ada", &(1000 + n), 5).is_err())
            .count();
        assert_eq!(refused, 99);
    }

    #[test]
    fn who_gets_in_starts_afresh_but_not_for_other_accounts() {
        let mut throttle = Throttle::default();
        for round in 0..60 {
            for _ in 0..4 {
                let _ = throttle.admit("ada", &1, round * FORGET_SECONDS);
            }
            let attempt = throttle.admit("ada", &1, round * FORGET_SECONDS);
            throttle.succeeded(attempt.ok().unwrap());
        }
        // Guessing others' and getting into one's own in between does not help.
        let mut refused = 0;
        for n in 0..100 {
            match throttle.admit("own", &7, 0) {
                Ok(attempt) => throttle.succeeded(attempt),
                Err(_) => refused += 1,
            }
            refused += u32::from(throttle.admit(&format!("user{n}"), &7, 0).is_err());
        }
        assert!(refused > 90, "{refused}");
    }

    #[test]
    fn failures_are_forgotten_after_a_while() {
        let mut throttle = Throttle::default();
        for _ in 0..6 {
            let _ = throttle.admit("ada", &1, 0);
        }
        for _ in 0..5 {
            assert!(throttle.admit("ada", &1, FORGET_SECONDS).is_ok());
        }
    }

    #[test]
    fn memory_is_bounded_and_recent_failures_stay() {
        let mut throttle = Throttle::default();
        for n in 0..MAX_ENTRIES as u64 {
            let _ = throttle.admit(&format!("user{n}"), &n, 1 + n / 1000);
        }
        assert!(throttle.entries.len() <= MAX_ENTRIES);
        let now = 1 + MAX_ENTRIES as u64 / 1000;
        for _ in 0..6 {
            let _ = throttle.admit("ada", &1, now);
        }
        for n in 0..MAX_ENTRIES as u64 / 10 {
            let _ = throttle.admit(&format!("other{n}"), &n, now);
        }
        assert!(throttle.admit("ada", &1, now).is_err());
    }
}
