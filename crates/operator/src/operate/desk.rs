//! The command's end: finds the server that runs in the root folder, or does without.
//!
//! A server that does not answer is given up: it sends a sign of life every few seconds while a
//! task takes long.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use service::Service;
use store::{Location, Store};
use tokio::net::UnixStream;
use tokio::time::timeout;

use super::frames::Frame;
use super::{Operations, Outlet, Reply, Summary, Task, control};
use crate::open_store::{OpenError, prepare};
use settings::LogLevel;
use settings::Options;
use settings::configuration::Configuration;
use system::environment::System;
use telemetry::log;

/// How long a server may be silent.
const SILENCE: Duration = Duration::from_secs(30);

/// Where tasks are taken.
pub enum Desk {
    /// A server runs, and does them.
    Server(PathBuf),
    /// None runs. The log ends with it.
    Here(Operations, log::Running),
}

impl Desk {
    pub async fn open(options: &Options) -> Result<Desk, OpenError> {
        if let Some(path) = find_server(&options.root).await? {
            return Ok(Desk::Server(path));
        }
        let mut configuration = Configuration::load(options)?;
        let log = &mut configuration.settings.log;
        if matches!(log.level, LogLevel::Info) {
            log.level = LogLevel::Warn;
        }
        let log = log::start(log);
        let location = configuration.location(options);
        if let Location::Embedded(file) = &location
            && !file.exists()
        {
            // Opening it would create it.
            return Err(OpenError::NoDatabase(file.clone()));
        }
        let opening = prepare(&options.root.join("var"), location)?;
        let store = Store::open(opening).await?;
        let config = configuration.service();
        let service = Service::new(store, Arc::new(System), config);
        let settings = Arc::new(configuration.settings);
        let operations = Operations::new(&Arc::new(service), &settings);
        Ok(Desk::Here(operations, log))
    }

    /// Has a task done. What is told on the way is handed on as it comes.
    pub async fn ask(
        &self,
        task: Task,
        hear: &mut dyn FnMut(Reply) -> Result<(), String>,
    ) -> Result<Summary, String> {
        match self {
            Desk::Server(path) => match ask_server(path, task, hear).await {
                Ok(outcome) => outcome,
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    Err("the server does not answer".to_owned())
                }
                Err(error) => Err(format!("the server went away before it was done: {error}")),
            },
            Desk::Here(operations, _) => ask_here(operations, task, hear).await,
        }
    }

    pub async fn close(self) {
        if let Desk::Here(operations, _log) = self {
            operations.service.stop().await;
        }
    }
}

async fn ask_here(
    operations: &Operations,
    task: Task,
    hear: &mut dyn FnMut(Reply) -> Result<(), String>,
) -> Result<Summary, String> {
    let (out, mut replies) = Outlet::new();
    let work = async {
        let outcome = operations.carry_out(task, &out).await;
        out.end(outcome).await;
    };
    let listen = async {
        while let Some(reply) = replies.recv().await {
            match reply {
                Reply::End(outcome) => return outcome,
                other => hear(other)?,
            }
        }
        Err("the task broke off".to_owned())
    };
    tokio::pin!(work, listen);
    tokio::select! {
        outcome = &mut listen => outcome,
        () = &mut work => listen.await,
    }
}

/// Where the server takes commands that runs in a root folder, if one runs.
pub async fn find_server(root: &Path) -> Result<Option<PathBuf>, OpenError> {
    let path = control::path_in(root);
    let refused = |text| Err(OpenError::Server(path.clone(), text));
    match timeout(SILENCE, UnixStream::connect(&path)).await {
        Ok(Ok(_)) => Ok(Some(path.clone())),
        Ok(Err(error)) => match error.kind() {
            io::ErrorKind::PermissionDenied => {
                refused("belongs to another user; do this as the server's user")
            }
            // More commands wait than the system lets wait.
            io::ErrorKind::WouldBlock => refused("is not answered: the server hangs"),
            _ => Ok(None),
        },
        Err(_) => refused("is not answered: the server hangs"),
    }
}

async fn ask_server(
    path: &Path,
    task: Task,
    hear: &mut dyn FnMut(Reply) -> Result<(), String>,
) -> io::Result<Result<Summary, String>> {
    let limit = task.time_limit();
    let talk = talk_to_server(path, task, hear);
    match limit {
        Some(limit) => timeout(limit, talk).await?,
        None => talk.await,
    }
}

async fn talk_to_server(
    path: &Path,
    task: Task,
    hear: &mut dyn FnMut(Reply) -> Result<(), String>,
) -> io::Result<Result<Summary, String>> {
    let (mut from, mut to) = timeout(SILENCE, UnixStream::connect(path))
        .await??
        .into_split();
    timeout(SILENCE, Frame::of(&task)?.write(&mut to)).await??;
    let file = match task {
        Task::Import { content, .. } => content,
        _ => Vec::new(),
    };
    timeout(SILENCE, Frame::Bytes(file).write(&mut to)).await??;
    while let Some(frame) = timeout(SILENCE, Frame::read(&mut from)).await?? {
        let reply = match frame {
            Frame::Bytes(bytes) => Reply::Bytes(bytes),
            frame => frame.parse()?,
        };
        match reply {
            Reply::End(outcome) => return Ok(outcome),
            Reply::Working => {}
            other => {
                if let Err(problem) = hear(other) {
                    return Ok(Err(problem));
                }
            }
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;
    use tokio::net::UnixListener;

    use super::*;

    fn list() -> Task {
        Task::List
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_hangs_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        // Nobody accepts; the system takes what is written.
        let _listener = UnixListener::bind(&path).unwrap();
        let desk = Desk::Server(path);
        for task in [Task::Health, Task::Restart, list()] {
            let outcome = desk.ask(task, &mut |_| Ok(())).await;
            assert_eq!(outcome.err().unwrap(), "the server does not answer");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_may_take_long_while_the_server_shows_signs_of_life() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let listener = UnixListener::bind(&path).unwrap();
        let server = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            for _ in 0..100 {
                tokio::time::sleep(SILENCE / 2).await;
                let frame = Frame::of(&Reply::Working).unwrap();
                frame.write(&mut stream).await.unwrap();
            }
            let summary = Summary {
                text: "done".to_owned(),
                data: serde_json::Value::Null,
                ok: true,
            };
            let frame = Frame::of(&Reply::End(Ok(summary))).unwrap();
            frame.write(&mut stream).await.unwrap();
            stream.shutdown().await.unwrap();
        };
        let desk = Desk::Server(path);
        let mut hear = |_| Ok(());
        let (outcome, ()) = tokio::join!(desk.ask(list(), &mut hear), server);
        assert_eq!(outcome.unwrap().text, "done");
    }
}
