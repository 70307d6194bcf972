//! The way back: what `padsvc dump` writes, loaded by Etherpad's own database layer.

use std::fs::File;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{compare, migrate_completely, project, through_script, unpacked};
use crate::server::{Server, TempRoot, run, stderr};

/// Loads lines into a new database of some kind, and moves that in again.
fn there_and_back(dump: &TempRoot, kind: &str) -> TempRoot {
    let database = dump.path(&format!("back.{kind}"));
    let settings = json!({ "filename": database });
    let mut load = Command::new("node");
    load.current_dir(project("tests/ueberdb"));
    load.args(["load.mjs", kind, &settings.to_string()]);
    load.stdin(File::open(dump.path("dump.jsonl")).unwrap());
    let output = load.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    through_script(&format!("way_back_{kind}"), kind, &settings)
}

#[test]
fn etherpads_database_layer_loads_a_dump() {
    let (root, file) = unpacked("way_back", "dirty.db");
    migrate_completely(&root, &file, Stdio::null());
    // While the service runs, and while it does not.
    let server = Server::start(&root);
    let written = run(&root, &["dump", "running.jsonl"]);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    server.stop();
    let written = run(&root, &["dump"]);
    std::fs::write(root.path("dump.jsonl"), &written.stdout).unwrap();
    assert_eq!(root.read("running.jsonl"), root.read("dump.jsonl"));
    let again = run(&root, &["dump", "dump.jsonl"]);
    assert!(
        stderr(&again).contains("dump.jsonl: File exists"),
        "{}",
        stderr(&again)
    );

    // Browsers are known by tokens, of which only hashes are here.
    let without_tokens = |row: &super::expected::Row| row.function != "author of cookie token";
    for kind in ["dirty", "sqlite"] {
        let back = there_and_back(&root, kind);
        compare(&back, "dirty", "1.3.1", without_tokens);
    }
    // A dump is itself a database of the kind dirty.
    let direct = TempRoot::new("way_back_direct");
    std::fs::copy(root.path("dump.jsonl"), direct.path("dirty.db")).unwrap();
    migrate_completely(&direct, "dirty.db", Stdio::null());
}

#[test]
fn records_are_as_etherpad_has_them() {
    let (root, file) = unpacked("way_back_records", "dirty.db");
    migrate_completely(&root, &file, Stdio::null());
    let written = run(&root, &["dump"]);
    let text = String::from_utf8(written.stdout).unwrap();
    let mut theirs = std::collections::BTreeMap::new();
    for line in root.read(&file).lines() {
        let record: Option<Value> = serde_json::from_str(line).ok();
        let Some(mut record) = record else { continue };
        let key = record["key"].as_str().unwrap().to_owned();
        match record.get_mut("val") {
            Some(value) => theirs.insert(key, value.take()),
            None => theirs.remove(&key),
        };
    }
    let mut compared = 0;
    for line in text.lines() {
        let Ok(record) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let key = record["key"].as_str().unwrap();
        let is_whole = [
            "group",
            "session:",
            "mapper2",
            "author2",
            "pad2readonly:",
            "readonly2pad:",
        ];
        if is_whole.iter().any(|prefix| key.starts_with(prefix)) {
            assert_eq!(Some(&record["val"]), theirs.get(key), "{key}");
            compared += 1;
        }
    }
    assert!(compared > 120, "{compared}");
}
