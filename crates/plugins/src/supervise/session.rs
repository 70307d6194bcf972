//! One life of a worker: hooks go to it, its calls are carried out, and its time is watched.
//!
//! Whatever the worker says, the session ends with a reason and never panics.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use plugin::hooks::HOOKS;
use plugin::wire::{FromWorker, Outcome, ToWorker};
use plugin::{Hook, Reason};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::warn;

use crate::answers;
use crate::calls::Calls;
use crate::confinement;
use crate::running::{Answer, Failure, Incoming, Request, Room, Running};
use crate::supervise::call_queue::CallQueue;
use crate::worker::Worker;

/// A worker ends after so long without anything to do.
const IDLE: Duration = Duration::from_secs(60);
/// How long a hook may take that nobody waits for: it may wait for others itself.
const NOTICE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a worker may say nothing when it must answer. It is stuck, or the machine is.
const STUCK: Duration = Duration::from_secs(5);
/// How long the last hook may take.
const STOPPING: Duration = Duration::from_secs(1);
/// Changes gather for so long after everything was delivered, so that many become one call.
const LINGER: Duration = Duration::from_millis(250);

/// Hooks under way that people in pads wait for, other requests, and those nobody waits for.
const IN_PADS: usize = 16;
const OTHERS: usize = 16;
const NOTICES: usize = 4;
/// Bytes that may wait to be written before no more hooks are sent.
const BACKLOG: usize = 1024 * 1024;
/// Log lines, calls and answers to nothing without a hook in between: more is a flood.
const UNSOLICITED: u32 = 20_000;

/// Why a session ends.
#[derive(Debug)]
pub(super) enum SessionEnd {
    Idle,
    Stopped,
    Failed(String),
}

struct UnderWay {
    hook: Hook,
    deadline: Instant,
    /// `None`: nobody waits.
    reply: Option<oneshot::Sender<Answer>>,
}

pub(super) struct Session {
    worker: Worker,
    plugin: Arc<Running>,
    calls: Arc<Calls>,
    under_way: HashMap<u64, UnderWay>,
    next_id: u64,
    call_queue: CallQueue,
    handlers: Vec<Hook>,
    /// A hook without a handler, which a worker that is not stuck answers by itself.
    ping: Option<(u64, Instant)>,
    /// A request that nobody in a pad waits for, and after which the worker has said nothing yet.
    /// It handles one message after the other, so the next such request waits here and not in the
    /// pipe, where it would be in the way of people in pads.
    silent: Option<u64>,
    unsolicited: u32,
    busy: Instant,
    /// When hooks that nobody waits for are taken from the queue again, if at all.
    notices_at: Instant,
    takes_notices: bool,
    has_answered: bool,
}

impl Session {
    pub(super) fn new(
        worker: Worker,
        plugin: &Arc<Running>,
        calls: &Arc<Calls>,
        takes_notices: bool,
    ) -> Session {
        let now = Instant::now();
        Session {
            worker,
            plugin: Arc::clone(plugin),
            calls: Arc::clone(calls),
            under_way: HashMap::new(),
            next_id: 1,
            call_queue: CallQueue::new(plugin, calls, now),
            handlers: Vec::new(),
            ping: None,
            silent: None,
            unsolicited: 0,
            busy: now,
            notices_at: now,
            takes_notices,
            has_answered: false,
        }
    }

    /// Whether the worker has done anything.
    pub(super) fn has_answered(&self) -> bool {
        self.has_answered
    }

