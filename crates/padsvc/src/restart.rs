//! Starting the program anew in its own place: once it has ended as it does on a signal, another
//! start of it takes over the process. Whoever looks after the process notices nothing, be it
//! systemd, a container, `padsvc supervise` or a shell.
//!
//! Nothing stops before the settings that the new start will read are known to be good.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::serve::StartError;
use crate::tls;
use crate::update::{self, Updates};
use settings::Options;
use settings::Problem;
use settings::configuration::{self, Configuration};

/// How long people are told of it before it happens.
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
    pub fn start_anew(&self) -> io::Error {
        Command::new(&self.path)
            .args(&self.arguments)
            .env(LAST_PORT, self.port.to_string())
            .exec()
    }
}

/// The port to take if any will do.
pub fn last_port() -> Option<u16> {
    std::env::var(LAST_PORT).ok()?.parse().ok()
}

/// What is needed to ask for another start.
pub struct Restart {
    options: Options,
    pub program: Program,
    updates: Updates,
    /// Tells this start from others.
    pub start: String,
    asked: CancellationToken,
}

/// Why the service goes on as it is.
#[derive(Debug)]
pub enum Refusal {
    /// It is about to be started anew anyway.
    Update,
    Settings(Vec<Problem>),
    /// It could not start again.
    Start(StartError),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Update => f.write_str("an update is under way; try again when it is over"),
            Refusal::Settings(problems) => {
                f.write_str("with these settings the service would not start:")?;
                problems
                    .iter()
                    .try_for_each(|problem| write!(f, " {problem};"))
            }
            Refusal::Start(error) => write!(f, "the service would not start: {error}"),
        }
    }
}

impl Restart {
    pub fn new(options: &Options, program: Program, updates: Updates) -> Restart {
        Restart {
            options: options.clone(),
            program,
            updates,
            start: update::now().as_nanosecond().to_string(),
            asked: CancellationToken::new(),
        }
    }

    /// Begins it, if the service will come back.
    pub async fn ask(self: &Arc<Self>) -> Result<(), Refusal> {
        if self.updates.is_under_way() {
            return Err(Refusal::Update);
        }
        let this = Arc::clone(self);
        let rehearsal = tokio::task::spawn_blocking(move || this.rehearse());
        let broken = |error| Refusal::Start(StartError::Nothing(format!("{error}")));
        rehearsal.await.map_err(broken)??;
        self.asked.cancel();
        Ok(())
    }

    pub async fn asked(&self) {
        self.asked.cancelled().await;
    }

    /// As much of a start as can be tried while the service runs.
    fn rehearse(&self) -> Result<(), Refusal> {
        let configuration = Configuration::load(&self.options).map_err(|error| match error {
            configuration::Error::Wrong(_, problems) => Refusal::Settings(problems),
            other => Refusal::Start(other.into()),
        })?;
        tls::acceptor(&configuration.settings.listen, &self.options.root)
            .map_err(Refusal::Start)?;
        let wanted = configuration.address();
        if wanted.port() != 0 && wanted.port() != self.program.port {
            let refused = |error| Refusal::Start(StartError::Listen(wanted, error));
            TcpListener::bind(wanted).map_err(refused)?;
        }
        Ok(())
    }
}
