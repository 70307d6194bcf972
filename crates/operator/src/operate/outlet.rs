//! What is told of a task: how far it is, what it found, and how it ended.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::mpsc;

/// How much may wait to be told. A task waits for whoever listens.
const WAITING: usize = 16;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    Progress {
        done: u64,
        total: u64,
    },
    Row(Row),
    /// The task goes on. Sent when there is nothing else to tell, so that a command can tell a task
    /// that takes long from a server that hangs.
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
    /// Nobody listens any more.
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

/// Where a task tells of itself.
pub struct Outlet(mpsc::Sender<Reply>);

impl Outlet {
    pub fn new() -> (Outlet, mpsc::Receiver<Reply>) {
        let (sender, receiver) = mpsc::channel(WAITING);
        (Outlet(sender), receiver)
    }

    pub async fn progress(&self, done: u64, total: u64) -> Result<(), Failure> {
        self.tell(Reply::Progress { done, total }).await
    }

    pub async fn row(&self, text: String, data: Value) -> Result<(), Failure> {
        self.tell(Reply::Row(Row { text, data })).await
    }

    pub async fn bytes(&self, bytes: Vec<u8>) -> Result<(), Failure> {
        self.tell(Reply::Bytes(bytes)).await
    }

    /// Ends the task, however it went.
    pub async fn end(self, outcome: Result<Summary, Failure>) {
        let outcome = match outcome {
            Ok(summary) => Ok(summary),
            Err(Failure::Because(text)) => Err(text),
            Err(Failure::Gone) => return,
        };
        let _ = self.tell(Reply::End(outcome)).await;
    }

    async fn tell(&self, reply: Reply) -> Result<(), Failure> {
        self.0.send(reply).await.map_err(|_| Failure::Gone)
    }
}

/// A number and what is counted.
pub fn count(number: usize, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {one}s"),
    }
}
