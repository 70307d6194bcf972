//! Which answers are compressed on the way out: texts that are long enough to gain by it.

use axum::extract::Request;
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

/// Below this an answer fits into one packet either way.
const WORTH_IT_BYTES: u64 = 1024;

type IsText = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// At the quickest level: the text of a pad shrinks to a third already, and the processor is what
/// there is least of.
pub(crate) fn layer() -> CompressionLayer<And<SizeAbove, IsText>> {
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(WORTH_IT_BYTES).and(is_text as IsText))
}

/// Takes no notice of a client that refuses the plain form. To refuse it in turn would hide what
/// its call has done.
pub(crate) async fn allow_plain(mut request: Request) -> Request {
    let headers = request.headers_mut();
    let asked = headers.get_all(header::ACCEPT_ENCODING).iter();
    let asked: Vec<&str> = asked
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    if asked.iter().any(|coding| refuses_plain(coding)) {
        let mut accepted = asked;
        accepted.retain(|coding| !refuses_plain(coding));
        // A part of a header is a header.
        let accepted = HeaderValue::from_str(&accepted.join(","));
        headers.remove(header::ACCEPT_ENCODING);
        headers.extend(accepted.map(|accepted| (header::ACCEPT_ENCODING, accepted)));
    }
    request
}

fn refuses_plain(coding: &str) -> bool {
    let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
    let weight: String = weight.split_whitespace().collect();
    let weight = weight.split_once('=').map(|(_, weight)| weight);
    let is_none = weight.is_some_and(|weight| weight.parse() == Ok(0.0));
    is_none && ["identity", "*"].contains(&name.trim().to_ascii_lowercase().as_str())
}

fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    ["application/json", "text/html", "text/plain"]
        .iter()
        .any(|text| kind.starts_with(text))
}
