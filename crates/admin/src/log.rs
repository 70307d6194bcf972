//! `GET /admin/api/log`: the last lines of the log and those that follow, as server-sent events.
//!
//! Each event is a list of lines; the first has all that are kept. A stream ends when the login
//! does, and when the server stops. It is this node's log; another one has its own.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use tracing::level_filters::LevelFilter;

use crate::AdminState;
use crate::answer::json;
use edge::admin_only::Admin;
use edge::refuse::NO_STORE;
use identity::principal::{Principal, Proof};
use telemetry::log::recent::{self, Line};

const PAUSE: Duration = Duration::from_secs(1);
/// After so many pauses without a line something is sent anyhow, to see whether somebody is there.
const QUIET: u32 = 15;

pub(crate) async fn watch(State(state): State<AdminState>, _: Admin, head: Parts) -> Response {
    let Ok(seat) = Arc::clone(&state.watchers).try_acquire_owned() else {
        let body = json!({ "error": "too many are looking already" });
        return json(StatusCode::SERVICE_UNAVAILABLE, &body);
    };
    let proof = state.sign_in.accounts.proof(&head).await;
    let reader = Reader {
        state,
        proof: proof.unwrap_or_default(),
        last: None,
        _seat: seat,
    };
    let events = stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((Ok::<Bytes, Infallible>(event), reader))
    });
    let headers = [(header::CONTENT_TYPE, "text/event-stream")];
    ([NO_STORE], headers, Body::from_stream(events)).into_response()
}

struct Reader {
    state: AdminState,
    proof: Proof,
    /// The number of the last line that was sent.
    last: Option<u64>,
    _seat: OwnedSemaphorePermit,
}

impl Reader {
    async fn next(&mut self) -> Option<Bytes> {
        let is_first = self.last.is_none();
        for _ in 0..QUIET {
            if self.last.is_some() {
                tokio::select! {
                    () = tokio::time::sleep(PAUSE) => {}
                    () = self.state.closing.cancelled() => return None,
                }
            }
            let principal = self.state.sign_in.accounts.principal_of(&self.proof);
            if !matches!(principal, Principal::Admin(_)) {
                return None;
            }
            let lines = recent::after(self.last.unwrap_or(0));
            let newest = lines.last().map(|line| line.number);
            self.last = newest.or(self.last).or(Some(0));
            if is_first || !lines.is_empty() {
                let event = json!({
                    "first": is_first,
                    "level": LevelFilter::current().to_string().to_uppercase(),
                    "lines": lines.iter().map(shown).collect::<Vec<_>>(),
                });
                return Some(Bytes::from(format!("data: {event}\n\n")));
            }
        }
        // A comment, which browsers ignore.
        Some(Bytes::from_static(b":\n\n"))
    }
}

fn shown(line: &Line) -> Value {
    json!({
        "number": line.number,
        "at": line.milliseconds,
        "level": line.level.as_str(),
        "from": line.target,
        "text": line.text,
    })
}
