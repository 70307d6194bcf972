//! What the API answers: `{"code":…,"message":…,"data":…}`, and the HTTP status that goes with it.
//!
//! This is the only place that chooses a status. An answer is written once, from the value that the
//! service gave straight into the bytes that are sent.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use service::api::Data;
use service::{Code, Error};

use super::arguments::Unreadable;

pub const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

pub(super) fn success(data: &Data) -> Response {
    let mut body = br#"{"code":0,"message":"ok","data":"#.to_vec();
    data.write(&mut body);
    body.push(b'}');
    response(StatusCode::OK, body)
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
