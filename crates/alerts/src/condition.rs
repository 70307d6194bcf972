//! Conditions that need a look, and how long each has to last before somebody is woken by it.

use serde_json::{Map, Value};

const MINUTE: i64 = 60 * 1_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The numbers and texts of a condition, by the names that the admin area has for them.
pub type Facts = Map<String, Value>;

/// In order of importance: the first are sent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Storing,
    Disk,
    Latency,
    Certificate,
    Backup,
    UpdateFailed,
    Plugin,
    Update,
    Log,
}

/// When an alert begins, ends and is repeated, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// How long the condition lasts before the alert begins.
    pub hold: i64,
    /// How long it is gone before the alert ends.
    pub clear: i64,
    /// How long until a reminder, while it lasts.
    pub repeat: i64,
    /// Whether a message says that it has ended.
    pub is_resolved: bool,
}

impl Kind {
    pub const ALL: [Kind; 9] = [
        Kind::Storing,
        Kind::Disk,
        Kind::Latency,
        Kind::Certificate,
        Kind::Backup,
        Kind::UpdateFailed,
        Kind::Plugin,
        Kind::Update,
        Kind::Log,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Storing => "storing",
            Kind::Disk => "disk",
            Kind::Latency => "latency",
            Kind::Certificate => "certificate",
            Kind::Backup => "backup",
            Kind::UpdateFailed => "updateFailed",
            Kind::Plugin => "plugin",
            Kind::Update => "update",
            Kind::Log => "log",
        }
    }

    pub(crate) fn is_about_updates(self) -> bool {
        matches!(self, Kind::Update | Kind::UpdateFailed)
    }

    /// `None`: nobody is alerted.
    pub fn timing(self) -> Option<Timing> {
        let timing = |hold, clear| Timing {
            hold,
            clear,
            repeat: DAY,
            is_resolved: true,
        };
        match self {
            Kind::Storing => Some(timing(MINUTE, 5 * MINUTE)),
            // Temporary files come and go; space that is freed should stay free for a while.
            Kind::Disk => Some(timing(10 * MINUTE, HOUR)),
            // It is that of five minutes already.
            Kind::Latency => Some(timing(5 * MINUTE, 15 * MINUTE)),
            // These do not come and go by themselves, and have a grace of their own.
            Kind::Certificate | Kind::Backup | Kind::UpdateFailed => Some(timing(MINUTE, MINUTE)),
            Kind::Plugin => Some(timing(MINUTE, 5 * MINUTE)),
            // News, not a fault: seldom repeated, and nothing is resolved by installing it.
            Kind::Update => Some(Timing {
                hold: HOUR,
                clear: HOUR,
                repeat: 30 * DAY,
                is_resolved: false,
            }),
            // The log is full of whatever else is wrong; it alone wakes nobody.
            Kind::Log => None,
        }
    }
}

/// Something that needs a look now.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub kind: Kind,
    /// Which plugin, which version; empty where there is only one.
    pub about: String,
    pub facts: Facts,
}

impl Condition {
    pub fn new(kind: Kind, facts: Value) -> Condition {
        let facts = match facts {
            Value::Object(facts) => facts,
            _ => Facts::new(),
        };
        Condition {
            kind,
            about: String::new(),
            facts,
        }
    }

    pub fn about(self, about: impl Into<String>) -> Condition {
        Condition {
            about: about.into(),
            ..self
        }
    }

    /// What is the same alert as before. Plugins fail one by one; of versions only the newest
    /// counts.
    pub fn key(&self) -> String {
        match self.kind {
            Kind::Plugin => format!("{}:{}", self.kind.name(), self.about),
            kind => kind.name().to_owned(),
        }
    }

    /// `{kind, …}`, as the admin area shows it.
    pub fn to_json(&self) -> Value {
        let mut json = Facts::new();
        json.insert("kind".to_owned(), self.kind.name().into());
        json.extend(self.facts.clone());
        Value::Object(json)
    }

    /// What [`Condition::to_json`] gave on another node. `None`: a newer release has written it.
    pub fn from_json(json: &Value, about: &str) -> Option<Condition> {
        let kind = kind_of_key(json.get("kind")?.as_str()?)?;
        let mut facts = json.as_object()?.clone();
        facts.remove("kind");
        Some(Condition {
            kind,
            about: about.to_owned(),
            facts,
        })
    }
}

/// `None`: a newer release knows it.
pub(crate) fn kind_of_key(key: &str) -> Option<Kind> {
    let name = key.split(':').next()?;
    Kind::ALL.into_iter().find(|kind| kind.name() == name)
}
