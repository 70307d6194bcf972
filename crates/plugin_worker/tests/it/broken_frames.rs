//! What the worker does when its other side is not the service it expects.

use plugin::wire::{FRAME, ToWorker, encode};
use serde_json::json;

use crate::worker::{Worker, raw, start};

fn frame(json: &str) -> Vec<u8> {
    let mut bytes = (json.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(json.as_bytes());
    bytes
}

#[test]
fn what_is_not_understood_ends_the_worker() {
    let hook = ToWorker::Hook {
        id: 1,
        hook: plugin::Hook::Message,
        now: 0,
        args: raw(&json!({})),
    };
    let begin = encode(&ToWorker::Start(Box::new(start("")))).unwrap();
    for (name, bytes, part) in [
        ("length", vec![0xff; 8], "a message of 4294967295 bytes"),
        (
            "one too many",
            ((FRAME + 1) as u32).to_le_bytes().to_vec(),
            "more than 4194304",
        ),
        ("empty", frame(""), "not understood"),
        ("text", frame("hello"), "not understood"),
        (
            "unknown message",
            frame(r#"{"exec":{}}"#),
            "unknown variant `exec`",
        ),
        (
            "unknown field",
            frame(r#"{"answer":{"id":1,"result":{"Ok":1},"x":1}}"#),
            "unknown field",
        ),
        (
            "unknown hook",
            frame(r#"{"hook":{"id":1,"hook":"x","now":0,"args":1}}"#),
            "unknown variant",
        ),
        (
            "hook before the start",
            encode(&hook).unwrap(),
            "a message before the start",
        ),
        (
            "second start",
            [begin.clone(), begin].concat(),
            "or a second start",
        ),
    ] {
        let mut worker = Worker::spawn();
        worker.send_bytes(&bytes);
        let (status, said) = worker.end();
        assert_eq!(status.code(), Some(1), "{name}");
        assert!(said.contains(part), "{name}: {said}");
    }
}

#[test]
fn end_of_the_input_is_the_end() {
    for bytes in [
        vec![],
        vec![1],
        vec![200, 0, 0, 0, b'{'],
        encode(&ToWorker::Stop).unwrap(),
    ] {
        let mut worker = Worker::spawn();
        worker.send_bytes(&bytes);
        let (status, said) = worker.end();
        assert!(status.success(), "{said}");
    }
}

#[test]
fn answers_to_nothing_are_ignored() {
    let mut worker = Worker::with("padsvc.on('access', () => 'alive')");
    for id in [0, 1, u64::MAX] {
        worker.answer(id, Ok(json!("x")));
        worker.answer(id, Err("x"));
    }
    let settled = worker.call(plugin::Hook::Access).unwrap();
    assert_eq!(settled.result, Ok(json!("alive")));
}
