//! The server restarts itself, asked by an administrator or an operator.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::{Request, Response};
use crate::logins::basic;
use crate::server::{Server, TempRoot, run, stderr, stdout};
use crate::socket::insert;
use crate::socket_client::{Member, token};

const SETTINGS: &str = r#"{
  // Ours.
  "title": "Before",
  "users": { "root": { "password": "root's", "is_admin": true } }
}
"#;

fn ask(server: &Server, method: &str, path: &str, body: &Value) -> Response {
    let login = basic("root", "root's");
    let request = Request::new(method, path).header("authorization", &login);
    server.send(&request.body("application/json", body.to_string()))
}

/// Changes the file the way the admin area does.
fn change(server: &Server, changes: &Value) {
    let shown = ask(server, "GET", "/admin/api/settings", &json!({})).json();
    let before = &shown["file"]["text"];
    let body = json!({ "text": before, "changes": changes });
    let edited = ask(server, "POST", "/admin/api/settings/edit", &body).json();
    assert_eq!(edited["problems"], json!([]));
    let body = json!({ "text": edited["text"], "before": before });
    let saved = ask(server, "POST", "/admin/api/settings", &body);
    assert_eq!(saved.status, 200);
}

fn value(server: &Server, key: &str) -> Value {
    let shown = ask(server, "GET", "/admin/api/settings", &json!({})).json();
    let sections = shown["sections"].as_array().unwrap();
    let mut rows = sections
        .iter()
        .flat_map(|it| it["rows"].as_array().unwrap());
    rows.find(|row| row["key"] == key).unwrap()["value"].clone()
}

/// What a process has open and would hand on to whatever it becomes.
fn handed_on(process: u32) -> BTreeSet<String> {
    const CLOSE_ON_EXEC: u32 = 0o2_000_000;
    let folder = format!("/proc/{process}/fdinfo");
    let open = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let stays = |path: &PathBuf| {
        let info = std::fs::read_to_string(path).unwrap_or_default();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.map(|flags| u32::from_str_radix(flags.trim(), 8).unwrap());
        flags.is_some_and(|flags| flags & CLOSE_ON_EXEC == 0)
    };
    let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    open.filter(stays).map(name).collect()
}

#[test]
fn new_settings_count_after_a_restart_in_place_and_nothing_is_lost() {
    let root = TempRoot::with_settings("restart", SETTINGS);
    let mut server = Server::start(&root);
    let address = server.address.clone();
    let first = ask(&server, "GET", "/admin/api/restart", &json!({})).json();
    change(&server, &json!({ "title": "After", "loglevel": "DEBUG" }));
    assert_eq!(value(&server, "title"), "Before");
    let mut ada = Member::join(&server, "notes", &token(1));
    ada.change(0, insert(ada.length(), "kept ", &ada.author.clone()));
    assert_eq!(ada.room("ACCEPT_COMMIT")["newRev"], 1);
    let id = server.id();
    // What it has from us it hands on, and nothing else.
    assert!(handed_on(id).is_subset(&handed_on(std::process::id())));
    let begun = ask(&server, "POST", "/admin/api/restart", &json!({}));
    assert_eq!(begun.status, 202);
    assert_eq!(begun.json(), first);
    // People are informed, and not told to stay away.
    let told = ada.room("shoutMessage");
    assert_eq!(told["payload"]["message"]["messageKey"], "update.drain.t60");
    ada.shout("The server stops");
    assert_eq!(ada.packet(), None);
    drop(ada);
    server.until_ready();
    assert_eq!(server.address, address, "another port");
    assert_eq!(server.id(), id);
    assert_eq!(value(&server, "title"), "After");
    assert!(server.get("/").text().contains("After"));
    assert_eq!(value(&server, "loglevel"), "DEBUG");
    let again = ask(&server, "GET", "/admin/api/restart", &json!({})).json();
    assert_ne!(again["start"], first["start"]);
    let text = server.data("getText", &json!({ "padID": "notes" }));
    assert!(text["text"].as_str().unwrap().starts_with("kept "));
    assert!(root.read("settings.json").contains("// Ours."));
    server.stop();
}

#[test]
fn a_server_that_could_not_start_stays_up() {
    let root = TempRoot::with_settings("restart_refused", SETTINGS);
    let server = Server::start(&root);
    for (settings, told) in [
        (r#"{ "port": "many" }"#, "port is \"many\""),
        (r#"{ "port": 1 "#, "not valid JSON"),
        (
            r#"{ "ssl": { "key": "no.pem", "cert": "no.pem" } }"#,
            "no.pem",
        ),
    ] {
        root.write("settings.json", settings);
        let refused = ask(&server, "POST", "/admin/api/restart", &json!({}));
        assert_eq!(refused.status, 422, "{settings}");
        let error = refused.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(told), "{error}");
        let output = run(&root, &["restart"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    assert_eq!(
        ask(&server, "POST", "/admin/api/restart", &json!([])).status,
        400
    );
    assert_eq!(server.get("/health").status, 200);
    server.stop();
}

#[test]
fn an_operator_restarts_by_a_command() {
    let root = TempRoot::with_settings("restart_command", SETTINGS);
    let output = run(&root, &["restart"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no server runs"));
    let mut server = Server::start(&root);
    root.write("settings.json", &SETTINGS.replace("Before", "After"));
    let output = run(&root, &["restart", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("\"restart\":true"));
    server.until_ready();
    assert_eq!(value(&server, "title"), "After");
    server.stop();
}

#[test]
fn a_signal_while_it_goes_is_the_end() {
    let root = TempRoot::with_settings("restart_signal", SETTINGS);
    let server = Server::start(&root);
    assert_eq!(
        ask(&server, "POST", "/admin/api/restart", &json!({})).status,
        202
    );
    server.stop();
}
