//! `/metrics`, `/stats` and the two questions of orchestrators: alive, and ready?
//!
//! How busy an instance is, is its operator's business: the numbers are for administrators and for
//! programs with the key or a token of the API. Whether it is alive and ready anybody may ask.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRef, FromRequestParts, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;
use service::Service;
use service::api::{Arguments, Caller};

use super::admin_only::Admin;
use super::api::Credentials;
use super::page_context::PageContext;
use super::sign_in::SignInState;
use super::{health, origin, pages};
use settings::Settings;
use telemetry::metrics::{Asked, METRICS, memory_bytes};
use tokio_util::sync::CancellationToken;

const PROMETHEUS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// State of the routes that watch the service.
#[derive(Clone)]
pub struct MonitoringState {
    pub page: Arc<PageContext>,
    pub sign_in: SignInState,
    pub service: Arc<Service>,
    pub settings: Arc<Settings>,
    pub credentials: Arc<Credentials>,
    /// Cancelled when other nodes take over.
    pub draining: CancellationToken,
}

impl FromRef<MonitoringState> for SignInState {
    fn from_ref(state: &MonitoringState) -> SignInState {
        state.sign_in.clone()
    }
}

pub(crate) fn router(state: MonitoringState) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .route("/stats", get(stats))
        .route("/stats/prometheus", get(metrics))
        .route("/health", get(health::health))
        .route("/health/live", get(live))
        .route("/health/ready", get(health::ready))
        .with_state(state)
}

/// Somebody who may see the numbers.
struct Watcher;

impl FromRequestParts<MonitoringState> for Watcher {
    type Rejection = Response;

    async fn from_request_parts(
        request: &mut Parts,
        state: &MonitoringState,
    ) -> Result<Watcher, Response> {
        if !state.settings.listen.metrics {
            return Err(pages::not_found_page(
                &state.page,
                &request.uri,
                &request.headers,
            ));
        }
        let (headers, none) = (&request.headers, Arguments::new());
        let asked = origin::asked(&state.settings, &request.uri, headers);
        let caller = state.credentials.caller(headers, &none, &asked).await;
        if caller == Caller::Trusted {
            return Ok(Watcher);
        }
        Admin::from_request_parts(request, state).await?;
        Ok(Watcher)
    }
}

/// Whether the process answers at all, whatever else is the matter.
async fn live() -> Response {
    let headers = [
        (CONTENT_TYPE, "application/health+json"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, r#"{"status":"pass"}"#).into_response()
}

async fn metrics(_: Watcher, State(state): State<MonitoringState>) -> Response {
    let counts = state.service.write_counts();
    let asked = Asked {
        live_pads: state.service.live_pads(),
        commits: counts.commits,
        replans: counts.replans,
        unhinted: counts.unhinted,
    };
    let headers = [(CONTENT_TYPE, PROMETHEUS), (CACHE_CONTROL, "no-store")];
    (headers, METRICS.text(&asked)).into_response()
}

/// A few numbers under the names that Etherpad gives them.
async fn stats(_: Watcher, State(state): State<MonitoringState>) -> Response {
    let metrics = &*METRICS;
    let open = metrics.connections.get();
    let connects = metrics.connects.get();
    let disconnects = connects.saturating_sub(u64::try_from(open).unwrap_or(0));
    let up = i64::try_from(metrics.begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    let body = json!({
        "totalUsers": metrics.members.get(),
        "activePads": state.service.live_pads(),
        "connects": { "count": connects },
        "disconnects": { "count": disconnects },
        "rateLimited": { "count": metrics.slowed.get() },
        "pendingEdits": metrics.changes_waiting.get(),
        "edits": { "count": metrics.changes.get() },
        "failedChangesets": { "count": metrics.changes_refused.get() },
        "httpRequests": { "count": metrics.answered.get() },
        "http500": { "count": metrics.failed.get() },
        "memoryUsage": memory_bytes(),
        "httpStartTime": state.service.now().millis() - up,
    });
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, body.to_string()).into_response()
}
