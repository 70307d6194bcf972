//! A plugin that is enabled: what it may be called for, what waits for it, and how it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use plugin::{Hook, permission};
use serde_json::Value;
use service::pad::PadId;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::dispatch::Queue;
use crate::health::Health;
use crate::registry::Installed;

/// Hooks that wait for a worker and are waited for: by people in pads, and all others. More are
/// skipped.
const IN_PADS: usize = 64;
const OTHERS: usize = 64;
/// A debug build takes that much longer for everything, and its budgets are that much longer.
const SLOWNESS: u32 = if cfg!(debug_assertions) { 20 } else { 1 };

/// How long a hook may wait for the worker to start, beyond its budget.
const START_WAIT: Duration = Duration::from_secs(3);

/// Why a plugin did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It has no such hook, or no permission for it.
    NoHook,
    /// It is switched off, its worker does not run, or too much waits for it.
    Unavailable,
    Late,
    /// With what it threw.
    Failed(String),
}

pub type Answer = Result<Value, Failure>;

/// A hook that somebody waits for.
pub(crate) struct Request {
    pub hook: Hook,
    pub arguments: Value,
    pub reply: oneshot::Sender<Answer>,
}

/// What waits for a worker. Anybody can send requests to routes, so those have places of their own:
/// however many there are, none of them is in the way of what people in pads wait for.
pub(crate) struct Incoming {
    in_pads: Option<mpsc::Receiver<Request>>,
    others: Option<mpsc::Receiver<Request>>,
}

/// Whether a worker takes more hooks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub in_pads: bool,
    pub others: bool,
}

impl Room {
    pub(crate) const ALL: Room = Room {
        in_pads: true,
        others: true,
    };
}

impl Incoming {
    /// The next hook for which there is room; what people in pads wait for comes first. `None`: no
    /// more will come.
    pub(crate) async fn next(&mut self, room: Room) -> Option<Request> {
        tokio::select! {
            biased;
            request = received(&mut self.in_pads), if room.in_pads => request,
            request = received(&mut self.others), if room.others => request,
            else => std::future::pending().await,
        }
    }

    /// For two workers: what people in pads wait for, and all others.
    pub(crate) fn split(self) -> (Incoming, Incoming) {
        let Incoming { in_pads, others } = self;
        let one = Incoming {
            in_pads,
            others: None,
        };
        let in_pads = None;
        (one, Incoming { in_pads, others })
    }

    /// Whether what people in pads wait for comes here, and with it what nobody waits for.
    pub(crate) fn is_first(&self) -> bool {
        self.in_pads.is_some()
    }
}

async fn received(from: &mut Option<mpsc::Receiver<Request>>) -> Option<Request> {
    match from {
        Some(from) => from.recv().await,
        None => std::future::pending().await,
    }
}

pub(crate) struct Running {
    pub installed: Arc<Installed>,
    /// What it may be called for, with the time for an answer. Zero: nobody waits.
    hooks: BTreeMap<Hook, Duration>,
    /// Without whose answer nothing passes.
    refusing: BTreeSet<Hook>,
    queue: Mutex<Queue>,
    /// Something is in the queue, or the plugin was switched on.
    pub wake: Notify,
    in_pads: mpsc::Sender<Request>,
    others: mpsc::Sender<Request>,
    health: Mutex<Health>,
    pub end: CancellationToken,
}

impl Running {
    pub(crate) fn new(
        installed: Arc<Installed>,
        end: CancellationToken,
    ) -> (Arc<Running>, Incoming) {
        let (in_pads, from_pads) = mpsc::channel(IN_PADS);
        let (others, from_others) = mpsc::channel(OTHERS);
        let incoming = Incoming {
            in_pads: Some(from_pads),
            others: Some(from_others),
        };
        let hooks = allowed_hooks(&installed);
        let mut refusing = installed.manifest().refusing.clone();
        refusing.retain(|hook| hooks.contains_key(hook));
        let health = Health::new(!refusing.is_empty());
        let running = Running {
            installed,
            hooks,
            refusing,
            queue: Mutex::default(),
            wake: Notify::new(),
            in_pads,
            others,
            health: Mutex::new(health),
            end,
        };
        (Arc::new(running), incoming)
    }

