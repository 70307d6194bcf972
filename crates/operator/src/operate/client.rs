//! Client of a running server: finds the one in the root folder, or executes tasks in this process.
//!
//! A server sends a heartbeat every few seconds during a long task, so the client gives up one that
//! is silent.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use service::Service;
use store::Location;
use thiserror::Error;
use tokio::net::UnixStream;
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use super::frames::Frame;
use super::{Operations, ProgressSender, Summary, Task, TaskEvent, TaskFailure, control};
use crate::open_store::{OpenError, open, prepare};
use crate::plugin_manager;
use settings::LogLevel;
use settings::Options;
use settings::configuration::Configuration;
use system::environment::System;
use telemetry::log;

/// How long a server may be silent.
const SILENCE: Duration = Duration::from_secs(30);

/// Receiver of the events of a task. It fails if it cannot write what it was given.
type OnEvent<'a> = &'a mut dyn FnMut(TaskEvent) -> io::Result<()>;

/// Why a task has no summary.
#[derive(Debug, Error)]
pub enum ExecuteError {
    #[error(transparent)]
    Task(#[from] TaskFailure),
    #[error("the server does not answer")]
    Timeout(#[from] Elapsed),
    #[error("the server went away before it was done: {0}")]
    Connection(#[from] io::Error),
    #[error("the task broke off")]
    BrokeOff,
    #[error(transparent)]
    Output(io::Error),
}

/// Executes tasks, in the server or in this process.
pub enum Executor {
    /// A running server, by its socket.
    Server(PathBuf),
    /// This process, because no server runs. The log ends with it.
    Here(Operations, log::Running),
}

impl Executor {
    pub async fn open(options: &Options) -> Result<Executor, OpenError> {
        if let Some(path) = find_server(&options.root).await? {
            return Ok(Executor::Server(path));
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
        let var = options.root.join("var");
        let (store, _) = open(&var, prepare(&var, location)?).await?;
        let config = configuration.service();
        let service = Service::new(store, Arc::new(System), config);
        let settings = Arc::new(configuration.settings);
        let plugins = plugin_manager::open(service.store(), &settings).await?;
        let operations = Operations::new(&Arc::new(service), &settings, &plugins);
        Ok(Executor::Here(operations, log))
    }

    /// Executes a task, and passes its events on as they come.
    pub async fn execute(
        &self,
        task: Task,
        on_event: OnEvent<'_>,
    ) -> Result<Summary, ExecuteError> {
        match self {
            Executor::Server(path) => execute_on_server(path, task, on_event).await,
            Executor::Here(operations, _) => execute_here(operations, task, on_event).await,
        }
    }

    pub async fn close(self) {
        if let Executor::Here(operations, _log) = self {
            operations.service.stop().await;
        }
    }
}

async fn execute_here(
    operations: &Operations,
    task: Task,
    on_event: OnEvent<'_>,
) -> Result<Summary, ExecuteError> {
    let (out, mut events) = ProgressSender::new();
    let work = async {
        let outcome = operations.carry_out(task, &out).await;
        out.end(outcome).await;
    };
    let listen = async {
        while let Some(event) = events.recv().await {
            match event {
                TaskEvent::End(outcome) => return Ok(outcome?),
                other => on_event(other).map_err(ExecuteError::Output)?,
            }
        }
        Err(ExecuteError::BrokeOff)
    };
    tokio::pin!(work, listen);
    tokio::select! {
        outcome = &mut listen => outcome,
        () = &mut work => listen.await,
    }
}

/// The socket of the server that runs in a root folder, if one runs.
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

async fn execute_on_server(
    path: &Path,
    task: Task,
    on_event: OnEvent<'_>,
) -> Result<Summary, ExecuteError> {
    let limit = task.time_limit();
    let exchange = exchange(path, task, on_event);
    match limit {
        Some(limit) => timeout(limit, exchange).await?,
        None => exchange.await,
    }
}

async fn exchange(
    path: &Path,
    mut task: Task,
    on_event: OnEvent<'_>,
) -> Result<Summary, ExecuteError> {
    let (mut from, mut to) = timeout(SILENCE, UnixStream::connect(path))
        .await??
        .into_split();
    timeout(SILENCE, Frame::of(&task)?.write(&mut to)).await??;
    let file = task.file().map(std::mem::take).unwrap_or_default();
    timeout(SILENCE, Frame::Bytes(file).write(&mut to)).await??;
    while let Some(frame) = timeout(SILENCE, Frame::read(&mut from)).await?? {
        let event = match frame {
            Frame::Bytes(bytes) => TaskEvent::Bytes(bytes),
            frame => frame.parse()?,
        };
        match event {
            TaskEvent::End(outcome) => return Ok(outcome?),
            TaskEvent::Working => {}
            other => on_event(other).map_err(ExecuteError::Output)?,
        }
    }
    Err(ExecuteError::Connection(
        io::ErrorKind::UnexpectedEof.into(),
    ))
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
        let executor = Executor::Server(path);
        for task in [Task::Health, Task::Restart, list()] {
            let outcome = executor.execute(task, &mut |_| Ok(())).await;
            assert_eq!(
                outcome.err().unwrap().to_string(),
                "the server does not answer"
            );
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
                let frame = Frame::of(&TaskEvent::Working).unwrap();
                frame.write(&mut stream).await.unwrap();
            }
            let summary = Summary {
                text: "done".to_owned(),
                data: serde_json::Value::Null,
                ok: true,
            };
            let frame = Frame::of(&TaskEvent::End(Ok(summary))).unwrap();
            frame.write(&mut stream).await.unwrap();
            stream.shutdown().await.unwrap();
        };
        let executor = Executor::Server(path);
        let mut on_event = |_| Ok(());
        let (outcome, ()) = tokio::join!(executor.execute(list(), &mut on_event), server);
        assert_eq!(outcome.unwrap().text, "done");
    }
}
