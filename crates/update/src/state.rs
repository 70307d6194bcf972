//! State of updates, in memory and in `var/update-state.json`.
//!
//! The file is JSON with the fields below. Keys that this version does not know survive being
//! written by it; a file that does not hold together is an error, and the caller sets it aside.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::roll::RollMemory;

const SCHEMA: u64 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    pub schema_version: u64,
    #[serde(default)]
    pub last_check_at: Option<Timestamp>,
    #[serde(default)]
    pub last_etag: Option<String>,
    /// The code host asked not to be asked before.
    #[serde(default)]
    pub next_check_at: Option<Timestamp>,
    #[serde(default)]
    pub latest: Option<Release>,
    #[serde(default)]
    pub email: Email,
    #[serde(default)]
    pub execution: Execution,
    /// How often the new version was started without having been found healthy.
    #[serde(default)]
    pub boot_count: u32,
    #[serde(default)]
    pub last_result: Option<LastResult>,
    /// An administrator has cancelled this one: it is not scheduled again by itself.
    #[serde(default)]
    pub cancelled_tag: Option<String>,
    #[serde(default, skip_serializing_if = "RollMemory::is_empty")]
    pub roll: RollMemory,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// The tag without a `v` before it.
    pub version: String,
    pub tag: String,
    pub body: String,
    pub published_at: String,
    pub prerelease: bool,
    pub html_url: String,
}

/// Which mails have been sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Email {
    pub severe_at: Option<Timestamp>,
    pub grace_start_tag: Option<String>,
    pub last_failure_key: Option<String>,
    /// When the failed rollback happened that has been told.
    pub rollback_failed_at: Option<Timestamp>,
}

/// Who wanted an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    Manual,
    Auto,
}

/// From what to what an update goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    pub trigger: Trigger,
    /// The commit that is checked out.
    pub from_sha: String,
    /// The folder of the program that runs.
    pub from_release: String,
    /// The commit that was verified, and nothing else is installed.
    pub commit: String,
    /// The version it says it is.
    pub version: String,
    pub to_release: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "status",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum Execution {
    #[default]
    Idle,
    Scheduled {
        target_tag: String,
        scheduled_for: Timestamp,
        started_at: Timestamp,
    },
    Preflight {
        target_tag: String,
        started_at: Timestamp,
        trigger: Trigger,
    },
    PreflightFailed {
        target_tag: String,
        reason: String,
        at: Timestamp,
    },
    Draining {
        target_tag: String,
        drain_ends_at: Timestamp,
        started_at: Timestamp,
        #[serde(flatten)]
        change: Change,
    },
    Executing {
        target_tag: String,
        started_at: Timestamp,
        #[serde(flatten)]
        change: Change,
    },
    PendingVerification {
        target_tag: String,
        deadline_at: Timestamp,
        #[serde(flatten)]
        change: Change,
    },
    Verified {
        target_tag: String,
        verified_at: Timestamp,
    },
    RollingBack {
        reason: String,
        target_tag: String,
        at: Timestamp,
        #[serde(flatten)]
        change: Change,
    },
    RolledBack {
        reason: String,
        target_tag: String,
        restored_sha: String,
        at: Timestamp,
    },
    RollbackFailed {
        reason: String,
        target_tag: String,
        from_sha: String,
        at: Timestamp,
    },
}

impl Execution {
    pub fn status(&self) -> &'static str {
        match self {
            Execution::Idle => "idle",
            Execution::Scheduled { .. } => "scheduled",
            Execution::Preflight { .. } => "preflight",
            Execution::PreflightFailed { .. } => "preflight-failed",
            Execution::Draining { .. } => "draining",
            Execution::Executing { .. } => "executing",
            Execution::PendingVerification { .. } => "pending-verification",
            Execution::Verified { .. } => "verified",
            Execution::RollingBack { .. } => "rolling-back",
            Execution::RolledBack { .. } => "rolled-back",
            Execution::RollbackFailed { .. } => "rollback-failed",
        }
    }

    /// Whether the program is about to be replaced, or has been and is not verified yet.
    pub fn is_under_way(&self) -> bool {
        matches!(
            self,
            Execution::Preflight { .. }
                | Execution::Draining { .. }
                | Execution::Executing { .. }
                | Execution::PendingVerification { .. }
                | Execution::RollingBack { .. }
        )
    }

    /// Whether nothing goes on before somebody acknowledges.
    pub fn has_failed(&self) -> bool {
        matches!(
            self,
            Execution::PreflightFailed { .. }
                | Execution::RolledBack { .. }
                | Execution::RollbackFailed { .. }
        )
    }

    pub fn target_tag(&self) -> Option<&str> {
        match self {
            Execution::Idle => None,
            Execution::Scheduled { target_tag, .. }
            | Execution::Preflight { target_tag, .. }
            | Execution::PreflightFailed { target_tag, .. }
            | Execution::Draining { target_tag, .. }
            | Execution::Executing { target_tag, .. }
            | Execution::PendingVerification { target_tag, .. }
            | Execution::Verified { target_tag, .. }
            | Execution::RollingBack { target_tag, .. }
            | Execution::RolledBack { target_tag, .. }
            | Execution::RollbackFailed { target_tag, .. } => Some(target_tag),
        }
    }
}

/// How the last attempt ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastResult {
    pub target_tag: String,
    pub from_sha: String,
    pub outcome: Outcome,
    pub reason: Option<String>,
    pub at: Timestamp,
    #[serde(default)]
    pub trigger: Option<Trigger>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Verified,
    RolledBack,
    RollbackFailed,
    PreflightFailed,
    Cancelled,
}

impl Outcome {
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Verified => "verified",
            Outcome::RolledBack => "rolled-back",
            Outcome::RollbackFailed => "rollback-failed",
            Outcome::PreflightFailed => "preflight-failed",
            Outcome::Cancelled => "cancelled",
        }
    }
}

/// What is wrong with a state file.
#[derive(Debug, Error)]
pub enum StateError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("execution.{0} is empty")]
    Empty(String),
    #[error("schemaVersion is {0}, not {SCHEMA}")]
    Schema(u64),
}

impl Default for State {
    fn default() -> State {
        State {
            schema_version: SCHEMA,
            last_check_at: None,
            last_etag: None,
            next_check_at: None,
            latest: None,
            email: Email::default(),
            execution: Execution::Idle,
            boot_count: 0,
            last_result: None,
            cancelled_tag: None,
            roll: RollMemory::default(),
            others: Map::new(),
        }
    }
}

impl State {
    /// Reads the file.
    pub fn read(text: &str) -> Result<State, StateError> {
        let value: Value = serde_json::from_str(text)?;
        if let Some(key) = empty_text(value.get("execution")) {
            return Err(StateError::Empty(key.clone()));
        }
        let state: State = serde_json::from_value(value)?;
        match state.schema_version {
            SCHEMA => Ok(state),
            other => Err(StateError::Schema(other)),
        }
    }

    pub fn write(&self) -> String {
        // Maps with text keys and plain values always can be written.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        text + "\n"
    }
}

/// Nothing that an update is about can be without a name.
fn empty_text(execution: Option<&Value>) -> Option<&String> {
    let fields = execution?.as_object()?;
    let empty = |(_, value): &(&String, &Value)| value.as_str() == Some("");
    fields.iter().find(empty).map(|(key, _)| key)
}
