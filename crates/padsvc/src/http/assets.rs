//! `GET /assets/…`: the web bundle, embedded in the program and compressed when it was built.
//!
//! A file's name holds a hash of what is in it, so a name always means the same bytes and may be
//! cached for good. Nothing is compressed, hashed or read from disk while serving.

use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::{Site, pages};

/// One file of the bundle, with its compressed forms where they are smaller.
struct Asset {
    name: &'static str,
    /// From the service's root.
    path: &'static str,
    content_type: &'static str,
    hash: &'static str,
    plain: &'static [u8],
    brotli: Option<&'static [u8]>,
    gzip: Option<&'static [u8]>,
}

/// What a page must link to so that its script and its styles load.
pub struct Entry {
    pub script: &'static str,
    pub styles: &'static [&'static str],
    /// Scripts that the first one imports, so that they are fetched along with it.
    pub preloads: &'static [&'static str],
}

// `ASSETS`, sorted by name, one `Entry` for each page, and `LOCALES`; written by build.rs.
include!(concat!(env!("OUT_DIR"), "/assets.rs"));

pub async fn asset(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let Some(asset) = find(&name) else {
        return pages::not_found(&site, &uri, &headers);
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

/// A name for all files together: another bundle has another.
pub static NAME: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    for file in files() {
        hasher.write(file.as_bytes());
    }
    format!("{:016x}", hasher.finish())
});

/// The files of the bundle, by their way from the service's root.
pub fn files() -> impl Iterator<Item = &'static str> {
    ASSETS.iter().map(|asset| asset.path)
}

/// What is in a script, by its way from the root.
pub fn text(path: &str) -> Option<&'static str> {
    let asset = ASSETS.iter().find(|asset| asset.path == path)?;
    std::str::from_utf8(asset.plain).ok()
}

fn find(name: &str) -> Option<&'static Asset> {
    let at = ASSETS.binary_search_by(|asset| asset.name.cmp(name)).ok()?;
    ASSETS.get(at)
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
