//! `/admin/api/alerts`: which alerts there are, what became of the last message, and a test.

use alerts::{Message, State};
use axum::body::Body;
use axum::extract::State as Extract;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};
use tracing::info;

use super::channel::Channel;
use super::{Alerts, DELIVERIES, KIND, STATE, members, read};
use crate::AdminState;
use crate::answer::{about, json as respond, ok, read as read_body};
use edge::admin_only::Admin;

pub(crate) async fn show(Extract(state): Extract<AdminState>, _: Admin) -> Response {
    let alerts = &state.alerts;
    let (standing, last) = alerts.stored().await;
    let active = standing.active().into_iter().map(|alert| {
        let mut shown = alert.facts.clone();
        shown.insert("kind".to_owned(), alert.kind.name().into());
        shown.insert("since".to_owned(), alert.since.into());
        shown.insert("sent".to_owned(), alert.sent.into());
        Value::Object(shown)
    });
    ok(&json!({
        "mail": { "on": alerts.mail.is_some(), "last": last.get("mail") },
        "webhook": { "on": alerts.webhook.is_some(), "last": last.get("webhook") },
        "active": active.collect::<Vec<_>>(),
    }))
}

/// An empty object asks for one. It is answered when each channel has had one attempt.
pub(crate) async fn test(
    Extract(state): Extract<AdminState>,
    Admin(user): Admin,
    body: Body,
) -> Response {
    if let Err(refusal) = read_body(body).await {
        return refusal;
    }
    let alerts = &state.alerts;
    if alerts.mail.is_none() && alerts.webhook.is_none() {
        let body = json!({ "error": "neither alerts.email nor alerts.webhook is set" });
        return respond(StatusCode::CONFLICT, &body);
    }
    let taken = alerts
        .tests
        .lock()
        .map_or(Ok(()), |mut tests| tests.take(1));
    if taken.is_err() {
        let body = json!({ "error": "too many test alerts; wait a minute" });
        return respond(StatusCode::TOO_MANY_REQUESTS, &body);
    }
    info!("{user} sends a test alert");
    let now = state.service.now().millis();
    let message = Message::test(now, alerts.site.as_deref());
    let (mail, webhook) = tokio::join!(
        alerts.try_out(alerts.mail.as_ref(), &message),
        alerts.try_out(alerts.webhook.as_ref(), &message),
    );
    let detail = [("mail", &mail), ("webhook", &webhook)];
    let detail = detail.into_iter().filter_map(|(name, outcome)| {
        let is_sent = outcome.as_ref()?.get("problem").is_some_and(Value::is_null);
        Some(format!(
            "{name} {}",
            if is_sent { "sent" } else { "failed" }
        ))
    });
    let detail = detail.collect::<Vec<_>>().join(", ");
    about(ok(&json!({ "mail": mail, "webhook": webhook })), "", detail)
}

impl Alerts {
    async fn try_out(&self, channel: Option<&Channel>, message: &Message) -> Option<Value> {
        let channel = channel?;
        let failure = channel.deliver(message, &[]).await.err();
        let problem = failure.map(|failure| failure.to_string());
        Some(self.note(channel.name, problem).await)
    }

    /// What the nodes share, or what this one knows while that cannot be read.
    async fn stored(&self) -> (State, Map<String, Value>) {
        let (store, now) = (self.service.store(), self.service.now());
        let (state, last) = tokio::join!(
            store.entry(KIND, STATE, now),
            store.entry(KIND, DELIVERIES, now),
        );
        let known = self.lock();
        let state = match state {
            Ok(found) if !known.is_unsaved => {
                read(found.as_ref().map(|(value, _)| value.as_slice()))
            }
            _ => known.state.clone(),
        };
        let last = match last {
            Ok(found) => {
                let mut last = members(found.as_ref().map(|(value, _)| value.as_slice()));
                for (name, outcome) in &known.last {
                    let at = |outcome: &Value| outcome.get("at").and_then(Value::as_i64);
                    if last.get(name).is_none_or(|stored| at(stored) < at(outcome)) {
                        last.insert(name.clone(), outcome.clone());
                    }
                }
                last
            }
            Err(_) => known.last.clone(),
        };
        (state, last)
    }
}
