//! The command's end: finds the server that runs in the root folder, or does without.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use service::Service;
use store::{Location, Store};
use tokio::net::UnixStream;

use super::frames::Frame;
use super::{Operations, Outlet, Reply, Summary, Task, control};
use crate::cli::Options;
use crate::configure::Configuration;
use crate::environment::System;
use crate::log;
use crate::serve::StartError;
use crate::settings::LogLevel;

/// Where tasks are taken.
pub enum Desk {
    /// A server runs, and does them.
    Server(PathBuf),
    /// None runs. The log ends with it.
    Here(Operations, log::Running),
}

impl Desk {
    pub async fn open(options: &Options) -> Result<Desk, StartError> {
        let path = control::path_in(&options.root);
        match UnixStream::connect(&path).await {
            Ok(_) => return Ok(Desk::Server(path)),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let path = path.display();
                let text = format!("{path} belongs to another user; do this as the server's user");
                return Err(StartError::Nothing(text));
            }
            // There is no server.
            Err(_) => {}
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
            let text = format!("there is no database {}", file.display());
            return Err(StartError::Nothing(text));
        }
        let store = Store::open(location).await?;
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

async fn ask_server(
    path: &PathBuf,
    task: Task,
    hear: &mut dyn FnMut(Reply) -> Result<(), String>,
) -> io::Result<Result<Summary, String>> {
    let (mut from, mut to) = UnixStream::connect(path).await?.into_split();
    Frame::of(&task)?.write(&mut to).await?;
    let file = match task {
        Task::Import { content, .. } => content,
        _ => Vec::new(),
    };
    Frame::Bytes(file).write(&mut to).await?;
    while let Some(frame) = Frame::read(&mut from).await? {
        let reply = match frame {
            Frame::Bytes(bytes) => Reply::Bytes(bytes),
            frame => frame.parse()?,
        };
        match reply {
            Reply::End(outcome) => return Ok(outcome),
            other => {
                if let Err(problem) = hear(other) {
                    return Ok(Err(problem));
                }
            }
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}
