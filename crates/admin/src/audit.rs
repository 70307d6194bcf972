//! Audit log: what administrators do, one line for each request, written by one layer around all
//! routes.
//!
//! Invariant: a request that is not a safe one leaves a line, done or refused, unless its route is
//! in [`QUIET`]. A new route is recorded without anybody thinking of it.

mod export;
mod list;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use store::AuditLine;
use tracing::error;

use crate::AdminState;
use crate::answer::About;
use edge::admin_only::Admin;

pub(crate) use list::list;

/// Routes that change nothing although they take a body.
const QUIET: [&str; 5] = [
    "/admin/api/authors/preview",
    "/admin/api/plugins/catalogue",
    "/admin/api/plugins/review",
    "/admin/api/settings/check",
    "/admin/api/settings/edit",
];
/// How long a text of a line may be, in characters.
const LONGEST: usize = 300;

/// The layer.
pub(crate) async fn record(
    State(state): State<AdminState>,
    request: Request,
    next: Next,
) -> Response {
    let Some(action) = action(request.method(), request.uri().path()) else {
        return next.run(request).await;
    };
    let (mut head, body) = request.into_parts();
    // Who is none is refused by the handler, in its own way.
    let admin = Admin::from_request_parts(&mut head, &state).await.ok();
    if let Some(admin) = &admin {
        head.extensions.insert(admin.clone());
    }
    let mut answer = next.run(Request::from_parts(head, body)).await;
    if let Some(Admin(principal)) = admin {
        let About { target, detail } = answer.extensions_mut().remove().unwrap_or_default();
        let line = AuditLine {
            time: state.service.now(),
            principal: cut(&principal),
            action,
            target: cut(&target),
            detail: cut(&detail),
            done: answer.status().is_success(),
        };
        // What was done is done; the log of the program has it then.
        if let Err(error) = state.service.store().append_audit(&line).await {
            error!(
                "{principal}, {}: not in the audit log: {error}",
                line.action
            );
        }
    }
    answer
}

/// The name of what a request does: `pads.delete` for `POST /admin/api/pads/delete`. `None`: it
/// changes nothing. Downloads are recorded too, since they open what is not public.
fn action(method: &Method, path: &str) -> Option<String> {
    let below = path.strip_prefix("/admin/").unwrap_or(path);
    let words: Vec<&str> = below
        .strip_prefix("api/")
        .unwrap_or(below)
        .split('/')
        .collect();
    match words.as_slice() {
        ["pads", _, "export", _] => return Some("pads.export".to_owned()),
        ["backups", "download", _] => return Some("backups.download".to_owned()),
        _ => {}
    }
    (!method.is_safe() && !QUIET.contains(&path)).then(|| words.join("."))
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const NOT_RECORDED: [&str; 5] = QUIET;

    #[test]
    fn actions_are_named_after_their_routes() {
        for (method, path, name) in [
            (Method::POST, "/admin/api/pads/delete", Some("pads.delete")),
            (Method::POST, "/admin/api/settings", Some("settings")),
            (Method::POST, "/admin/update/apply", Some("update.apply")),
            (Method::POST, "/admin/api/settings/check", None),
            (
                Method::GET,
                "/admin/api/pads/api/export/txt",
                Some("pads.export"),
            ),
            (
                Method::GET,
                "/admin/api/backups/download/x.db",
                Some("backups.download"),
            ),
            (Method::GET, "/admin/api/pads", None),
            (Method::GET, "/admin", None),
            (Method::HEAD, "/admin/api/settings", None),
            (
                Method::DELETE,
                "/admin/api/settings/check/x",
                Some("settings.check.x"),
            ),
        ] {
            assert_eq!(action(&method, path).as_deref(), name, "{method} {path}");
        }
    }
}
