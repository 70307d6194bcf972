//! The loop over standard input and output.
//!
//! Messages are handled one after the other. What cannot be understood, and the end of the input,
//! end the worker: without the service there is nothing to do.

use std::io::{self, Read, Write, stderr, stdin, stdout};
use std::process::ExitCode;

use plugin::wire::{Decoder, FrameError, FromWorker, Start, ToWorker, encode};
use thiserror::Error;

use crate::engine::{Engine, Step};
use crate::sandbox::Sandbox;

#[derive(Debug, Error)]
enum ServeError {
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error("the pipe is broken: {0}")]
    Pipe(#[from] io::Error),
    #[error("a message before the start, or a second start")]
    Order,
}

/// Runs a worker until it is stopped. This is all that the process does.
pub fn run() -> ExitCode {
    let sandbox = Sandbox::enter();
    match serve(&sandbox) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // For somebody who starts a worker by hand; the service does not look there.
            let _ = writeln!(stderr(), "plugin worker: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(sandbox: &Sandbox) -> Result<(), ServeError> {
    let mut decoder = Decoder::<ToWorker>::default();
    let mut piece = vec![0; 64 * 1024];
    let mut engine = None;
    loop {
        while let Some(message) = decoder.next_message()? {
            if !handle(sandbox, &mut engine, message)? {
                return Ok(());
            }
        }
        let count = stdin().lock().read(&mut piece)?;
        if count == 0 {
            return Ok(());
        }
        decoder.push(piece.get(..count).unwrap_or_default());
    }
}

/// Whether there is more to do.
fn handle(
    sandbox: &Sandbox,
    engine: &mut Option<Engine>,
    message: ToWorker,
) -> Result<bool, ServeError> {
    let step = match (message, &mut *engine) {
        (ToWorker::Stop, _) => return Ok(false),
        (ToWorker::Start(start), None) => {
            *engine = begin(sandbox, &start)?;
            return Ok(engine.is_some());
        }
        (
            ToWorker::Hook {
                id,
                hook,
                now,
                args,
            },
            Some(engine),
        ) => engine.call_hook(id, hook, now, args.get()),
        (ToWorker::Answer { id, result }, Some(engine)) => engine.answer(id, &result),
        _ => return Err(ServeError::Order),
    };
    let mut messages = engine
        .as_mut()
        .map(Engine::take_messages)
        .unwrap_or_default();
    if step == Step::Stuck {
        let reason = "promises never come to rest".to_owned();
        messages.push(FromWorker::Failed { reason });
    }
    send(&messages)?;
    Ok(step == Step::Rest)
}

fn begin(sandbox: &Sandbox, start: &Start) -> Result<Option<Engine>, ServeError> {
    let is_limited = sandbox.limit_memory(start.memory);
    match Engine::start(start) {
        Ok(mut engine) => {
            let mut report = sandbox.report();
            report.limits &= is_limited;
            let mut messages = vec![FromWorker::Ready {
                hooks: engine.hooks(),
                sandbox: report,
                memory: engine.memory(),
            }];
            messages.extend(engine.take_messages());
            send(&messages)?;
            Ok(Some(engine))
        }
        Err(error) => {
            let reason = error.to_string();
            send(&[FromWorker::Failed { reason }])?;
            Ok(None)
        }
    }
}

fn send(messages: &[FromWorker]) -> Result<(), ServeError> {
    let mut out = stdout().lock();
    for message in messages {
        out.write_all(&encode(message)?)?;
    }
    Ok(out.flush()?)
}
