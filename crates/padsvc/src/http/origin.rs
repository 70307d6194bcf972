//! Whether a request was sent by a page of another site, with the cookies of ours.

use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;

/// Programs send neither header and are not meant: they have no cookies but their own.
pub fn is_elsewhere(request: &Parts) -> bool {
    let header = |name: &str| request.headers.get(name)?.to_str().ok();
    // Browsers say it themselves, and a proxy that changes our name does not matter then.
    if let Some(site) = header("sec-fetch-site") {
        return !matches!(site, "same-origin" | "none");
    }
    let Some(origin) = header(ORIGIN.as_str()) else {
        return false;
    };
    let host = header(HOST.as_str()).or_else(|| request.uri.host());
    let origin = origin.split_once("://").map(|(_, host)| host);
    origin.is_none() || origin != host
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn elsewhere(headers: &[(&str, &str)]) -> bool {
        let mut request = Request::post("/p/a/import").header("host", "pads.example:9001");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        is_elsewhere(&request.body(()).unwrap().into_parts().0)
    }

    #[test]
    fn pages_of_other_sites_are_told_from_our_own_and_from_programs() {
        for (headers, expected) in [
            (&[][..], false),
            (&[("origin", "https://pads.example:9001")], false),
            (&[("origin", "https://evil.example")], true),
            (&[("origin", "null")], true),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[("sec-fetch-site", "none")], false),
            (&[("sec-fetch-site", "same-site")], true),
            (&[("sec-fetch-site", "cross-site")], true),
        ] {
            assert_eq!(elsewhere(headers), expected, "{headers:?}");
        }
    }
}