    /// Waits until the script has run.
    pub(super) async fn ready(&mut self, deadline: Instant) -> Result<(), Reason> {
        loop {
            let message = timeout_at(deadline, self.worker.next()).await;
            let message = message.map_err(|_| "the worker is not ready in time".to_owned())?;
            match message.map_err(Reason::of)? {
                FromWorker::Ready {
                    hooks,
                    sandbox,
                    memory,
                } => {
                    confinement::say(&sandbox);
                    self.handlers = hooks;
                    let mut health = self.plugin.health();
                    health.started(sandbox);
                    health.uses(memory);
                    break;
                }
                FromWorker::Failed { reason } => return Err(reason.into()),
                FromWorker::Log { level, text } => {
                    self.plugin.health().log(self.calls.now(), level, &text);
                    self.count_unsolicited()?;
                }
                // A call of the script itself, before any hook: answered once it is ready.
                FromWorker::Call { id, function, args } => {
                    self.call_queue.push(id, function, args)?;
                }
                FromWorker::Settled { .. } => return Err("an answer to nothing".into()),
            }
        }
        self.busy = Instant::now();
        if self.plugin.has(Hook::Started) {
            self.send_notice(Hook::Started, &Value::Object(serde_json::Map::new()));
        }
        Ok(())
    }

    /// Sends a hook that somebody waits for.
    pub(super) fn call(&mut self, request: Request) {
        let Request {
            hook,
            arguments,
            reply,
        } = request;
        let deadline = Instant::now() + self.plugin.budget(hook);
        let id = self.send_hook(hook, &arguments, deadline, Some(reply));
        if !hook.is_in_pads() {
            self.silent = id;
        }
    }

    fn room(&self) -> Room {
        let waited = || self.under_way.values().filter(|it| it.reply.is_some());
        let in_pads = waited().filter(|it| it.hook.is_in_pads()).count();
        let others = waited().count() - in_pads;
        Room {
            in_pads: in_pads < IN_PADS,
            others: others < OTHERS && self.silent.is_none() && self.worker.backlog() < BACKLOG,
        }
    }

    /// Serves until there is nothing left to do, or something is wrong.
    pub(super) async fn serve(&mut self, incoming: &mut Incoming) -> SessionEnd {
        loop {
            match self.step(incoming).await {
                Ok(None) => {}
                Ok(Some(end)) => return end,
                Err(reason) => return SessionEnd::Failed(reason.to_string()),
            }
        }
    }

    async fn step(&mut self, incoming: &mut Incoming) -> Result<Option<SessionEnd>, Reason> {
        self.take_notices();
        self.call_queue.start(Instant::now());
        let room = self.room();
        let (end, plugin) = (self.plugin.end.clone(), Arc::clone(&self.plugin));
        let wakes = self.takes_notices && !plugin.has_queued();
        let deadline = self.deadline();
        tokio::select! {
            biased;
            () = end.cancelled() => return Ok(Some(SessionEnd::Stopped)),
            () = sleep_until(deadline) => return self.on_time(),
            (id, result) = self.call_queue.next() => self.answer(id, result),
            message = self.worker.next() => {
                let message = message.map_err(Reason::of)?;
                self.receive(message)?;
            }
            request = incoming.next(room) => match request {
                Some(request) => self.call(request),
                None => return Ok(Some(SessionEnd::Stopped)),
            },
            () = plugin.wake.notified(), if wakes => {}
        }
        if self.plugin.health().is_off() {
            return Ok(Some(SessionEnd::Idle));
        }
        Ok(None)
    }

    /// When something must be looked at, if nothing happens before.
    fn deadline(&self) -> Instant {
        let now = Instant::now();
        let hooks = self.under_way.values().map(|hook| hook.deadline);
        let ping = self.ping.map(|(_, deadline)| deadline);
        let call = self.call_queue.next_start(now);
        let notices = (self.has_room_for_notices() && self.has_queued()).then_some(self.notices_at);
        let others = [ping, call, notices].into_iter().flatten();
        hooks.chain(others).min().unwrap_or(self.busy + IDLE)
    }

    fn is_idle(&self) -> bool {
        self.under_way.is_empty()
            && self.ping.is_none()
            && self.call_queue.is_empty()
            && !self.has_queued()
    }

    fn has_queued(&self) -> bool {
        self.takes_notices && self.plugin.has_queued()
    }

