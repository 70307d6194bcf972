//! Operations on pads for operators, whether or not the service runs.
//!
//! [`Operations`] execute a [`Task`] with a service. If a server runs in the root folder, the
//! command sends it the task over a socket that only the server's own user can open (`control`
//! there, `client` here, `frames` between them). If none runs, the command opens the store itself.
//! So no command changes the store behind a live pad, and both ways use the same code.

pub mod client;
mod compact;
pub mod control;
mod dump;
mod export;
mod frames;
mod import;
pub mod plugins;
mod progress;
mod remove;
mod repair;
mod select;
mod session;

use std::sync::Arc;
use std::time::Duration;

use ::plugins::Manager;
use clap::ValueEnum;
use pad::Rev;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::Service;
use store::AuditLine;

pub use progress::{Failure, ProgressSender, Row, Summary, TaskEvent, TaskFailure};
pub use select::Pads;
use settings::{LogLevel, Settings};
use telemetry::log;
use updater::restart::Restart;

/// Time limit of the health check of the store.
const STORE_TIMEOUT: Duration = Duration::from_secs(8);
/// How many characters of what a task is about the audit log has.
const AUDITED_TARGET: usize = 300;

/// An operation and its parameters.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Names all pads, as rows.
    List,
    Check {
        pads: Pads,
    },
    Compact {
        pads: Pads,
        keep: Option<u64>,
        dry_run: bool,
    },
    Repair {
        pads: Pads,
        dry_run: bool,
    },
    Rebuild {
        pad: String,
        /// The last that can be reached, if none is named.
        rev: Option<u64>,
        to: String,
        dry_run: bool,
    },
    Delete {
        pads: Vec<String>,
        dry_run: bool,
    },
    /// Gives the file as bytes.
    Export {
        pad: String,
        format: String,
        rev: Option<u64>,
    },
    /// Gives all records as Etherpad has them, as bytes.
    Dump,
    Import {
        pad: String,
        format: String,
        /// Travels beside the rest.
        #[serde(skip)]
        content: Vec<u8>,
        replace: bool,
        dry_run: bool,
    },
    Plugins(plugins::PluginTask),
    /// Whether the store can be read.
    Health,
    LogLevel {
        level: Level,
    },
    /// Restarts the server.
    Restart,
    Session {
        group: String,
        author: String,
        name: Option<String>,
        /// A pad of the group, made if there is none.
        pad: Option<String>,
        seconds: u64,
        dry_run: bool,
    },
}

impl Task {
    /// For the log: what is done, and not to which pad.
    fn name(&self) -> &'static str {
        match self {
            Task::List => "list",
            Task::Check { .. } => "check",
            Task::Compact { .. } => "compact",
            Task::Repair { .. } => "repair",
            Task::Rebuild { .. } => "rebuild",
            Task::Delete { .. } => "delete",
            Task::Dump => "dump",
            Task::Export { .. } => "export",
            Task::Import { .. } => "import",
            Task::Session { .. } => "session",
            Task::Plugins(task) => task.name(),
            Task::Health => "health",
            Task::LogLevel { .. } => "log-level",
            Task::Restart => "restart",
        }
    }

    /// For the audit log: what changes something, or takes what is not public, and to what.
    fn audited(&self) -> Option<(String, String)> {
        let target = match self {
            Task::List | Task::Check { .. } | Task::Health => return None,
            Task::Compact { dry_run: true, .. }
            | Task::Repair { dry_run: true, .. }
            | Task::Rebuild { dry_run: true, .. }
            | Task::Delete { dry_run: true, .. }
            | Task::Import { dry_run: true, .. }
            | Task::Session { dry_run: true, .. } => return None,
            Task::Compact { pads, .. } | Task::Repair { pads, .. } => pads.to_string(),
            Task::Rebuild { pad, .. } | Task::Export { pad, .. } | Task::Import { pad, .. } => {
                pad.clone()
            }
            Task::Delete { pads, .. } => pads.join(", "),
            Task::Plugins(task) => task.audited()?,
            Task::Session { group, .. } => group.clone(),
            Task::Dump | Task::LogLevel { .. } | Task::Restart => String::new(),
        };
        Some((format!("command.{}", self.name().replace(' ', "-")), target))
    }

    /// The file that travels beside it.
    fn file(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            Task::Import { content, .. } => Some(content),
            Task::Plugins(plugins::PluginTask::Install { archive, .. }) => Some(archive),
            _ => None,
        }
    }

    /// How long it may take at most; `None` if that depends on how much there is to do.
    fn time_limit(&self) -> Option<Duration> {
        match self {
            Task::Health | Task::LogLevel { .. } => Some(Duration::from_secs(10)),
            Task::Restart => Some(Duration::from_secs(60)),
            _ => None,
        }
    }
}

