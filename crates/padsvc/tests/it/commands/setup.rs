//! `check-settings`, `hash-password`, `completions`, `man`, and what help says.

use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use super::{answer, refused, said};
use crate::client::Request;
use crate::server::{Server, TempRoot, padsvc, run, stderr, stdout};

#[test]
fn settings_are_looked_over() {
    let root = TempRoot::new("settings_checked");
    let none = said(&root, "check-settings");
    assert_eq!(none, "there is no ./settings.json; the defaults are used\n");
    root.write(
        "settings.json",
        r#"{"port": 80, "nonsense": 1, "mail": {"auth": {"user": "u", "pass": "geheim"}}}"#,
    );
    let told = said(&root, "check-settings");
    assert!(told.contains("warning: line 1, column "), "{told}");
    assert!(told.contains("nonsense") && told.ends_with("./settings.json: can be used\n"));
    let shown = said(&root, "check-settings --show");
    assert!(
        shown.contains("\"port\": 80") && !shown.contains("geheim"),
        "{shown}"
    );
    let (data, code) = answer(&root, "check-settings --show");
    assert_eq!((&data["settings"]["port"], code), (&json!(80), 0));
    assert_eq!(data["warnings"], 1, "{data}");

    root.write("settings.json", r#"{"port": "x", "trustProxy": "yes"}"#);
    let (data, code) = answer(&root, "check-settings");
    assert_eq!((&data["problems"], code), (&json!(2), 1), "{data}");
    assert_eq!(data["rows"][0]["key"], "port");
    let nowhere = refused(&root, "check-settings --root nowhere");
    assert_eq!(nowhere, "the root folder nowhere does not exist");
}

#[test]
fn a_server_is_asked_how_it_is() {
    let root = TempRoot::new("health_command");
    assert_eq!(refused(&root, "health"), "no server runs in .");
    let server = Server::start(&root);
    let told = said(&root, "health");
    assert_eq!(told, "the server runs, and its store can be read\n");
    let (data, code) = answer(&root, "health");
    assert_eq!((data, code), (json!({"ok": true, "status": "pass"}), 0));
    server.signal("KILL");
    server.wait();
    assert_eq!(refused(&root, "health"), "no server runs in .");
}

#[test]
fn the_settings_of_the_packages_can_be_used() {
    let root = TempRoot::new("packaged_settings");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/settings.json");
    let (data, code) = answer(&root, &format!("check-settings --settings {file} --show"));
    assert_eq!((&data["warnings"], code), (&json!(0), 0), "{data}");
    assert_eq!(data["settings"]["users"]["admin"]["password"], json!(null));
    assert_eq!(data["settings"]["port"], 9001);
}

#[test]
fn the_log_says_more_when_asked_and_less_again() {
    let root = TempRoot::with_settings(
        "log_level",
        r#"{"loglevel": "WARN", "logLayoutType": "json"}"#,
    );
    assert_eq!(refused(&root, "log-level debug"), "no server runs in .");
    let server = Server::start(&root);
    server.get("/before");
    let told = said(&root, "log-level info");
    assert_eq!(told, "the server logs from level info on\n");
    server.get("/during");
    let (data, code) = answer(&root, "log-level error");
    assert_eq!((&data["level"], code), (&json!("error"), 0));
    server.get("/after");
    let wrong = run(&root, &["log-level", "loud"]);
    assert_eq!(wrong.status.code(), Some(2));
    let log = root.0.with_extension("log");
    server.stop();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("/during"), "{log}");
    assert!(!log.contains("/before") && !log.contains("/after"), "{log}");
    for line in log.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(
            line["message"].is_string() && line["level"].is_string(),
            "{line}"
        );
    }
}

fn hashed(root: &TempRoot, password: &str) -> (String, Option<i32>) {
    let mut command = padsvc(root);
    command.arg("hash-password").stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(password.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    (stdout(&output) + &stderr(&output), output.status.code())
}

#[test]
fn a_hashed_password_opens_the_door() {
    let root = TempRoot::new("hashed_password");
    let (hash, code) = hashed(&root, "correct horse\n");
    assert_eq!(code, Some(0));
    let hash = hash.trim();
    assert!(hash.starts_with("$argon2id$"), "{hash}");
    assert_ne!(hashed(&root, "correct horse\n").0.trim(), hash);
    let settings = json!({"users": {"root": {"password": hash, "is_admin": true}}});
    root.write("settings.json", &settings.to_string());
    let server = Server::start(&root);
    // root:correct horse, root:wrong
    for (word, status) in [("cm9vdDpjb3JyZWN0IGhvcnNl", 200), ("cm9vdDp3cm9uZw==", 401)] {
        let request = Request::get("/admin-auth").header("authorization", &format!("Basic {word}"));
        assert_eq!(server.send(&request).status, status);
    }
    server.stop();
    let (complaint, code) = hashed(&root, "\n");
    assert_eq!(complaint, "padsvc: a password must not be empty\n");
    assert_eq!(code, Some(1));
}

const COMMANDS: [&str; 19] = [
    "serve",
    "loadtest",
    "check",
    "compact",
    "repair",
    "rebuild",
    "delete",
    "export",
    "import",
    "backup",
    "restore",
    "session",
    "health",
    "log-level",
    "restart",
    "check-settings",
    "hash-password",
    "completions",
    "man",
];

#[test]
fn every_command_explains_itself() {
    let root = TempRoot::new("help");
    let all = said(&root, "--help");
    for command in COMMANDS {
        assert!(all.contains(&format!("\n  {command} ")), "{command}: {all}");
        let help = said(&root, &format!("{command} --help"));
        let usage = format!("Usage: padsvc {command}");
        let (about, rest) = help.split_once(&usage).unwrap_or_else(|| panic!("{help}"));
        assert!(about.len() > 10, "{help}");
        // Every argument and option says what it is for.
        let is_option = |line: &&str| {
            let text = line.trim_start();
            line.len() - text.len() < 8 && text.starts_with(['-', '[', '<'])
        };
        for line in rest.lines().skip(1).filter(is_option) {
            let explained = rest.split_once(line).unwrap().1;
            let explained = line.trim().contains("  ") || explained.starts_with("\n          ");
            assert!(explained, "{command}: {line}");
        }
    }
    let output = run(&root, &["nonsense"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("unrecognized subcommand"));
}

#[test]
fn shells_and_readers_are_served() {
    let root = TempRoot::new("shells");
    for shell in ["bash", "zsh", "fish"] {
        let script = said(&root, &format!("completions {shell}"));
        assert!(
            script.contains("padsvc") && script.contains("compact"),
            "{shell}"
        );
    }
    assert_eq!(run(&root, &["completions", "tcsh"]).status.code(), Some(2));
    assert!(said(&root, "man").starts_with(".ie"));
    assert_eq!(said(&root, "man --to pages"), "");
    for command in COMMANDS {
        let page = root.read(&format!("pages/padsvc-{command}.1"));
        assert!(page.contains("SYNOPSIS"), "{command}");
    }
    root.write("file", "");
    assert!(refused(&root, "man --to file/pages").contains("cannot be written"));
}
