//! `POST /admin/api/message`: a message to everybody who is in a pad.

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};
use tracing::info;

use crate::AdminState;
use crate::answer::{about, ok, read, wrong};
use edge::admin_only::Admin;

const LONGEST: usize = 1000;

pub(crate) async fn send(
    State(state): State<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    let request = match read(body).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let text = request.get("text").and_then(Value::as_str).map(str::trim);
    let text = text.filter(|text| !text.is_empty() && text.chars().count() <= LONGEST);
    let Some(text) = text else {
        return wrong("text has to be of one to a thousand characters");
    };
    let sticky = request.get("sticky") == Some(&Value::Bool(true));
    let people = state.service.say_to_all(text, sticky).await;
    info!("{user} has sent a message to all pads");
    about(ok(&json!({ "people": people })), "", format!("to {people}"))
}