    pub(crate) fn has(&self, hook: Hook) -> bool {
        self.hooks.contains_key(&hook)
    }

    /// Whether it is called for something about a pad.
    pub(crate) fn is_called(&self, hook: Hook, pad: &PadId) -> bool {
        self.has(hook) && self.installed.is_on(pad)
    }

    pub(crate) fn hooks(&self) -> impl Iterator<Item = Hook> {
        self.hooks.keys().copied()
    }

    /// Whether nothing passes without the answer of a hook.
    pub(crate) fn refuses(&self, hook: Hook) -> bool {
        self.refusing.contains(&hook)
    }

    /// Whether there is anything that does not pass without its answer.
    pub(crate) fn must_be_asked(&self) -> bool {
        !self.refusing.is_empty()
    }

    /// Whether it has a second worker, for what anybody can send: one that ends because of that
    /// leaves the first alone, without which something would be refused.
    pub(crate) fn has_second_worker(&self) -> bool {
        let has_others = || {
            self.hooks()
                .any(|it| !it.is_in_pads() && self.is_waited(it))
        };
        self.must_be_asked() && has_others()
    }

    fn is_waited(&self, hook: Hook) -> bool {
        !self.budget(hook).is_zero()
    }

    pub(crate) fn budget(&self, hook: Hook) -> Duration {
        self.hooks.get(&hook).copied().unwrap_or_default()
    }

    /// Puts something into the queue. Never waits.
    pub(crate) fn enqueue(&self, put: impl FnOnce(&mut Queue)) {
        let mut queue = self.lock_queue();
        let was_empty = queue.is_empty();
        put(&mut queue);
        drop(queue);
        // As long as something waits, its supervisor looks again by itself.
        if was_empty {
            self.wake.notify_one();
        }
    }

    pub(crate) fn dequeue(&self) -> Option<(Hook, Value)> {
        let mut queue = self.lock_queue();
        let dropped = queue.take_dropped();
        let next = queue.pop();
        drop(queue);
        if dropped > 0 {
            self.health().dropped += dropped;
        }
        next
    }

    pub(crate) fn has_queued(&self) -> bool {
        !self.lock_queue().is_empty()
    }

    pub(crate) fn health(&self) -> MutexGuard<'_, Health> {
        // Nothing under this lock can panic halfway.
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a hook and waits for the answer, as long as the plugin may take.
    pub(crate) async fn ask(&self, hook: Hook, arguments: Value) -> Answer {
        let Some(budget) = self.hooks.get(&hook) else {
            return Err(Failure::NoHook);
        };
        let (reply, answer) = oneshot::channel();
        let request = Request {
            hook,
            arguments,
            reply,
        };
        let requests = match hook.is_in_pads() {
            true => &self.in_pads,
            false => &self.others,
        };
        if self.health().is_off() || requests.try_send(request).is_err() {
            self.health().skipped += 1;
            return Err(Failure::Unavailable);
        }
        match timeout(START_WAIT + *budget, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(Failure::Unavailable),
            // The worker did not even get it.
            Err(_) => {
                self.health().skipped += 1;
                Err(Failure::Unavailable)
            }
        }
    }

    fn lock_queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing under this lock can panic halfway.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The hooks of plugin.json for which the permissions are granted.
fn allowed_hooks(installed: &Installed) -> BTreeMap<Hook, Duration> {
    let is_granted = |hook: &Hook| {
        let needed = hook.row().permission;
        needed.is_none_or(|needed| permission::grants(&installed.granted, needed))
    };
    let hooks = installed.manifest().hooks.iter();
    let hooks = hooks.filter(|(hook, _)| is_granted(hook));
    hooks
        .map(|(hook, budget)| {
            let budget = budget.or(hook.budget_ms()).unwrap_or_default();
            (*hook, SLOWNESS * Duration::from_millis(budget.into()))
        })
        .collect()
}
