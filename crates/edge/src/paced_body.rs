//! A time-out for request bodies: each has to arrive at a minimum rate.
//!
//! Only the time that we wait for the client counts, not that in which a handler does not read. A
//! time-out for the whole would be too long for a client that sends nothing, or too short for a
//! large file over a slow line.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body::{Body as _, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

/// How long a client may be waited for in a row.
const GRACE: Duration = Duration::from_secs(20);
/// Every so many bytes are worth another second of waiting, up to the grace.
const BYTES_PER_SECOND: f64 = 1000.0;

/// Answers a request whose body arrives in time, or with a 408.
pub(crate) async fn in_time(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let is_late = Arc::new(AtomicBool::new(false));
    let paced = |body| PacedBody::new(body, Arc::clone(&is_late));
    let response = next.run(request.map(|body| Body::new(paced(body)))).await;
    // To most handlers a body that is late is one that breaks off.
    let says_so = response.status() == StatusCode::REQUEST_TIMEOUT;
    if is_late.load(Ordering::Relaxed) && !says_so {
        refusal()
    } else {
        response
    }
}

/// Whether this is what is wrong with a body.
pub(crate) fn is_late(error: &axum::Error) -> bool {
    let mut error: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(cause) = error {
        let known: Option<&io::Error> = cause.downcast_ref();
        if known.is_some_and(|known| known.kind() == io::ErrorKind::TimedOut) {
            return true;
        }
        error = cause.source();
    }
    false
}

fn refusal() -> Response {
    let close = [(header::CONNECTION, HeaderValue::from_static("close"))];
    let text = "The body of the request did not arrive in time.\n";
    (StatusCode::REQUEST_TIMEOUT, close, text).into_response()
}

struct PacedBody {
    body: Body,
    left: Duration,
    /// Runs while we wait for the client, since then.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
    is_late: Arc<AtomicBool>,
}

impl PacedBody {
    fn new(body: Body, is_late: Arc<AtomicBool>) -> PacedBody {
        PacedBody {
            body,
            left: GRACE,
            waiting: None,
            is_late,
        }
    }

    fn arrived(&mut self, bytes: usize) {
        let waited = self.waiting.take().map(|(since, _)| since.elapsed());
        let earned = Duration::from_secs_f64(bytes as f64 / BYTES_PER_SECOND);
        let left = self.left.saturating_sub(waited.unwrap_or_default());
        self.left = (left + earned).min(GRACE);
    }
}

impl http_body::Body for PacedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            let data = frame
                .as_ref()
                .and_then(|frame| frame.as_ref().ok()?.data_ref());
            this.arrived(data.map_or(0, Bytes::len));
            return Poll::Ready(frame);
        }
        let left = this.left;
        let (_, end) = this
            .waiting
            .get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
        if end.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        this.is_late.store(true, Ordering::Relaxed);
        let late = io::Error::from(io::ErrorKind::TimedOut);
        Poll::Ready(Some(Err(axum::Error::new(late))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, stream};
    use http_body_util::BodyExt;

    use super::*;

    /// A body of so many parts of this size, with a pause before each; then nothing, or the end.
    fn body(parts: usize, bytes: usize, pause: u64, ends: bool) -> PacedBody {
        let part = move |_| async move {
            sleep(Duration::from_secs(pause)).await;
            Ok::<_, io::Error>(Bytes::from(vec![0; bytes]))
        };
        let parts = stream::iter(0..parts).then(part);
        let body = if ends {
            Body::from_stream(parts)
        } else {
            Body::from_stream(parts.chain(stream::pending()))
        };
        PacedBody::new(body, Arc::default())
    }

    #[tokio::test(start_paused = true)]
    async fn bodies_arrive_at_a_minimum_rate() {
        for (parts, bytes, pause, ends, in_time) in [
            // Nothing, ever.
            (0, 0, 0, false, false),
            // A byte in five seconds, as long as it takes.
            (1000, 1, 5, true, false),
            // Fast, and then nothing.
            (100, 1_000_000, 0, false, false),
            // A slow line, for hours.
            (5000, 6000, 5, true, true),
            // A small form after a moment.
            (1, 10, 15, true, true),
        ] {
            let body = body(parts, bytes, pause, ends);
            let is_late = Arc::clone(&body.is_late);
            let read = body.collect().await;
            assert_eq!(read.is_ok(), in_time, "{parts} × {bytes} in {pause}");
            assert_eq!(is_late.load(Ordering::Relaxed), !in_time);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_handler_that_does_not_read_costs_the_client_nothing() {
        let mut body = body(3, 10, 1, true);
        while let Some(frame) = body.frame().await {
            frame.unwrap();
            sleep(GRACE * 10).await;
        }
    }
}
