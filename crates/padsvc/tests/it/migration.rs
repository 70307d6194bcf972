//! Databases of a real Etherpad, moved in: padsvc then answers what that Etherpad answered.
//!
//! The databases and the answers are in `fixtures/etherpad`. What is let pass as equal is in
//! [`expected`], and in `docs/migration.md`.

mod damaged;
mod expected;
mod passes;
mod servers;
mod stores;
mod way_back;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::server::{TempRoot, padsvc, stderr, stdout};
use expected::compare;

/// A file of `fixtures/etherpad`, unpacked.
fn fixture(name: &str) -> Vec<u8> {
    let path = project(&format!("fixtures/etherpad/{name}.zst"));
    zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap()
}

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// A folder with an unpacked database in it.
fn unpacked(test: &str, fixture_name: &str) -> (TempRoot, String) {
    let root = TempRoot::new(test);
    let name = Path::new(fixture_name).file_name().unwrap();
    let name = name.to_str().unwrap().to_owned();
    std::fs::write(root.path(&name), fixture(fixture_name)).unwrap();
    (root, name)
}

/// Runs `padsvc migrate`; what it reports, and its exit code.
fn migrate(root: &TempRoot, arguments: &[&str], input: Stdio) -> (Value, i32) {
    let mut command = padsvc(root);
    command.arg("migrate").args(arguments).arg("--json");
    let output = command.stdin(input).output().unwrap();
    let value = serde_json::from_str(&stdout(&output));
    let value = value.unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (value, output.status.code().unwrap())
}

/// Moves in, with every revision compared, and nothing may be lost.
fn migrate_completely(root: &TempRoot, source: &str, input: Stdio) -> Value {
    let (report, code) = migrate(root, &[source, "--verify", "all"], input);
    assert_eq!(code, 0, "{report:#}");
    assert_eq!(report.get("rows"), None, "{report:#}");
    assert_eq!(report["same"], report["pads"], "{report:#}");
    report
}

/// The dump script, in a folder that has Etherpad's database layer.
fn dump_script(kind: &str, settings: &Value) -> Command {
    let folder = project("tests/ueberdb");
    assert!(
        folder.join("node_modules/ueberdb2").exists(),
        "ueberdb2 is not installed; `cargo xtask test tools` installs it"
    );
    let mut node = Command::new("node");
    node.arg(project("tools/etherpad-dump.mjs"));
    node.arg("--folder").arg(folder);
    node.args(["--type", kind, "--db", &settings.to_string()]);
    node.stdin(Stdio::null());
    node
}

/// The script writes into the program, as in a shell.
fn through_script(test: &str, kind: &str, settings: &Value) -> TempRoot {
    let root = TempRoot::new(test);
    let mut script = dump_script(kind, settings);
    let mut script = script
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    migrate_completely(&root, "-", script.stdout.take().unwrap().into());
    assert!(script.wait().unwrap().success());
    root
}

/// What the script writes to standard output.
fn dumped(kind: &str, settings: &Value) -> Vec<u8> {
    let output = dump_script(kind, settings).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    output.stdout
}

fn told(output: &Output) -> String {
    stderr(output)
}
