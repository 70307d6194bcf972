//! One plugin's script in QuickJS: started, called, and stopped when it takes too much.
//!
//! Every message of the service is one slice: the handler or the answer, then all promise jobs
//! that follow from it. At the end of a slice nothing runs; what is not settled waits for answers.

mod under_way;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use plugin::Hook;
use plugin::wire::{FromWorker, Outcome, Start};
use rquickjs::context::{EvalOptions, intrinsic};
use rquickjs::{Context, Ctx, Exception, Persistent, Promise, Runtime, Value};
use thiserror::Error;

use crate::api::{self, SharedState};
use crate::budget::{Slice, used};
use crate::state::{Callback, State};
use crate::{describe, limits};
use under_way::UnderWay;

/// Everything but the clock of `performance`, `DOMException`, and what the prelude takes away.
type Intrinsics = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
    intrinsic::WeakRef,
);

pub struct Engine {
    // Dropped in this order: values of JavaScript before their runtime.
    under_way: UnderWay,
    invoke: Callback,
    state: SharedState,
    context: Context,
    runtime: Runtime,
    slice: Slice,
    slice_length: Duration,
}

/// Whether there is a point in going on after a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Step {
    Rest,
    /// Promise jobs lead to more of them without end: no later slice would come to rest either.
    Stuck,
}

