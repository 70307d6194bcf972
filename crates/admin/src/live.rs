//! `GET /admin/api/live`: how things stand, again and again, as server-sent events.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use futures_util::stream;
use serde_json::{Value, json};
use tracing::error;
use update::Tier;
use update::status::View;

use crate::AdminState;
use crate::latency::{Buckets, buckets, quantile};
use crate::watcher::{self, Watcher};
use edge::admin_only::Admin;
use telemetry::log::recent;
use telemetry::metrics::{Asked, METRICS, memory_bytes};
use updater::now;

const PAUSE: Duration = Duration::from_secs(2);

pub(crate) async fn live(State(state): State<AdminState>, _: Admin, head: Parts) -> Response {
    let watcher = match Watcher::admit(state, &head).await {
        Ok(watcher) => watcher,
        Err(refusal) => return refusal,
    };
    let watching = Watching {
        watcher,
        before: None,
    };
    watcher::respond(stream::unfold(watching, |mut watching| async move {
        let event = watching.next().await?;
        Some((event, watching))
    }))
}

struct Watching {
    watcher: Watcher,
    before: Option<Sample>,
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
            self.watcher.pause(PAUSE).await?;
        }
        self.watcher.check()?;
        let sample = self.sample();
        let rates = self.before.as_ref().map(|before| rates(before, &sample));
        self.before = Some(sample);
        let mut value = state(&self.watcher.state).await;
        if let (Value::Object(value), Some(Value::Object(rates))) = (&mut value, rates) {
            value.extend(rates);
        }
        Some(Bytes::from(format!("data: {value}\n\n")))
    }

    fn sample(&self) -> Sample {
        let service = &self.watcher.state.service;
        let counts = service.write_counts();
        let text = METRICS.text(&Asked {
            live_pads: service.live_pads(),
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
