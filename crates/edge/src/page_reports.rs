//! `POST /jserror` and `POST /ep/pad/connection-diagnostic-info`: what Etherpad's page reports when
//! a script of it fails or its connection breaks.
//!
//! A report becomes one line of the log, of bounded length and without the address it came from.
//! An address that reports without end is refused for a while.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tokio::time::timeout;
use tracing::warn;

use super::files::{Limit, Refusal};
use super::origin;
use identity::client_ip::ClientIp;
use settings::Settings;

const MAX_BYTES: usize = 64 * 1024;

/// How much of a report is written to the log.
const LOGGED_CHARS: usize = 2000;

/// How long a report may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

const WINDOW: Duration = Duration::from_secs(60);

const REPORTS_IN_WINDOW: u64 = 60;

/// State of the reports.
#[derive(Clone)]
pub(crate) struct ReportsState {
    settings: Arc<Settings>,
    limit: Arc<Limit>,
}

impl ReportsState {
    pub(crate) fn new(settings: &Arc<Settings>) -> ReportsState {
        ReportsState {
            settings: Arc::clone(settings),
            limit: Arc::new(Limit::of(WINDOW, REPORTS_IN_WINDOW)),
        }
    }
}

pub(crate) fn router(state: ReportsState) -> Router {
    Router::new()
        .route("/jserror", post(script_error))
        .route("/ep/pad/connection-diagnostic-info", post(connection))
        .with_state(state)
}

async fn script_error(State(state): State<ReportsState>, request: Request) -> Response {
    match received(&state, request).await {
        Ok(report) => {
            warn!("a page reports an error of a script: {report:?}");
            "OK".into_response()
        }
        Err(refusal) => refusal,
    }
}

async fn connection(State(state): State<ReportsState>, request: Request) -> Response {
    match received(&state, request).await {
        Ok(report) => {
            warn!("a page reports a broken connection: {report:?}");
            "OK".into_response()
        }
        Err(refusal) => refusal,
    }
}

async fn received(state: &ReportsState, request: Request) -> Result<String, Response> {
    let (parts, body) = request.into_parts();
    if origin::is_cross_site(&parts, &state.settings) {
        return Err(Refusal::CrossSite.into_response());
    }
    let client = ClientIp::of(&parts.extensions);
    let counted = state.limit.count(client.network());
    counted.map_err(Refusal::into_response)?;
    let body = bounded(body).await.map_err(StatusCode::into_response)?;
    let text = text_of(&parts.headers, &body);
    Ok(text.chars().take(LOGGED_CHARS).collect())
}

async fn bounded(body: Body) -> Result<Vec<u8>, StatusCode> {
    let received = timeout(PATIENCE, to_bytes(body, MAX_BYTES)).await;
    let bytes = received.map_err(|_| StatusCode::REQUEST_TIMEOUT)?;
    let bytes = bytes.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
    Ok(bytes.into())
}

/// What a report says: the values of a form, or the body as it is.
fn text_of(headers: &HeaderMap, body: &[u8]) -> String {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("application/x-www-form-urlencoded") {
        let values = form_urlencoded::parse(body).map(|(_, value)| value.into_owned());
        return values.collect::<Vec<_>>().join(" ");
    }
    String::from_utf8_lossy(body).into_owned()
}
