//! `/admin/api/restart`: which start of the service answers, and another one.

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};
use tracing::info;

use crate::AdminState;
use crate::answer::{json, ok, read};
use crate::settings::problem_list;
use edge::admin_only::Admin;
use updater::restart::{Refusal, Restart};

pub(crate) async fn get_start(State(state): State<AdminState>, _: Admin) -> Response {
    match &state.restart {
        Some(restart) => ok(&json!({ "start": restart.start })),
        None => unable(),
    }
}

/// An empty object asks for it. The answer is there before the service goes.
pub(crate) async fn post_restart(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    if let Err(refusal) = read(body).await {
        return refusal;
    }
    let Some(restart) = &state.restart else {
        return unable();
    };
    match restart.request().await {
        Ok(()) => begun(restart, &user),
        Err(refusal) => refused(&refusal),
    }
}

fn begun(restart: &Restart, user: &str) -> Response {
    info!("{user} restarts the service");
    json(StatusCode::ACCEPTED, &json!({ "start": restart.start }))
}

fn refused(refusal: &Refusal) -> Response {
    let (status, problems) = match refusal {
        Refusal::Update => (StatusCode::CONFLICT, Value::Null),
        Refusal::Settings(problems) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            problem_list(problems).into(),
        ),
        Refusal::Start(_) => (StatusCode::UNPROCESSABLE_ENTITY, json!([])),
    };
    let body = json!({ "error": refusal.to_string(), "problems": problems });
    json(status, &body)
}

/// The program does not know where it came from.
fn unable() -> Response {
    let body = json!({ "error": "this service cannot restart itself" });
    json(StatusCode::CONFLICT, &body)
}
