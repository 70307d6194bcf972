//! Tests of a plugin (`plugin::scenario`), run in a worker as the service would: a process of its
//! own for each test, whose calls are answered as the test says.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};

use plugin::hooks::HOOKS;
use plugin::scenario::{ExpectedCall, Scenario};
use plugin::wire::{Decoder, FrameError, FromWorker, Outcome, Start, ToWorker, encode};
use plugin::{Function, Hook, Package};
use serde_json::Value;
use serde_json::value::to_raw_value;
use thiserror::Error;

/// As much as the service gives a plugin.
const MEMORY: u64 = 16 * 1024 * 1024;
const SLICE_MS: u32 = 250;

/// The hook of the test, and the one that is sent after everything else: when it is answered, the
/// worker has nothing left to do.
const TESTED: u64 = 1;
const IDLE: u64 = 2;

/// Why a test fails.
#[derive(Debug, Error)]
pub enum RehearsalError {
    #[error("the worker does not start: {0}")]
    Pipe(#[from] io::Error),
    #[error("the worker is not understood: {0}")]
    Frame(#[from] FrameError),
    #[error("the value cannot be sent: {0}")]
    Json(#[from] serde_json::Error),
    #[error("there is no server.js")]
    NoScript,
    #[error("{0}")]
    Failed(String),
    #[error("server.js has no handler for {0}, which plugin.json lists")]
    NoHandler(Hook),
    #[error("the worker ended without an answer")]
    Ended,
    #[error("it never answers: its promise is not settled, and no call is waiting")]
    NeverSettled,
    #[error("it calls {0}, which the test does not expect")]
    UnexpectedCall(String),
    #[error("it calls {got}, the test expects {expected}")]
    OtherCall { expected: String, got: String },
    #[error("it does not call {0}")]
    MissingCall(String),
    #[error("it answers {got}, the test expects {expected}")]
    OtherAnswer { expected: String, got: String },
}

/// Runs one test in a worker that the command starts.
pub fn rehearse(
    worker: &mut Command,
    package: &Package,
    scenario: &Scenario,
) -> Result<(), RehearsalError> {
    let child = worker
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut rehearsal = Rehearsal {
        child,
        decoder: Decoder::default(),
        package,
        calls: scenario.calls.iter(),
    };
    let outcome = rehearsal.run(scenario);
    // It ends by itself when the pipe does, unless it is stuck.
    let _ = rehearsal.child.kill();
    let _ = rehearsal.child.wait();
    outcome
}

struct Rehearsal<'a> {
    child: Child,
    decoder: Decoder<FromWorker>,
    package: &'a Package,
    /// Those that are still expected.
    calls: std::slice::Iter<'a, ExpectedCall>,
}

/// What a worker does before it rests.
#[derive(Default)]
struct Round {
    settled: Option<Outcome>,
    calls: Vec<(u64, Function, Vec<Value>)>,
}

impl Rehearsal<'_> {
    fn run(&mut self, scenario: &Scenario) -> Result<(), RehearsalError> {
        let handlers = self.start(scenario)?;
        let unhandled = HOOKS.iter().find(|row| !handlers.contains(&row.hook));
        // Somebody who handles all of them is not asked whether it rests: it is `timer`, then.
        let idle = unhandled.map_or(Hook::Timer, |row| row.hook);
        self.send_hook(
            TESTED,
            scenario.hook,
            scenario.now,
            &scenario.args.clone().into(),
        )?;
        loop {
            self.send_hook(IDLE, idle, scenario.now, &Value::Null)?;
            let Round { settled, calls } = self.until_idle()?;
            if let Some(result) = settled {
                return self.compare(scenario, result);
            }
            if calls.is_empty() {
                return Err(RehearsalError::NeverSettled);
            }
            for (id, function, arguments) in calls {
                let result = self.answer_to(function, arguments)?;
                self.send(&ToWorker::Answer { id, result })?;
            }
        }
    }

    fn start(&mut self, scenario: &Scenario) -> Result<Vec<Hook>, RehearsalError> {
        let manifest = self.package.manifest();
        let settings = Value::from(scenario.settings.clone());
        let start = Start {
            name: manifest.name.clone(),
            script: self
                .package
                .server()
                .ok_or(RehearsalError::NoScript)?
                .to_owned(),
            now: scenario.now,
            settings: to_raw_value(&manifest.settings.carry_over(&settings))?,
            texts: self.package.texts().clone(),
            memory: MEMORY,
            slice_ms: SLICE_MS,
        };
        self.send(&ToWorker::Start(Box::new(start)))?;
        loop {
            match self.receive()? {
                FromWorker::Ready { hooks, .. } => {
                    let missing = manifest.hooks.keys().find(|hook| !hooks.contains(hook));
                    return match missing {
                        Some(hook) => Err(RehearsalError::NoHandler(*hook)),
                        None => Ok(hooks),
                    };
                }
                FromWorker::Failed { reason } => return Err(RehearsalError::Failed(reason)),
                _ => {}
            }
        }
    }

    /// What happens until the worker has nothing left to do.
    fn until_idle(&mut self) -> Result<Round, RehearsalError> {
        let mut round = Round::default();
        loop {
            match self.receive()? {
                FromWorker::Settled { id: IDLE, .. } => return Ok(round),
                FromWorker::Settled { result, .. } => round.settled = Some(result),
                FromWorker::Call { id, function, args } => {
                    round
                        .calls
                        .push((id, function, serde_json::from_str(args.get())?));
                }
                FromWorker::Failed { reason } => return Err(RehearsalError::Failed(reason)),
                FromWorker::Log { .. } | FromWorker::Ready { .. } => {}
            }
        }
    }

    /// As the service does it: the permission and the arguments first.
    fn answer_to(
        &mut self,
        function: Function,
        arguments: Vec<Value>,
    ) -> Result<Outcome, RehearsalError> {
        let got = shown(function, &arguments);
        let granted = &self.package.manifest().permissions;
        let arguments = match function.check(granted, arguments) {
            Ok(arguments) => arguments,
            Err(error) => return Err(RehearsalError::Failed(error.to_string())),
        };
        let expected = self.calls.next();
        let expected = expected.ok_or_else(|| RehearsalError::UnexpectedCall(got.clone()))?;
        let wanted = expected.function.check(granted, expected.args.clone());
        if expected.function != function || wanted.as_ref() != Ok(&arguments) {
            return Err(RehearsalError::OtherCall {
                expected: shown(expected.function, &expected.args),
                got,
            });
        }
        Ok(match &expected.error {
            Some(error) => Err(error.clone().into()),
            None => Ok(to_raw_value(&expected.answer)?),
        })
    }

    fn compare(&mut self, scenario: &Scenario, result: Outcome) -> Result<(), RehearsalError> {
        let (got, is_expected) = match (result, &scenario.error) {
            (Ok(json), None) => {
                let value: Value = serde_json::from_str(json.get())?;
                (value.to_string(), value == scenario.answer)
            }
            (Ok(json), Some(_)) => (json.get().to_owned(), false),
            (Err(error), None) => return Err(RehearsalError::Failed(error.to_string())),
            (Err(error), Some(part)) => {
                let is_expected = error.to_string().contains(part);
                (format!("the error {error}"), is_expected)
            }
        };
        if !is_expected {
            let expected = match &scenario.error {
                Some(error) => format!("the error {error}"),
                None => scenario.answer.to_string(),
            };
            return Err(RehearsalError::OtherAnswer { expected, got });
        }
        match self.calls.next() {
            Some(call) => Err(RehearsalError::MissingCall(shown(
                call.function,
                &call.args,
            ))),
            None => Ok(()),
        }
    }

    fn send_hook(
        &mut self,
        id: u64,
        hook: Hook,
        now: u64,
        arguments: &Value,
    ) -> Result<(), RehearsalError> {
        let args = to_raw_value(arguments)?;
        self.send(&ToWorker::Hook {
            id,
            hook,
            now,
            args,
        })
    }

    fn send(&mut self, message: &ToWorker) -> Result<(), RehearsalError> {
        let bytes = encode(message)?;
        let pipe = self.child.stdin.as_mut().ok_or(RehearsalError::Ended)?;
        // What a worker that has ended said before is still there to be read.
        let _ = pipe.write_all(&bytes);
        Ok(())
    }

    fn receive(&mut self) -> Result<FromWorker, RehearsalError> {
        loop {
            if let Some(message) = self.decoder.next_message()? {
                return Ok(message);
            }
            let pipe = self.child.stdout.as_mut().ok_or(RehearsalError::Ended)?;
            let mut piece = [0; 4096];
            let count = pipe.read(&mut piece)?;
            if count == 0 {
                return Err(RehearsalError::Ended);
            }
            self.decoder.push(piece.get(..count).unwrap_or_default());
        }
    }
}

/// A call as JavaScript has it.
fn shown(function: Function, arguments: &[Value]) -> String {
    let arguments: Vec<String> = arguments.iter().map(Value::to_string).collect();
    format!("{function}({})", arguments.join(", "))
}
