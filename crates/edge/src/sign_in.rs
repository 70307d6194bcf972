//! `/sign-in` and `/sign-out`: the pages where people say who they are, and that they go.
//!
//! The same form serves those whom a program has sent here (`oidc`). A page of another site cannot
//! sign anybody in or out, and nobody is led to another site from here.

pub mod cookie;
mod external_provider;
pub mod form;
pub mod pages;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;

use super::page_context::PageContext;
use super::refuse;
use external_provider::ExternalProvider;
use identity::accounts::Accounts;
use identity::query::parameter;
use pages::{Problem, Way};
use settings::Settings;

/// State of sign-in: all that knows logins and writes their cookies. Areas that authenticate
/// requests hold it too.
#[derive(Clone)]
pub struct SignInState {
    pub page: Arc<PageContext>,
    pub settings: Arc<Settings>,
    pub accounts: Arc<Accounts>,
    /// The external identity provider where people sign in.
    external: Option<Arc<ExternalProvider>>,
    /// How long a login lasts.
    login_seconds: u64,
}

impl SignInState {
    pub fn new(page: &Arc<PageContext>, accounts: &Arc<Accounts>, login_seconds: u64) -> Self {
        let settings = Arc::clone(&page.settings);
        SignInState {
            page: Arc::clone(page),
            accounts: Arc::clone(accounts),
            external: ExternalProvider::new(&settings.access.login).map(Arc::new),
            login_seconds,
            settings,
        }
    }
}

pub fn router(state: SignInState) -> Router {
    Router::new()
        .route("/sign-in", get(get_sign_in).post(post_sign_in))
        .route("/sign-in/outside", get(external_provider::start_sign_in))
        .route("/sign-in/back", get(external_provider::finish_sign_in))
        .route("/sign-out", get(get_sign_out).post(post_sign_out))
        .with_state(state)
}

async fn get_sign_in(State(state): State<SignInState>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    pages::sign_in(&state, &head, way(&head), "", None)
}

async fn post_sign_in(State(state): State<SignInState>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let form = match form::from_here(&state, &head, body).await {
        Ok(form) => form,
        Err(refusal) => return refusal,
    };
    let field = |name| form.get(name).ok().flatten();
    let user = field("user").unwrap_or_default();
    let again = |problem| pages::sign_in(&state, &head, way(&head), user, Some(&problem));
    if !cookie::is_our_form(&state, &head.headers, field("form")) {
        return again(Problem::Stale);
    }
    let password = field("password").unwrap_or_default();
    match state.accounts.sign_in(&head, user, password).await {
        Ok((text, _)) => {
            let mut response = pages::redirect(&format!("./{}", wanted(&head)));
            cookie::signed_in(&state, &head, (user, &text), &mut response);
            response
        }
        Err(no_login) => again(no_login.into()),
    }
}

async fn get_sign_out(State(state): State<SignInState>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    match state.accounts.login_text(&head) {
        Some(_) => pages::sign_out(&state, &head, "signOut.hint"),
        None => pages::signed_out(&state, &head),
    }
}

/// The button that says so.
async fn post_sign_out(State(state): State<SignInState>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let form = match form::from_here(&state, &head, body).await {
        Ok(form) => form,
        Err(refusal) => return refusal,
    };
    let text = form.get("form").ok().flatten();
    if !cookie::is_our_form(&state, &head.headers, text) {
        return pages::sign_out(&state, &head, "signOut.hint");
    }
    let answer = pages::signed_out(&state, &head);
    end_login(&state, &head, answer).await
}

/// Ends the login that a request comes with.
pub async fn end_login(state: &SignInState, head: &Parts, mut answer: Response) -> Response {
    if let Some(text) = state.accounts.login_text(head) {
        if let Err(unproven) = state.accounts.sign_out(&text).await {
            return refuse::unproven(unproven);
        }
        cookie::drop_login(state, &head.headers, &mut answer);
    }
    answer
}

fn way(head: &Parts) -> Way<'static> {
    let next = parameter(&head.uri, "next").unwrap_or_default();
    let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
    Way {
        action: format!("sign-in?next={next}"),
        external: Some(format!("sign-in/outside?next={next}")),
        leads_to: None,
        program: None,
    }
}

/// Where somebody wanted to go. Behind `./` or `../` it is a path of ours, whatever it says.
fn wanted(head: &Parts) -> String {
    let next = parameter(&head.uri, "next").unwrap_or_default();
    let is_plain = next.chars().all(|c| c.is_ascii_graphic() && c != '\\');
    if is_plain { next } else { String::new() }
}