/// The least important messages to log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

/// Executes tasks with a service.
pub struct Operations {
    service: Arc<Service>,
    settings: Arc<Settings>,
    plugins: Arc<Manager>,
    /// For a server.
    restart: Option<Arc<Restart>>,
}

impl Operations {
    pub fn new(
        service: &Arc<Service>,
        settings: &Arc<Settings>,
        plugins: &Arc<Manager>,
    ) -> Operations {
        Operations {
            service: Arc::clone(service),
            settings: Arc::clone(settings),
            plugins: Arc::clone(plugins),
            restart: None,
        }
    }

    /// The operations of a server, which can restart.
    pub fn with(self, restart: &Arc<Restart>) -> Operations {
        Operations {
            restart: Some(Arc::clone(restart)),
            ..self
        }
    }

    /// Writes a line into the audit log. Who may open the socket has no name but this one.
    async fn record(&self, action: String, target: String, done: bool) {
        let line = AuditLine {
            time: self.service.now(),
            principal: "command line".to_owned(),
            action,
            target: target.chars().take(AUDITED_TARGET).collect(),
            detail: String::new(),
            done,
        };
        if let Err(error) = self.service.store().append_audit(&line).await {
            tracing::error!("{}: not in the audit log: {error}", line.action);
        }
    }

    /// Executes a task and reports its progress. A failure does not undo earlier steps.
    async fn carry_out(&self, task: Task, out: &ProgressSender) -> Result<Summary, Failure> {
        match task {
            Task::List => self.list(out).await,
            Task::Check { pads } => self.check(&pads, out).await,
            Task::Compact {
                pads,
                keep,
                dry_run,
            } => self.compact(&pads, keep, dry_run, out).await,
            Task::Repair { pads, dry_run } => self.repair(&pads, dry_run, out).await,
            Task::Rebuild {
                pad,
                rev,
                to,
                dry_run,
            } => self.rebuild(&pad, rev.map(Rev), &to, dry_run).await,
            Task::Delete { pads, dry_run } => self.delete(&pads, dry_run, out).await,
            Task::Dump => self.dump(out).await,
            Task::Export { pad, format, rev } => {
                self.export(&pad, &format, rev.map(Rev), out).await
            }
            Task::Import {
                pad,
                format,
                content,
                replace,
                dry_run,
            } => {
                let file = import::File { format, content };
                self.import(&pad, file, replace, dry_run).await
            }
            Task::Plugins(task) => self.plugins(task, out).await,
            Task::Health => self.health().await,
            Task::LogLevel { level } => log_level(level),
            Task::Restart => self.restart_server().await,
            Task::Session {
                group,
                author,
                name,
                pad,
                seconds,
                dry_run,
            } => {
                let wanted = session::Wanted {
                    group: &group,
                    author: &author,
                    name: name.as_deref(),
                    pad: pad.as_deref(),
                    seconds,
                };
                self.session(&wanted, dry_run).await
            }
        }
    }
}

impl Operations {
    async fn health(&self) -> Result<Summary, Failure> {
        let ping = self.service.store().ping();
        let in_time = tokio::time::timeout(STORE_TIMEOUT, ping).await;
        in_time.map_err(|_| Failure::StoreTimeout)??;
        if self.service.storage().borrow().is_failing() {
            return Ok(Summary {
                text: "the server runs and its store can be read, but nothing can be stored"
                    .to_owned(),
                data: json!({ "status": "fail" }),
                ok: false,
            });
        }
        Ok(Summary {
            text: "the server runs, and its store can be read".to_owned(),
            data: json!({ "status": "pass" }),
            ok: true,
        })
    }

    async fn restart_server(&self) -> Result<Summary, Failure> {
        let restart = self.restart.as_ref().ok_or(Failure::NoServer)?;
        restart.request().await?;
        Ok(Summary {
            text: "the server restarts".to_owned(),
            data: json!({ "restart": true }),
            ok: true,
        })
    }
}

/// Sets the log level until the server restarts.
fn log_level(level: Level) -> Result<Summary, Failure> {
    let (name, level) = match level {
        Level::Debug => ("debug", LogLevel::Debug),
        Level::Info => ("info", LogLevel::Info),
        Level::Warn => ("warn", LogLevel::Warn),
        Level::Error => ("error", LogLevel::Error),
    };
    if !log::set_level(level) {
        return Err(Failure::Log);
    }
    Ok(Summary {
        text: format!("the server logs from level {name} on"),
        data: json!({ "level": name }),
        ok: true,
    })
}