#[derive(Debug, Error)]
pub enum StartError {
    #[error("the engine does not start: {0}")]
    Engine(#[from] rquickjs::Error),
    #[error("the memory is too small, or the engine is broken: {0}")]
    Api(String),
    #[error("server.js: {0}")]
    Script(String),
}

impl Engine {
    /// Runs the script once.
    pub fn start(start: &Start) -> Result<Engine, StartError> {
        let runtime = Runtime::new()?;
        runtime.set_max_stack_size(limits::STACK);
        let context = Context::custom::<Intrinsics>(&runtime)?;
        runtime.set_memory_limit(usize::try_from(start.memory).unwrap_or(usize::MAX));
        let slice = Slice::default();
        let handler = slice.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || handler.is_over())));

        let state = State::new(start.texts.clone(), start.now);
        let state = Rc::new(RefCell::new(state));
        // A script has to be read before it can run, and is run only once.
        let slice_length = Duration::from_millis(start.slice_ms.into());
        slice.begin(slice_length * 10);
        let invoke = context.with(|ctx| {
            let installed = api::install(&ctx, &state, start);
            installed.map_err(|_| describe::exception(&ctx, &ctx.catch()))
        });
        let engine = Engine {
            under_way: UnderWay::default(),
            invoke: invoke.map_err(StartError::Api)?,
            state,
            context,
            runtime,
            slice,
            slice_length,
        };
        engine.run_script(&start.script)?;
        Ok(engine)
    }

    fn run_script(&self, script: &str) -> Result<(), StartError> {
        let mut options = EvalOptions::default();
        options.filename = Some("server.js".to_owned());
        let outcome = self.context.with(|ctx| {
            let run = ctx.eval_with_options::<(), _>(script, options);
            run.map_err(|error| self.failure(&ctx, error))
        });
        outcome.map_err(StartError::Script)?;
        if self.run_jobs() == Step::Stuck {
            return Err(StartError::Script(self.too_long()));
        }
        self.state.borrow_mut().is_started = true;
        Ok(())
    }

    /// The hooks that the script has handlers for.
    pub fn hooks(&self) -> Vec<Hook> {
        self.state.borrow().handlers.keys().copied().collect()
    }

    /// Calls the handler of a hook.
    pub fn call_hook(&mut self, id: u64, hook: Hook, now: u64, arguments: &str) -> Step {
        self.state.borrow_mut().refill(now);
        self.slice.begin(self.slice_length);
        let began = used();
        let promise = self.context.with(|ctx| {
            let promise = self.invoke(&ctx, hook, arguments);
            promise.map_err(|error| self.failure(&ctx, error).into())
        });
        match promise {
            Ok(Some(promise)) => self.under_way.insert(id, promise, began),
            Ok(None) => self.settle(id, began, api::null()),
            Err(reason) => self.settle(id, began, Err(reason)),
        }
        self.finish()
    }

    /// Hands over the answer to a call.
    pub fn answer(&mut self, id: u64, result: &Outcome) -> Step {
        // A call that nobody waits for any more was made by a hook that was stopped.
        let Some(waiting) = self.state.borrow_mut().waiting.remove(&id) else {
            return Step::Rest;
        };
        self.slice.begin(self.slice_length);
        self.context.with(|ctx| {
            let deliver = || -> rquickjs::Result<()> {
                let parsed = match result {
                    Ok(json) => ctx.json_parse(json.get()),
                    Err(reason) => Err(Exception::throw_message(&ctx, &reason.to_string())),
                };
                // Also an answer that does not fit into memory is one.
                match parsed {
                    Ok(value) => waiting.resolve.restore(&ctx)?.call((value,)),
                    Err(_) => waiting.reject.restore(&ctx)?.call((ctx.catch(),)),
                }
            };
            if deliver().is_err() {
                drop(ctx.catch());
            }
        });
        self.finish()
    }

    /// What there is to send, in order.
    pub fn take_messages(&mut self) -> Vec<FromWorker> {
        std::mem::take(&mut self.state.borrow_mut().messages)
    }

    /// What the plugin has allocated, in bytes.
    pub fn memory(&self) -> u64 {
        u64::try_from(self.runtime.memory_usage().malloc_size).unwrap_or_default()
    }

    /// `None` if there is no handler.
    fn invoke<'js>(
        &self,
        ctx: &Ctx<'js>,
        hook: Hook,
        arguments: &str,
    ) -> rquickjs::Result<Option<Persistent<Promise<'static>>>> {
        let Some(handler) = self.state.borrow().handlers.get(&hook).cloned() else {
            return Ok(None);
        };
        let handler = handler.restore(ctx)?;
        let arguments = ctx.json_parse(arguments)?;
        let invoke = self.invoke.clone().restore(ctx)?;
        let promise: Promise = invoke.call((handler, arguments))?;
        Ok(Some(Persistent::save(ctx, promise)))
    }

    /// Runs what follows from a message, and reports what has been settled.
    fn finish(&mut self) -> Step {
        let step = self.run_jobs();
        self.report_settled();
        if !self.slice.is_over() {
            return Step::Rest;
        }
        // Which of several hooks was running is not known, and an interrupted promise is never
        // settled: all of them have failed, and none of their answers is waited for.
        let reason = self.too_long();
        for (id, began) in self.under_way.take_all() {
            self.settle(id, began, Err(reason.clone().into()));
        }
        self.state.borrow_mut().waiting.clear();
        if step == Step::Stuck {
            // What ran too long may have left jobs of others behind. They get a slice of their own.
            self.slice.begin(self.slice_length);
            return self.run_jobs();
        }
        step
    }

    fn run_jobs(&self) -> Step {
        loop {
            if self.slice.is_over() && self.runtime.is_job_pending() {
                return Step::Stuck;
            }
            match self.runtime.execute_pending_job() {
                Ok(true) => {}
                Ok(false) => return Step::Rest,
                // An exception of a job that nobody handles concerns nobody.
                Err(failed) => failed.0.with(|ctx| drop(ctx.catch())),
            }
        }
    }

    fn report_settled(&mut self) {
        let Engine {
            context, under_way, ..
        } = self;
        let settled = context.with(|ctx| under_way.take_settled(&ctx, outcome));
        for (id, began, result) in settled {
            // Looking at an answer runs code of the plugin too: a getter that never ends. And an
            // interruption can have been swallowed on the way.
            let is_late = self.slice.is_over();
            let result = if is_late {
                Err(self.too_long().into())
            } else {
                result
            };
            self.settle(id, began, result);
        }
    }

    fn settle(&mut self, id: u64, began: Duration, result: Outcome) {
        let micros = used().saturating_sub(began).as_micros();
        let message = FromWorker::Settled {
            id,
            result,
            micros: u64::try_from(micros).unwrap_or(u64::MAX),
            memory: self.under_way.memory(|| self.memory()),
        };
        self.state.borrow_mut().messages.push(message);
    }

    /// Why something did not work, and no exception left behind.
    fn failure(&self, ctx: &Ctx<'_>, error: rquickjs::Error) -> String {
        if self.slice.is_over() {
            drop(ctx.catch());
            return self.too_long();
        }
        match error {
            rquickjs::Error::Exception => describe::exception(ctx, &ctx.catch()),
            other => other.to_string(),
        }
    }

    fn too_long(&self) -> String {
        let milliseconds = self.slice_length.as_millis();
        format!("it was stopped: it took more than {milliseconds} ms of processor time")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The functions of JavaScript hold the state, and the state holds functions.
        let mut state = self.state.borrow_mut();
        state.handlers.clear();
        state.waiting.clear();
    }
}

/// What a settled promise is: JSON, or the text of an error. `None` if it is not settled.
fn outcome<'js>(ctx: &Ctx<'js>, promise: &Promise<'js>) -> Option<Outcome> {
    let value = match promise.result::<Value>()? {
        Ok(value) => value,
        Err(_) => return Some(Err(describe::exception(ctx, &ctx.catch()).into())),
    };
    Some(match describe::json(ctx, value) {
        Ok(Some(json)) if json.len() > limits::ANSWER => {
            let bytes = json.len();
            let most = limits::ANSWER;
            Err(format!("the answer has {bytes} bytes, more than {most}").into())
        }
        Ok(json) => api::raw(json.unwrap_or_else(|| "null".to_owned())),
        Err(_) => Err(describe::exception(ctx, &ctx.catch()).into()),
    })
}
