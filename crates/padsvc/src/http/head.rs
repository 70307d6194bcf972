//! The cap on request heads: 8192 bytes from the method to the empty line, and not one more.
//!
//! Long values belong into the body of a POST. What is counted is the head as a client usually
//! writes it, `Name: value`; spaces that were added or left out do not count.

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

pub const MAX_HEAD_BYTES: usize = 8192;

/// The head is not the client's to send again and again on the same connection.
const CLOSE: HeaderValue = HeaderValue::from_static("close");

pub fn is_too_large(request: &Request) -> bool {
    size(request) > MAX_HEAD_BYTES
}

pub fn refusal() -> Response {
    (
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        [(header::CONNECTION, CLOSE)],
        "The request's headers are over 8192 bytes. Send long values in the body of a POST.\n",
    )
        .into_response()
}

fn size(request: &Request) -> usize {
    let line =
        request.method().as_str().len() + " ".len() + target(request.uri()) + " HTTP/1.1\r\n".len();
    let headers = request.headers().iter();
    let headers: usize = headers
        .map(|(name, value)| name.as_str().len() + ": ".len() + value.len() + "\r\n".len())
        .sum();
    line + headers + "\r\n".len()
}

fn target(uri: &Uri) -> usize {
    let path = uri.path_and_query().map_or(0, |path| path.as_str().len());
    let scheme = uri
        .scheme_str()
        .map_or(0, |scheme| scheme.len() + "://".len());
    let authority = uri
        .authority()
        .map_or(0, |authority| authority.as_str().len());
    scheme + authority + path
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn a_head_is_as_long_as_it_is_on_the_wire() {
        for (target, headers) in [
            ("/", "host: pads\r\n"),
            ("/api/1/getText?padID=a", "host: pads\r\naccept: */*\r\n"),
            ("http://pads:9001/health", "a: \r\na: b\r\n"),
        ] {
            let wire = format!("GET {target} HTTP/1.1\r\n{headers}\r\n");
            let mut request = Request::get(target);
            for (name, value) in headers.lines().filter_map(|line| line.split_once(": ")) {
                request = request.header(name, value);
            }
            assert_eq!(size(&request.body(Body::empty()).unwrap()), wire.len());
        }
    }
}
