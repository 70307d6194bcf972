//! The shell of every page; which one it is, its script sees from the address.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use update::Tier;

use crate::http::admin_only::Admin;
use crate::http::language::Language;
use crate::http::{Site, assets, files, pages};
use crate::query::parameter;

/// As everywhere, and nobody may put a page of ours into theirs.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'",
);

#[derive(Template)]
#[template(path = "admin.html")]
struct AdminPage<'a> {
    entry: assets::Entry,
    base: String,
    language: Language,
    service: &'a str,
    boot: String,
}

pub async fn page(State(site): State<Arc<Site>>, Admin(user): Admin, head: Parts) -> Response {
    let settings = &site.settings;
    let language = Language::choose(
        parameter(&head.uri, "lang").as_deref(),
        &head.headers,
        &format!("{}language", settings.access.cookies.prefix),
        settings.pages.options.language.as_deref(),
    );
    let updates = site.updates.get();
    let base = pages::base(&head.uri);
    let boot = json!({
        "page": name(&head.uri),
        "base": base,
        "language": language.code(),
        "service": settings.pages.title,
        "version": updates.map_or(env!("CARGO_PKG_VERSION"), |updates| &updates.config.current),
        "user": user,
        "darkMode": settings.pages.dark_mode,
        "compaction": site.service.compacts(),
        "keepRevisions": settings.pads.kept_revisions,
        "erasure": site.service.erases(),
        "exports": files::exports(&settings.files),
        "updates": updates.is_some_and(|updates| updates.config.tier > Tier::Off),
    });
    let template = AdminPage {
        entry: assets::ADMIN,
        base,
        language,
        service: &settings.pages.title,
        // Nothing in a script element may look like its end.
        boot: boot.to_string().replace('<', "\\u003c"),
    };
    let mut response = pages::page(StatusCode::OK, &template);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    response
}

/// Links of the page are relative to `/admin`.
pub async fn to_dashboard(_: Admin) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, "../admin")]).into_response()
}

/// `/admin/pads` is `pads`; `/admin` is the dashboard.
fn name(uri: &Uri) -> &str {
    match uri.path().rsplit_once('/') {
        Some(("/admin", name)) => name,
        _ => "dashboard",
    }
}
