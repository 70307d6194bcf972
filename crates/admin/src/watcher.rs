//! Somebody in the admin area who watches a stream of server-sent events.
//!
//! A stream ends when the login does, and when the server stops.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt};
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;

use crate::AdminState;
use crate::answer::json;
use edge::refuse::NO_STORE;
use identity::principal::{Principal, Proof};

/// How many can watch at a time.
pub(crate) const WATCHERS: usize = 16;

pub(crate) struct Watcher {
    pub state: AdminState,
    proof: Proof,
    _seat: OwnedSemaphorePermit,
}

impl Watcher {
    /// Admits one more. The error is the answer to one too many.
    pub(crate) async fn admit(state: AdminState, head: &Parts) -> Result<Watcher, Response> {
        let Ok(seat) = Arc::clone(&state.watchers).try_acquire_owned() else {
            let body = json!({ "error": "too many are looking already" });
            return Err(json(StatusCode::SERVICE_UNAVAILABLE, &body));
        };
        let proof = state.sign_in.accounts.proof(head).await;
        Ok(Watcher {
            state,
            proof: proof.unwrap_or_default(),
            _seat: seat,
        })
    }

    /// Waits before the next event. `None`: the server stops.
    pub(crate) async fn pause(&self, pause: Duration) -> Option<()> {
        tokio::select! {
            () = tokio::time::sleep(pause) => Some(()),
            () = self.state.closing.cancelled() => None,
        }
    }

    /// `None`: the login has ended, or it is no administrator's any more.
    pub(crate) fn check(&self) -> Option<()> {
        let principal = self.state.sign_in.accounts.principal_of(&self.proof);
        matches!(principal, Principal::Admin(_)).then_some(())
    }
}

pub(crate) fn respond(events: impl Stream<Item = Bytes> + Send + 'static) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/event-stream")];
    let events = Body::from_stream(events.map(Ok::<Bytes, Infallible>));
    ([NO_STORE], headers, events).into_response()
}
