//! Which answers are compressed on the way out: texts that are long enough to gain by it.

use axum::http::{Extensions, HeaderMap, StatusCode, Version, header};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

/// Below this an answer fits into one packet either way.
const WORTH_IT_BYTES: u64 = 1024;

type IsText = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// At the quickest level: the text of a pad shrinks to a third already, and the processor is what
/// there is least of.
pub fn layer() -> CompressionLayer<And<SizeAbove, IsText>> {
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(WORTH_IT_BYTES).and(is_text as IsText))
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
