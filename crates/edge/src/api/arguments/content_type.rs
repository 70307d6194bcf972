//! What a body claims to be.

use axum::http::{HeaderMap, header};

use super::Unreadable;

pub(super) enum Format {
    Form,
    Multipart { boundary: String },
    Json,
}

pub(super) fn of(headers: &HeaderMap) -> Result<Format, Unreadable> {
    let value = headers.get(header::CONTENT_TYPE);
    let value = value.ok_or(Unreadable::NoContentType)?;
    let value = String::from_utf8_lossy(value.as_bytes());
    let (kind, parameters) = value.split_once(';').unwrap_or((&value, ""));
    let kind = kind.trim().to_ascii_lowercase();
    match kind.as_str() {
        "" => Err(Unreadable::NoContentType),
        "application/x-www-form-urlencoded" => utf8(parameters).map(|()| Format::Form),
        "application/json" => utf8(parameters).map(|()| Format::Json),
        "multipart/form-data" => {
            utf8(parameters)?;
            let missing = || Unreadable::Multipart("its Content-Type has no boundary".to_owned());
            let boundary = parameter(parameters, "boundary").ok_or_else(missing)?;
            Ok(Format::Multipart { boundary })
        }
        _ => Err(Unreadable::ContentType(kind)),
    }
}

/// Checks that a charset, if one is named, is the one we read.
pub(super) fn utf8(parameters: &str) -> Result<(), Unreadable> {
    match parameter(parameters, "charset") {
        Some(name) if !is_utf8(&name) => Err(Unreadable::Charset(name)),
        _ => Ok(()),
    }
}

fn is_utf8(name: &str) -> bool {
    ["utf-8", "utf8", "us-ascii"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// The value of a parameter, without the quotes it may have.
fn parameter(parameters: &str, name: &str) -> Option<String> {
    let value = parameters.split(';').find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })?;
    let unquoted = value
        .strip_prefix('"')
        .and_then(|value| value.strip_suffix('"'));
    let value = unquoted.unwrap_or(value);
    (!value.is_empty()).then(|| value.to_owned())
}
