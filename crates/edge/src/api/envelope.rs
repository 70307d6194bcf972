//! What the API answers: `{"code":…,"message":…,"data":…}`, and the HTTP status that goes with it.
//!
//! This is the only place that chooses a status. An answer is written once, from the value that the
//! service gave straight into the bytes that are sent; one that is kept is sent from where it lies.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body::{Frame, SizeHint};
use serde_json::Value;
use service::api::Data;
use service::{Code, Error};

use super::arguments::Unreadable;

pub const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

const HEAD: &[u8] = br#"{"code":0,"message":"ok","data":"#;
const TAIL: &[u8] = b"}";

/// Written data below this length is copied between the head and the tail: that takes less than
/// sending three pieces.
const WORTH_SHARING: usize = 32 * 1024;

pub(super) fn success(data: &Data) -> Response {
    if let Data::Written(json) = data
        && json.len() >= WORTH_SHARING
    {
        let json = Bytes::from_owner(Shared(Arc::clone(json)));
        let pieces = [Bytes::from_static(HEAD), json, Bytes::from_static(TAIL)];
        return response(StatusCode::OK, Body::new(Pieces(pieces.into())));
    }
    let mut body = HEAD.to_vec();
    data.write(&mut body);
    body.extend_from_slice(TAIL);
    response(StatusCode::OK, body)
}

struct Shared(Arc<str>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// A body of known length, sent piece by piece.
struct Pieces(VecDeque<Bytes>);

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().map(|piece| piece.len() as u64).sum())
    }
}

/// Why there is no success to answer.
#[derive(Debug)]
pub(super) enum Refusal {
    /// What the request says cannot be made out.
    Unreadable(Unreadable),
    /// The service said no.
    Refused(Error),
}

impl From<Unreadable> for Refusal {
    fn from(reason: Unreadable) -> Refusal {
        Refusal::Unreadable(reason)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Refused(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, code, message) = match &self {
            Refusal::Unreadable(reason) => {
                (reason.status(), Code::WrongParameters, reason.to_string())
            }
            Refusal::Refused(error) => (status(error), error.code(), error.to_string()),
        };
        let code = code as u8;
        let message = Value::from(message);
        let body = format!(r#"{{"code":{code},"message":{message},"data":null}}"#);
        response(status, body)
    }
}

fn status(error: &Error) -> StatusCode {
    match error.code() {
        // The privacy rules want a function that is switched off to look as if it did not exist.
        _ if *error == Error::ErasureDisabled => StatusCode::NOT_FOUND,
        Code::Ok | Code::WrongParameters => StatusCode::OK,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Code::NoSuchFunction => StatusCode::NOT_FOUND,
        Code::Credential => StatusCode::UNAUTHORIZED,
    }
}

fn response(status: StatusCode, body: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, JSON),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, body.into()).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn data_is_enveloped_the_same_whether_it_is_copied_or_shared() {
        for length in [0, WORTH_SHARING - 2, WORTH_SHARING - 1, 5 * WORTH_SHARING] {
            let text = "x".repeat(length);
            let data = Data::Written(format!("\"{text}\"").into());
            let (_, body) = success(&data).into_parts();
            let announced = http_body::Body::size_hint(&body).exact();
            let body = to_bytes(body, usize::MAX).await.unwrap();
            assert_eq!(announced, Some(body.len() as u64));
            let answer: Value = serde_json::from_slice(&body).unwrap();
            let expected = serde_json::json!({"code": 0, "message": "ok", "data": text});
            assert_eq!(answer, expected);
        }
    }
}
