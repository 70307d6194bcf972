//! Reading the query of an address.

use axum::http::Uri;

/// The first value of a parameter, decoded.
pub fn parameter(uri: &Uri, name: &str) -> Option<String> {
    form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
        .find(|(other, _)| other == name)
        .map(|(_, value)| value.into_owned())
}
