//! Slowing down those who guess passwords.
//!
//! After some failures each further one costs a wait that doubles. Failures are counted for an
//! account from one address, for an address, and for an account from everywhere; the first is the
//! strictest, so that a stranger who guesses does not lock out the owner, who is elsewhere. A
//! browser that signed in before is counted by itself, and an address that an account was signed in
//! to from is not held to what happens everywhere: no number of strangers keeps them out. The
//! counts are the caller's to keep, under keyed hashes of names and addresses.

use aws_lc_rs::hmac;

use crate::browser::BrowserId;
use crate::kept::{Kept, KeptKey};
use crate::secret::keyed_hash;

/// After this long without a failure all is forgotten.
const FORGET_SECONDS: u64 = 60 * 60;
/// How long an address stays known that an account was signed in to from.
const PROVEN_SECONDS: u64 = 30 * 24 * 60 * 60;

#[derive(Clone, Copy, Debug)]
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

/// Failures that were counted together.
#[derive(Clone, Copy, Default)]
struct Count {
    failures: u32,
    last: u64,
    closed_until: u64,
}

/// Names counters, so that who reads what is kept learns neither names nor addresses.
#[derive(Clone)]
pub struct Throttle {
    key: hmac::Key,
}

/// An attempt at an account. Once [`Attempt::admit`] has let it through it counts as a failure,
/// until [`Attempt::succeeded`] takes that back: many at once do not get around the count.
#[derive(Clone, Debug)]
#[must_use]
pub struct Attempt {
    /// The strictest counter first.
    counters: Vec<(KeptKey, Rule)>,
    /// Where it is kept that the account was signed in to from the address.
    proven: Option<KeptKey>,
}

/// Too many failures; to be tried again after so many seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait(pub u64);

impl Throttle {
    pub fn new(key: &[u8; 32]) -> Throttle {
        Throttle {
            key: hmac::Key::new(hmac::HMAC_SHA256, key),
        }
    }

    /// An attempt at an account from an address.
    pub fn attempt(&self, account: &str, address: &str) -> Attempt {
        let counters = vec![
            (self.name("pair", account, address.as_bytes()), PAIR),
            (self.name("address", "", address.as_bytes()), ADDRESS),
            (self.name("account", account, b""), ACCOUNT),
        ];
        Attempt {
            counters,
            proven: Some(self.name("proven", account, address.as_bytes())),
        }
    }

    /// An attempt at an account from a browser that is known for it.
    pub fn attempt_of_browser(&self, account: &str, browser: BrowserId) -> Attempt {
        let own = self.name("browser", account, browser.bytes());
        Attempt {
            counters: vec![(own, PAIR)],
            proven: None,
        }
    }

    fn name(&self, kind: &str, account: &str, place: &[u8]) -> KeptKey {
        keyed_hash(&self.key, &[kind.as_bytes(), account.as_bytes(), place])
    }

    /// A hash of something else, for what is compared with it later.
    pub fn tag(&self, kind: &str, name: &str, secret: &str) -> KeptKey {
        self.name(kind, name, secret.as_bytes())
    }
}

impl Attempt {
    /// Where its counts are kept. The functions below take and give values in this order.
    pub fn keys(&self) -> Vec<KeptKey> {
        let counters = self.counters.iter().map(|(key, _)| *key);
        counters.chain(self.proven).collect()
    }

