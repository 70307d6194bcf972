//! The access log: one line for each request, when the answer is out or the client has gone.
//!
//! A line holds the path but never the query or the body, and of the client's address what the
//! settings allow: no key, token or text of a pad gets here.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::Response;
use http_body::{Frame, SizeHint};
use tracing::info;

use identity::client_ip::ClientIp;
use settings::IpLogging;
use system::environment::random_bytes;
use telemetry::log::ACCESS;
use telemetry::metrics::METRICS;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub(crate) struct AccessLog {
    ips: IpLogging,
    /// The next request's id. It starts anywhere, so that ids of two runs are not taken for one
    /// another.
    next_id: AtomicU64,
}

/// A request that is being answered.
pub(crate) struct Visit {
    id: u64,
    method: Method,
    uri: Uri,
    client: ClientIp,
    ips: IpLogging,
    begun: Instant,
    status: StatusCode,
    bytes: u64,
}

impl AccessLog {
    pub(crate) fn new(ips: IpLogging) -> AccessLog {
        AccessLog {
            ips,
            next_id: AtomicU64::new(u64::from_ne_bytes(random_bytes())),
        }
    }

    pub(crate) fn begin(&self, request: &Request) -> Visit {
        Visit {
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
            method: request.method().clone(),
            uri: request.uri().clone(),
            client: ClientIp::of(request.extensions()),
            ips: self.ips,
            begun: Instant::now(),
            status: unanswered(),
            bytes: 0,
        }
    }
}

/// What is logged if the client goes away before there is an answer, as other servers do.
fn unanswered() -> StatusCode {
    StatusCode::from_u16(499).unwrap_or(StatusCode::BAD_REQUEST)
}

impl Visit {
    /// Gives the answer its id and follows its body to the end.
    pub(crate) fn end(mut self, mut response: Response) -> Response {
        self.status = response.status();
        if let Ok(id) = HeaderValue::try_from(format!("{:016x}", self.id)) {
            response.headers_mut().insert(REQUEST_ID, id);
        }
        response.map(|body| Body::new(Followed { body, visit: self }))
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        METRICS.answered(&self.method, self.status, self.begun.elapsed());
        info!(
            target: ACCESS,
            id = format_args!("{:016x}", self.id),
            client = %self.client.shown(self.ips),
            bytes = self.bytes,
            milliseconds = self.begun.elapsed().as_micros() as f64 / 1000.0,
            "{} {} {}",
            self.method,
            self.uri.path(),
            self.status.as_u16(),
        );
    }
}

/// A body whose bytes are counted; when it is dropped, so is the visit, which is then logged.
struct Followed {
    body: Body,
    visit: Visit,
}

impl http_body::Body for Followed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(data) = frame.data_ref()
        {
            self.visit.bytes += data.len() as u64;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
