//! A worker process, and messages to and from it.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

use plugin::wire::{Decoder, FromWorker, Outcome, Start, ToWorker, encode};
use plugin::{Hook, Reason};
use serde_json::value::RawValue;
use serde_json::{Value, json};

pub(crate) const MEMORY: u64 = 8 * 1024 * 1024;

pub(crate) struct Worker {
    child: Child,
    decoder: Decoder<FromWorker>,
    last: u64,
}

/// What a hook has led to.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) result: Result<Value, String>,
    pub(crate) memory: u64,
    /// Calls and log lines before it.
    pub(crate) calls: Vec<(u64, String, Value)>,
    pub(crate) logs: Vec<String>,
}

pub(crate) fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap()
}

pub(crate) fn start(script: &str) -> Start {
    Start {
        name: "test-plugin".parse().unwrap(),
        script: script.to_owned(),
        now: 1_000,
        settings: raw(&json!({"word": "x", "list": {"a": 1}})),
        texts: [("en", "Hello"), ("de", "Hallo")]
            .map(|(language, text)| {
                let texts = [("hello".to_owned(), text.to_owned())].into();
                (language.to_owned(), texts)
            })
            .into(),
        memory: MEMORY,
        slice_ms: 200,
    }
}

impl Worker {
    pub(crate) fn spawn() -> Worker {
        let child = Command::new(env!("CARGO_BIN_EXE_plugin-worker"))
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Worker {
            child,
            decoder: Decoder::default(),
            last: 0,
        }
    }

    pub(crate) fn with(script: &str) -> Worker {
        Worker::started(start(script))
    }

    pub(crate) fn started(start: Start) -> Worker {
        let mut worker = Worker::spawn();
        worker.send(&ToWorker::Start(Box::new(start)));
        match worker.receive() {
            Some(FromWorker::Ready { .. }) => worker,
            other => panic!("not ready: {other:?}"),
        }
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        // A worker that has ended does not read.
        let _ = self.child.stdin.as_mut().unwrap().write_all(bytes);
    }

    pub(crate) fn send(&mut self, message: &ToWorker) {
        self.send_bytes(&encode(message).unwrap());
    }

    /// The next message, or `None` at the end.
    pub(crate) fn receive(&mut self) -> Option<FromWorker> {
        loop {
            if let Some(message) = self.decoder.next_message().unwrap() {
                return Some(message);
            }
            let mut piece = [0; 4096];
            let count = self
                .child
                .stdout
                .as_mut()
                .unwrap()
                .read(&mut piece)
                .unwrap();
            if count == 0 {
                return None;
            }
            self.decoder.push(&piece[..count]);
        }
    }

    pub(crate) fn send_hook(&mut self, hook: Hook, arguments: &Value) -> u64 {
        self.last += 1;
        self.send(&ToWorker::Hook {
            id: self.last,
            hook,
            now: 86_400_000,
            args: raw(arguments),
        });
        self.last
    }

    /// Calls a hook and waits for its answer. `Err` is the last message of a worker that ended.
    pub(crate) fn call(&mut self, hook: Hook) -> Result<Settled, Option<FromWorker>> {
        let wanted = self.send_hook(hook, &json!({"data": 1}));
        self.until_settled(wanted)
    }

    pub(crate) fn until_settled(&mut self, wanted: u64) -> Result<Settled, Option<FromWorker>> {
        let (mut calls, mut logs) = (Vec::new(), Vec::new());
        let mut last = None;
        while let Some(message) = self.receive() {
            match message {
                FromWorker::Settled {
                    id, result, memory, ..
                } if id == wanted => {
                    let result = result.map(|json| serde_json::from_str(json.get()).unwrap());
                    return Ok(Settled {
                        result: result.map_err(|reason| reason.to_string()),
                        memory,
                        calls,
                        logs,
                    });
                }
                FromWorker::Call { id, function, args } => {
                    let args = serde_json::from_str(args.get()).unwrap();
                    calls.push((id, function.to_string(), args));
                }
                FromWorker::Log { text, .. } => logs.push(text),
                other => last = Some(other),
            }
        }
        Err(last)
    }

    pub(crate) fn answer(&mut self, id: u64, result: Result<Value, &str>) {
        let result: Outcome = result.map(|value| raw(&value)).map_err(Reason::from);
        self.send(&ToWorker::Answer { id, result });
    }

    /// Waits for the end, after the pipe to it is closed.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        drop(self.child.stdin.take());
        let mut text = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut text).unwrap();
        (self.child.wait().unwrap(), text)
    }
}
