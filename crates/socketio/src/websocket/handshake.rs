//! The opening handshake of a websocket (RFC 6455, section 4.2).

use axum::body::Body;
use axum::response::Response;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, UPGRADE};
use http::header::{HeaderName, SEC_WEBSOCKET_VERSION};
use http::{HeaderMap, StatusCode};
use sha1::{Digest, Sha1};

const GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// Whether the client asks for a websocket.
pub(crate) fn is_asked(headers: &HeaderMap) -> bool {
    has_word(headers, UPGRADE, "websocket")
}

/// The answer that agrees to the client's request, `None` if that is not one.
pub(crate) fn answer(headers: &HeaderMap) -> Option<Response> {
    let is_whole = is_asked(headers)
        && has_word(headers, CONNECTION, "upgrade")
        && has_word(headers, SEC_WEBSOCKET_VERSION, "13");
    let key = headers.get(SEC_WEBSOCKET_KEY).filter(|_| is_whole)?;
    Response::builder()
        .status(StatusCode::SWITCHING_PROTOCOLS)
        .header(CONNECTION, "Upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_ACCEPT, accept(key.as_bytes()))
        .body(Body::empty())
        .ok()
}

fn accept(key: &[u8]) -> String {
    let sum = Sha1::new().chain_update(key).chain_update(GUID).finalize();
    BASE64_STANDARD.encode(sum)
}

fn has_word(headers: &HeaderMap, name: HeaderName, word: &str) -> bool {
    let values = headers.get_all(name).into_iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|value| value.trim().eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_specification() {
        let accept = accept(b"dGhlIHNhbXBsZSBub25jZQ==");
        assert_eq!(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    #[test]
    fn requests_that_are_not_whole_are_not_answered() {
        let complete = [
            ("connection", "keep-alive, Upgrade"),
            ("upgrade", "WebSocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        let ask = |without: Option<&str>| {
            let mut headers = HeaderMap::new();
            for (name, value) in complete {
                if Some(name) != without {
                    headers.insert(name, value.parse().unwrap());
                }
            }
            answer(&headers).map(|answer| answer.status())
        };
        assert_eq!(ask(None), Some(StatusCode::SWITCHING_PROTOCOLS));
        for (name, _) in complete {
            assert_eq!(ask(Some(name)), None, "{name}");
        }
    }
}
