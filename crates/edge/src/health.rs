//! `GET /health`: is this server fit to serve, in the form monitoring tools expect.
//!
//! Fit means that the store can be read, which each question tries, and that the last write to it
//! succeeded. Pads can be read while it does not: then this says 503, and people are let in.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::time::timeout;
use tracing::error;

use super::monitoring::MonitoringState;
use identity::principal::Principal;

const HEADERS: [(header::HeaderName, &str); 2] = [
    (header::CONTENT_TYPE, "application/health+json"),
    (header::CACHE_CONTROL, "no-store"),
];

/// How long the store may take: a load balancer waits no longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// `GET /health/ready`: the same, and that this node goes on. One that drains answers what still
/// comes, but a load balancer should send nobody here.
pub(crate) async fn ready(state: State<MonitoringState>, request: Request) -> Response {
    if state.draining.is_cancelled() {
        let release = state.page.release_id();
        let output = "this node ends; others go on";
        let body = json!({ "status": "fail", "releaseId": release, "output": output });
        return (StatusCode::SERVICE_UNAVAILABLE, HEADERS, body.to_string()).into_response();
    }
    health(state, request).await.into_response()
}

pub(crate) async fn health(
    State(state): State<MonitoringState>,
    request: Request,
) -> impl IntoResponse {
    let (head, _) = request.into_parts();
    let is_admin = matches!(
        state.sign_in.accounts.principal(&head).await,
        Ok(Principal::Admin(_))
    );
    let release = if is_admin {
        &state.page.version
    } else {
        state.page.release_id()
    };
    let is_failing = state.service.storage().borrow().is_failing();
    let output = match timeout(PATIENCE, state.service.store().ping()).await {
        Ok(Ok(())) if is_failing => "nothing can be stored at the moment; pads can be read",
        Ok(Ok(())) => {
            let body = json!({ "status": "pass", "releaseId": release });
            return (StatusCode::OK, HEADERS, body.to_string());
        }
        Ok(Err(error)) => {
            error!("the store cannot be read: {error}");
            "the store cannot be read"
        }
        Err(_) => "the store does not answer",
    };
    let body = json!({ "status": "fail", "releaseId": release, "output": output });
    (StatusCode::SERVICE_UNAVAILABLE, HEADERS, body.to_string())
}
