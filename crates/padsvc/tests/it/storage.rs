//! What is on disk: who may read it, and what happens when nothing more can be written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::server::{Server, TempRoot, run, stderr};
use crate::socket::insert;
use crate::socket_client::{Member, token};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// A folder and everything in it.
fn all_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(all_in(&path))
        } else {
            found.push(path)
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
    assert!(text["text"].as_str().unwrap().contains("line 39\n"));
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

/// A disk that can be filled, and cleared again.
trait Disk {
    fn fill(&self, server: &Server);
    fn clear(&self, server: &Server);
}

/// No file may grow beyond what the log of the database has now.
struct FileLimit {
    log: PathBuf,
}

impl FileLimit {
    fn set(server: &Server, limit: &str) {
        let mut prlimit = Command::new("prlimit");
        let pid = server.id().to_string();
        prlimit.args(["--pid", &pid, &format!("--fsize={limit}:")]);
        assert!(prlimit.status().unwrap().success());
    }
}

impl Disk for FileLimit {
    fn fill(&self, server: &Server) {
        let size = fs::metadata(&self.log).unwrap().len();
        FileLimit::set(server, &size.to_string());
    }

    fn clear(&self, server: &Server) {
        FileLimit::set(server, "unlimited");
    }
}

/// A small file system of its own; only root can make one.
struct Mount {
    folder: PathBuf,
}

impl Mount {
    fn make(folder: PathBuf) -> Option<Mount> {
        fs::create_dir(&folder).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs"]);
        let mounted = mount.arg(&folder).output();
        let is_mounted = mounted.is_ok_and(|output| output.status.success());
        is_mounted.then_some(Mount { folder })
    }

    fn filler(&self) -> PathBuf {
        self.folder.join("filler")
    }
}

impl Disk for Mount {
    fn fill(&self, _: &Server) {
        // Until nothing more fits, down to a byte.
        let mut file = fs::File::create(self.filler()).unwrap();
        for size in [64 * 1024, 4096, 1] {
            while std::io::Write::write_all(&mut file, &vec![0; size]).is_ok() {}
        }
    }

    fn clear(&self, _: &Server) {
        fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.folder).status();
    }
}

/// The next word about storage that a member hears.
fn storage_word(member: &mut Member) -> String {
    loop {
        let message = member.next_message().expect("the connection is open");
        let word = &message["data"]["payload"]["message"];
        if let Some(key) = word["messageKey"].as_str() {
            assert!(word["message"].is_string(), "{message}");
            return key.to_owned();
        }
    }
}

fn full_for_a_while(root: &TempRoot, server: &Server, disk: &dyn Disk) {
    server.data("createPad", &json!({"padID": "notes", "text": "base"}));
    let mut ada = Member::join(server, "notes", &token(1));
    assert_eq!(server.get("/health").status, 200);
    disk.fill(server);
    ada.change(0, insert(5, "typed ", &ada.author.clone()));
    assert_eq!(storage_word(&mut ada), "storage.failing");
    for path in ["/health", "/health/ready"] {
        let health = server.get(path);
        assert_eq!(health.status, 503, "{path}");
        let output = "nothing can be stored at the moment; pads can be read";
        assert_eq!(health.json()["output"], output);
    }
    assert_eq!(server.get("/health/live").status, 200);
    let health = run(root, &["health"]);
    assert_eq!(health.status.code(), Some(1), "{}", stderr(&health));
    let refused = server.call("appendText", &json!({"padID": "notes", "text": "x"}));
    assert_eq!(refused["code"], 2);
    let text = refused["message"].as_str().unwrap();
    assert!(
        text.starts_with("nothing can be stored at the moment"),
        "{text}"
    );
    // Somebody new comes in and reads.
    let mut bob = Member::join(server, "notes", &token(2));
    let shown = &bob.vars["collab_client_vars"]["initialAttributedText"]["text"];
    assert_eq!(*shown, "base\n");
    assert_eq!(storage_word(&mut bob), "storage.failing");
    // A pad that does not exist cannot be made; that is said before the connection ends.
    let mut lost = Member::connect(server);
    lost.ready(&json!({"padId": "new", "token": token(3)}));
    assert_eq!(storage_word(&mut lost), "storage.failing");
    assert!(lost.next_message().is_none());

    disk.clear(server);
    // What waited is stored, without being sent again.
    assert_eq!(ada.room("ACCEPT_COMMIT")["newRev"], 1);
    assert_eq!(bob.room("NEW_CHANGES")["newRev"], 1);
    assert_eq!(server.get("/health").status, 200);
    assert!(run(root, &["health"]).status.success());
    bob.change(1, insert(11, "too ", &bob.author.clone()));
    assert_eq!(bob.room("ACCEPT_COMMIT")["newRev"], 2);
    let text = server.data("getText", &json!({"padID": "notes"}));
    assert_eq!(text["text"], "too typed base\n");
    let again = Member::join(server, "notes", &token(2));
    assert_eq!(again.author, bob.author);
    let check = run(root, &["check"]);
    assert!(check.status.success(), "{}", stderr(&check));
}

#[test]
fn a_disk_without_room_is_reported_and_loses_nothing() {
    let root = TempRoot::new("full_disk");
    // The signal for a file that is too large would end the program; ignored, the write fails.
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"]);
    let server = Server::start_under(shell, &root);
    let log = root.path("var/padsvc.db-wal");
    full_for_a_while(&root, &server, &FileLimit { log });
    let log = server.log();
    assert!(log.contains("nothing can be stored: "), "{log}");
    assert!(log.contains("storing works again"), "{log}");
    server.stop();
}

#[test]
fn a_file_system_without_room_is_reported_and_loses_nothing() {
    let root = TempRoot::new("full_mount");
    let Some(mount) = Mount::make(root.path("var")) else {
        eprintln!("skipped 1: only root can mount a file system");
        return;
    };
    let server = Server::start(&root);
    full_for_a_while(&root, &server, &mount);
    server.stop();
}
