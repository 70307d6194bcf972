//! `GET /health`: is this server fit to serve, in the form monitoring tools expect.

use axum::http::header;
use axum::response::IntoResponse;

const PASS: &str = concat!(
    r#"{"status":"pass","releaseId":""#,
    env!("CARGO_PKG_VERSION"),
    r#""}"#
);

pub async fn health() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "application/health+json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, PASS)
}
