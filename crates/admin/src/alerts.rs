//! Alerts: the health of the service, looked at once a minute, and what is due about it, sent by
//! mail and to a webhook.
//!
//! Invariant: a message is noted in the store before it is sent, in one transaction with what it
//! follows from, so that of several nodes one sends it. When nothing can be stored, the node that
//! was the first goes on in memory: that is an alert, too.

mod channel;
mod reports;
mod routes;

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use alerts::{Alert, Condition, Message, State};
use identity::rate_limit::TokenBucket;
use pad::Timestamp;
use serde_json::{Map, Value, json};
use service::Service;
use settings::Settings;
use store::Error;
use tracing::warn;

use crate::AdminState;
use crate::health;
use channel::Channel;

pub(crate) use routes::{show, test};

const KIND: &str = "alerts";
const STATE: &[u8] = b"state";
const DELIVERIES: &[u8] = b"deliveries";
/// Neither ends by itself.
const ALWAYS: Timestamp = Timestamp(i64::MAX);
/// Between two looks.
const PAUSE: Duration = Duration::from_secs(60);
/// A store that does not answer for so long counts as one that fails.
const STORE_LIMIT: Duration = Duration::from_secs(10);
/// Between attempts to deliver a message. After the last it is given up; a reminder follows.
pub(crate) const ATTEMPT_PAUSES: [Duration; 3] = [
    Duration::from_secs(15),
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
];
/// So many tests in a minute.
const TESTS: u64 = 3;

pub struct Alerts {
    service: Arc<Service>,
    mail: Option<Channel>,
    webhook: Option<Channel>,
    /// The address of the service, for messages.
    site: Option<String>,
    certificate_ends: Option<i64>,
    pauses: Vec<Duration>,
    known: Mutex<Known>,
    tests: Mutex<TokenBucket>,
}

/// What this process knows.
#[derive(Default)]
struct Known {
    state: State,
    /// The store has not taken that yet.
    is_unsaved: bool,
    /// Whether this node sends. Without an answer of the database it stays as it was.
    is_first: bool,
    has_reported: bool,
    /// What became of the last message, by channel.
    last: Map<String, Value>,
}

impl Alerts {
    /// `certificate` is the one that clients are shown, if the service itself has one.
    pub fn new(
        service: &Arc<Service>,
        settings: &Settings,
        certificate: Option<&[u8]>,
    ) -> Arc<Alerts> {
        Alerts::with_pauses(service, settings, certificate, &ATTEMPT_PAUSES)
    }

    pub(crate) fn with_pauses(
        service: &Arc<Service>,
        settings: &Settings,
        certificate: Option<&[u8]>,
        pauses: &[Duration],
    ) -> Arc<Alerts> {
        let site = settings.listen.public_url.as_ref();
        Arc::new(Alerts {
            service: Arc::clone(service),
            mail: Channel::mail(settings),
            webhook: Channel::webhook(&settings.alerts),
            site: site.map(|site| site.0.clone()),
            certificate_ends: certificate.and_then(alerts::expiry),
            pauses: pauses.to_vec(),
            known: Mutex::default(),
            tests: Mutex::new(TokenBucket::new(TESTS, PAUSE)),
        })
    }

    pub(crate) fn certificate_ends(&self) -> Option<i64> {
        self.certificate_ends
    }

    /// Checks the conditions and sends, until dropped; checks nothing without a place to send to.
    pub(crate) async fn run(&self, state: &AdminState) -> Infallible {
        if self.mail.is_none() && self.webhook.is_none() {
            return std::future::pending().await;
        }
        tokio::select! {
            never = self.watch(state) => never,
            never = self.deliver_all() => never,
        }
    }

    /// Delivers what is due, until it is dropped.
    pub(crate) async fn deliver_all(&self) -> Infallible {
        tokio::select! {
            never = self.deliver(self.mail.as_ref()) => never,
            never = self.deliver(self.webhook.as_ref()) => never,
        }
    }

