//! What programs ask: where things are, the public keys, tokens, and whose a token is.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use oidc::discovery::document;
use oidc::{Error, ErrorKind, GrantKind, Keys, Moment, Parameters, Wait};
use serde_json::Value;
use service::store::Error as StoreError;
use tracing::warn;

use super::{OidcState, issuer, json, now};
use crate::refuse::RETRY_SECONDS;
use crate::sign_in::form;
use identity::attempts::Refused;
use identity::client_ip::ClientIp;
use identity::codes::RedeemError;
use system::environment::random_bytes;

pub(super) async fn discovery(State(state): State<OidcState>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    json(StatusCode::OK, &document(&issuer(&state, &head)))
}

pub(super) async fn keys(State(state): State<OidcState>) -> Response {
    match state.oidc.keys().await {
        Ok(keys) => json(StatusCode::OK, &keys.public()),
        Err(response) => response,
    }
}

/// `POST /oidc/token`.
pub(super) async fn token(State(state): State<OidcState>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let form = match form::read(&head, body).await {
        Ok(form) => form,
        Err(error) => return json(StatusCode::BAD_REQUEST, &error.json()),
    };
    let keys = match state.oidc.keys().await {
        Ok(keys) => keys,
        Err(response) => return response,
    };
    let authorization = head.headers.get(header::AUTHORIZATION);
    let authorization = authorization.map(|value| value.to_str().unwrap_or_default());
    match exchange(&state, &head, &form, &keys, authorization).await {
        Ok(answer) => json(StatusCode::OK, &answer),
        Err(NoToken::Refused(error)) => refused(&error, authorization.is_some()),
        Err(NoToken::Slowed(wait)) => {
            let reason = "too many wrong secrets; try again later";
            let error = ErrorKind::InvalidClient.because(reason);
            later(StatusCode::TOO_MANY_REQUESTS, &error, wait.0)
        }
        Err(NoToken::Unavailable) => {
            let reason = "nothing can be stored at the moment; try again later";
            let error = ErrorKind::ServerError.because(reason);
            later(StatusCode::SERVICE_UNAVAILABLE, &error, RETRY_SECONDS)
        }
    }
}

/// Why a client gets no token.
enum NoToken {
    Refused(Error),
    /// Too many wrong secrets.
    Slowed(Wait),
    Unavailable,
}

impl From<Error> for NoToken {
    fn from(error: Error) -> NoToken {
        NoToken::Refused(error)
    }
}

impl From<StoreError> for NoToken {
    fn from(error: StoreError) -> NoToken {
        warn!("no token can be given: {error}");
        NoToken::Unavailable
    }
}

impl From<RedeemError> for NoToken {
    fn from(error: RedeemError) -> NoToken {
        match error {
            RedeemError::Refused(error) => error.into(),
            RedeemError::Store(error) => error.into(),
        }
    }
}

impl From<Refused> for NoToken {
    fn from(refused: Refused) -> NoToken {
        match refused {
            Refused::Slowed(wait) => NoToken::Slowed(wait),
            Refused::Unavailable => NoToken::Unavailable,
        }
    }
}

/// What a client shows becomes a token.
async fn exchange(
    state: &OidcState,
    head: &Parts,
    form: &Parameters,
    keys: &Keys,
    authorization: Option<&str>,
) -> Result<Value, NoToken> {
    let issuer = issuer(state, head);
    let moment = Moment {
        now: now(),
        issuer: &issuer,
        random: random_bytes(),
    };
    let provider = &state.oidc.provider;
    let attempts = &state.sign_in.accounts.attempts;
    let request = provider.client_request(form, authorization)?;
    let attempt = attempts.from_address(&request.account(), ClientIp::of(&head.extensions));
    attempts.admit(&attempt, moment.now).await?;
    let client = provider.authenticate(&request)?;
    attempts.succeeded(&attempt, moment.now).await?;
    if request.kind()? == GrantKind::Secret {
        return Ok(provider.token_for_client(keys, client, &moment)?);
    }
    let shown = provider.redemption(client, form, &moment)?;
    let grant = state.oidc.codes.redeem(&shown, moment.now).await?;
    Ok(provider.token_for_grant(keys, client, (&shown, &grant), &moment)?)
}

fn later(status: StatusCode, error: &Error, seconds: u64) -> Response {
    let mut response = json(status, &error.json());
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

fn refused(error: &Error, by_header: bool) -> Response {
    let status = match error.kind {
        ErrorKind::InvalidClient => StatusCode::UNAUTHORIZED,
        ErrorKind::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::BAD_REQUEST,
    };
    let mut response = json(status, &error.json());
    if status == StatusCode::UNAUTHORIZED && by_header {
        let how = HeaderValue::from_static("Basic realm=\"oidc\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, how);
    }
    response
}

/// `/oidc/me`: whose the token is that was shown.
pub(super) async fn me(State(state): State<OidcState>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let Some(token) = shown(&head, body).await else {
        let how = [(header::WWW_AUTHENTICATE, "Bearer")];
        return (StatusCode::UNAUTHORIZED, how).into_response();
    };
    let verified = state.oidc.verify(&token, &issuer(&state, &head)).await;
    let verified = verified.map_err(Error::from);
    match verified.and_then(|token| state.oidc.provider.about(&token)) {
        Ok(about) => json(StatusCode::OK, &about),
        Err(error) => {
            let mut response = json(StatusCode::UNAUTHORIZED, &error.json());
            let (name, reason) = (error.kind.name(), error.description);
            let how = format!("Bearer error=\"{name}\", error_description=\"{reason}\"");
            if let Ok(how) = HeaderValue::from_str(&how) {
                response.headers_mut().insert(header::WWW_AUTHENTICATE, how);
            }
            response
        }
    }
}

/// A token in the header, or in the form of a POST.
async fn shown(head: &Parts, body: Body) -> Option<String> {
    if let Some(token) = bearer(&head.headers) {
        return Some(token.to_owned());
    }
    if head.method != Method::POST {
        return None;
    }
    let form = form::read(head, body).await.ok()?;
    form.owned("access_token").ok()?
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim_start())
}
