//! `padsvc supervise`: starts the service, and restarts it when it ends with the code that asks
//! for it, or breaks.
//!
//! It runs the newest release that was switched to, and itself as long as there is none. A release
//! that breaks before it can count its starts is counted here.

use std::io;
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};
use tracing::{info, warn};
use update::{Effect, Execution, State};

use super::RESTART;
use super::boot::roll_back;
use super::owner::{Owner, now};
use super::places::Places;
use super::releases::Releases;
use settings::Log;
use settings::Options;
use telemetry::log;

/// Between a break and the next start; doubled each time, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A process that has run for this long did not break at the start.
const STEADY: Duration = Duration::from_secs(60);
/// The first starts of a new version that may fail, as in the plan.
const SILENT: u32 = 2;

/// Ends with the service, or with the error of the system that lets nothing be started.
pub async fn run(options: &Options) -> io::Result<ExitCode> {
    let _log = log::start(&Log::default());
    supervise(options).await
}

async fn supervise(options: &Options) -> io::Result<ExitCode> {
    let places = Places::of(&options.root);
    let arguments = options.arguments();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut pause = FIRST_PAUSE;
    let mut silent = 0;
    loop {
        let program = program(&places)?;
        let before = pending_boots(&places);
        let begun = tokio::time::Instant::now();
        let started = Command::new(&program)
            .args(&arguments)
            .kill_on_drop(true)
            .spawn();
        let ended = match started {
            Ok(mut child) => {
                let ended = tokio::select! {
                    ended = child.wait() => ended,
                    _ = terminate.recv() => return stop(child, Signal::TERM).await,
                    _ = interrupt.recv() => return stop(child, Signal::INT).await,
                };
                ended?.into()
            }
            Err(error) => {
                warn!("{} cannot be started: {error}", program.display());
                End::Broken
            }
        };
        match ended {
            End::Done => return Ok(ExitCode::SUCCESS),
            End::Restart => {
                info!("the service is restarted");
                (pause, silent) = (FIRST_PAUSE, 0);
                continue;
            }
            End::Broken => {}
        }
        // A release that could not even count this start.
        let after = pending_boots(&places);
        silent = if after.is_some() && after == before {
            silent + 1
        } else {
            0
        };
        if silent > SILENT {
            give_up(&places);
            silent = 0;
        }
        if begun.elapsed() > STEADY {
            pause = FIRST_PAUSE;
        }
        warn!(
            "the service broke; it is restarted in {} ms",
            pause.as_millis()
        );
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = terminate.recv() => return Ok(ExitCode::SUCCESS),
            _ = interrupt.recv() => return Ok(ExitCode::SUCCESS),
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

enum End {
    Done,
    Restart,
    Broken,
}

impl From<ExitStatus> for End {
    fn from(status: ExitStatus) -> End {
        match status.code() {
            Some(0) => End::Done,
            Some(code) if code == i32::from(RESTART) => End::Restart,
            _ => End::Broken,
        }
    }
}

fn program(places: &Places) -> io::Result<PathBuf> {
    match Releases(places).current() {
        Some(release) => Ok(Releases(places).program(&release)),
        None => std::env::current_exe(),
    }
}

/// Passes a signal on and waits for the end.
async fn stop(mut child: Child, signal: Signal) -> io::Result<ExitCode> {
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    if let Some(pid) = id.and_then(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
    let status = child.wait().await?;
    // The one who asked for the end does not want another start.
    let code = status.code().unwrap_or(1);
    Ok(if code == i32::from(RESTART) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(u8::try_from(code).unwrap_or(1))
    })
}

/// How often the new version was started, while it has to show that it works.
fn pending_boots(places: &Places) -> Option<u32> {
    let text = std::fs::read_to_string(places.state()).ok()?;
    let state = State::read(&text).ok()?;
    let is_pending = matches!(state.execution, Execution::PendingVerification { .. });
    is_pending.then_some(state.boot_count)
}

/// The new version does not even start. What ran before is put back from here.
fn give_up(places: &Places) {
    let owner = Owner::open(places.clone());
    let reason = "the new program does not start".to_owned();
    let step = owner.apply_step(|state| update::plan::abandoned(state, reason, now()));
    let effects = step.map(|step| step.effects).unwrap_or_default();
    for effect in effects {
        if let Effect::Restore { change } = effect {
            let owner = &owner;
            // A thread, because rolling back brings a runtime of its own.
            std::thread::scope(|scope| {
                scope.spawn(|| roll_back(owner, &change));
            });
        }
    }
}
