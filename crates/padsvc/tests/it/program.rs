//! Starting, stopping, and what keeps the program from starting.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::client::{self, Request};
use crate::server::{Server, TempRoot, padsvc, run, stderr};

#[test]
fn first_run_serves_and_makes_its_folder() {
    let root = TempRoot::new("first_run");
    let server = Server::start(&root);
    assert!(server.address.starts_with("127.0.0.1:"));
    assert_eq!(server.get("/").status, 200);
    assert_eq!(server.get("/health").json()["status"], "pass");
    assert!(root.path("var/padsvc.db").is_file());
    let key = root.read("APIKEY.txt");
    assert_eq!(key.len(), 64);
    assert!(key.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let mode = root.path("APIKEY.txt").metadata().unwrap().permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
    let log = server.log();
    assert!(
        log.contains("settings.json; the defaults are used"),
        "{log}"
    );
}

#[test]
fn both_signals_stop_it_cleanly() {
    for signal in ["TERM", "INT"] {
        let root = TempRoot::new(&format!("stop_{signal}"));
        let server = Server::start(&root);
        server.get("/");
        server.signal(signal);
        assert_eq!(server.wait(), (Some(0), String::new()), "{signal}");
    }
}

#[test]
fn idle_connection_does_not_hold_up_a_stop() {
    let root = TempRoot::new("idle_connection");
    let server = Server::start(&root);
    let mut idle = TcpStream::connect(&server.address).unwrap();
    write!(idle, "GET /health HTTP/1.1\r\nHost: pads\r\n\r\n").unwrap();
    let mut first_line = String::new();
    BufReader::new(&idle).read_line(&mut first_line).unwrap();
    assert_eq!(first_line, "HTTP/1.1 200 OK\r\n");
    server.stop();
}

#[test]
fn request_under_way_is_finished_before_the_end() {
    let root = TempRoot::new("under_way");
    let server = Server::start(&root);
    let request = Request::post("/api/1/createPad")
        .header("apikey", &server.key)
        .header("expect", "100-continue")
        .form("padID=notes&text=finished");
    let bytes = request.bytes();
    let (head, body) = bytes.split_at(bytes.len() - request.body.len());
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.write_all(head).unwrap();
    let mut go_on = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut go_on).unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    server.signal("TERM");
    // New connections are refused from here on; that is how we know the stop has begun.
    while TcpStream::connect(&server.address).is_ok() {}
    stream.write_all(body).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = client::parse(&answer).unwrap();
    assert_eq!(answer.json()["message"], "ok");
    assert_eq!(server.wait().0, Some(0));

    let server = Server::start(&root);
    let text = server.data("getText", &json!({"padID": "notes"}));
    assert_eq!(text, json!({"text": "finished\n"}));
}

#[test]
fn restart_keeps_everything() {
    let root = TempRoot::new("restart");
    let server = Server::start(&root);
    let key = server.key.clone();
    let author = server.data(
        "createAuthorIfNotExistsFor",
        &json!({"authorMapper": "user-17", "name": "Ada"}),
    );
    let group = server.data("createGroup", &json!({}));
    let pad = json!({"groupID": group["groupID"], "padName": "plan", "text": "one"});
    let pad = server.data("createGroupPad", &pad);
    let pad = json!({"padID": pad["padID"]});
    let more = json!({"padID": pad["padID"], "text": "two", "authorId": author["authorID"]});
    server.data("appendText", &more);
    let message = json!({
        "padID": pad["padID"], "text": "hi", "authorID": author["authorID"], "time": 1000
    });
    server.data("appendChatMessage", &message);
    let asked = [
        "getText",
        "getRevisionsCount",
        "getChatHistory",
        "listAuthorsOfPad",
        "getHTML",
    ];
    let before = asked.map(|function| server.data(function, &pad));
    server.stop();

    let server = Server::start(&root);
    assert_eq!(server.key, key);
    assert_eq!(asked.map(|function| server.data(function, &pad)), before);
    let again = json!({"authorMapper": "user-17"});
    assert_eq!(server.data("createAuthorIfNotExistsFor", &again), author);
}

#[test]
fn what_was_answered_survives_a_kill() {
    let root = TempRoot::new("kill");
    let server = Server::start(&root);
    server.data("createPad", &json!({"padID": "notes", "text": "kept"}));
    server.signal("KILL");
    server.wait();
    let server = Server::start(&root);
    let text = server.data("getText", &json!({"padID": "notes"}));
    assert_eq!(text, json!({"text": "kept\n"}));
}

