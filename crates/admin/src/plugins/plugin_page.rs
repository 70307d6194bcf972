//! `/admin/api/plugins/page`: the page of one plugin, which its worker describes as data. A button
//! of it is a request with the button's action, and the answer is the page after it.

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use plugin::Name;
use plugins::Failure;
use serde_json::{Value, json};
use tracing::info;

use super::installed::named;
use crate::AdminState;
use crate::answer::{about, json as respond, ok, wrong};
use edge::admin_only::Admin;
use identity::query::parameter;

pub(crate) async fn get_page(State(state): State<AdminState>, _: Admin, uri: Uri) -> Response {
    let name = parameter(&uri, "name").and_then(|name| name.parse().ok());
    let Some(name) = name else {
        return wrong("name has to be that of a plugin");
    };
    let language = parameter(&uri, "language").unwrap_or_default();
    page(&state, &name, &language, None).await
}

pub(crate) async fn post_action(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    let (name, request) = match named(body).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let text = |key: &str| request.get(key).and_then(Value::as_str);
    let Some(action) = text("action") else {
        return wrong("action has to be that of a button");
    };
    info!("{user} presses a button on the page of the plugin {name}");
    let language = text("language").unwrap_or_default();
    let answer = page(&state, &name, language, Some(action)).await;
    about(answer, name.as_str(), action)
}

async fn page(state: &AdminState, name: &Name, language: &str, action: Option<&str>) -> Response {
    let snapshot = state.plugins.registry().current();
    let (Some(installed), Some(host)) = (snapshot.plugins.get(name), &state.plugin_host) else {
        return failed(&Failure::NoHook);
    };
    match host.admin_page(name, language, action).await {
        Ok(parts) => ok(&json!({ "title": installed.manifest().title, "parts": parts })),
        Err(failure) => failed(&failure),
    }
}

/// An administrator may know what a plugin has thrown.
fn failed(failure: &Failure) -> Response {
    let (status, text) = match failure {
        Failure::NoHook => (
            StatusCode::NOT_FOUND,
            "no plugin of that name has a page and is switched on",
        ),
        Failure::Unavailable => (
            StatusCode::BAD_GATEWAY,
            "the plugin does not run at the moment",
        ),
        Failure::Late => (StatusCode::BAD_GATEWAY, "the plugin did not answer in time"),
        Failure::Failed(reason) => (StatusCode::BAD_GATEWAY, reason.as_str()),
    };
    respond(status, &json!({ "error": text }))
}
