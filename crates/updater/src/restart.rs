//! Restart of the program in its own place: once it has ended as it does on a signal, another
//! start of it takes over the process. The supervisor of the process notices nothing, be it
//! systemd, a container, `padsvc supervise` or a shell.
//!
//! Nothing stops before the settings that the new start will read are known to be good.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use settings::Problem;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use crate::{Updates, now};

/// How long people are informed before it happens.
pub const DRAIN_SECONDS: u64 = 2;
/// Where a start that may listen anywhere finds the port that the one before it had.
const LAST_PORT: &str = "PADSVC_LAST_PORT";

/// How this program was started. Known from the start: its file may be replaced meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    path: PathBuf,
    arguments: Vec<OsString>,
    /// Where it listens.
    port: u16,
}

impl Program {
    pub fn running(port: u16) -> Program {
        let mut arguments = std::env::args_os();
        let named = arguments.next().map(PathBuf::from).unwrap_or_default();
        Program {
            path: std::env::current_exe().unwrap_or(named),
            arguments: arguments.collect(),
            port,
        }
    }

    /// Comes back only if it cannot be done. Files and sockets are closed by it; the new start
    /// listens where this one did, unless the settings name another port.
    pub fn start_again(&self) -> io::Error {
        Command::new(&self.path)
            .args(&self.arguments)
            .env(LAST_PORT, self.port.to_string())
            .exec()
    }
}

/// The port to take if any will do.
#[expect(
    clippy::disallowed_methods,
    reason = "handed from one process to the next"
)]
pub fn last_port() -> Option<u16> {
    std::env::var(LAST_PORT).ok()?.parse().ok()
}

/// Tries as much of a start as it can while the service runs.
pub type Rehearsal = dyn Fn() -> Result<(), Refusal> + Send + Sync;

/// What is needed to ask for a restart.
pub struct Restart {
    rehearsal: Arc<Rehearsal>,
    pub program: Program,
    updates: Updates,
    /// Tells this start from others.
    pub start: String,
    asked: CancellationToken,
}

/// Why the service goes on as it is.
#[derive(Debug, Error)]
pub enum Refusal {
    /// The update restarts the service anyway.
    #[error("an update is under way; try again when it is over")]
    Update,
    #[error("with these settings the service would not start:{}", list(.0))]
    Settings(Vec<Problem>),
    #[error("the service would not start: {0}")]
    Start(Box<dyn std::error::Error + Send + Sync>),
}

fn list(problems: &[Problem]) -> String {
    problems
        .iter()
        .map(|problem| format!(" {problem};"))
        .collect()
}

impl Restart {
    pub fn new(program: Program, updates: Updates, rehearsal: Arc<Rehearsal>) -> Restart {
        Restart {
            rehearsal,
            program,
            updates,
            start: now().as_nanosecond().to_string(),
            asked: CancellationToken::new(),
        }
    }

    /// Begins it, if the service will come back.
    pub async fn request(&self) -> Result<(), Refusal> {
        if self.updates.is_under_way() {
            return Err(Refusal::Update);
        }
        let rehearsal = Arc::clone(&self.rehearsal);
        let rehearsed = tokio::task::spawn_blocking(move || rehearsal());
        rehearsed
            .await
            .map_err(|error| Refusal::Start(error.into()))??;
        self.asked.cancel();
        Ok(())
    }

    pub async fn asked(&self) {
        self.asked.cancelled().await;
    }
}
