//! Supervisor of one plugin: starts its worker when there is something to do, and ends it when
//! there is nothing, or when it is stuck. One that fails is started again after a while.

mod call_queue;

mod session;

use std::sync::Arc;
use std::time::Duration;

use plugin::Hook;
use plugin::wire::{Start, ToWorker};
use serde_json::value::to_raw_value;
use tokio::time::{Instant, sleep_until};
use tracing::{debug, warn};

use crate::backoff::Backoff;
use crate::calls::Calls;
use crate::running::{Failure, Incoming, Request, Room, Running};
use crate::worker::Launcher;
use session::{Session, SessionEnd};

/// What a plugin may allocate, and how much processor time one message may take.
pub(crate) const MEMORY: u64 = 16 * 1024 * 1024;
pub(crate) const SLICE_MS: u32 = 100;
/// How long a worker may take until it is ready.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest pause after failures of a worker without which something is refused.
const REFUSING_PAUSE: Duration = Duration::from_secs(10);

pub(crate) struct Supervisor {
    pub plugin: Arc<Running>,
    pub incoming: Incoming,
    pub launcher: Arc<Launcher>,
    pub calls: Arc<Calls>,
}

impl Supervisor {
    /// Until the plugin is disabled, changed or removed, or the service stops.
    pub(crate) async fn run(mut self) {
        let end = self.plugin.end.clone();
        let mut backoff = Backoff::default();
        // So that it can set its timers.
        let starts = self.plugin.has(Hook::Started) && self.incoming.is_first();
        let mut first = starts.then_some(Work::Start);
        loop {
            let work = match first.take() {
                Some(work) => work,
                None => match self.next_work().await {
                    Some(work) => work,
                    None => return,
                },
            };
            if self.plugin.health().is_off() {
                self.skip(work);
                continue;
            }
            let reason = match self.live(work, &mut backoff).await {
                SessionEnd::Idle => {
                    self.plugin.health().idles();
                    continue;
                }
                SessionEnd::Stopped => return,
                SessionEnd::Failed(reason) => reason,
            };
            let name = self.plugin.installed.name();
            debug!("the worker of {name} has failed: {reason}");
            self.plugin.health().idles();
            if self.plugin.health().ended(&reason, self.calls.now()) {
                warn!("the plugin {name} is switched off: {reason}");
            }
            let pause = backoff.fail().min(self.longest_pause());
            let pause = sleep_until(Instant::now() + pause);
            tokio::select! {
                () = end.cancelled() => return,
                () = self.skip_until(pause) => {}
            }
            // What waits meanwhile is done then.
            if self.incoming.is_first() && self.plugin.has_queued() {
                first = Some(Work::Start);
            }
        }
    }

    /// As long as there is no worker, a plugin that must be asked refuses everybody.
    fn longest_pause(&self) -> Duration {
        match self.plugin.must_be_asked() {
            true => REFUSING_PAUSE,
            false => Duration::MAX,
        }
    }

    /// Waits for something to do. `None`: the plugin ends.
    async fn next_work(&mut self) -> Option<Work> {
        tokio::select! {
            () = self.plugin.end.cancelled() => None,
            () = self.plugin.wake.notified(), if self.incoming.is_first() => Some(Work::Start),
            request = self.incoming.next(Room::ALL) => request.map(Work::Request),
        }
    }

    /// One life of a worker.
    async fn live(&mut self, work: Work, backoff: &mut Backoff) -> SessionEnd {
        let mut worker = match (self.launcher)() {
            Ok(worker) => worker,
            Err(error) => {
                self.skip(work);
                return SessionEnd::Failed(format!("the worker does not start: {error}"));
            }
        };
        let sent = self.start_message().map(|start| worker.send(&start));
        if !matches!(sent, Some(Ok(()))) {
            self.skip(work);
            worker.kill().await;
            return SessionEnd::Failed("its script and settings are too long".to_owned());
        }
        let takes_notices = self.incoming.is_first();
        let mut session = Session::new(worker, &self.plugin, &self.calls, takes_notices);
        let end = self.plugin.end.clone();
        let ready = tokio::select! {
            () = end.cancelled() => {
                self.skip(work);
                session.kill().await;
                return SessionEnd::Stopped;
            }
            ready = session.ready(Instant::now() + START_TIMEOUT) => ready,
        };
        if let Err(reason) = ready {
            self.skip(work);
            session.kill().await;
            return SessionEnd::Failed(reason.to_string());
        }
        if let Work::Request(request) = work {
            session.call(request);
        }
        let outcome = session.serve(&mut self.incoming).await;
        if session.has_answered() {
            backoff.succeed();
        }
        session.finish(&outcome).await;
        outcome
    }

    fn start_message(&self) -> Option<ToWorker> {
        let installed = &self.plugin.installed;
        Some(ToWorker::Start(Box::new(Start {
            name: installed.name().clone(),
            script: installed.package.server()?.to_owned(),
            now: self.calls.now(),
            settings: to_raw_value(&installed.settings).ok()?,
            texts: installed.package.texts().clone(),
            memory: MEMORY,
            slice_ms: SLICE_MS,
        })))
    }

    /// Refuses what somebody waits for; what nobody waits for is forgotten if the plugin is off.
    fn skip(&self, work: Work) {
        if let Work::Request(request) = work {
            self.plugin.health().skipped += 1;
            let _ = request.reply.send(Err(Failure::Unavailable));
        }
        if self.plugin.health().is_off() {
            while self.plugin.dequeue().is_some() {
                self.plugin.health().skipped += 1;
            }
        }
    }

    /// Refuses what somebody would wait for, as long as there is no worker.
    async fn skip_until(&mut self, pause: impl Future<Output = ()>) {
        let mut pause = std::pin::pin!(pause);
        loop {
            tokio::select! {
                () = &mut pause => return,
                Some(request) = self.incoming.next(Room::ALL) => {
                    self.skip(Work::Request(request));
                }
            }
        }
    }
}

/// Why a worker starts.
enum Work {
    Start,
    Request(Request),
}

#[cfg(test)]
mod tests;
