//! `GET /admin/api/audit`: lines of the audit log, a page at a time or all of them as a file.

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde_json::{Value, json};
use store::{AuditAsked, AuditLine, Mark};
use tracing::error;

use super::export;
use crate::AdminState;
use crate::answer::{ok, unavailable, wrong};
use edge::admin_only::Admin;
use identity::query::parameter;

const PAGE: usize = 50;

pub(crate) async fn list(State(state): State<AdminState>, _: Admin, uri: Uri) -> Response {
    let given = |name| parameter(&uri, name).filter(|value| !value.is_empty());
    let after = given("after").map(|after| after.parse().map(mark));
    let Ok(after) = after.transpose() else {
        return wrong("after has to be what an answer had as next");
    };
    let asked = AuditAsked {
        search: given("search").unwrap_or_default(),
        action: given("action").unwrap_or_default(),
        after,
        limit: PAGE,
    };
    match given("format").as_deref() {
        None => {}
        Some("csv") => return export::csv(&state, asked),
        Some("json") => return export::json_lines(&state, asked),
        Some(_) => return wrong("format is csv or json"),
    }
    match state.service.store().browse_audit(&asked).await {
        Ok(page) => ok(&json!({
            "lines": page.found.iter().map(shown).collect::<Vec<_>>(),
            "next": page.next.map(number).map(|number| number.to_string()),
            "days": state.settings.access.audit_days,
        })),
        Err(error) => {
            error!("the audit log cannot be read: {error}");
            unavailable()
        }
    }
}

fn mark(number: i64) -> Mark {
    Mark::Number(number, String::new())
}

fn number(mark: Mark) -> i64 {
    match mark {
        Mark::Number(number, _) => number,
        Mark::Name(_) => 0,
    }
}

pub(super) fn shown(line: &AuditLine) -> Value {
    json!({
        "time": line.time.millis(),
        "principal": line.principal,
        "action": line.action,
        "target": line.target,
        "detail": line.detail,
        "done": line.done,
    })
}
