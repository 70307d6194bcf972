//! Hooks whose promises are not settled yet, and the measuring of memory for those that are.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;

use plugin::Reason;
use plugin::wire::Outcome;
use rquickjs::{Ctx, Persistent, Promise};

use crate::budget::used;

#[derive(Default)]
pub(super) struct UnderWay {
    hooks: BTreeMap<u64, (Persistent<Promise<'static>>, Duration)>,
    measured: Cell<Measured>,
}

#[derive(Clone, Copy, Default)]
struct Measured {
    memory: u64,
    /// When the next measurement is worth its cost.
    next: Duration,
}

impl UnderWay {
    pub(super) fn insert(
        &mut self,
        id: u64,
        promise: Persistent<Promise<'static>>,
        began: Duration,
    ) {
        self.hooks.insert(id, (promise, began));
    }

    /// Takes out what has an outcome.
    pub(super) fn take_settled<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        outcome: impl Fn(&Ctx<'js>, &Promise<'js>) -> Option<Outcome>,
    ) -> Vec<(u64, Duration, Outcome)> {
        let mut settled = Vec::new();
        self.hooks.retain(|id, (promise, began)| {
            let result = match promise.clone().restore(ctx) {
                Ok(promise) => outcome(ctx, &promise),
                Err(error) => Some(Err(Reason::of(error))),
            };
            let is_under_way = result.is_none();
            settled.extend(result.map(|result| (*id, *began, result)));
            is_under_way
        });
        settled
    }

    pub(super) fn take_all(&mut self) -> Vec<(u64, Duration)> {
        let hooks = std::mem::take(&mut self.hooks);
        let began = |(id, (_, began))| (id, began);
        hooks.into_iter().map(began).collect()
    }

    /// What was measured last. The engine counts by looking at everything there is, so it does that
    /// for at most a twentieth of the time.
    pub(super) fn memory(&self, measure: impl Fn() -> u64) -> u64 {
        let began = used();
        if began >= self.measured.get().next {
            let memory = measure();
            let ended = used();
            let next = ended + 20 * ended.saturating_sub(began);
            self.measured.set(Measured { memory, next });
        }
        self.measured.get().memory
    }
}
