//! Progress of a task: how far it is, what it found, and how it ended.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::mpsc;

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
    End(Result<Summary, String>),
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
#[derive(Debug)]
pub enum Failure {
    /// The receiver is gone.
    Gone,
    Because(String),
}

impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure::Because(text)
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Failure {
        Failure::Because(error.to_string())
    }
}

impl From<service::Error> for Failure {
    fn from(error: service::Error) -> Failure {
        Failure::Because(error.to_string())
    }
}

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
            Err(Failure::Because(text)) => Err(text),
            Err(Failure::Gone) => return,
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
