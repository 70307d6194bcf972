//! Progress of a task: how far it is, what it found, and how it ended.

use pad::{PadId, Rev};
use plugin::Permission;
use plugins::manage::Missing;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use tokio::sync::mpsc;
use tokio::task::JoinError;

/// Capacity of the channel. A task waits for its receiver.
const WAITING: usize = 16;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskEvent {
    Progress {
        done: u64,
        total: u64,
    },
    Row(Row),
    /// Heartbeat, so that a command can tell a long task from a server that hangs.
    Working,
    /// A part of a file. Travels beside the rest.
    #[serde(skip)]
    Bytes(Vec<u8>),
    End(Result<Summary, TaskFailure>),
}

/// One thing that was found or done, for people and for programs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub text: String,
    pub data: Value,
}

/// How a task ended that could be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub text: String,
    pub data: Value,
    /// Whether everything is as it should be: the exit code.
    pub ok: bool,
}

/// Why a task ended early.
#[derive(Debug, Error)]
pub enum Failure {
    #[error("the receiver is gone")]
    Gone,
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Service(#[from] service::Error),
    #[error(transparent)]
    Convert(#[from] convert::Error),
    #[error(transparent)]
    Plugins(#[from] plugins::ManageError),
    #[error("not agreed to: {0}; to agree, add {options}", options = options(.0))]
    NotAgreed(Missing),
    #[error(transparent)]
    Restart(#[from] updater::restart::Refusal),
    /// A thread of ours panicked.
    #[error(transparent)]
    Thread(#[from] JoinError),
    #[error("there is no pad {0}")]
    NoPad(String),
    #[error("there is no group {0}")]
    NoGroup(String),
    #[error("there is no revision {rev}; the newest is {newest}")]
    NoRevision { rev: Rev, newest: Rev },
    #[error("a pad cannot be named {0}")]
    PadName(String),
    #[error("there is a pad {0} already")]
    PadExists(PadId),
    #[error("there is a pad {0} already; --force replaces what it says")]
    PadExistsUnforced(PadId),
    #[error("no revision of {0} can be reached")]
    NothingReachable(PadId),
    #[error("revision {rev} of {pad} cannot be reached; the last is {last}")]
    Unreachable { pad: PadId, rev: Rev, last: Rev },
    #[error("there is no format {0}")]
    NoFormat(String),
    /// With the endings there are.
    #[error("the file must end in one of {0}")]
    Format(String),
    #[error("compacting requires cleanup.enabled = true in settings.json")]
    CompactionOff,
    #[error("the store does not answer")]
    StoreTimeout,
    #[error("no server runs here")]
    NoServer,
    #[error("the log cannot be changed")]
    Log,
}

/// Of the command that installs a plugin.
fn options(missing: &Missing) -> String {
    let grant = |permission: &Permission| match permission {
        // Shells have another meaning for its parentheses.
        Permission::HttpFetch(_) => format!("--grant '{permission}'"),
        _ => format!("--grant {permission}"),
    };
    let grants = missing.permissions.iter().map(grant);
    let browsers = missing.browsers.then(|| "--browsers".to_owned());
    let options: Vec<String> = grants.chain(browsers).collect();
    options.join(" ")
}

/// Text of a [`Failure`], as it travels from the server to the command.
#[derive(Clone, Debug, Serialize, Deserialize, Error)]
#[error("{0}")]
pub struct TaskFailure(String);

/// Sends the events of a task.
pub struct ProgressSender(mpsc::Sender<TaskEvent>);

impl ProgressSender {
    pub fn new() -> (ProgressSender, mpsc::Receiver<TaskEvent>) {
        let (sender, receiver) = mpsc::channel(WAITING);
        (ProgressSender(sender), receiver)
    }

    pub async fn progress(&self, done: u64, total: u64) -> Result<(), Failure> {
        self.send(TaskEvent::Progress { done, total }).await
    }

    pub async fn row(&self, text: String, data: Value) -> Result<(), Failure> {
        self.send(TaskEvent::Row(Row { text, data })).await
    }

    pub async fn bytes(&self, bytes: Vec<u8>) -> Result<(), Failure> {
        self.send(TaskEvent::Bytes(bytes)).await
    }

    /// Sends the outcome of the task.
    pub async fn end(self, outcome: Result<Summary, Failure>) {
        let outcome = match outcome {
            Ok(summary) => Ok(summary),
            Err(Failure::Gone) => return,
            Err(failure) => Err(TaskFailure(failure.to_string())),
        };
        let _ = self.send(TaskEvent::End(outcome)).await;
    }

    async fn send(&self, event: TaskEvent) -> Result<(), Failure> {
        self.0.send(event).await.map_err(|_| Failure::Gone)
    }
}

/// A number and what is counted.
pub(super) fn count(number: usize, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {one}s"),
    }
}
