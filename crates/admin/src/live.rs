//! `GET /admin/api/live`: how things stand, again and again, as server-sent events.
//!
//! A stream ends when the login does, and when the server stops.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use tracing::error;
use update::Tier;
use update::status::View;

use crate::AdminState;
use crate::answer::json;
use crate::latency::{Buckets, buckets, quantile};
use edge::admin_only::Admin;
use edge::refuse::NO_STORE;
use identity::principal::{Principal, Proof};
use telemetry::log::recent;
use telemetry::metrics::{Asked, METRICS, memory_bytes};
use updater::now;

const PAUSE: Duration = Duration::from_secs(2);
/// How many can look on at a time.
pub(crate) const WATCHERS: usize = 16;

pub(crate) async fn live(State(state): State<AdminState>, _: Admin, head: Parts) -> Response {
    let Ok(seat) = Arc::clone(&state.watchers).try_acquire_owned() else {
        let body = json!({ "error": "too many are looking already" });
        return json(StatusCode::SERVICE_UNAVAILABLE, &body);
    };
    let proof = state
        .sign_in
        .accounts
        .proof(&head)
        .await
        .unwrap_or_default();
    let watching = Watching {
        state,
        proof,
        before: None,
        _seat: seat,
    };
    let events = stream::unfold(watching, |mut watching| async move {
        let event = watching.next().await?;
        Some((Ok::<Bytes, Infallible>(event), watching))
    });
    let headers = [(header::CONTENT_TYPE, "text/event-stream")];
    ([NO_STORE], headers, Body::from_stream(events)).into_response()
}

struct Watching {
    state: AdminState,
    proof: Proof,
    before: Option<Sample>,
    _seat: OwnedSemaphorePermit,
}

/// What rates are made of.
struct Sample {
    at: Instant,
    changes: u64,
    stored: Buckets,
    delivered: Buckets,
}

impl Watching {
    async fn next(&mut self) -> Option<Bytes> {
        if self.before.is_some() {
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = self.state.closing.cancelled() => return None,
            }
        }
        let principal = self.state.sign_in.accounts.principal_of(&self.proof);
        if !matches!(principal, Principal::Admin(_)) {
            return None;
        }
        let sample = self.sample();
        let rates = self.before.as_ref().map(|before| rates(before, &sample));
        self.before = Some(sample);
        let mut value = state(&self.state).await;
        if let (Value::Object(value), Some(Value::Object(rates))) = (&mut value, rates) {
            value.extend(rates);
        }
        Some(Bytes::from(format!("data: {value}\n\n")))
    }

    fn sample(&self) -> Sample {
        let counts = self.state.service.write_counts();
        let text = METRICS.text(&Asked {
            live_pads: self.state.service.live_pads(),
            commits: counts.commits,
            replans: counts.replans,
            unhinted: counts.unhinted,
        });
        Sample {
            at: Instant::now(),
            changes: METRICS.changes.get(),
            stored: buckets(&text, "padsvc_change_stored_seconds"),
            delivered: buckets(&text, "padsvc_change_delivered_seconds"),
        }
    }
}

fn rates(before: &Sample, now: &Sample) -> Value {
    let seconds = now.at.duration_since(before.at).as_secs_f64();
    let milliseconds = |then: &Buckets, now: &Buckets| {
        let seconds = quantile(then, now, 0.95).filter(|seconds| seconds.is_finite());
        seconds.map(|seconds| seconds * 1000.0)
    };
    json!({
        "changesPerSecond": now.changes.saturating_sub(before.changes) as f64 / seconds,
        "storedMs": milliseconds(&before.stored, &now.stored),
        "deliveredMs": milliseconds(&before.delivered, &now.delivered),
    })
}

/// How things stand at this moment. What the store does not tell is null.
pub(crate) async fn state(state: &AdminState) -> Value {
    let store = state.service.store();
    let stats = state.service.get_stats().await.ok();
    let (authors, bytes) = tokio::join!(store.count_authors(), store.size());
    let read_number = |number: Result<u64, store::Error>| {
        let problem = |error: store::Error| error!("the store cannot be read: {error}");
        number.map_err(problem).ok()
    };
    let (connections, live_pads) = totals(state).await;
    let errors: Vec<Value> = recent::problems()
        .into_iter()
        .rev()
        .map(|line| json!({ "at": line.milliseconds, "error": line.is_error(), "text": line.text }))
        .collect();
    json!({
        "pads": stats.map(|stats| stats.pads),
        "activePads": stats.map(|stats| stats.active_pads),
        "members": stats.map(|stats| stats.members),
        "connections": connections,
        "livePads": live_pads,
        "authors": read_number(authors),
        "storeBytes": read_number(bytes),
        "memoryBytes": memory_bytes(),
        "upSeconds": METRICS.begun.elapsed().as_secs(),
        "update": update(state),
        "errors": errors,
    })
}

/// The open sockets and live pads of all nodes. A pad counts on each node that has it in memory.
async fn totals(state: &AdminState) -> (u64, u64) {
    let connections = u64::try_from(METRICS.connections.get()).unwrap_or_default();
    let own = (connections, state.service.live_pads() as u64);
    let store = state.service.store();
    let Some(node) = store.node() else {
        return own;
    };
    // Without an answer of the database there is at least this node.
    let nodes = store.nodes(state.service.now()).await.unwrap_or_default();
    let others = nodes.iter().filter(|other| other.id != node);
    others.fold(own, |(connections, pads), other| {
        let report = &other.report;
        (connections + report.connections, pads + report.pads)
    })
}

/// The status of updates, where they are not off.
pub(crate) fn update(state: &AdminState) -> Option<Value> {
    let updates = state.updates.as_ref()?;
    let roll = updates.roll();
    let view = View {
        is_admin: true,
        shows_version: true,
        lock_is_held: updates.lock_is_held(),
        now: now(),
        roll: roll.as_ref(),
    };
    let status = update::status::status(&updates.owner.state(), &updates.config, view);
    (updates.config.tier > Tier::Off).then_some(status)
}
