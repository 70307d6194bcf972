//! A plugin that is enabled: what it may be called for, what waits for it, and how it is.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use plugin::{Hook, permission};
use serde_json::Value;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::dispatch::Queue;
use crate::health::Health;
use crate::registry::Installed;

/// Hooks that wait for a worker and are waited for. More are skipped.
const REQUESTS: usize = 64;
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

pub(crate) struct Running {
    pub installed: Arc<Installed>,
    /// What it may be called for, with the time for an answer. Zero: nobody waits.
    hooks: BTreeMap<Hook, Duration>,
    queue: Mutex<Queue>,
    /// Something is in the queue, or the plugin was switched on.
    pub wake: Notify,
    requests: mpsc::Sender<Request>,
    health: Mutex<Health>,
    pub end: CancellationToken,
}

impl Running {
    pub(crate) fn new(
        installed: Arc<Installed>,
        end: CancellationToken,
    ) -> (Arc<Running>, mpsc::Receiver<Request>) {
        let (requests, incoming) = mpsc::channel(REQUESTS);
        let hooks = allowed_hooks(&installed);
        let running = Running {
            installed,
            hooks,
            queue: Mutex::default(),
            wake: Notify::new(),
            requests,
            health: Mutex::default(),
            end,
        };
        (Arc::new(running), incoming)
    }

    pub(crate) fn has(&self, hook: Hook) -> bool {
        self.hooks.contains_key(&hook)
    }

    pub(crate) fn hooks(&self) -> impl Iterator<Item = Hook> {
        self.hooks.keys().copied()
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
        if self.health().is_off() || self.requests.try_send(request).is_err() {
            self.health().skipped += 1;
            return Err(Failure::Unavailable);
        }
        match timeout(START_WAIT + *budget, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(Failure::Unavailable),
            Err(_) => {
                self.health().skipped += 1;
                Err(Failure::Late)
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
