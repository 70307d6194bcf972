//! What a plugin that means well sees of the service.

use plugin::Hook;
use plugin::functions::FUNCTIONS;
use plugin::wire::{FromWorker, ToWorker};
use serde_json::json;

use crate::worker::{Worker, start};

#[test]
fn hooks_calls_and_answers() {
    let mut worker = Worker::with(
        "padsvc.on('chatMessage', async ({ text }) => {
           console.warn('heard', text, { a: [1] }, null, undefined, new Error('e').message);
           const before = await padsvc.pads.getText('p', 3);
           try { await padsvc.pads.delete('p') } catch (e) { return { text: before + e.message } }
         });",
    );
    let id = worker.send_hook(Hook::ChatMessage, &json!({"text": "hi"}));
    let Some(FromWorker::Log { text, .. }) = worker.receive() else {
        panic!();
    };
    assert_eq!(text, r#"heard hi {"a":[1]} null undefined e"#);
    for (function, arguments, answer) in [
        ("pads.getText", json!(["p", 3]), Ok(json!("before: "))),
        ("pads.delete", json!(["p"]), Err("not granted")),
    ] {
        let Some(FromWorker::Call {
            id,
            function: it,
            args,
        }) = worker.receive()
        else {
            panic!();
        };
        assert_eq!(it.to_string(), function);
        assert_eq!(args.get(), arguments.to_string());
        worker.answer(id, answer);
    }
    let settled = worker.until_settled(id).unwrap();
    assert_eq!(settled.result, Ok(json!({"text": "before: not granted"})));
}

#[test]
fn every_function_of_the_table_is_there() {
    let mut script = String::from("padsvc.on('message', () => [");
    for row in FUNCTIONS {
        script += &format!("[padsvc.{0}.name, typeof padsvc.{0}().then],", row.name);
    }
    script += "])";
    let mut worker = Worker::with(&script);
    let settled = worker.call(Hook::Message).unwrap();
    let calls: Vec<&str> = settled
        .calls
        .iter()
        .map(|(_, name, _)| name.as_str())
        .collect();
    let names: Vec<&str> = FUNCTIONS.iter().map(|row| row.name).collect();
    assert_eq!(calls, names);
    let expected: Vec<_> = names
        .iter()
        .map(|name| json!([name.split('.').next_back().unwrap(), "function"]))
        .collect();
    assert_eq!(settled.result, Ok(json!(expected)));
}

#[test]
fn several_hooks_are_under_way_at_once() {
    let mut worker =
        Worker::with("padsvc.on('request', async a => await padsvc.storage.get(a.path))");
    let hooks: Vec<u64> = (0..20)
        .map(|number| worker.send_hook(Hook::Request, &json!({"path": number})))
        .collect();
    let mut calls = Vec::new();
    while calls.len() < hooks.len() {
        if let Some(FromWorker::Call { id, args, .. }) = worker.receive() {
            calls.push((id, args.get().to_owned()));
        }
    }
    // Answered in another order than they came.
    for (call, argument) in calls.iter().rev() {
        worker.answer(*call, Ok(json!(argument)));
    }
    for (number, hook) in hooks.iter().enumerate().rev() {
        let settled = worker.until_settled(*hook).unwrap();
        assert_eq!(settled.result, Ok(json!(format!("[{number}]"))));
    }
}

#[test]
fn a_stopped_hook_does_not_disturb_the_next() {
    let mut worker = Worker::with(
        "let saved;
         padsvc.on('request', async () => (await padsvc.storage.get('a')) + '!');
         padsvc.on('message', () => { for (;;); });",
    );
    let waiting = worker.send_hook(Hook::Request, &json!({}));
    let Some(FromWorker::Call { id: late, .. }) = worker.receive() else {
        panic!();
    };
    let looping = worker.send_hook(Hook::Message, &json!({}));
    // Both fail: an interrupted engine cannot say whose promise was lost.
    let mut failed = Vec::new();
    while failed.len() < 2 {
        if let Some(FromWorker::Settled { id, result, .. }) = worker.receive() {
            assert!(result.unwrap_err().to_string().contains("it was stopped"));
            failed.push(id);
        }
    }
    failed.sort_unstable();
    assert_eq!(failed, [waiting, looping]);
    worker.answer(late, Ok(json!("too late")));
    let next = worker.send_hook(Hook::Request, &json!({}));
    let Some(FromWorker::Call { id, .. }) = worker.receive() else {
        panic!();
    };
    worker.answer(id, Ok(json!("fine")));
    let settled = worker.until_settled(next).unwrap();
    assert_eq!(settled.result, Ok(json!("fine!")));
}

#[test]
fn texts_settings_and_missing_handlers() {
    let mut worker = Worker::with(
        "padsvc.on('message', () => [
           padsvc.name, padsvc.settings.word, padsvc.text('hello'), padsvc.text('hello', 'de-AT'),
           padsvc.text('hello', 'fr'), padsvc.text('none'), padsvc.text(), padsvc.text({}, []),
         ])",
    );
    let settled = worker.call(Hook::Message).unwrap();
    assert_eq!(
        settled.result,
        Ok(json!([
            "test-plugin",
            "x",
            "Hello",
            "Hallo",
            "Hello",
            "none",
            "",
            ""
        ]))
    );
    assert_eq!(worker.call(Hook::Access).unwrap().result, Ok(json!(null)));
}

#[test]
fn ready_names_the_handlers() {
    let mut worker = Worker::spawn();
    let script = "padsvc.on('timer', () => {}); padsvc.on('access', () => {}); console.log('up')";
    worker.send(&ToWorker::Start(Box::new(start(script))));
    let Some(FromWorker::Ready { hooks, .. }) = worker.receive() else {
        panic!();
    };
    assert_eq!(hooks, [Hook::Timer, Hook::Access]);
    assert!(matches!(worker.receive(), Some(FromWorker::Log { text, .. }) if text == "up"));
    worker.send(&ToWorker::Stop);
    assert!(worker.receive().is_none());
}