    /// Whether it may be tried now, and what to keep.
    pub fn admit(&self, found: &[Option<Kept>], now: u64) -> (Vec<Option<Kept>>, Result<(), Wait>) {
        let is_proven = self.is_proven(found);
        // The last counter is the account's, which those who are proven are not held to.
        let held_to = self.counters.len() - usize::from(is_proven);
        let counts = || found.iter().take(held_to).flatten().filter_map(Count::read);
        let wait = counts().map(|count| count.closed_until.saturating_sub(now));
        if let Some(seconds @ 1..) = wait.max() {
            return (found.to_vec(), Err(Wait(seconds)));
        }
        let mut next = found.to_vec();
        next.resize(self.keys().len(), None);
        for ((_, rule), slot) in self.counters.iter().take(held_to).zip(&mut next) {
            let mut count = slot.as_ref().and_then(Count::read).unwrap_or_default();
            if now.saturating_sub(count.last) >= FORGET_SECONDS {
                count.failures = 0;
            }
            count.failures = count.failures.saturating_add(1);
            count.last = now;
            // Nobody waits for a clock that was set back.
            count.closed_until = match rule.wait(count.failures) {
                0 => 0,
                seconds => now.saturating_add(seconds),
            };
            *slot = Some(count.write());
        }
        (next, Ok(()))
    }

    /// The account's failures from that address are forgotten. Those of the address are not: who
    /// has an account of their own could go on guessing others'.
    pub fn succeeded(&self, found: &[Option<Kept>], now: u64) -> Vec<Option<Kept>> {
        let mut next = found.to_vec();
        next.resize(self.keys().len(), None);
        let was_proven = self.is_proven(found);
        for (place, slot) in next.iter_mut().enumerate().take(self.counters.len()) {
            let is_account = self.proven.is_some() && place + 1 == self.counters.len();
            if place == 0 {
                *slot = None;
            } else if let Some(mut count) = slot.as_ref().and_then(Count::read)
                && !(is_account && was_proven)
            {
                count.failures = count.failures.saturating_sub(1);
                count.closed_until = 0;
                *slot = Some(count.write());
            }
        }
        if self.proven.is_some()
            && let Some(slot) = next.last_mut()
        {
            *slot = Some(Kept {
                value: Vec::new(),
                ends: now.saturating_add(PROVEN_SECONDS),
            });
        }
        next
    }

    fn is_proven(&self, found: &[Option<Kept>]) -> bool {
        self.proven.is_some() && matches!(found.get(self.counters.len()), Some(Some(_)))
    }
}

impl Count {
    fn read(kept: &Kept) -> Option<Count> {
        let (failures, rest) = kept.value.split_first_chunk()?;
        let (last, rest) = rest.split_first_chunk()?;
        let (closed_until, _) = rest.split_first_chunk()?;
        Some(Count {
            failures: u32::from_be_bytes(*failures),
            last: u64::from_be_bytes(*last),
            closed_until: u64::from_be_bytes(*closed_until),
        })
    }

