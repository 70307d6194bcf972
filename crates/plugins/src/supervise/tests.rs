//! A supervisor and the pipes of workers that the tests play: what one says, and when.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use plugin::wire::{Decoder, FromWorker, LogLevel, SandboxReport, ToWorker, encode};
use plugin::{Function, Hook, Package, PadPatterns};
use proptest::prelude::*;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use service::pad::Timestamp;
use service::{Config, Service};
use store::{Location, PluginRecord, Store};
use system::System;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

use crate::calls::Calls;
use crate::health::State;
use crate::registry::Installed;
use crate::running::{Failure, Running};
use crate::supervise::Supervisor;
use crate::worker::Worker;

/// The other end of a worker's pipes.
struct Played {
    reader: DuplexStream,
    writer: DuplexStream,
    decoder: Decoder<ToWorker>,
}

impl Played {
    async fn receive(&mut self) -> Option<ToWorker> {
        loop {
            if let Some(message) = self.decoder.next_message().unwrap() {
                return Some(message);
            }
            let mut piece = [0; 1024];
            let count = self.reader.read(&mut piece).await.unwrap();
            if count == 0 {
                return None;
            }
            self.decoder.push(&piece[..count]);
        }
    }

    async fn send(&mut self, message: &FromWorker) {
        let _ = self.writer.write_all(&encode(message).unwrap()).await;
    }

    async fn start(&mut self) {
        let start = self.receive().await;
        assert!(matches!(start, Some(ToWorker::Start(_))), "{start:?}");
        self.send(&FromWorker::Ready {
            hooks: vec![Hook::ChatMessage],
            sandbox: SandboxReport::default(),
            memory: 1_000,
        })
        .await;
    }

    /// The id of the next hook, which must be this one.
    async fn hook(&mut self, expected: Hook) -> u64 {
        match self.receive().await {
            Some(ToWorker::Hook { id, hook, .. }) => {
                assert_eq!(hook, expected);
                id
            }
            other => panic!("{other:?}"),
        }
    }

    async fn settle(&mut self, id: u64, answer: Value) {
        let result = Ok(to_raw_value(&answer).unwrap());
        self.settle_with(id, result).await;
    }

    async fn settle_with(&mut self, id: u64, result: plugin::wire::Outcome) {
        self.send(&FromWorker::Settled {
            id,
            result,
            micros: 5,
            memory: 2_000,
        })
        .await;
    }
}

struct Stage {
    plugin: Arc<Running>,
    workers: mpsc::UnboundedReceiver<Played>,
    // Kept alive.
    _service: Arc<Service>,
}

const MANIFEST: &str = r#"{
    "name": "played", "version": "1.0.0", "interface": "^1", "title": "Played",
    "description": "Played by a test.", "permissions": ["chat", "pads:read", "routes", "storage"],
    "hooks": ["chatMessage", "padChanged", "request", "padDeleted"]
}"#;

fn installed(granted: &str) -> Arc<Installed> {
    let files = [("plugin.json", MANIFEST), ("server.js", "0")];
    let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
    let package = Package::from_files(BTreeMap::from(files)).unwrap();
    let granted = serde_json::from_str(granted).unwrap();
    Arc::new(Installed {
        record: PluginRecord {
            name: "played".to_owned(),
            version: "1.0.0".to_owned(),
            enabled: true,
            granted: String::new(),
            settings: String::new(),
            pads: String::new(),
            sha256: String::new(),
            installed: Timestamp(0),
            change: 1,
        },
        package: Arc::new(package),
        granted,
        settings: serde_json::Map::new(),
        pads: PadPatterns::default(),
    })
}