    async fn watch(&self, state: &AdminState) -> Infallible {
        loop {
            self.look(state).await;
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// One look. What is due waits for delivery then.
    pub(crate) async fn look(&self, state: &AdminState) {
        let growth = tokio::time::timeout(STORE_LIMIT, state.monitor.growth()).await;
        let own = health::conditions(state, growth.ok().flatten()).await;
        let own = own.into_iter();
        let own = own.filter(|condition| condition.kind.timing().is_some());
        let Some(seen) = self.gather(own.collect()).await else {
            return;
        };
        for alert in self.advance(seen).await {
            let message = Message::new(&alert, self.site.as_deref());
            for channel in [&self.mail, &self.webhook].into_iter().flatten() {
                channel.enqueue(&message);
            }
        }
    }

    /// Takes a step, and gives what is due.
    async fn advance(&self, seen: Vec<Condition>) -> Vec<Alert> {
        let now = self.service.now().millis();
        let unsaved = {
            let known = self.lock();
            known.is_unsaved.then(|| known.state.clone())
        };
        let stored = self.step_in_store(now, seen.clone(), unsaved);
        let stored = tokio::time::timeout(STORE_LIMIT, stored).await;
        let mut known = self.lock();
        let is_unsaved = !matches!(stored, Ok(Ok(_)));
        let (state, due) = match stored {
            Ok(Ok(stepped)) => stepped,
            // The service says that nothing can be stored; this goes on.
            _ => alerts::step(&known.state, now, &seen),
        };
        known.state = state;
        known.is_unsaved = is_unsaved;
        due
    }

    async fn step_in_store(
        &self,
        now: i64,
        seen: Vec<Condition>,
        unsaved: Option<State>,
    ) -> Result<(State, Vec<Alert>), Error> {
        let (store, time) = (self.service.store(), Timestamp(now));
        if unsaved.is_none() {
            // Most looks change nothing, and a look is cheap.
            let found = store.entry(KIND, STATE, time).await?;
            let state = read(found.as_ref().map(|(value, _)| value.as_slice()));
            let (next, due) = alerts::step(&state, now, &seen);
            if next == state {
                return Ok((next, due));
            }
        }
        let update = move |found: Option<&[u8]>| {
            let state = unsaved.clone().unwrap_or_else(|| read(found));
            let (next, due) = alerts::step(&state, now, &seen);
            (Some((next.to_json(), ALWAYS)), (next, due))
        };
        store.update_entry(KIND, STATE, time, update).await
    }

    /// Delivers what waits for a channel, one message after the other.
    async fn deliver(&self, channel: Option<&Channel>) -> Infallible {
        let Some(channel) = channel else {
            return std::future::pending().await;
        };
        loop {
            let message = channel.next().await;
            let failure = channel.deliver(&message, &self.pauses).await.err();
            let problem = failure.map(|failure| failure.to_string());
            if let Some(problem) = &problem {
                let name = channel.name;
                warn!("an alert could not be delivered ({name}): {problem}");
            }
            self.note(channel.name, problem).await;
        }
    }

    /// Keeps what became of a message.
    async fn note(&self, channel: &'static str, problem: Option<String>) -> Value {
        let now = self.service.now();
        let outcome = json!({ "at": now.millis(), "problem": problem });
        self.lock().last.insert(channel.to_owned(), outcome.clone());
        let noted = outcome.clone();
        let update = move |found: Option<&[u8]>| {
            let mut last = members(found);
            last.insert(channel.to_owned(), noted.clone());
            let text = Value::Object(last).to_string();
            (Some((text.into_bytes(), ALWAYS)), ())
        };
        let store = self.service.store();
        let written = store.update_entry(KIND, DELIVERIES, now, update);
        // While nothing can be stored, this process knows it alone.
        if let Ok(Err(error)) = tokio::time::timeout(STORE_LIMIT, written).await {
            warn!("the delivery of an alert could not be noted: {error}");
        }
        outcome
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(found: Option<&[u8]>) -> State {
    found.and_then(State::from_json).unwrap_or_default()
}

fn members(found: Option<&[u8]>) -> Map<String, Value> {
    let value = found.and_then(|bytes| serde_json::from_slice(bytes).ok());
    value.unwrap_or_default()
}
