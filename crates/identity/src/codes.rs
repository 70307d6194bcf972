//! Authorization codes and revoked tokens, in the store.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oidc::{Error, Grant, Kept, KeptKey, NoGrant, Redemption, revocation_key};
use store::Store;
use tracing::warn;

use crate::attempts::{time, to_entry};

const CODES: &str = "codes";
const REVOKED: &str = "revoked";
/// How long it is believed that a token is not revoked, where other nodes may revoke it.
const RECHECK_SECONDS: u64 = 1;
/// How many tokens that is known of. When there are more, the store is asked again.
const MAX_KNOWN: usize = 10_000;

/// Why a code gives no grant.
#[derive(Debug, thiserror::Error)]
pub enum RedeemError {
    #[error(transparent)]
    Refused(Error),
    #[error(transparent)]
    Store(#[from] store::Error),
}

pub struct Codes {
    store: Store,
    /// When a token was last found not to be revoked.
    good: Mutex<HashMap<KeptKey, u64>>,
}

impl Codes {
    pub fn new(store: &Store) -> Codes {
        Codes {
            store: store.clone(),
            good: Mutex::default(),
        }
    }

    pub async fn keep(&self, (key, kept): (KeptKey, Kept), now: u64) -> Result<(), store::Error> {
        let (value, ends) = to_entry(kept);
        self.store
            .put_entry(CODES, &key, (&value, ends), time(now))
            .await
    }

    /// What a code stands for, once. One that was used before ends the token that it gave.
    pub async fn redeem(&self, shown: &Redemption, now: u64) -> Result<Grant, RedeemError> {
        let redeeming = shown.clone();
        let redeem = move |found: Option<&[u8]>| {
            // When it ends is not asked for here: what has ended is not found.
            let found = found.map(|value| Kept {
                value: value.to_vec(),
                ends: redeeming.token.ends,
            });
            let (next, outcome) = redeeming.redeem(found.as_ref());
            (next.map(to_entry), outcome)
        };
        let outcome = self
            .store
            .update_entry(CODES, &shown.key(), time(now), redeem)
            .await?;
        match outcome {
            Ok(grant) => Ok(grant),
            Err(NoGrant::Refused(error)) => Err(RedeemError::Refused(error)),
            Err(NoGrant::Replayed(token, error)) => {
                warn!("an authorization code was used twice; its token is revoked");
                let (key, kept) = token.revocation();
                let (value, ends) = to_entry(kept);
                self.store
                    .put_entry(REVOKED, &key, (&value, ends), time(now))
                    .await?;
                self.good().remove(&key);
                Err(RedeemError::Refused(error))
            }
        }
    }

    /// Whether a token is worth nothing any more. If the store cannot be read, that is so for a
    /// token that has not been seen before.
    pub async fn is_revoked(&self, token: &str, now: u64) -> bool {
        let key = revocation_key(token);
        let seen = self.good().get(&key).copied();
        let is_recent = |at: u64| now.saturating_sub(at) <= RECHECK_SECONDS;
        if seen.is_some_and(|at| !self.store.is_shared() || is_recent(at)) {
            return false;
        }
        match self.store.entry(REVOKED, &key, time(now)).await {
            Ok(None) => {
                let mut good = self.good();
                if good.len() >= MAX_KNOWN {
                    good.clear();
                }
                good.insert(key, now);
                false
            }
            Ok(Some(_)) => {
                self.good().remove(&key);
                true
            }
            Err(error) => {
                warn!("whether a token is revoked cannot be read: {error}");
                seen.is_none()
            }
        }
    }

    fn good(&self) -> MutexGuard<'_, HashMap<KeptKey, u64>> {
        self.good.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
