//! What administrators can do about updates, and the log.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use update::Refusal;

use super::{Acting, Present};
use edge::JSON;
use edge::admin_only::Admin;
use edge::refuse::NO_STORE;
use updater::Applied;

/// So much of the log is shown.
const LINES: usize = 200;

/// Answers when people begin to be told, or when it is known that they will not be.
pub(super) async fn apply(Acting(updates): Acting, _: Admin) -> Response {
    match updates.apply().await {
        Applied::Draining(until) => {
            let body = json!({ "accepted": true, "drainEndsAt": until });
            answer(StatusCode::ACCEPTED, &body)
        }
        Applied::Refused(refusal) => refused(&refusal),
        Applied::LockHeld => conflict(json!({ "error": "lock-held" })),
        Applied::PreflightFailed(reason) => {
            conflict(json!({ "error": "preflight-failed", "reason": reason }))
        }
        Applied::Cancelled => conflict(json!({ "error": "cancelled-during-preflight" })),
        Applied::Broken => broken(),
    }
}

pub(super) async fn cancel(Present(updates): Present, _: Admin) -> Response {
    done(updates.cancel().await, "cancelled")
}

pub(super) async fn acknowledge(Present(updates): Present, _: Admin) -> Response {
    done(updates.acknowledge().await, "acknowledged")
}

pub(super) async fn log(Present(updates): Present, _: Admin) -> Response {
    let journal = move || updates.owner.journal.tail(LINES);
    let tail = tokio::task::spawn_blocking(journal).await;
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    ([NO_STORE], headers, tail.unwrap_or_default()).into_response()
}

fn done(outcome: Option<Result<(), Refusal>>, what: &str) -> Response {
    match outcome {
        Some(Ok(())) => answer(StatusCode::OK, &json!({ what: true })),
        Some(Err(refusal)) => refused(&refusal),
        None => broken(),
    }
}

fn refused(refusal: &Refusal) -> Response {
    conflict(match refusal {
        Refusal::NoKnownLatest => json!({ "error": "no-known-latest" }),
        Refusal::InvalidTag => json!({ "error": "invalid-tag-in-state" }),
        Refusal::Busy(status) => json!({ "error": format!("execution-busy:{status}") }),
        Refusal::NotAcknowledged(status) => json!({
            "error": "acknowledge-first",
            "status": status,
            "reason": format!("acknowledge-first: the last attempt ended in {status}"),
        }),
        Refusal::PolicyDenied(reason) => {
            json!({ "error": "policy-denied", "reason": reason.name() })
        }
        Refusal::NotCancellable(status) => {
            json!({ "error": "not-cancellable", "status": status })
        }
        Refusal::NotTerminal(status) => json!({ "error": "not-terminal", "status": status }),
    })
}

fn conflict(body: Value) -> Response {
    answer(StatusCode::CONFLICT, &body)
}

fn broken() -> Response {
    let body = json!({ "error": "internal" });
    answer(StatusCode::INTERNAL_SERVER_ERROR, &body)
}

fn answer(status: StatusCode, body: &Value) -> Response {
    let headers = [(header::CONTENT_TYPE, JSON)];
    (status, [NO_STORE], headers, body.to_string()).into_response()
}
