//! Every hostile script against a worker of its own: the hook ends as the table says, and the
//! worker answers the next one.

use std::os::unix::process::ExitStatusExt;

use plugin::Hook;
use plugin::hooks::HOOKS;
use plugin::wire::FromWorker;
use serde_json::Value;

use crate::scripts::{Case, Expect, cases};
use crate::worker::{Worker, start};

/// The kernel's signal to a process that has used up its processor time.
const SIGXCPU: i32 = 24;

/// As the table has it.
const SLICE_MS: u32 = 200;
const PATIENCE_MS: u32 = 20_000;

const ALIVE: &str = "\npadsvc.on('access', () => 'alive');\n";

#[test]
fn hostile_scripts_end_as_the_table_says() {
    let mut wrong = Vec::new();
    for Case {
        name,
        script,
        expect,
    } in cases()
    {
        let mut start = start(&format!("{script}{ALIVE}"));
        start.slice_ms = slice_ms(&expect);
        let worker = Worker::started(start);
        if let Err(outcome) = outcome(worker, &expect) {
            wrong.push(format!("{name}: {outcome}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What ends for another reason has the time to get there on a busy machine.
fn slice_ms(expect: &Expect) -> u32 {
    match expect {
        Expect::Answer(_) => PATIENCE_MS,
        Expect::Error(part) if !part.contains("processor time") => PATIENCE_MS,
        _ => SLICE_MS,
    }
}

/// What is wrong with what came of it.
fn outcome(mut worker: Worker, expect: &Expect) -> Result<(), String> {
    let called = match expect {
        Expect::Nothing => {
            worker.send_hook(Hook::Message, &Value::Null);
            None
        }
        _ => Some(worker.call(Hook::Message)),
    };
    let is_expected = match (&called, expect) {
        (None, _) => true,
        (Some(Ok(settled)), Expect::Answer(json)) => settled.result.as_ref() == Ok(json),
        (Some(Ok(settled)), Expect::Error(part)) => match &settled.result {
            Err(error) => error.contains(part) && error.chars().count() <= 1_001,
            Ok(_) => false,
        },
        // The hook itself may be settled as well; the worker ends after that.
        (Some(_), Expect::Failed(part)) => {
            let mut last = called.as_ref().and_then(|it| it.as_ref().err()?.as_ref());
            let next = worker.receive();
            last = next.as_ref().or(last);
            let is_reason = |reason: &String| reason.contains(part);
            let is_expected =
                matches!(last, Some(FromWorker::Failed { reason }) if is_reason(reason));
            return if is_expected && worker.end().0.success() {
                Ok(())
            } else {
                Err(format!("{called:?} {next:?}"))
            };
        }
        (Some(Err(_)), Expect::Killed) => {
            let signal = worker.end().0.signal();
            let is_expected = signal == Some(SIGXCPU);
            return is_expected.then_some(()).ok_or(format!("{signal:?}"));
        }
        _ => false,
    };
    if !is_expected {
        return Err(format!("{called:?}"));
    }
    let next = worker.call(Hook::Access);
    match next {
        Ok(settled) if settled.result == Ok("alive".into()) => {}
        other => return Err(format!("afterwards: {other:?}")),
    }
    let (status, said) = worker.end();
    status.success().then_some(()).ok_or(said)
}

#[test]
fn exceptions_of_every_hook_are_reported() {
    let mut script = String::new();
    for row in HOOKS {
        let name = row.name;
        script += &format!("padsvc.on('{name}', () => {{ throw new Error('in {name}') }});\n");
    }
    let mut worker = Worker::with(&script);
    for row in HOOKS {
        let error = worker.call(row.hook).unwrap().result.unwrap_err();
        let first = error.lines().next().unwrap();
        assert_eq!(first, format!("Error: in {}", row.name));
        assert!(error.contains("server.js:"), "its place: {error}");
    }
}

#[test]
fn floods_of_calls_and_lines_are_bounded() {
    let mut worker = Worker::with(
        "padsvc.on('message', async () => {
           let refused = 0;
           for (let i = 0; i < 2000; i++) padsvc.pads.getText('p' + i).catch(() => refused++);
           for (let i = 0; i < 2000; i++) console.log('line', i, 'x'.repeat(5000));
           await null; await null;
           return refused;
         });",
    );
    for _ in 0..2 {
        let settled = worker.call(Hook::Message).unwrap();
        assert_eq!(settled.logs.len(), 50);
        assert_eq!(settled.logs[49], "more log lines are left out");
        assert!(
            settled
                .logs
                .iter()
                .all(|line| line.chars().count() <= 1_001)
        );
        let refused = settled.result.unwrap().as_u64().unwrap();
        assert_eq!(settled.calls.len() as u64 + refused, 2_000);
        assert!(settled.calls.len() <= 64);
        for (id, ..) in &settled.calls {
            worker.answer(*id, Ok(Value::Null));
        }
    }
    // Each answer leads to the next call: bounded for one hook, whatever is answered.
    let mut worker = Worker::with(
        "padsvc.on('message', async () => {
           let n = 0;
           try { for (;;) { await padsvc.pads.getText('p'); n++; } }
           catch (e) { return [n, e.message]; }
         });",
    );
    let id = worker.send_hook(Hook::Message, &Value::Null);
    loop {
        match worker.receive().unwrap() {
            FromWorker::Call { id, .. } => worker.answer(id, Ok(1.into())),
            FromWorker::Settled { id: it, result, .. } => {
                assert_eq!(it, id);
                let text = r#"[1000,"pads.getText: too many calls for one hook"]"#;
                assert_eq!(result.unwrap().get(), text);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn long_arguments_are_refused() {
    let mut worker = Worker::with(
        "padsvc.on('message', async () => {
           const big = 'x'.repeat(700000);
           const why = [];
           for (const values of [[big, big], Array(1000).fill(big), [{toJSON() { throw 1 }}]]) {
             try { await padsvc.storage.set(...values) } catch (e) { why.push(e.message ?? e) }
           }
           return why;
         });",
    );
    let settled = worker.call(Hook::Message).unwrap();
    assert_eq!(
        settled.result.unwrap().to_string(),
        r#"["storage.set: the arguments are too long","storage.set: the arguments are too long",1]"#
    );
    assert!(settled.calls.is_empty());
}

#[test]
fn scripts_that_do_not_start_say_why() {
    for (script, part) in [
        ("this is no script", "server.js: SyntaxError: "),
        ("throw 'no'", "server.js: no"),
        ("throw null", "server.js: null was thrown"),
        ("for (;;);", "server.js: it was stopped: it took more than"),
        (
            "(function f() { Promise.resolve().then(f) })()",
            "it was stopped",
        ),
        ("let s = 'x'; for (;;) s += s", "server.js: "),
        (
            "padsvc.on('padOpen', () => {})",
            "TypeError: there is no hook called padOpen",
        ),
        (
            "padsvc.on('access', 1)",
            "TypeError: the handler of access is not a function",
        ),
        (
            "padsvc.on('access', () => {}); padsvc.on('access', () => {})",
            "Error: access has a handler already",
        ),
        ("import fs from 'fs'", "server.js: SyntaxError: "),
        ("padsvc.x = 1", "server.js: TypeError: "),
        ("padsvc = 1", "server.js: TypeError: "),
    ] {
        let mut worker = Worker::spawn();
        let start = start(script);
        worker.send(&plugin::wire::ToWorker::Start(Box::new(start)));
        match worker.receive() {
            Some(FromWorker::Failed { reason }) => {
                assert!(reason.contains(part), "{script}: {reason}");
            }
            other => panic!("{script}: {other:?}"),
        }
        assert!(worker.receive().is_none());
        assert!(worker.end().0.success(), "{script}");
    }
}
