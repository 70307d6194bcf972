//! Calls of one worker: some at once, the others wait, and all of them at a pace.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use plugin::wire::Outcome;
use plugin::{Function, Reason};
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::calls::Calls;
use crate::pace::Pace;
use crate::running::Running;

/// Calls that are carried out at once, and those that may wait. The worker allows itself fewer.
const AT_ONCE: usize = 4;
const WAITING: usize = 256;

pub(super) struct CallQueue {
    plugin: Arc<Running>,
    calls: Arc<Calls>,
    waiting: VecDeque<Call>,
    under_way: FuturesUnordered<BoxFuture<'static, Done>>,
    pace: Pace,
}

struct Done {
    id: u64,
    outcome: Outcome,
    /// For how long the service has worked on it.
    taken: Duration,
}

struct Call {
    id: u64,
    function: Function,
    arguments: Box<RawValue>,
}

impl CallQueue {
    pub(super) fn new(plugin: &Arc<Running>, calls: &Arc<Calls>, now: Instant) -> CallQueue {
        CallQueue {
            plugin: Arc::clone(plugin),
            calls: Arc::clone(calls),
            waiting: VecDeque::new(),
            under_way: FuturesUnordered::new(),
            pace: Pace::new(now),
        }
    }

    pub(super) fn push(
        &mut self,
        id: u64,
        function: Function,
        arguments: Box<RawValue>,
    ) -> Result<(), Reason> {
        if self.waiting.len() >= WAITING {
            return Err("too many calls wait".into());
        }
        self.waiting.push_back(Call {
            id,
            function,
            arguments,
        });
        Ok(())
    }

    /// Begins as many calls as may be under way.
    pub(super) fn start(&mut self, now: Instant) {
        while self.under_way.len() < AT_ONCE
            && self.pace.next(now) <= now
            && let Some(call) = self.waiting.pop_front()
        {
            self.pace.count(now);
            let (calls, plugin) = (Arc::clone(&self.calls), Arc::clone(&self.plugin));
            self.under_way.push(Box::pin(async move {
                let Call {
                    id,
                    function,
                    arguments,
                } = call;
                let began = Instant::now();
                let outcome = calls.run(&plugin.installed, function, &arguments).await;
                let mut health = plugin.health();
                health.calls += 1;
                health.refused_calls += u64::from(outcome.is_err());
                let taken = match function {
                    // It waits for somebody else.
                    Function::HttpFetch => Duration::ZERO,
                    _ => began.elapsed(),
                };
                Done { id, outcome, taken }
            }));
        }
    }

    /// When the next call may begin that waits for its turn and not for others.
    pub(super) fn next_start(&self, now: Instant) -> Option<Instant> {
        let is_paced = !self.waiting.is_empty() && self.under_way.len() < AT_ONCE;
        is_paced.then(|| self.pace.next(now))
    }

    /// The next call that is done. Never, if none is under way.
    pub(super) async fn next(&mut self) -> (u64, Outcome) {
        match self.under_way.next().await {
            Some(Done { id, outcome, taken }) => {
                self.pace.charge(taken);
                (id, outcome)
            }
            None => std::future::pending().await,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_empty()
    }
}
