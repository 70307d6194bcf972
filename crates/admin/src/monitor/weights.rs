//! What pads weigh, measured in the background: with very many it takes seconds, and nobody waits
//! for it.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pad::Timestamp;
use service::Service;
use store::Weights;
use tokio::sync::Notify;
use tracing::warn;

/// How long an answer is good, in milliseconds.
const FRESH_MILLIS: i64 = 60 * 60 * 1_000;
/// How many of the largest pads are known, for the list that is ordered by size.
const LARGEST: usize = 1_000;

#[derive(Default)]
pub(crate) struct Weigher {
    known: Mutex<Option<Known>>,
    wanted: Notify,
}

type Known = (Timestamp, Arc<Weights>);

impl Weigher {
    /// What is known, and since when. If it is old, it is measured again for the next one who
    /// asks.
    pub(crate) fn get(&self, now: Timestamp) -> Option<Known> {
        let known = self.lock().clone();
        let age = |(at, _): &Known| now.millis().saturating_sub(at.millis());
        if known
            .as_ref()
            .is_none_or(|known| age(known) >= FRESH_MILLIS)
        {
            self.wanted.notify_one();
        }
        known
    }

    /// Weighs when somebody asks, until it is dropped.
    pub(super) async fn run(&self, service: &Service) -> Infallible {
        loop {
            self.wanted.notified().await;
            self.weigh(service).await;
        }
    }

    pub(crate) async fn weigh(&self, service: &Service) {
        match service.store().weigh_pads(LARGEST).await {
            Ok(weights) => *self.lock() = Some((service.now(), Arc::new(weights))),
            Err(error) => warn!("it could not be seen how large pads are: {error}"),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