    fn on_time(&mut self) -> Result<Option<SessionEnd>, Reason> {
        let now = Instant::now();
        if self.ping.is_some_and(|(_, deadline)| deadline <= now) {
            return Err("the worker was stuck".into());
        }
        let is_late = |hook: &UnderWay| hook.deadline <= now;
        let late = self.under_way.extract_if(|_, hook| is_late(hook));
        let late: Vec<(u64, UnderWay)> = late.collect();
        for (id, hook) in late {
            self.silent = self.silent.filter(|silent| *silent != id);
            if self.plugin.health().late(hook.hook, self.calls.now()) {
                self.warn_off();
            }
            if let Some(reply) = hook.reply {
                let _ = reply.send(Err(Failure::Late));
            }
            self.send_ping(now);
        }
        if self.is_idle() && self.busy + IDLE <= now {
            return Ok(Some(SessionEnd::Idle));
        }
        Ok(None)
    }

    fn warn_off(&self) {
        let health = self.plugin.health();
        let reason = health.reason.clone().unwrap_or_default();
        warn!("the plugin {}: {reason}", self.plugin.installed.name());
    }

    /// Finds out whether the worker is stuck, or only this hook.
    fn send_ping(&mut self, now: Instant) {
        let unhandled = HOOKS.iter().find(|row| !self.handlers.contains(&row.hook));
        if let (None, Some(row)) = (self.ping, unhandled) {
            let id = self.take_id();
            self.ping = Some((id, now + STUCK));
            self.send_message(id, row.hook, &Value::Null);
        }
    }

    fn receive(&mut self, message: FromWorker) -> Result<(), Reason> {
        self.busy = Instant::now();
        match message {
            FromWorker::Settled {
                id,
                result,
                micros,
                memory,
            } => {
                self.plugin.health().uses(memory);
                self.silent = None;
                self.settle(id, result, micros)
            }
            FromWorker::Call { id, function, args } => {
                self.count_unsolicited()?;
                self.silent = None;
                self.call_queue.push(id, function, args)
            }
            FromWorker::Log { level, text } => {
                self.plugin.health().log(self.calls.now(), level, &text);
                self.count_unsolicited()
            }
            FromWorker::Failed { reason } => Err(reason.into()),
            FromWorker::Ready { .. } => Err("it was ready already".into()),
        }
    }

    fn settle(&mut self, id: u64, result: Outcome, micros: u64) -> Result<(), Reason> {
        if id >= self.next_id {
            return Err("an answer to nothing".into());
        }
        self.has_answered = true;
        self.plugin.health().works();
        if self.ping.is_some_and(|(ping, _)| ping == id) {
            self.ping = None;
        }
        // An answer that comes too late was given up; one that comes again and again is a flood.
        let Some(UnderWay { hook, reply, .. }) = self.under_way.remove(&id) else {
            return self.count_unsolicited();
        };
        let answer = result.and_then(|json| read_answer(hook, &json));
        let mut health = self.plugin.health();
        let row = health.hook(hook);
        row.calls += 1;
        // What a worker says of itself may be anything.
        row.micros = row.micros.saturating_add(micros);
        row.longest_micros = row.longest_micros.max(micros);
        let is_off = match &answer {
            Ok(_) => {
                health.succeed(hook);
                false
            }
            Err(reason) => health.fail(hook, &reason.to_string(), self.calls.now()),
        };
        drop(health);
        if is_off {
            self.warn_off();
        }
        if let Some(reply) = reply {
            let _ = reply.send(answer.map_err(|reason| Failure::Failed(reason.to_string())));
        }
        Ok(())
    }

    fn count_unsolicited(&mut self) -> Result<(), Reason> {
        self.unsolicited += 1;
        if self.unsolicited > UNSOLICITED {
            return Err("it floods the service with messages".into());
        }
        Ok(())
    }