    fn write(self) -> Kept {
        let mut value = self.failures.to_be_bytes().to_vec();
        value.extend(self.last.to_be_bytes());
        value.extend(self.closed_until.to_be_bytes());
        let forgotten = self.last.saturating_add(FORGET_SECONDS);
        Kept {
            value,
            ends: forgotten.max(self.closed_until),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::browser::DeviceCookies;

    /// Keeps counts as a caller does.
    struct Counts {
        throttle: Throttle,
        kept: HashMap<KeptKey, Kept>,
    }

    impl Default for Counts {
        fn default() -> Counts {
            Counts {
                throttle: Throttle::new(&[1; 32]),
                kept: HashMap::new(),
            }
        }
    }

    impl Counts {
        fn admit(&mut self, account: &str, address: &u64, now: u64) -> Result<Attempt, Wait> {
            let attempt = self.throttle.attempt(account, &address.to_string());
            self.count(attempt, now)
        }

        fn admit_browser(
            &mut self,
            account: &str,
            browser: BrowserId,
            now: u64,
        ) -> Result<Attempt, Wait> {
            let attempt = self.throttle.attempt_of_browser(account, browser);
            self.count(attempt, now)
        }

        fn count(&mut self, attempt: Attempt, now: u64) -> Result<Attempt, Wait> {
            let (next, outcome) = attempt.admit(&self.found(&attempt, now), now);
            self.keep(&attempt, next);
            outcome.map(|()| attempt)
        }

        fn succeeded(&mut self, attempt: &Attempt, now: u64) {
            let next = attempt.succeeded(&self.found(attempt, now), now);
            self.keep(attempt, next);
        }

        fn found(&self, attempt: &Attempt, now: u64) -> Vec<Option<Kept>> {
            let find = |key| self.kept.get(&key).filter(|kept| kept.ends > now).cloned();
            attempt.keys().into_iter().map(find).collect()
        }

        fn keep(&mut self, attempt: &Attempt, next: Vec<Option<Kept>>) {
            for (key, kept) in attempt.keys().into_iter().zip(next) {
                match kept {
                    Some(kept) => self.kept.insert(key, kept),
                    None => self.kept.remove(&key),
                };
            }
        }
    }

    /// How long each of `count` failures in a row has to wait, when each waits as long as required.
    fn waits(throttle: &mut Counts, account: &str, address: u64, count: usize) -> Vec<u64> {
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
        let mut throttle = Counts::default();
        assert_eq!(
            waits(&mut throttle, "ada", 1, 18),
            [
                0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900
            ]
        );
    }

    #[test]
    fn a_refusal_costs_nothing_and_tells_how_long_it_takes() {
        let mut throttle = Counts::default();
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
        let mut throttle = Counts::default();
        waits(&mut throttle, "ada", 1, 20);
        assert!(throttle.admit("ada", &2, 1_000_000).is_ok());
        assert!(throttle.admit("bob", &1, 1_000_000).is_ok());
    }

    #[test]
    fn strangers_lock_out_neither_a_known_browser_nor_a_known_address() {
        let mut throttle = Counts::default();
        let cookies = DeviceCookies::new(&[1; 32]);
        let cookie = cookies.issue(None, "ada", [7; 16]);
        let browser = cookies.recognize(&cookie, "ada").unwrap();
        let attempt = throttle.admit("ada", &1, 5);
        throttle.succeeded(&attempt.ok().unwrap(), 5);
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
        let mut throttle = Counts::default();
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
        let mut throttle = Counts::default();
        for round in 0..60 {
            for _ in 0..4 {
                let _ = throttle.admit("ada", &1, round * FORGET_SECONDS);
            }
            let attempt = throttle.admit("ada", &1, round * FORGET_SECONDS);
            throttle.succeeded(&attempt.ok().unwrap(), round * FORGET_SECONDS);
        }
        // Guessing others' and getting into one's own in between does not help.
        let mut refused = 0;
        for n in 0..100 {
            match throttle.admit("own", &7, 0) {
                Ok(attempt) => throttle.succeeded(&attempt, 0),
                Err(_) => refused += 1,
            }
            refused += u32::from(throttle.admit(&format!("user{n}"), &7, 0).is_err());
        }
        assert!(refused > 90, "{refused}");
    }

    #[test]
    fn failures_are_forgotten_after_a_while() {
        let mut throttle = Counts::default();
        for _ in 0..6 {
            let _ = throttle.admit("ada", &1, 0);
        }
        for _ in 0..5 {
            assert!(throttle.admit("ada", &1, FORGET_SECONDS).is_ok());
        }
    }

    #[test]
    fn keys_tell_neither_names_nor_addresses() {
        let one = Throttle::new(&[1; 32]).attempt("ada", "192.0.2.1").keys();
        let other = Throttle::new(&[2; 32]).attempt("ada", "192.0.2.1").keys();
        assert!(one.iter().all(|key| !other.contains(key)));
        let unlike = Throttle::new(&[1; 32]).attempt("ad", "a192.0.2.1").keys();
        assert!(one.iter().all(|key| !unlike.contains(key)));
    }

    #[test]
    fn what_is_kept_ends() {
        let mut counts = Counts::default();
        let attempt = counts.admit("ada", &1, 100).ok().unwrap();
        counts.succeeded(&attempt, 100);
        assert!(counts.kept.values().all(|kept| kept.ends > 100));
        let proven = counts.kept.values().map(|kept| kept.ends).max();
        assert_eq!(proven, Some(100 + PROVEN_SECONDS));
    }
}
