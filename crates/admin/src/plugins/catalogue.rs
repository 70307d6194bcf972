//! The catalogue of Etherpad's plugins: fetched when somebody looks at it, if the settings allow.
//!
//! One question at a time goes out, and none as long as the last answer is fresh. What comes back
//! is bounded, and of it only what looks like a plugin is kept. None of it is ever run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::Client;
use reqwest::redirect::Policy;
use serde::Deserialize;
use serde_json::{Value, json};
use service::Environment;
use thiserror::Error;
use tokio::sync::Mutex;
use tracing::info;

use super::built_in;
use notify::reason;
use settings::Privacy;
use system::environment::System;

/// How long a catalogue counts as the current one.
const FRESH: Duration = Duration::from_secs(10 * 60);
/// How long after a question that was not answered the next one is asked.
const TRY_AGAIN: Duration = Duration::from_secs(60);
const LIMITS: Limits = Limits {
    time: Duration::from_secs(30),
    bytes: 8 * 1024 * 1024,
};
const MOST_PLUGINS: usize = 5000;
/// Says what asks, and not which version of it.
const NAME: &str = "padsvc";

#[derive(Clone, Copy)]
struct Limits {
    time: Duration,
    bytes: usize,
}

pub(crate) struct Catalogue {
    source: Source,
    limits: Limits,
    /// Locked while a question is under way, so that there is one.
    known: Mutex<Known>,
}

/// Where it is, or why it is not asked for.
enum Source {
    Address(String),
    /// `privacy.pluginCatalog` is off.
    Forbidden,
    /// There is no `updateServer`.
    Nowhere,
}

#[derive(Default)]
struct Known {
    tried: Option<Instant>,
    /// What the last question has failed of.
    problem: Option<String>,
    copy: Option<Copy>,
}

struct Copy {
    /// In milliseconds since 1970.
    fetched: i64,
    plugins: Vec<Value>,
}

impl Catalogue {
    pub(crate) fn new(privacy: &Privacy) -> Catalogue {
        Catalogue::with(privacy, LIMITS)
    }

    fn with(privacy: &Privacy, limits: Limits) -> Catalogue {
        let source = match &privacy.update_server {
            _ if !privacy.plugin_catalog => Source::Forbidden,
            None => Source::Nowhere,
            Some(server) => {
                Source::Address(format!("{}/plugins.json", server.0.trim_end_matches('/')))
            }
        };
        Catalogue {
            source,
            limits,
            known: Mutex::default(),
        }
    }

    /// What is known; asks if that is nothing or not of now, or if `refresh` is set.
    pub(crate) async fn overview(&self, refresh: bool) -> Value {
        let address = match &self.source {
            Source::Address(address) => address,
            Source::Forbidden => return json!({ "off": "privacy.pluginCatalog" }),
            Source::Nowhere => return json!({ "off": "updateServer" }),
        };
        let mut known = self.known.lock().await;
        if refresh || !known.is_current() {
            let answer = fetch(address, self.limits).await;
            known.tried = Some(Instant::now());
            match answer {
                Ok(plugins) => {
                    let fetched = System.now().millis();
                    known.copy = Some(Copy { fetched, plugins });
                    known.problem = None;
                }
                Err(problem) => {
                    info!("the catalogue of plugins cannot be fetched: {problem}");
                    known.problem = Some(problem.to_string());
                }
            }
        }
        json!({
            "address": address,
            "problem": known.problem,
            "fetched": known.copy.as_ref().map(|copy| copy.fetched),
            "plugins": known.copy.as_ref().map_or(&[][..], |copy| &copy.plugins),
        })
    }
}

impl Known {
    fn is_current(&self) -> bool {
        let lasting = match self.problem {
            None => FRESH,
            Some(_) => TRY_AGAIN,
        };
        self.tried.is_some_and(|tried| tried.elapsed() < lasting)
    }
}

/// Why there is no new catalogue. The address stands beside it.
#[derive(Debug, Error)]
enum FetchError {
    #[error("{}", reason(.0))]
    Request(reqwest::Error),
    #[error("the answer has more than {0} bytes")]
    TooLarge(usize),
    #[error("the answer is no object of JSON: {0}")]
    NotAnObject(serde_json::Error),
}

async fn fetch(address: &str, limits: Limits) -> Result<Vec<Value>, FetchError> {
    let client = Client::builder()
        .user_agent(NAME)
        .timeout(limits.time)
        .redirect(Policy::limited(5))
        .build();
    let asked = async {
        let mut answer = client?.get(address).send().await?.error_for_status()?;
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await? {
            body.extend_from_slice(&part);
            if body.len() > limits.bytes {
                return Ok(None);
            }
        }
        Ok::<_, reqwest::Error>(Some(body))
    };
    match asked.await {
        Ok(Some(body)) => read(&body),
        Ok(None) => Err(FetchError::TooLarge(limits.bytes)),
        Err(error) => Err(FetchError::Request(error.without_url())),
    }
}

/// An entry as it comes. Whatever else it has, nobody here needs.
#[derive(Deserialize)]
struct Entry {
    name: String,
    description: Option<String>,
    version: Option<String>,
    time: Option<String>,
    official: Option<bool>,
}

/// An object whose members are plugins, by name or by number. What is none is passed over.
fn read(body: &[u8]) -> Result<Vec<Value>, FetchError> {
    let members: BTreeMap<String, Value> =
        serde_json::from_slice(body).map_err(FetchError::NotAnObject)?;
    let entries = members
        .into_values()
        .filter_map(|member| serde_json::from_value(member).ok())
        .filter(|entry: &Entry| is_name(&entry.name));
    let by_name: BTreeMap<String, Value> = entries.map(shown).collect();
    Ok(by_name.into_values().take(MOST_PLUGINS).collect())
}

fn shown(entry: Entry) -> (String, Value) {
    let short = |text: Option<String>, most: usize| {
        text.map(|text| text.chars().take(most).collect::<String>())
    };
    let plugin = json!({
        "name": entry.name,
        "description": short(entry.description, 500),
        "version": short(entry.version, 50),
        "time": short(entry.time, 50),
        "official": entry.official.unwrap_or(false),
        "builtIn": built_in::instead_of(&entry.name),
    });
    (entry.name, plugin)
}

/// As the registry of packages allows names to be.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    name.starts_with("ep_") && name.len() <= 214 && name.chars().all(is_plain)
}

#[cfg(test)]
mod tests;
