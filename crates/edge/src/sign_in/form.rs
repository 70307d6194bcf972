//! The body of a request as a form, which is small.
//!
//! What people send by a button is taken by [`from_here`], what programs send by [`read`].

use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::http::request::Parts;
use axum::response::Response;
use http_body_util::{BodyExt, Limited};
use oidc::{Error, ErrorKind, Parameters};
use tokio::time::timeout;

use super::{SignInState, pages};
use crate::origin;

/// No honest form has a quarter of that.
const MAX_BYTES: usize = 16 * 1024;
const PATIENCE: Duration = Duration::from_secs(30);

/// A form that no page of another site has sent, or the page that says what is wrong.
pub async fn from_here(
    state: &SignInState,
    head: &Parts,
    body: Body,
) -> Result<Parameters, Response> {
    if origin::is_cross_site(head, &state.settings) {
        return Err(pages::cross_site(state, head));
    }
    let form = read(head, body).await;
    form.map_err(|error| pages::refused(state, head, &error))
}

pub async fn read(head: &Parts, body: Body) -> Result<Parameters, Error> {
    let bad = |reason| ErrorKind::InvalidRequest.because(reason);
    let kind = head.headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(bad(
            "the body must be of type application/x-www-form-urlencoded",
        ));
    }
    let read = timeout(PATIENCE, Limited::new(body, MAX_BYTES).collect()).await;
    let Ok(Ok(body)) = read else {
        return Err(bad("the body is too large, or did not arrive whole"));
    };
    let bytes = body.to_bytes();
    let text = std::str::from_utf8(&bytes).map_err(|_| bad("the body is not UTF-8"))?;
    Ok(Parameters::read(text))
}
