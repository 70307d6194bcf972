//! Pages written by the server: the start page and the one for addresses that lead nowhere.
//!
//! They are complete without a script. Links are relative to the request's path, so that the
//! service also works when a proxy puts it below a path of its own.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use pad::MAX_PAD_NAME;
use pad::limits::TITLE;
use service::Service;
use tracing::error;

use super::card::Card;
use super::custom::{self, Custom};
use super::page_context::PageContext;
use super::shell::Shell;
use identity::accounts::Accounts;
use identity::creation_limits::CreationLimits;
use identity::principal::Principal;
use settings::Settings;

/// State of the first page, the pages of pads and the operator's own files.
#[derive(Clone)]
pub struct PagesState {
    pub page: Arc<PageContext>,
    pub service: Arc<Service>,
    pub settings: Arc<Settings>,
    pub accounts: Arc<Accounts>,
    pub limits: Arc<CreationLimits>,
    pub custom: Arc<Custom>,
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
    card: Card<'a>,
    /// The longest title of a pad.
    longest_title: usize,
    title_too_long: String,
    /// The longest name, without its group.
    longest_name: usize,
    name_too_long: String,
    /// What a new pad can start from: its name, and what it is called.
    templates: Vec<(&'a str, &'a str)>,
    recent_pads: bool,
    /// Who is signed in.
    user: Option<String>,
    is_admin: bool,
    custom: custom::Slots,
}

#[derive(Template)]
#[template(path = "not_found.html")]
struct NotFound<'a> {
    entry: bundle::Entry,
    /// Why, where more is known than that nothing is there.
    reason: Option<String>,
    shell: Shell<'a>,
}

#[derive(Template)]
#[template(path = "denied.html")]
struct DeniedPage<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
}

#[derive(Template)]
#[template(path = "too_many_pads.html")]
struct TooManyPads<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
}

pub async fn home(State(state): State<PagesState>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let user = state.accounts.signed_in(&head).await;
    let principal = state.accounts.principal(&head).await;
    let shell = Shell::of(&state.page, &head.uri, &head.headers);
    let template = Home {
        entry: bundle::HOME,
        custom: state.custom.slots(custom::Page::First, &shell.base).await,
        card: Card::new(&state.page, &head.uri, &head.headers, &shell, None),
        longest_title: TITLE,
        title_too_long: too_long(&shell, TITLE),
        longest_name: MAX_PAD_NAME,
        name_too_long: too_long(&shell, MAX_PAD_NAME),
        templates: templates(&state.settings),
        shell,
        recent_pads: state.settings.pages.recent_pads,
        user,
        is_admin: matches!(principal, Ok(Principal::Admin(_))),
    };
    page(StatusCode::OK, &template)
}

fn templates(settings: &Settings) -> Vec<(&str, &str)> {
    let templates = settings.pads.templates.iter();
    templates
        .filter(|template| !template.name.is_empty())
        .map(|template| (&*template.name, template.title()))
        .collect()
}

/// Fallback for paths without a route.
pub async fn not_found(
    State(context): State<Arc<PageContext>>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    not_found_page(&context, &uri, &headers)
}

pub fn not_found_page(context: &PageContext, uri: &Uri, headers: &HeaderMap) -> Response {
    not_found_because(context, uri, headers, |_| None)
}

/// The answer for a name that no pad can have.
pub fn no_pad_name(context: &PageContext, uri: &Uri, headers: &HeaderMap, name: &str) -> Response {
    let is_long = name.encode_utf16().count() > MAX_PAD_NAME && !name.contains('$');
    not_found_because(context, uri, headers, |shell| {
        is_long.then(|| too_long(shell, MAX_PAD_NAME))
    })
}

fn not_found_because(
    context: &PageContext,
    uri: &Uri,
    headers: &HeaderMap,
    reason: impl FnOnce(&Shell<'_>) -> Option<String>,
) -> Response {
    let shell = Shell::of(context, uri, headers);
    let template = NotFound {
        entry: bundle::HOME,
        reason: reason(&shell),
        shell,
    };
    page(StatusCode::NOT_FOUND, &template)
}

fn too_long(shell: &Shell<'_>, most: usize) -> String {
    let text = shell.language.text("title.tooLong");
    text.replace("{most}", &most.to_string())
}

/// The answer to somebody who may not open a pad, be it there or not.
pub fn denied_pad(context: &PageContext, uri: &Uri, headers: &HeaderMap) -> Response {
    let template = DeniedPage {
        entry: bundle::HOME,
        shell: Shell::of(context, uri, headers),
    };
    page(StatusCode::FORBIDDEN, &template)
}

/// The answer to somebody who would create a pad, while the address has to wait.
pub fn too_many_pads(
    context: &PageContext,
    uri: &Uri,
    headers: &HeaderMap,
    wait: Duration,
) -> Response {
    let template = TooManyPads {
        entry: bundle::HOME,
        shell: Shell::of(context, uri, headers),
    };
    // Never zero: that would say "now".
    let seconds = wait.as_secs().saturating_add(1);
    let response = page(StatusCode::TOO_MANY_REQUESTS, &template);
    ([(header::RETRY_AFTER, seconds.to_string())], response).into_response()
}

/// Pages name hashed files, so a browser must ask again whether its copy is still the current one.
pub fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, [(header::CACHE_CONTROL, "no-cache")], Html(html)).into_response(),
        Err(error) => {
            error!("a page could not be written: {error}");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// The way from a request's path back to the service's root: `/a/b` is one folder down, so `../`.
pub fn base(uri: &Uri) -> String {
    "../".repeat(uri.path().matches('/').count().saturating_sub(1))
}
