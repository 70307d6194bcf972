//! The operator's commands, run as an operator runs them.
//!
//! Whatever a command does to pads is tried twice: while the service runs, and while it does not.

mod backup;
mod compact;
mod files;
mod migrate;
mod plugins;
mod remove;
mod repair;
mod session;
mod setup;

use serde_json::{Value, json};

use crate::server::{Server, TempRoot, run, stderr, stdout};

/// What a command did with `--json`, and its exit code.
fn answer(root: &TempRoot, line: &str) -> (Value, i32) {
    let mut arguments: Vec<&str> = line.split(' ').collect();
    arguments.push("--json");
    let output = run(root, &arguments);
    let told = stdout(&output);
    let value = serde_json::from_str(&told);
    let value = value.unwrap_or_else(|error| panic!("{error}: {told}{}", stderr(&output)));
    (value, output.status.code().unwrap())
}

/// What a command says to people that succeeds.
fn said(root: &TempRoot, line: &str) -> String {
    let arguments: Vec<&str> = line.split(' ').collect();
    let output = run(root, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

/// What a command complains about that fails.
fn refused(root: &TempRoot, line: &str) -> String {
    let arguments: Vec<&str> = line.split(' ').collect();
    let output = run(root, &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let complaint = stderr(&output);
    let first = complaint.strip_prefix("padsvc: ").unwrap_or_else(|| {
        panic!("no complaint: {complaint}{}", stdout(&output));
    });
    first.trim_end().to_owned()
}

/// Runs a test with a server, and then without.
fn both_ways(name: &str, settings: &str, prepare: fn(&Server), test: fn(&TempRoot)) {
    for running in [true, false] {
        let name = format!("{name}_{}", if running { "running" } else { "stopped" });
        let root = TempRoot::with_settings(&name, settings);
        let server = Server::start(&root);
        prepare(&server);
        if running {
            test(&root);
            server.stop();
        } else {
            server.stop();
            test(&root);
        }
    }
}

/// Three pads of three revisions each.
fn three_pads(server: &Server) {
    for pad in ["one", "two", "three"] {
        server.data("createPad", &json!({"padID": pad, "text": "first"}));
        for text in ["second", "third\nand more"] {
            server.data("setText", &json!({"padID": pad, "text": text}));
        }
    }
}

/// Starts the server again to ask it something.
fn ask(root: &TempRoot, function: &str, arguments: &Value) -> Value {
    let server = Server::start(root);
    let data = server.data(function, arguments);
    server.stop();
    data
}

/// Damages a stopped server's data.
fn damage(root: &TempRoot, sql: &str) {
    let database = rusqlite::Connection::open(root.path("var/padsvc.db")).unwrap();
    assert!(database.execute(sql, []).unwrap() > 0, "{sql}");
}
