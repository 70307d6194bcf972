//! Everything answered over HTTP: the routes, and the headers that every answer carries.

mod assets;
mod health;
mod pages;

use axum::Router;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::get;

/// Set on every answer that does not set its own.
///
/// The content policy starts from nothing and names what our pages use. No `unsafe-inline`: a
/// script or style that found its way into a page stays text.
const HEADERS: [(HeaderName, HeaderValue); 3] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'",
        ),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    ),
];

pub fn router() -> Router {
    Router::new()
        .route("/", get(pages::home))
        .route("/health", get(health::health))
        .route("/assets/{*path}", get(assets::asset))
        .fallback(pages::not_found)
        .layer(map_response(with_headers))
}

async fn with_headers(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(value);
    }
    response
}

#[cfg(test)]
mod tests;
