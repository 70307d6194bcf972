//! Pages written by the server: the start page and the one for addresses that lead nowhere.
//!
//! They are complete without a script. Links are relative to the request's path, so that the
//! service also works when a proxy puts it below a path of its own.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use tracing::error;

use super::language::Language;
use super::{Site, assets};
use crate::query::parameter;

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'a> {
    entry: assets::Entry,
    base: String,
    language: Language,
    service: &'a str,
    recent_pads: bool,
    version: &'static str,
    /// Who is signed in.
    user: Option<String>,
}

#[derive(Template)]
#[template(path = "not_found.html")]
struct NotFound {
    entry: assets::Entry,
    base: String,
    language: Language,
}

pub async fn home(State(site): State<Arc<Site>>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let user = site.accounts.signed_in(&head);
    let (headers, uri) = (head.headers, head.uri);
    let settings = &site.settings;
    let template = Home {
        entry: assets::HOME,
        base: base(&uri),
        language: Language::choose(
            parameter(&uri, "lang").as_deref(),
            &headers,
            &format!("{}language", settings.access.cookies.prefix),
            settings.pages.options.language.as_deref(),
        ),
        service: &settings.pages.title,
        recent_pads: settings.pages.recent_pads,
        version: env!("CARGO_PKG_VERSION"),
        user,
    };
    page(StatusCode::OK, &template)
}

pub async fn not_found(uri: Uri, headers: HeaderMap) -> Response {
    page(
        StatusCode::NOT_FOUND,
        &NotFound {
            entry: assets::HOME,
            base: base(&uri),
            language: Language::choose(None, &headers, "language", None),
        },
    )
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
