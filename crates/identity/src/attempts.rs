//! Attempts at accounts, counted in the store: for all nodes, and beyond a restart.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oidc::{Attempt, BrowserId, Kept, KeptKey, Throttle, Wait};
use pad::Timestamp;
use store::{Entry, Store};

use crate::client_ip::ClientIp;
use system::random_bytes;

const KIND: &str = "attempts";
/// How long a refusal is repeated without asking the store: those who flood cost it nothing.
const REPEAT_SECONDS: u64 = 2;
/// How many refusals are remembered. When there are more, all are forgotten, and the store is
/// asked.
const MAX_REFUSALS: usize = 10_000;

pub struct Attempts {
    store: Store,
    throttle: Throttle,
    /// The refusals of the last seconds, by the strictest counter: until when they are repeated,
    /// and when the account is open again.
    refusals: Mutex<HashMap<KeptKey, (u64, u64)>>,
}

/// Why an attempt may not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Slowed(Wait),
    /// It cannot be counted: the store does not work.
    Unavailable,
}

impl Attempts {
    pub fn new(store: &Store) -> Attempts {
        let key = store.derived_key("attempts");
        Attempts {
            store: store.clone(),
            throttle: Throttle::new(&key.unwrap_or_else(random_bytes)),
            refusals: Mutex::default(),
        }
    }

    /// An attempt at an account from an address.
    pub fn from_address(&self, account: &str, client: ClientIp) -> Attempt {
        let address = client.network().address();
        let address = address.map(|address| address.to_string());
        self.throttle.attempt(account, &address.unwrap_or_default())
    }

    /// The same from a browser that is known for the account.
    pub fn from_browser(&self, account: &str, browser: BrowserId) -> Attempt {
        self.throttle.attempt_of_browser(account, browser)
    }

    /// Counts an attempt as a failure, unless too many came before.
    pub async fn admit(&self, attempt: &Attempt, now: u64) -> Result<(), Refused> {
        let strictest = attempt.keys().first().copied().unwrap_or_default();
        if let Some((until, open)) = self.refusals().get(&strictest)
            && *until > now
            && *open > now
        {
            return Err(Refused::Slowed(Wait(open.saturating_sub(now))));
        }
        let counted = attempt.clone();
        let count = move |found: &[Option<Entry>]| {
            let (next, outcome) = counted.admit(&kept(found), now);
            (entries(next), outcome)
        };
        let outcome = self
            .store
            .update_entries(KIND, &keys(attempt), time(now), count)
            .await;
        match outcome {
            Ok(Ok(())) => Ok(()),
            Ok(Err(wait)) => {
                let mut refusals = self.refusals();
                if refusals.len() >= MAX_REFUSALS {
                    refusals.clear();
                }
                let until = now.saturating_add(REPEAT_SECONDS);
                refusals.insert(strictest, (until, now.saturating_add(wait.0)));
                Err(Refused::Slowed(wait))
            }
            Err(error) => {
                tracing::warn!("nobody can sign in: {error}");
                Err(Refused::Unavailable)
            }
        }
    }

    /// Takes back that an attempt was a failure.
    pub async fn succeeded(&self, attempt: &Attempt, now: u64) -> Result<(), store::Error> {
        let counted = attempt.clone();
        let count = move |found: &[Option<Entry>]| {
            let next = counted.succeeded(&kept(found), now);
            (entries(next), ())
        };
        self.store
            .update_entries(KIND, &keys(attempt), time(now), count)
            .await
    }

    fn refusals(&self) -> MutexGuard<'_, HashMap<KeptKey, (u64, u64)>> {
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keys(attempt: &Attempt) -> Vec<Vec<u8>> {
    attempt.keys().iter().map(|key| key.to_vec()).collect()
}

fn kept(found: &[Option<Entry>]) -> Vec<Option<Kept>> {
    let kept = found.iter().cloned().map(|entry| entry.map(from_entry));
    kept.collect()
}

fn entries(next: Vec<Option<Kept>>) -> Vec<Option<Entry>> {
    next.into_iter().map(|kept| kept.map(to_entry)).collect()
}

pub(crate) fn from_entry((value, ends): Entry) -> Kept {
    let ends = u64::try_from(ends.millis()).unwrap_or_default() / 1000;
    Kept { value, ends }
}

pub(crate) fn to_entry(kept: Kept) -> Entry {
    (kept.value, time(kept.ends))
}

/// Seconds as the store has them.
pub(crate) fn time(seconds: u64) -> Timestamp {
    let millis = seconds.saturating_mul(1000);
    Timestamp(i64::try_from(millis).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{Location, NodeId};

    #[tokio::test]
    async fn nodes_count_together() {
        let store = Store::open(Location::Memory).await.unwrap();
        let [one, two] = [1, 2].map(|node| Attempts::new(&store.as_node(NodeId::new(node))));
        let client = ClientIp::known(Some([192, 0, 2, 1].into()));
        let mut refused = 0;
        for node in [&one, &two].into_iter().cycle().take(20) {
            let attempt = node.from_address("ada", client);
            refused += u32::from(node.admit(&attempt, 100).await.is_err());
        }
        assert_eq!(refused, 14);
        let attempt = two.from_address("ada", client);
        let wait = Err(Refused::Slowed(Wait(1)));
        assert_eq!(two.admit(&attempt, 100).await, wait);
        assert_eq!(one.admit(&attempt, 101).await, Ok(()));
        two.succeeded(&attempt, 101).await.unwrap();
        for _ in 0..5 {
            assert_eq!(one.admit(&attempt, 101).await, Ok(()));
        }
    }

    #[tokio::test]
    async fn without_a_store_nobody_gets_in() {
        let store = Store::open(Location::Memory).await.unwrap();
        let attempts = Attempts::new(&store);
        let attempt = attempts.from_address("ada", ClientIp::known(None));
        store.close().await;
        let outcome = attempts.admit(&attempt, 100).await;
        assert_eq!(outcome, Err(Refused::Unavailable));
    }
}