#[test]
fn port_in_use_is_said_in_one_line() {
    let root = TempRoot::new("port_in_use");
    let server = Server::start(&root);
    let port = server.address.rsplit(':').next().unwrap();
    let second = padsvc(&root).env("PORT", port).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert_eq!(second.stdout, b"");
    let told = format!(
        "padsvc: port {port} on 127.0.0.1 is in use; \
         stop the program that has it or choose another with --port\n"
    );
    assert!(stderr(&second).ends_with(&told), "{}", stderr(&second));
}

#[test]
fn second_process_on_the_same_data_is_refused() {
    let root = TempRoot::new("second_process");
    let server = Server::start(&root);
    let second = run(&root, &["--port", "0"]);
    assert_eq!(second.status.code(), Some(1));
    assert_eq!(second.stdout, b"");
    let told = stderr(&second);
    let last = told.lines().next_back().unwrap();
    assert!(
        last.starts_with("padsvc: the database ")
            && last.ends_with("padsvc.db is in use by another process; stop it first"),
        "{told}"
    );
    assert_eq!(server.get("/health").status, 200, "the first goes on");
}

#[test]
fn missing_root_is_not_created() {
    let root = TempRoot::new("missing_root");
    let output = run(&root, &["--port", "0", "--root", "typo"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output),
        "padsvc: the root folder typo does not exist\n"
    );
    assert!(!root.path("typo").exists());
}

#[test]
fn wrong_settings_are_all_told_and_nothing_starts() {
    let root = TempRoot::with_settings(
        "wrong_settings",
        "{\n  // two mistakes\n  \"port\": \"many\",\n  \"trustProxy\": \"yes\"\n}\n",
    );
    let output = run(&root, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    let told = stderr(&output);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert!(lines[0].starts_with("padsvc: the settings "), "{told}");
    assert!(
        lines[1].starts_with("  line 3, column 11: port is \"many\""),
        "{told}"
    );
    assert!(
        lines[2].starts_with("  line 4, column 17: trustProxy is \"yes\""),
        "{told}"
    );
    assert!(!root.path("APIKEY.txt").exists());
    assert!(!root.path("var").exists());
}

#[test]
fn settings_may_be_elsewhere_and_the_command_line_wins() {
    let root = TempRoot::new("settings_elsewhere");
    root.write(
        "other.json",
        r#"{"port": 1, "ip": "127.0.0.1", "defaultPadText": "Hi!"}"#,
    );
    let server = Server::start_with(&root, &["--settings", "other.json", "--port", "0"]);
    server.data("createPad", &json!({"padID": "notes"}));
    let text = server.data("getText", &json!({"padID": "notes"}));
    assert_eq!(text, json!({"text": "Hi!\n"}));
}

#[test]
fn empty_key_is_refused() {
    let root = TempRoot::new("empty_key");
    root.write("APIKEY.txt", "\n");
    let output = run(&root, &["--port", "0"]);
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(
        told.contains("APIKEY.txt is empty; write a key into it, or delete it to get a new one"),
        "{told}"
    );
}

/// Standard output is the pipe to the service: not a byte but messages, and no file is made.
#[test]
fn plugin_worker_speaks_messages_and_nothing_else() {
    let root = TempRoot::new("plugin_worker");
    let start = json!({"start": {
        "name": "test-plugin", "script": "padsvc.on('access', () => 'deny')", "now": 0,
        "settings": {}, "texts": {}, "memory": 8 << 20, "sliceMs": 200,
    }});
    let hook = json!({"hook": {"id": 1, "hook": "access", "now": 0, "args": {}}});
    let mut worker = padsvc(&root)
        .arg("plugin-worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = worker.stdin.take().unwrap();
    for message in [start, hook, json!("stop")] {
        let message = message.to_string();
        let length = u32::try_from(message.len()).unwrap().to_le_bytes();
        pipe.write_all(&length).unwrap();
        pipe.write_all(message.as_bytes()).unwrap();
    }
    let output = worker.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(stderr(&output), "");
    let mut rest = output.stdout.as_slice();
    let mut messages = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk() {
        let (message, after) = after.split_at(u32::from_le_bytes(*length) as usize);
        messages.push(serde_json::from_slice::<Value>(message).unwrap());
        rest = after;
    }
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[0]["ready"]["hooks"], json!(["access"]));
    let sandbox = &messages[0]["ready"]["sandbox"];
    assert_eq!(sandbox["noFiles"], sandbox["seccomp"], "{sandbox}");
    assert_eq!(messages[1]["settled"]["result"], json!({"Ok": "deny"}));
    assert!(!root.path("var").exists());
}
