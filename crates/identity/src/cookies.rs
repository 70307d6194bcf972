//! Reading cookies.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;

/// The text of a request's cookies, if it has any that are text.
pub fn of(headers: &HeaderMap) -> Option<&str> {
    headers.get(COOKIE)?.to_str().ok()
}

/// A cookie's value, percent-decoded; one that cannot be decoded is not there.
pub fn value(cookies: &str, name: &str) -> Option<String> {
    let mut pairs = cookies
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(other, _)| *other == name)?;
    percent_encoding::percent_decode_str(value)
        .decode_utf8()
        .ok()
        .map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn a_cookie_is_found_by_its_whole_name_and_decoded() {
        let cookies = "xtoken=1; token=t.a%3D; broken=%ff; token=second";
        assert_eq!(value(cookies, "token").as_deref(), Some("t.a="));
        assert_eq!(value(cookies, "oken"), None);
        assert_eq!(value(cookies, "broken"), None);
    }
}
