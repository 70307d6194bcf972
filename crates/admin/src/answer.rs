//! What `/admin/api/…` takes and gives: JSON, both ways.

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use edge::JSON;
use edge::refuse::NO_STORE;

/// No request here is longer; a settings file is the longest.
const MAX_BODY_BYTES: usize = 1024 * 1024;

pub(crate) fn json(status: StatusCode, body: &Value) -> Response {
    let headers = [(header::CONTENT_TYPE, JSON)];
    (status, [NO_STORE], headers, body.to_string()).into_response()
}

pub(crate) fn ok(body: &Value) -> Response {
    json(StatusCode::OK, body)
}

/// What is wrong with a request, in words.
pub(crate) fn wrong(text: &str) -> Response {
    json(StatusCode::BAD_REQUEST, &json!({ "error": text }))
}

/// The store failed, and has said so in the log.
pub(crate) fn unavailable() -> Response {
    let body = json!({ "error": "the store cannot be read; the log says why" });
    json(StatusCode::SERVICE_UNAVAILABLE, &body)
}

/// What a request was about, for its line in the audit log. Handlers put it into their answers.
#[derive(Clone, Default)]
pub(crate) struct About {
    pub target: String,
    pub detail: String,
}

/// Says what an answer is about. Neither may hold a secret, an address or what people wrote.
pub(crate) fn about(
    mut answer: Response,
    target: impl Into<String>,
    detail: impl Into<String>,
) -> Response {
    answer.extensions_mut().insert(About {
        target: target.into(),
        detail: detail.into(),
    });
    answer
}

/// The body of a request, which has to be an object.
pub(crate) async fn read(body: Body) -> Result<Value, Response> {
    let bytes = axum::body::to_bytes(body, MAX_BODY_BYTES).await;
    let bytes = bytes.map_err(|_| wrong("the body is too long, or broke off"))?;
    let value: Result<Value, _> = serde_json::from_slice(&bytes);
    value
        .ok()
        .filter(Value::is_object)
        .ok_or_else(|| wrong("the body is not a JSON object"))
}
