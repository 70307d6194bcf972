//! The requests of one connection, to tell when it has none.
//!
//! HTTP/1 heads have a time-out of their own. This one also covers a client that sends nothing at
//! all, half of the preface of HTTP/2, or the whole of it and never a request.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body::{Frame, SizeHint};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// How long a connection may be open between requests. HTTP/1 heads are waited for less.
const IDLE_TIMEOUT: Duration = Duration::from_secs(120);

pub(super) struct Activity(watch::Sender<usize>);

impl Activity {
    pub(super) fn new() -> Activity {
        Activity(watch::Sender::new(0))
    }

    pub(super) fn begin(self: &Arc<Self>) -> Underway {
        self.0.send_modify(|underway| *underway += 1);
        Underway(Arc::clone(self))
    }

    /// Ends when there was no request for too long: none until `first`, or none between others.
    pub(super) async fn silence(&self, first: Instant) {
        let mut underway = self.0.subscribe();
        let mut end = first;
        loop {
            let is_silent = *underway.borrow_and_update() == 0;
            // The sender is ours, so that there always is one.
            let changed = async { while underway.changed().await.is_err() {} };
            if !is_silent {
                changed.await;
                end = Instant::now() + IDLE_TIMEOUT;
            } else if timeout_at(end, changed).await.is_err() {
                return;
            }
        }
    }
}

/// A request, until its answer is sent or given up.
pub(super) struct Underway(Arc<Activity>);

impl Underway {
    pub(super) fn until_sent(self, response: Response) -> Response {
        response.map(|body| {
            Body::new(Sending {
                body,
                _underway: self,
            })
        })
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.0
            .0
            .send_modify(|underway| *underway = underway.saturating_sub(1));
    }
}

struct Sending {
    body: Body,
    _underway: Underway,
}

impl http_body::Body for Sending {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
