//! State machine of alerts: which begin, are repeated and end, given what is wrong at a time.
//!
//! Invariants: an alert begins after its condition has held for a while and ends after it was gone
//! for a while; between the two it is repeated at most once a day; in any hour there are at most
//! [`PER_HOUR`] messages. What is over that is sent later, and never lost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::condition::{Condition, Facts, Kind, kind_of_key};

/// More messages are not sent in an hour.
pub const PER_HOUR: usize = 10;
const HOUR: i64 = 60 * 60 * 1_000;
/// So many conditions at a time are followed.
const STANDING: usize = 50;

/// What is known of conditions. Members that another release has written survive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    #[serde(default)]
    standing: BTreeMap<String, Standing>,
    /// When the messages of the last hour were sent.
    #[serde(default)]
    sent: Vec<i64>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Standing {
    /// Since when the condition holds.
    since: i64,
    /// Since when it does not any more.
    #[serde(default)]
    gone: Option<i64>,
    /// When there was a message last. `None`: the alert has not begun.
    #[serde(default)]
    sent: Option<i64>,
    #[serde(default)]
    about: String,
    /// Those of the last message.
    #[serde(default)]
    facts: Facts,
    #[serde(flatten)]
    other: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    Began,
    Resolved,
    Reminder,
}

/// A message that is due.
#[derive(Clone, Debug, PartialEq)]
pub struct Alert {
    pub event: Event,
    pub key: String,
    pub kind: Kind,
    pub about: String,
    pub facts: Facts,
    pub since: i64,
    pub at: i64,
}

/// An alert that has begun and not ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Active<'a> {
    pub kind: Kind,
    pub facts: &'a Facts,
    pub since: i64,
    pub sent: i64,
}

impl State {
    pub fn from_json(text: &[u8]) -> Option<State> {
        serde_json::from_slice(text).ok()
    }

    pub fn to_json(&self) -> Vec<u8> {
        // Maps with text keys and plain values always can be written.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// In order of importance.
    pub fn active(&self) -> Vec<Active<'_>> {
        let active = self.standing.iter().filter_map(|(key, standing)| {
            Some(Active {
                kind: kind_of_key(key)?,
                facts: &standing.facts,
                since: standing.since,
                sent: standing.sent?,
            })
        });
        let mut active: Vec<Active<'_>> = active.collect();
        active.sort_by_key(|alert| alert.kind);
        active
    }

    /// Looks at one condition. Gives what is due about it.
    fn look(&mut self, key: &str, seen: Option<&Condition>, now: i64) -> Option<Alert> {
        let kind = kind_of_key(key)?;
        let Some(timing) = kind.timing() else {
            self.standing.remove(key);
            return None;
        };
        let standing = self.standing.get_mut(key)?;
        // A clock that went back must not keep this quiet until it is there again.
        standing.since = standing.since.min(now);
        standing.gone = standing.gone.map(|gone| gone.min(now));
        standing.sent = standing.sent.map(|sent| sent.min(now));
        let event = match (seen, standing.sent) {
            (Some(condition), sent) => {
                standing.gone = None;
                match sent {
                    None if now - standing.since >= timing.hold => Event::Began,
                    Some(_) if standing.about != condition.about => Event::Began,
                    Some(sent) if now - sent >= timing.repeat => Event::Reminder,
                    _ => return None,
                }
            }
            (None, None) => {
                self.standing.remove(key);
                return None;
            }
            (None, Some(_)) => {
                let gone = *standing.gone.get_or_insert(now);
                if now - gone < timing.clear {
                    return None;
                }
                if !timing.is_resolved {
                    self.standing.remove(key);
                    return None;
                }
                Event::Resolved
            }
        };
        let (about, facts) = match seen {
            Some(condition) => (&condition.about, &condition.facts),
            None => (&standing.about, &standing.facts),
        };
        Some(Alert {
            event,
            key: key.to_owned(),
            kind,
            about: about.clone(),
            facts: facts.clone(),
            since: standing.since,
            at: now,
        })
    }

    /// Notes that a message is sent.
    fn note(&mut self, alert: &Alert) {
        self.sent.push(alert.at);
        if alert.event == Event::Resolved {
            self.standing.remove(&alert.key);
        } else if let Some(standing) = self.standing.get_mut(&alert.key) {
            standing.sent = Some(alert.at);
            standing.about.clone_from(&alert.about);
            standing.facts.clone_from(&alert.facts);
        }
    }
}

/// The next state, and the messages to send.
pub fn step(before: &State, now: i64, seen: &[Condition]) -> (State, Vec<Alert>) {
    let mut state = before.clone();
    state.sent.retain(|at| *at <= now && now - at < HOUR);
    let seen: BTreeMap<String, &Condition> = seen
        .iter()
        .filter(|condition| condition.kind.timing().is_some())
        .map(|condition| (condition.key(), condition))
        .collect();
    for key in seen.keys() {
        if state.standing.len() < STANDING && !state.standing.contains_key(key) {
            let standing = Standing {
                since: now,
                ..Standing::default()
            };
            state.standing.insert(key.clone(), standing);
        }
    }
    let keys: Vec<String> = state.standing.keys().cloned().collect();
    let mut due: Vec<Alert> = keys
        .iter()
        .filter_map(|key| state.look(key, seen.get(key).copied(), now))
        .collect();
    due.sort_by_key(|alert| (alert.event, alert.kind));
    due.truncate(PER_HOUR.saturating_sub(state.sent.len()));
    for alert in &due {
        state.note(alert);
    }
    (state, due)
}

#[cfg(test)]
mod tests;
