//! The owner of the state: everything that changes it goes through here, and is on disk before
//! anything follows from it.

use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use tracing::{error, info};
use update::{Execution, State, Step};

use super::journal::Journal;
use super::places::Places;
use system::private_file;

pub struct Owner {
    pub places: Places,
    pub journal: Journal,
    state: Mutex<State>,
}

/// The time on the wall.
#[expect(clippy::disallowed_methods, reason = "the only clock of updates")]
pub fn now() -> Timestamp {
    Timestamp::now()
}

impl Owner {
    /// Reads the state. A file that does not hold together is set aside, and nothing is known then.
    pub fn open(places: Places) -> Owner {
        let journal = Journal::new(places.log());
        let path = places.state();
        let state = match std::fs::read_to_string(&path) {
            Ok(text) => State::read(&text).unwrap_or_else(|problem| {
                set_aside(&path, &problem.to_string(), &journal);
                State::default()
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => State::default(),
            Err(error) => {
                set_aside(&path, &error.to_string(), &journal);
                State::default()
            }
        };
        Owner {
            places,
            journal,
            state: Mutex::new(state),
        }
    }

    pub fn state(&self) -> State {
        self.lock().clone()
    }

    /// Takes a step. If what it leads to cannot be written, it is not taken.
    pub fn apply_step(&self, plan: impl FnOnce(&State) -> Step) -> io::Result<Step> {
        let mut state = self.lock();
        let step = plan(&state);
        if step.state != *state {
            private_file::replace(&self.places.state(), &step.state.write()).inspect_err(
                |error| {
                    error!("the state of updates cannot be written: {error}");
                },
            )?;
            if step.state.execution != state.execution {
                self.log_execution(&step.state.execution);
            }
            *state = step.state.clone();
        }
        Ok(step)
    }

    fn log_execution(&self, execution: &Execution) {
        let (status, rest) = described(execution);
        self.journal
            .line(&format!("{}{rest}", status.to_uppercase()));
        info!("update: {status}{rest}");
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing under this lock can panic halfway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn described(execution: &Execution) -> (&'static str, String) {
    let mut rest = String::new();
    if let Some(tag) = execution.target_tag() {
        rest += &format!(" target={tag}");
    }
    match execution {
        Execution::Scheduled { scheduled_for, .. } => {
            rest += &format!(" scheduledFor={scheduled_for}");
        }
        Execution::Draining { drain_ends_at, .. } => {
            rest += &format!(" drainEndsAt={drain_ends_at}");
        }
        Execution::PreflightFailed { reason, .. }
        | Execution::RollingBack { reason, .. }
        | Execution::RolledBack { reason, .. }
        | Execution::RollbackFailed { reason, .. } => rest += &format!(" reason={reason}"),
        _ => {}
    }
    (execution.status(), rest)
}

fn set_aside(path: &Path, problem: &str, journal: &Journal) {
    let aside = path.with_extension(format!("json.corrupt-{}", now().as_second()));
    let moved = std::fs::rename(path, &aside);
    let what = match &moved {
        Ok(()) => format!("it is now {}", aside.display()),
        Err(error) => format!("it could not be set aside: {error}"),
    };
    let text = format!("{} cannot be used: {problem}; {what}", path.display());
    journal.line(&text);
    error!("{text}");
}
