//! What is on disk: who may read it, and what happens when nothing more can be written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::server::{Server, TempRoot, run, stderr};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// A folder and everything in it.
fn all_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() && !path.is_symlink() {
            true => found.extend(all_in(&path)),
            false => found.push(path),
        }
    }
    found
}

fn nobody_else_reads(paths: &[PathBuf]) {
    for path in paths {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(path), expected, "{path:?}");
    }
}

/// Starts the server in a process whose umask lets everybody read.
fn start(root: &TempRoot) -> Server {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$@\"", "sh"]);
    Server::start_under(shell, root)
}

#[test]
fn nobody_else_can_read_what_is_stored() {
    let root = TempRoot::new("private_var");
    let server = start(&root);
    server.data("createPad", &json!({"padID": "notes", "text": "zero"}));
    let copies = ["copy.db", "notes.etherpad", "all"].map(|name| root.path(name));
    let [copy, export, all] = copies.each_ref().map(|path| path.to_str().unwrap());
    for arguments in [
        &["backup", copy][..],
        &["export", "notes", "--to", export],
        &["export", "--all", "--to", all],
    ] {
        let done = run(&root, arguments);
        assert!(done.status.success(), "{arguments:?}: {}", stderr(&done));
    }
    let names = all_in(&root.path("var"));
    assert!(names.contains(&root.path("var/padsvc.db-wal")), "{names:?}");
    nobody_else_reads(&names);
    nobody_else_reads(&[root.path("copy.db"), root.path("notes.etherpad")]);
    nobody_else_reads(&all_in(&root.path("all")));
    server.stop();
    nobody_else_reads(&all_in(&root.path("var")));
}

/// As an earlier release has left it.
#[test]
fn what_others_could_read_is_tightened_at_start() {
    let root = TempRoot::new("tightened_var");
    let old = [
        root.path("var"),
        root.path("var/padsvc.db"),
        root.path("var/old.json"),
    ];
    fs::create_dir(&old[0]).unwrap();
    fs::copy("../../fixtures/store/v3.db", &old[1]).unwrap();
    fs::write(&old[2], "{}").unwrap();
    for (path, mode) in old.iter().zip([0o755, 0o644, 0o664]) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    let server = start(&root);
    nobody_else_reads(&all_in(&root.path("var")));
    let text = server.data("getText", &json!({"padID": "notes"}));
    assert!(text["text"].as_str().unwrap().ends_with("line 39\n"));
    let log = server.log();
    for name in ["var", "var/padsvc.db", "var/old.json"] {
        let line = format!("others could read ./{name}; from now on only this user can");
        assert!(log.contains(&line), "{line}: {log}");
    }
    server.stop();
    let server = start(&root);
    assert!(
        !server.log().contains("others could read"),
        "{}",
        server.log()
    );
}
