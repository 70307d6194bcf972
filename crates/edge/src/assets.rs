//! `GET /assets/…`: the web bundle, embedded in the program and compressed when it was built.
//!
//! A file's name holds a hash of what is in it, so a name always means the same bytes and may be
//! cached for good. Nothing is compressed, hashed or read from disk while serving.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bundle::Asset;

use super::page_context::PageContext;
use super::pages;

pub(crate) fn router(context: Arc<PageContext>) -> Router {
    Router::new()
        .route("/assets/{*path}", get(asset))
        .with_state(context)
}

async fn asset(
    State(context): State<Arc<PageContext>>,
    Path(name): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let Some(asset) = bundle::find(&name) else {
        return pages::not_found_page(&context, &uri, &headers);
    };
    let (encoding, body) = choose(asset, &list(&headers, header::ACCEPT_ENCODING));
    // The forms differ in their bytes, so each has a tag of its own.
    let tag = format!("\"{}-{}\"", asset.hash, encoding.unwrap_or("plain"));
    let known = list(&headers, header::IF_NONE_MATCH);
    let caching = [
        (header::ETAG, tag.as_str()),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::VARY, "accept-encoding"),
    ];
    if names(&known, &tag) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let content_encoding = encoding.map(|encoding| [(header::CONTENT_ENCODING, encoding)]);
    let content_type = [(header::CONTENT_TYPE, asset.content_type)];
    let body = Bytes::from_static(body);
    (caching, content_type, content_encoding, body).into_response()
}

/// The best form the client takes; the plain one is always acceptable.
fn choose(asset: &Asset, accepted: &str) -> (Option<&'static str>, &'static [u8]) {
    match (asset.brotli, asset.gzip) {
        (Some(bytes), _) if accepts(accepted, "br") => (Some("br"), bytes),
        (_, Some(bytes)) if accepts(accepted, "gzip") => (Some("gzip"), bytes),
        _ => (None, asset.plain),
    }
}

/// Whether an `Accept-Encoding` list takes this encoding: it is named, and not with `q=0`.
///
/// Between the forms we have, our own order counts and not the client's weights: each of them is
/// as good to a browser, and the smallest is the one we want to send.
fn accepts(list: &str, encoding: &str) -> bool {
    list.split(',').any(|item| {
        let (name, weight) = item.split_once(';').unwrap_or((item, "q=1"));
        let weight = weight
            .trim()
            .strip_prefix("q=")
            .and_then(|q| q.trim().parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(encoding) && weight.is_none_or(|q| q > 0.0)
    })
}

/// Whether an `If-None-Match` list names this tag. Proxies may have marked theirs as weak.
fn names(list: &str, tag: &str) -> bool {
    list.split(',')
        .map(str::trim)
        .any(|item| item == "*" || item.trim_start_matches("W/") == tag)
}

/// A header's values as one list; a header that is not plain text counts as absent.
fn list(headers: &HeaderMap, name: HeaderName) -> String {
    let values: Vec<&str> = headers
        .get_all(name)
        .iter()
        .filter_map(|v| v.to_str().ok())
        .collect();
    values.join(",")
}
