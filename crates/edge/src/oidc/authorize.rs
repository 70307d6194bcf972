//! `/oidc/auth`: a client sends somebody here to sign in, and gets them back with a code.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::Response;
use oidc::{AuthorizationError, ErrorKind, Login, Moment, Parameters};
use tracing::warn;

use super::{OidcState, issuer, now};
use crate::refuse;
use crate::sign_in::pages::{self, Problem, Way};
use crate::sign_in::{cookie, form};
use identity::accounts::Unproven;
use system::environment::random_bytes;

/// `GET /oidc/auth`, and the same as a form.
pub(super) async fn authorize(State(state): State<OidcState>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let sent = match head.method {
        Method::POST => match form::read(&head, body).await {
            Ok(form) => form,
            Err(error) => return pages::refused(&state.sign_in, &head, &error),
        },
        _ => query(&head),
    };
    let request = match state.oidc.provider.request(&sent) {
        Ok(request) => request,
        Err(refusal) => return refused(&state, &head, &refusal),
    };
    let login = match state.sign_in.accounts.user_login(&head).await {
        Ok(login) => login,
        Err(unproven) => return refuse::unproven(unproven),
    };
    match login {
        Some((text, login)) if request.is_met_by(login.since, now()) => {
            let mut response = match (request.needs_consent, request.silent) {
                (false, _) => granted(&state, &head, &request, &login).await,
                (true, true) => {
                    let error = ErrorKind::ConsentRequired.because("people are asked first");
                    pages::redirect(&request.back.with_error(&error, &issuer(&state, &head)))
                }
                (true, false) => ask_consent(&state, &head, &sent, &request, &login),
            };
            // It lasts longer for being used, here and in the browser.
            cookie::keep_login(&state.sign_in, &head.headers, &text, &mut response);
            response
        }
        _ if request.silent => {
            let error = ErrorKind::LoginRequired.because("nobody is signed in");
            pages::redirect(&request.back.with_error(&error, &issuer(&state, &head)))
        }
        _ => {
            let user = request.login_hint.as_deref().unwrap_or_default();
            pages::sign_in(&state.sign_in, &head, way(&sent, &request), user, None)
        }
    }
}

/// The form of one of our pages, what the client sent somebody here with, which is in the query,
/// and what that means.
async fn submitted(
    state: &OidcState,
    head: &Parts,
    body: Body,
) -> Result<(Parameters, Parameters, oidc::Request), Response> {
    let form = form::from_here(&state.sign_in, head, body).await?;
    let sent = query(head);
    match state.oidc.provider.request(&sent) {
        Ok(request) => Ok((form, sent, request)),
        Err(refusal) => Err(refused(state, head, &refusal)),
    }
}

/// `POST /oidc/sign-in`: the form of the login page.
pub(super) async fn sign_in(State(state): State<OidcState>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let (form, sent, request) = match submitted(&state, &head, body).await {
        Ok(submitted) => submitted,
        Err(refusal) => return refusal,
    };
    let field = |name| form.get(name).ok().flatten();
    let user = field("user").unwrap_or_default();
    let again = |problem| {
        pages::sign_in(
            &state.sign_in,
            &head,
            way(&sent, &request),
            user,
            Some(&problem),
        )
    };
    if !cookie::is_our_form(&state.sign_in, &head.headers, field("form")) {
        return again(Problem::Stale);
    }
    let password = field("password").unwrap_or_default();
    match state.sign_in.accounts.sign_in(&head, user, password).await {
        Ok((text, login)) => {
            let mut response = granted(&state, &head, &request, &login).await;
            cookie::signed_in(&state.sign_in, &head, (user, &text), &mut response);
            response
        }
        Err(no_login) => again(no_login.into()),
    }
}

/// `POST /oidc/consent`: whether somebody who is signed in goes on to the client.
pub(super) async fn consent(State(state): State<OidcState>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let (form, sent, request) = match submitted(&state, &head, body).await {
        Ok(submitted) => submitted,
        Err(refusal) => return refusal,
    };
    let login = match state.sign_in.accounts.user_login(&head).await {
        Ok(login) => login,
        Err(unproven) => return refuse::unproven(unproven),
    };
    let met = |login: &Login| request.is_met_by(login.since, now());
    let Some((_, login)) = login.filter(|(_, login)| met(login)) else {
        return pages::sign_in(&state.sign_in, &head, way(&sent, &request), "", None);
    };
    let field = |name| form.get(name).ok().flatten();
    if !cookie::is_our_form(&state.sign_in, &head.headers, field("form")) {
        return ask_consent(&state, &head, &sent, &request, &login);
    }
    match field("answer") {
        Some("allow") => granted(&state, &head, &request, &login).await,
        _ => {
            let error = ErrorKind::AccessDenied.because("the person does not want to");
            pages::redirect(&request.back.with_error(&error, &issuer(&state, &head)))
        }
    }
}

fn ask_consent(
    state: &OidcState,
    head: &Parts,
    sent: &Parameters,
    request: &oidc::Request,
    login: &Login,
) -> Response {
    let way = Way {
        action: format!("consent?{}", sent.query()),
        ..way(sent, request)
    };
    pages::consent(&state.sign_in, head, way, &login.user)
}

async fn granted(
    state: &OidcState,
    head: &Parts,
    request: &oidc::Request,
    login: &Login,
) -> Response {
    let issuer = issuer(state, head);
    let provider = &state.oidc.provider;
    let (address, code) = provider.grant(request, login, &moment(&issuer));
    match state.oidc.codes.keep(code, now()).await {
        Ok(()) => pages::redirect(&address),
        Err(error) => {
            warn!("a code cannot be stored: {error}");
            refuse::unproven(Unproven::Unavailable)
        }
    }
}

fn moment(issuer: &str) -> Moment<'_> {
    Moment {
        now: now(),
        issuer,
        random: random_bytes(),
    }
}

/// The answer to a client that cannot have what it wants.
fn refused(state: &OidcState, head: &Parts, refusal: &AuthorizationError) -> Response {
    match refusal {
        AuthorizationError::Told(error) => pages::refused(&state.sign_in, head, error),
        AuthorizationError::SentBack(back, error) => {
            pages::redirect(&back.with_error(error, &issuer(state, head)))
        }
    }
}

/// The form goes on with the request that brought somebody here.
fn way<'a>(sent: &Parameters, request: &'a oidc::Request) -> Way<'a> {
    Way {
        action: format!("sign-in?{}", sent.query()),
        external: None,
        leads_to: Some(&request.back.uri),
        program: Some(&request.client_name),
    }
}

fn query(head: &Parts) -> Parameters {
    Parameters::read(head.uri.query().unwrap_or_default())
}
