//! `/metrics`, `/stats` and the two questions of orchestrators: alive, and ready?
//!
//! How busy an instance is, is its operator's business: the numbers are for administrators and for
//! programs with the key or a token of the API. Whether it is alive and ready anybody may ask.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;
use service::api::{Arguments, Caller};

use super::admin_only::Admin;
use super::{Site, health, origin, pages};
use telemetry::metrics::{Asked, METRICS, memory_bytes};

const PROMETHEUS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub fn router() -> Router<Arc<Site>> {
    Router::new()
        .route("/metrics", get(metrics))
        .route("/stats", get(stats))
        .route("/stats/prometheus", get(metrics))
        .route("/health/live", get(live))
        .route("/health/ready", get(health::health))
}

/// Somebody who may see the numbers.
struct Watcher;

impl FromRequestParts<Arc<Site>> for Watcher {
    type Rejection = Response;

    async fn from_request_parts(
        request: &mut Parts,
        site: &Arc<Site>,
    ) -> Result<Watcher, Response> {
        if !site.settings.listen.metrics {
            return Err(pages::not_found(site, &request.uri, &request.headers));
        }
        let (headers, none) = (&request.headers, Arguments::new());
        let asked = origin::asked(site, &request.uri, headers);
        let caller = site.credentials.caller(headers, &none, &asked);
        if caller == Caller::Trusted {
            return Ok(Watcher);
        }
        Admin::from_request_parts(request, site).await?;
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

async fn metrics(_: Watcher, State(site): State<Arc<Site>>) -> Response {
    let asked = Asked {
        live_pads: site.service.live_pads(),
    };
    let headers = [(CONTENT_TYPE, PROMETHEUS), (CACHE_CONTROL, "no-store")];
    (headers, METRICS.text(&asked)).into_response()
}

/// A few numbers under the names that Etherpad gives them.
async fn stats(_: Watcher, State(site): State<Arc<Site>>) -> Response {
    let metrics = &*METRICS;
    let open = metrics.connections.get();
    let connects = metrics.connects.get();
    let disconnects = connects.saturating_sub(u64::try_from(open).unwrap_or(0));
    let up = i64::try_from(metrics.begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    let body = json!({
        "totalUsers": metrics.members.get(),
        "activePads": site.service.live_pads(),
        "connects": { "count": connects },
        "disconnects": { "count": disconnects },
        "rateLimited": { "count": metrics.slowed.get() },
        "pendingEdits": metrics.changes_waiting.get(),
        "edits": { "count": metrics.changes.get() },
        "failedChangesets": { "count": metrics.changes_refused.get() },
        "httpRequests": { "count": metrics.answered.get() },
        "http500": { "count": metrics.failed.get() },
        "memoryUsage": memory_bytes(),
        "httpStartTime": site.service.now().millis() - up,
    });
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, body.to_string()).into_response()
}
