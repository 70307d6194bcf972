//! Confinement of workers: what the kernel keeps them from, said once in the log.
//!
//! It is the same for all of them. Where there are plugins it is found out at the start, so that an
//! operator reads it before any of them has something to do.

use std::sync::Once;
use std::time::Duration;

use plugin::Name;
use plugin::wire::{FromWorker, SandboxReport, Start, Texts, ToWorker};
use serde_json::value::RawValue;
use tokio::time::timeout;
use tracing::{info, warn};

use crate::supervise::{MEMORY, SLICE_MS};
use crate::worker::{Launcher, Worker};

static SAID: Once = Once::new();

/// How long a worker may take to report.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn say(sandbox: &SandboxReport) {
    SAID.call_once(|| match sandbox.inherited == 0 && sandbox.is_tight() {
        true => info!("workers of plugins reach nothing of this machine: {sandbox:?}"),
        false => warn!("workers of plugins are not confined completely: {sandbox:?}"),
    });
}

/// Starts a worker that reports, unless one has, and ends it.
pub(crate) async fn find_out(launcher: &Launcher) {
    if SAID.is_completed() {
        return;
    }
    let (Ok(mut worker), Some(start)) = (launcher(), start()) else {
        return;
    };
    if let Some(sandbox) = reported(&mut worker, &start).await {
        say(&sandbox);
    }
    worker.kill().await;
}

async fn reported(worker: &mut Worker, start: &ToWorker) -> Option<SandboxReport> {
    worker.send(start).ok()?;
    match timeout(PATIENCE, worker.next()).await {
        Ok(Ok(FromWorker::Ready { sandbox, .. })) => Some(sandbox),
        _ => None,
    }
}

fn start() -> Option<ToWorker> {
    let name: Name = "confinement".parse().ok()?;
    Some(ToWorker::Start(Box::new(Start {
        name,
        script: String::new(),
        now: 0,
        settings: RawValue::from_string("{}".to_owned()).ok()?,
        texts: Texts::new(),
        memory: MEMORY,
        slice_ms: SLICE_MS,
    })))
}