async fn stage() -> Stage {
    stage_with(r#"["chat", "pads:read"]"#).await
}

async fn stage_with(granted: &str) -> Stage {
    let store = Store::open(Location::Memory).await.unwrap();
    let service = Arc::new(Service::new(store, Arc::new(System), Config::default()));
    let (place, workers) = mpsc::unbounded_channel();
    let launcher = move || -> io::Result<Worker> {
        let (reader, theirs) = duplex(64 * 1024);
        let (ours, writer) = duplex(64 * 1024);
        let played = Played {
            reader: ours,
            writer: theirs,
            decoder: Decoder::default(),
        };
        let _ = place.send(played);
        Ok(Worker::new(Box::new(reader), Box::new(writer)))
    };
    let (plugin, incoming) = Running::new(installed(granted), CancellationToken::new());
    let timers = Arc::new(Notify::new());
    let supervisor = Supervisor {
        plugin: Arc::clone(&plugin),
        incoming,
        launcher: Arc::new(launcher),
        calls: Arc::new(Calls::new(Arc::downgrade(&service), timers)),
    };
    tokio::spawn(supervisor.run());
    Stage {
        plugin,
        workers,
        _service: service,
    }
}

fn message() -> Value {
    json!({ "padId": "notes", "text": "hi" })
}

impl Stage {
    async fn worker(&mut self) -> Played {
        let mut worker = self.workers.recv().await.unwrap();
        worker.start().await;
        worker
    }

    fn ask(&self, hook: Hook) -> tokio::task::JoinHandle<crate::running::Answer> {
        let plugin = Arc::clone(&self.plugin);
        tokio::spawn(async move { plugin.ask(hook, message()).await })
    }
}

#[tokio::test(start_paused = true)]
async fn a_worker_starts_for_a_hook_and_ends_when_idle() {
    let mut stage = stage().await;
    // A hook without its permission is never sent.
    assert_eq!(
        stage.plugin.ask(Hook::Request, message()).await,
        Err(Failure::NoHook)
    );
    let asked = stage.ask(Hook::ChatMessage);
    let mut worker = stage.worker().await;
    let id = worker.hook(Hook::ChatMessage).await;
    worker.settle(id, json!({ "text": "ho" })).await;
    assert_eq!(asked.await.unwrap(), Ok(json!({ "text": "ho" })));
    assert_eq!(stage.plugin.health().state, State::Running);
    assert_eq!(stage.plugin.health().hooks["chatMessage"].calls, 1);
    // A minute passes without anything to do.
    assert!(matches!(worker.receive().await, Some(ToWorker::Stop)));
    drop(worker);
    let asked = stage.ask(Hook::ChatMessage);
    let mut worker = stage.worker().await;
    let id = worker.hook(Hook::ChatMessage).await;
    worker.settle(id, Value::Null).await;
    assert_eq!(asked.await.unwrap(), Ok(Value::Null));
    assert_eq!(stage.plugin.health().starts, 2);
    stage.plugin.end.cancel();
    assert!(matches!(worker.receive().await, Some(ToWorker::Stop)));
}

/// Numbers that a worker says of itself are added up.
#[tokio::test(start_paused = true)]
async fn no_number_of_a_worker_is_too_large() {
    let mut stage = stage().await;
    let mut asked = stage.ask(Hook::ChatMessage);
    let mut worker = stage.worker().await;
    for _ in 0..3 {
        let id = worker.hook(Hook::ChatMessage).await;
        let settled = FromWorker::Settled {
            id,
            result: Ok(to_raw_value(&Value::Null).unwrap()),
            micros: u64::MAX,
            memory: u64::MAX,
        };
        worker.send(&settled).await;
        assert_eq!(asked.await.unwrap(), Ok(Value::Null));
        asked = stage.ask(Hook::ChatMessage);
    }
    let health = stage.plugin.health().clone();
    assert_eq!(health.hooks["chatMessage"].micros, u64::MAX);
    assert_eq!(health.peak_memory, u64::MAX);
}

/// However many requests there are, a chat message goes before them, and there is room for it.
#[tokio::test(start_paused = true)]
async fn people_in_pads_do_not_wait_behind_routes() {
    let mut stage = stage_with(r#"["chat", "routes"]"#).await;
    let mut requests: Vec<_> = (0..200).map(|_| stage.ask(Hook::Request)).collect();
    let mut worker = stage.worker().await;
    let first = worker.hook(Hook::Request).await;
    // The worker is busy with the first of them, and all places are taken.
    while stage.plugin.health().skipped == 0 {
        tokio::task::yield_now().await;
    }
    let said = stage.ask(Hook::ChatMessage);
    let chat = worker.hook(Hook::ChatMessage).await;
    worker.settle(first, Value::Null).await;
    worker.settle(chat, json!({ "text": "ho" })).await;
    assert_eq!(said.await.unwrap(), Ok(json!({ "text": "ho" })));
    assert_eq!(requests.remove(0).await.unwrap(), Ok(Value::Null));
    // Then it is their turn again, one after the other.
    for request in requests.drain(..3) {
        let id = worker.hook(Hook::Request).await;
        worker.settle(id, Value::Null).await;
        assert_eq!(request.await.unwrap(), Ok(Value::Null));
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_is_given_up_and_a_stuck_worker_is_replaced() {
    let mut stage = stage().await;
    let asked = stage.ask(Hook::ChatMessage);
    let mut worker = stage.worker().await;
    let late = worker.hook(Hook::ChatMessage).await;
    assert_eq!(asked.await.unwrap(), Err(Failure::Late));
    // It answers what it has no handler for, so it lives; and the late answer is ignored.
    let Some(ToWorker::Hook { id, .. }) = worker.receive().await else {
        panic!("no ping");
    };
    worker.settle(late, json!({ "text": "too late" })).await;
    worker.settle(id, Value::Null).await;
    let asked = stage.ask(Hook::ChatMessage);
    let id = worker.hook(Hook::ChatMessage).await;
    worker.settle(id, Value::Null).await;
    assert_eq!(asked.await.unwrap(), Ok(Value::Null));
    // This time it says nothing at all.
    let asked = stage.ask(Hook::ChatMessage);
    worker.hook(Hook::ChatMessage).await;
    assert_eq!(asked.await.unwrap(), Err(Failure::Late));
    let mut last = worker.receive().await;
    while last.is_some() {
        last = worker.receive().await;
    }
    // As long as it backs off nobody waits for it.
    let skipped = stage.plugin.ask(Hook::ChatMessage, message()).await;
    assert_eq!(skipped, Err(Failure::Unavailable));
    assert_eq!(stage.plugin.health().state, State::Waiting);
    let reason = stage.plugin.health().reason.clone();
    assert_eq!(reason.as_deref(), Some("the worker was stuck"));
    tokio::time::sleep(Duration::from_secs(2)).await;
    let asked = stage.ask(Hook::ChatMessage);
    let mut worker = stage.worker().await;
    let id = worker.hook(Hook::ChatMessage).await;
    worker.settle(id, Value::Null).await;
    assert_eq!(asked.await.unwrap(), Ok(Value::Null));
}

#[tokio::test(start_paused = true)]
async fn failures_in_a_row_switch_it_off_until_somebody_switches_it_on() {
    let mut stage = stage().await;
    let first = stage.ask(Hook::ChatMessage);
    let mut worker = stage.worker().await;
    let mut asked = Some(first);
    for answer in [
        Err("TypeError".into()),
        Ok(to_raw_value(&json!(["no text"])).unwrap()),
        Ok(to_raw_value(&json!({ "text": "x".repeat(20_000) })).unwrap()),
        // Valid JSON, and too deep to be read.
        Ok(serde_json::value::RawValue::from_string("[".repeat(500) + &"]".repeat(500)).unwrap()),
        Err("again".into()),
    ] {
        let waiting = asked.take().unwrap_or_else(|| stage.ask(Hook::ChatMessage));
        let id = worker.hook(Hook::ChatMessage).await;
        worker.settle_with(id, answer).await;
        assert!(matches!(waiting.await.unwrap(), Err(Failure::Failed(_))));
    }
    assert!(matches!(worker.receive().await, Some(ToWorker::Stop)));
    drop(worker);
    assert_eq!(stage.plugin.health().state, State::Off);
    let skipped = stage.plugin.ask(Hook::ChatMessage, message()).await;
    assert_eq!(skipped, Err(Failure::Unavailable));
    stage.plugin.health().switch_on();
    let asked = stage.ask(Hook::ChatMessage);
    let mut worker = stage.worker().await;
    let id = worker.hook(Hook::ChatMessage).await;
    worker.settle(id, Value::Null).await;
    assert_eq!(asked.await.unwrap(), Ok(Value::Null));
}

/// In real time: a clock that stands still jumps ahead while the store works in its own thread.
#[tokio::test]
async fn calls_are_refused_without_permission_and_answered_with_it() {
    let mut stage = stage().await;
    let _asked = stage.ask(Hook::ChatMessage);
    let mut worker = stage.worker().await;
    let id = worker.hook(Hook::ChatMessage).await;
    worker.settle(id, Value::Null).await;
    for (function, arguments, outcome) in [
        (Function::PadsExists, json!(["notes"]), Ok(json!(false))),
        (
            Function::PadsList,
            json!([]),
            Ok(json!({ "pads": [], "next": null })),
        ),
        (
            Function::PadsSetText,
            json!(["notes", "mine now"]),
            Err("pads.setText takes the permission pads:write, which is not granted"),
        ),
        // Asked for in plugin.json, and not granted.
        (
            Function::StorageGet,
            json!(["key"]),
            Err("storage.get takes the permission storage, which is not granted"),
        ),
        (
            Function::PadsGetText,
            json!([7]),
            Err("pads.getText: padId must be a text of at most 200 characters"),
        ),
        (
            Function::PadsGetText,
            json!(["../x"]),
            Err("padID does not exist"),
        ),
    ] {
        let args = to_raw_value(&arguments).unwrap();
        worker
            .send(&FromWorker::Call {
                id: 9,
                function,
                args,
            })
            .await;
        let answer = loop {
            match worker.receive().await {
                Some(ToWorker::Answer { id, result }) => {
                    assert_eq!(id, 9);
                    break result;
                }
                Some(_) => {}
                None => panic!("{function}"),
            }
        };
        let answer = answer.map(|json| serde_json::from_str::<Value>(json.get()).unwrap());
        assert_eq!(answer, outcome.map_err(plugin::Reason::from), "{function}");
    }
}

/// Whatever a worker does wrong, it is replaced later, and nothing else happens.
#[tokio::test(start_paused = true)]
async fn misbehaving_workers_are_replaced() {
    let log = FromWorker::Log {
        level: LogLevel::Info,
        text: "flood".to_owned(),
    };
    let call = FromWorker::Call {
        id: 1,
        function: Function::PadsList,
        args: to_raw_value(&json!([])).unwrap(),
    };
    let flood = |message: &FromWorker, count: usize| encode(message).unwrap().repeat(count);
    let ready = FromWorker::Ready {
        hooks: Vec::new(),
        sandbox: SandboxReport::default(),
        memory: 0,
    };
    let unasked = FromWorker::Settled {
        id: 1_000_000,
        result: Err("".into()),
        micros: u64::MAX,
        memory: u64::MAX,
    };
    // To the hook that is answered already, which has the first id.
    let again = FromWorker::Settled {
        id: 1,
        result: Err("".into()),
        micros: u64::MAX,
        memory: u64::MAX,
    };
    let failed = FromWorker::Failed {
        reason: "its jobs never rest".to_owned(),
    };
    let mut stage = stage().await;
    for (bytes, reason) in [
        (flood(&log, 30_000), "it floods"),
        (flood(&again, 30_000), "it floods"),
        (flood(&call, 1_000), "too many calls wait"),
        (flood(&ready, 1), "it was ready already"),
        (flood(&unasked, 1), "an answer to nothing"),
        (flood(&failed, 1), "its jobs never rest"),
        (vec![255; 64], "the worker sends nonsense"),
        (b"\x02\0\0\0{}".to_vec(), "the worker sends nonsense"),
        (Vec::new(), "the worker ended"),
    ] {
        let asked = stage.ask(Hook::ChatMessage);
        let mut worker = stage.worker().await;
        let id = worker.hook(Hook::ChatMessage).await;
        // So that the failures are not in a row.
        worker.settle(id, Value::Null).await;
        assert_eq!(asked.await.unwrap(), Ok(Value::Null));
        let _ = worker.writer.write_all(&bytes).await;
        let _ = worker.writer.shutdown().await;
        while worker.receive().await.is_some() {}
        while stage.plugin.health().state != State::Waiting {
            tokio::task::yield_now().await;
        }
        let said = stage.plugin.health().reason.clone().unwrap();
        assert!(said.contains(reason), "{said}: {reason}");
        tokio::time::sleep(Duration::from_secs(1)).await;
        tokio::task::yield_now().await;
    }
    assert!(stage.plugin.health().log.len() <= 100);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any bytes whatever: no panic, and an end with a reason.
    #[test]
    fn any_bytes_end_the_worker(bytes in prop::collection::vec(any::<u8>(), 1..300)) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut stage = stage().await;
            let asked = stage.ask(Hook::ChatMessage);
            let mut worker = stage.worker().await;
            let _ = worker.writer.write_all(&bytes).await;
            let _ = worker.writer.shutdown().await;
            while worker.receive().await.is_some() {}
            assert!(asked.await.unwrap().is_err());
        });
    }
}
