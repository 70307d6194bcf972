//! Budget for request bodies: a body is read whole, never more of it than allowed, and never too
//! many large ones at a time.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use http_body::Body as _;
use http_body_util::BodyExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use super::Unreadable;
use crate::paced_body;

pub(super) const MAX_BYTES: usize = 50 * 1024 * 1024;

/// A body beyond this is a large one, and so is what is set aside before anything has arrived.
const LARGE_BYTES: usize = 1024 * 1024;
/// How many large bodies are held at a time. Anybody can send one, since the key may be inside; the
/// next one waits, and its sender with it.
const LARGE_BODIES: usize = 16;

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(120);

/// How much of a body that is too large is taken in.
const DISCARDED_BYTES: usize = 2 * MAX_BYTES;

/// Budget for request bodies: bounds how many large ones are in memory at a time.
pub(crate) struct BodyBudget(Arc<Semaphore>);

/// A body, and its share of the budget until its call is over.
#[derive(Default)]
pub(crate) struct BudgetedBody {
    pub bytes: Vec<u8>,
    pub permit: Option<OwnedSemaphorePermit>,
}

impl BodyBudget {
    pub(crate) fn new() -> BodyBudget {
        BodyBudget(Arc::new(Semaphore::new(LARGE_BODIES)))
    }

    pub(crate) async fn read(
        &self,
        headers: &HeaderMap,
        mut body: Body,
    ) -> Result<BudgetedBody, Unreadable> {
        if body.is_end_stream() {
            return Ok(BudgetedBody::default());
        }
        let end = Instant::now() + PATIENCE;
        let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        if announced > MAX_BYTES {
            let waits_for_leave = headers.contains_key(header::EXPECT);
            if !waits_for_leave {
                discard(body, end).await?;
            }
            return Err(Unreadable::TooLarge);
        }
        let mut held = BudgetedBody::default();
        held.bytes.reserve(announced.min(LARGE_BYTES));
        while let Some(data) = next(&mut body, end).await? {
            let length = held.bytes.len() + data.len();
            if length > MAX_BYTES {
                drop(held);
                discard(body, end).await?;
                return Err(Unreadable::TooLarge);
            }
            if length > LARGE_BYTES && held.permit.is_none() {
                held.permit = Some(self.enter(end).await?);
            }
            held.bytes.extend_from_slice(&data);
        }
        Ok(held)
    }

    async fn enter(&self, end: Instant) -> Result<OwnedSemaphorePermit, Unreadable> {
        let entered = timeout_at(end, Arc::clone(&self.0).acquire_owned()).await;
        // It is never closed, so that there is one way to fail.
        entered.ok().and_then(Result::ok).ok_or(Unreadable::TooSlow)
    }
}

/// Takes in the rest of what is too much, within reason: many clients send everything before they
/// look for an answer, and never find it if the connection is closed on them.
async fn discard(mut body: Body, end: Instant) -> Result<(), Unreadable> {
    let mut discarded = 0;
    while discarded < DISCARDED_BYTES
        && let Some(data) = next(&mut body, end).await?
    {
        discarded += data.len();
    }
    Ok(())
}

async fn next(body: &mut Body, end: Instant) -> Result<Option<Bytes>, Unreadable> {
    let frame = timeout_at(end, body.frame()).await;
    match frame.map_err(|_| Unreadable::TooSlow)? {
        // Trailers hold nothing for us.
        Some(Ok(frame)) => Ok(Some(frame.into_data().unwrap_or_default())),
        Some(Err(error)) if paced_body::is_late(&error) => Err(Unreadable::TooSlow),
        Some(Err(_)) => Err(Unreadable::Incomplete),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use futures_util::stream;

    use super::*;

    /// A body that never ends after its first bytes.
    fn endless(first: usize) -> Body {
        let start = stream::iter([Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; first]))]);
        Body::from_stream(start.chain(stream::pending()))
    }

    #[tokio::test(start_paused = true)]
    async fn slow_senders_are_given_up() {
        let budget = BodyBudget::new();
        let read = budget.read(&HeaderMap::new(), endless(10)).await;
        assert_eq!(read.err(), Some(Unreadable::TooSlow));
    }

    #[tokio::test(start_paused = true)]
    async fn large_bodies_wait_for_one_another_and_small_ones_do_not() {
        let budget = BodyBudget::new();
        let headers = HeaderMap::new();
        let mut held = Vec::new();
        for _ in 0..LARGE_BODIES {
            let body = Body::from(vec![b'x'; LARGE_BYTES + 1]);
            held.push(budget.read(&headers, body).await.ok().unwrap());
        }
        let small = budget.read(&headers, Body::from("small")).await;
        assert_eq!(small.ok().unwrap().bytes, b"small");
        let large = || Body::from(vec![b'x'; LARGE_BYTES + 1]);
        let refused = budget.read(&headers, large()).await;
        assert_eq!(refused.err(), Some(Unreadable::TooSlow));
        held.pop();
        assert!(budget.read(&headers, large()).await.is_ok());
    }
}
