//! Checks of request heads: 8192 bytes from the method to the empty line, and one `Host`.
//!
//! Long values belong into the body of a POST. What is counted is the head as a client usually
//! writes it, `Name: value`; spaces that were added or left out do not count.

use axum::extract::Request;
use axum::http::{self, HeaderValue, StatusCode, Uri, Version, header};
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

/// The answer to a request that does not name one host. Two parties that choose differently between
/// two names, such as a proxy and its server, see different requests in the same bytes.
pub fn host_refusal<B>(request: &http::Request<B>) -> Option<Response> {
    let named = request.headers().get_all(header::HOST).iter().count();
    let may_be_left_out = match request.version() {
        Version::HTTP_09 | Version::HTTP_10 => true,
        Version::HTTP_11 => false,
        // `:authority` stands for it.
        _ => request.uri().authority().is_some(),
    };
    let text = match named {
        1 => return None,
        0 if may_be_left_out => return None,
        0 => "The request has no Host header.\n",
        _ => "The request has more than one Host header.\n",
    };
    let close = [(header::CONNECTION, CLOSE)];
    Some((StatusCode::BAD_REQUEST, close, text).into_response())
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
    fn a_request_names_one_host() {
        for (version, target, hosts, is_refused) in [
            (Version::HTTP_11, "/", &["a"][..], false),
            (Version::HTTP_11, "/", &[], true),
            (Version::HTTP_11, "http://a/", &[], true),
            (Version::HTTP_11, "/", &["a", "a"], true),
            (Version::HTTP_10, "/", &[], false),
            (Version::HTTP_10, "/", &["a", "b"], true),
            (Version::HTTP_2, "http://a/", &[], false),
            (Version::HTTP_2, "http://a/", &["a"], false),
            (Version::HTTP_2, "http://a/", &["a", "a"], true),
            (Version::HTTP_2, "/", &[], true),
        ] {
            let mut request = http::Request::get(target).version(version);
            for host in hosts {
                request = request.header(header::HOST, *host);
            }
            let refusal = host_refusal(&request.body(()).unwrap());
            assert_eq!(
                refusal.is_some(),
                is_refused,
                "{version:?} {target} {hosts:?}"
            );
        }
    }

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
