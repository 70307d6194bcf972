//! `GET /health`: is this server fit to serve, in the form monitoring tools expect.
//!
//! Fit means that the store can be read; each question asks it anew.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use tracing::error;

use super::Site;

const PASS: &str = concat!(
    r#"{"status":"pass","releaseId":""#,
    env!("CARGO_PKG_VERSION"),
    r#""}"#
);
const FAIL: &str = concat!(
    r#"{"status":"fail","releaseId":""#,
    env!("CARGO_PKG_VERSION"),
    r#"","output":"the store cannot be read"}"#
);

pub async fn health(State(site): State<Arc<Site>>) -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "application/health+json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    match site.service.store().ping().await {
        Ok(()) => (StatusCode::OK, headers, PASS),
        Err(error) => {
            error!("the store cannot be read: {error}");
            (StatusCode::SERVICE_UNAVAILABLE, headers, FAIL)
        }
    }
}
