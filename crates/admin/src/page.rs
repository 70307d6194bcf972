//! The shell of every page; which one it is, its script sees from the address.

use askama::Template;
use axum::extract::State;
use axum::http::header;
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use update::Tier;

use crate::AdminState;
use edge::admin_only::Admin;
use edge::shell::Shell;
use edge::{files, pages};

#[derive(Template)]
#[template(path = "admin.html")]
struct AdminPage<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
    boot: String,
}

pub(crate) async fn page(
    State(state): State<AdminState>,
    Admin(user): Admin,
    head: Parts,
) -> Response {
    let settings = &state.settings;
    let shell = Shell::of(&state.page, &head.uri, &head.headers);
    let updates = state.updates.as_ref();
    let boot = json!({
        "page": name(&head.uri),
        "base": shell.base,
        "language": shell.language.code(),
        "service": settings.pages.title,
        "version": state.page.version,
        "user": user,
        "darkMode": settings.pages.dark_mode,
        "compaction": state.service.compacts(),
        "keepRevisions": settings.pads.kept_revisions,
        "erasure": state.service.erases(),
        "exports": files::exports(&settings.files),
        "updates": updates.is_some_and(|updates| updates.config.tier > Tier::Off),
    });
    let template = AdminPage {
        entry: bundle::ADMIN,
        shell,
        // Nothing in a script element may look like its end.
        boot: boot.to_string().replace('<', "\\u003c"),
    };
    let mut response = pages::page(StatusCode::OK, &template);
    let headers = response.headers_mut();
    // As everywhere, and nobody may put a page of ours into theirs.
    let policy = state.page.policy("'self'", "; frame-ancestors 'none'");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// Links of the page are relative to `/admin`.
pub(crate) async fn to_dashboard(_: Admin) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, "../admin")]).into_response()
}

/// `/admin/pads` is `pads`; `/admin` is the dashboard.
fn name(uri: &Uri) -> &str {
    match uri.path().rsplit_once('/') {
        Some(("/admin", name)) => name,
        _ => "dashboard",
    }
}
