//! The shell of every page; which one it is, its script sees from the address.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;
use update::Tier;

use crate::AdminState;
use edge::admin_only::Admin;
use edge::shell::Shell;
use edge::{files, pages};

/// The pages, in the order of the menu. The script has these names as
/// `web/src/admin/pageNames.ts`, and a page for each.
const NAMES: [&str; 11] = [
    DASHBOARD, "pads", "authors", "message", "nodes", "audit", "log", "settings", "update",
    PLUGINS, "help",
];
const DASHBOARD: &str = "dashboard";
const PLUGINS: &str = "plugins";

#[derive(Template)]
#[template(path = "admin.html")]
struct AdminPage<'a> {
    entry: bundle::Entry,
    shell: Shell<'a>,
    boot: String,
}

/// The addresses of the pages.
pub fn paths() -> impl Iterator<Item = String> {
    NAMES.iter().map(|name| match *name {
        DASHBOARD => "/admin".to_owned(),
        name => format!("/admin/{name}"),
    })
}

pub(crate) fn router() -> Router<AdminState> {
    paths()
        .fold(Router::new(), |router, path| {
            router.route(&path, get(get_page))
        })
        .route("/admin/", get(redirect_to_dashboard))
        // The page of one plugin.
        .route("/admin/plugins/{name}", get(get_page))
}

async fn get_page(State(state): State<AdminState>, Admin(user): Admin, head: Parts) -> Response {
    let settings = &state.settings;
    let shell = Shell::of(&state.page, &head.uri, &head.headers);
    let updates = state.updates.as_ref();
    let (page, plugin) = page_of(&head.uri);
    let boot = json!({
        "page": page,
        "plugin": plugin,
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
async fn redirect_to_dashboard(_: Admin) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, "../admin")]).into_response()
}

/// The name of the page, and the plugin that it is about: `/admin/pads` is `pads`, `/admin` the
/// dashboard.
fn page_of(uri: &Uri) -> (&str, Option<&str>) {
    match uri.path().rsplit_once('/') {
        Some(("/admin", page)) => (page, None),
        Some(("/admin/plugins", plugin)) => (PLUGINS, Some(plugin)),
        _ => (DASHBOARD, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The compiler compares them with the pages of the script.
    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "a variable says to rewrite the file"
    )]
    fn the_script_has_the_names_of_the_pages() {
        let made = format!(
            "// Names of the admin pages. `UPDATE_EXPECT=1 cargo test -p admin` writes it.\n\n\
             export type PageName =\n  | '{}';\n",
            NAMES.join("'\n  | '")
        );
        let file = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../web/src/admin/pageNames.ts"
        );
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(file, &made).unwrap();
        }
        let committed = std::fs::read_to_string(file).unwrap();
        assert_eq!(committed, made, "UPDATE_EXPECT=1 rewrites it");
    }
}