    fn answer(&mut self, id: u64, result: Outcome) {
        self.busy = Instant::now();
        if self.worker.send(&ToWorker::Answer { id, result }).is_err() {
            let result = Err("the answer is too long".into());
            // So short that it fits.
            let _ = self.worker.send(&ToWorker::Answer { id, result });
        }
    }

    fn has_room_for_notices(&self) -> bool {
        let notices = self.under_way.values().filter(|it| it.reply.is_none());
        self.takes_notices && notices.count() < NOTICES && self.worker.backlog() < BACKLOG
    }

    /// Takes hooks from the queue, as many as the worker may have at once.
    fn take_notices(&mut self) {
        while self.notices_at <= Instant::now() && self.has_room_for_notices() {
            match self.plugin.dequeue() {
                Some((hook, arguments)) => {
                    self.send_notice(hook, &arguments);
                    if !self.plugin.has_queued() {
                        self.notices_at = Instant::now() + LINGER;
                    }
                }
                None => return,
            }
        }
    }

    fn send_notice(&mut self, hook: Hook, arguments: &Value) {
        self.send_hook(hook, arguments, Instant::now() + NOTICE_TIMEOUT, None);
    }

    fn send_hook(
        &mut self,
        hook: Hook,
        arguments: &Value,
        deadline: Instant,
        reply: Option<oneshot::Sender<Answer>>,
    ) -> Option<u64> {
        self.busy = Instant::now();
        self.unsolicited = 0;
        let id = self.take_id();
        // Who waits learns by the reply being dropped.
        if !self.send_message(id, hook, arguments) {
            return None;
        }
        let under_way = UnderWay {
            hook,
            deadline,
            reply,
        };
        self.under_way.insert(id, under_way);
        Some(id)
    }

    fn send_message(&mut self, id: u64, hook: Hook, arguments: &Value) -> bool {
        let Ok(args) = to_raw_value(arguments) else {
            return false;
        };
        let now = self.calls.now();
        let message = ToWorker::Hook {
            id,
            hook,
            now,
            args,
        };
        self.worker.send(&message).is_ok()
    }

    fn take_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Ends the worker, after its last hook if it is well.
    pub(super) async fn finish(mut self, end: &SessionEnd) {
        if let SessionEnd::Failed(reason) = end {
            self.fail_all(reason);
            return self.worker.kill().await;
        }
        self.fail_all("the worker stops");
        if self.plugin.has(Hook::Stopping) && self.handlers.contains(&Hook::Stopping) {
            let arguments = Value::Object(serde_json::Map::new());
            let deadline = Instant::now() + STOPPING;
            self.send_hook(Hook::Stopping, &arguments, deadline, None);
            let _ = timeout_at(deadline, self.last_hook()).await;
        }
        self.worker.stop().await;
    }

    /// Carries out what the last hook asks for.
    async fn last_hook(&mut self) {
        while !self.under_way.is_empty() {
            self.call_queue.start(Instant::now());
            let received = tokio::select! {
                (id, result) = self.call_queue.next() => {
                    self.answer(id, result);
                    Ok(())
                }
                message = self.worker.next() => match message {
                    Ok(message) => self.receive(message),
                    Err(_) => return,
                },
            };
            if received.is_err() {
                return;
            }
        }
    }

    /// Those who wait learn that no answer comes.
    fn fail_all(&mut self, reason: &str) {
        for (_, UnderWay { hook, reply, .. }) in self.under_way.drain() {
            if let Some(reply) = reply {
                self.plugin.health().fail(hook, reason, self.calls.now());
                let _ = reply.send(Err(Failure::Failed(reason.to_owned())));
            }
        }
    }

    pub(super) async fn kill(self) {
        self.worker.kill().await;
    }
}

/// An answer in the form that its hook has. It may be nested too deep to be read.
fn read_answer(hook: Hook, json: &RawValue) -> Result<Value, Reason> {
    let answer: Value = serde_json::from_str(json.get())
        .map_err(|error| format!("its answer cannot be read: {error}"))?;
    answers::check(hook, &answer)?;
    Ok(answer)
}
