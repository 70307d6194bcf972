//! The program is killed while people write, again and again; and when it acknowledges.
//!
//! Whatever was acknowledged is there afterwards, and what is there is whole. `PADSVC_CYCLES` says
//! how often.

use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use changeset::{Changeset, Document, NEWLINE};
use serde_json::json;

use crate::json::{pool, string};
use crate::server::{Server, TempRoot, run, stdout};
use crate::socket::insert;
use crate::socket_client::{Member, token};

const CYCLES: u64 = 5;
const PADS: [&str; 3] = ["first", "second", "third"];
const EDITORS: u64 = 6;

/// A text that was acknowledged, with its place.
struct Acknowledged {
    pad: &'static str,
    rev: u64,
    text: String,
}

#[test]
fn killed_servers_lose_nothing_they_acknowledged() {
    let root = TempRoot::new("socket_crash");
    let server = Server::start(&root);
    for pad in PADS {
        server.data("createPad", &json!({ "padID": pad, "text": "base" }));
    }
    server.stop();
    let cycles = std::env::var("PADSVC_CYCLES").map_or(CYCLES, |count| count.parse().unwrap());
    let mut told: Vec<Acknowledged> = Vec::new();
    let mut replays = PADS.map(Replay::new);
    for cycle in 0..cycles {
        let server = Server::start(&root);
        let (sender, receiver) = channel();
        let editors: Vec<_> = (0..EDITORS)
            .map(|editor| {
                let pad = PADS[(editor % 3) as usize];
                let member = Member::join(&server, pad, &token(editor as usize));
                let sender = sender.clone();
                thread::spawn(move || write(member, pad, &format!("{cycle}.{editor}"), &sender))
            })
            .collect();
        drop(sender);
        // Different places in what they do, the same ones in every run.
        let count = 7 + cycle * 37 % 90;
        told.extend((0..count).map(|_| receiver.recv().unwrap()));
        // Dropping kills, without a warning.
        drop(server);
        told.extend(receiver);
        for editor in editors {
            editor.join().unwrap();
        }
        let checked = run(&root, &["check"]);
        assert_eq!(
            stdout(&checked),
            "checked 3 pads: no problems\n",
            "cycle {cycle}"
        );
        let server = Server::start(&root);
        for replay in &mut replays {
            replay.verify(&server, &told);
        }
        server.stop();
    }
}

/// Commits until the server is gone.
fn write(mut member: Member, pad: &'static str, name: &str, told: &Sender<Acknowledged>) {
    let base = member.vars["collab_client_vars"]["rev"].as_u64().unwrap();
    let length = member.length();
    for number in 0.. {
        let text = format!("<{name}.{number}>");
        let mut change = insert(length, &text, &member.author);
        change["type"] = json!("USER_CHANGES");
        change["baseRev"] = json!(base);
        let message = json!({ "component": "pad", "type": "COLLABROOM", "data": change });
        if !member.try_send(&format!("42{}", json!(["message", message]))) {
            return;
        }
        let Some(rev) = member.accepted() else { return };
        if told.send(Acknowledged { pad, rev, text }).is_err() {
            return;
        }
    }
}

/// A pad as its revisions make it, as far as they have been read.
struct Replay {
    pad: &'static str,
    document: Document,
    /// What each revision put into the text.
    inserted: Vec<String>,
}

impl Replay {
    fn new(pad: &'static str) -> Replay {
        Replay {
            pad,
            document: Document::plain(&[NEWLINE]),
            inserted: Vec::new(),
        }
    }

    /// Reads the revisions that are new, and holds the text and what was acknowledged against them.
    fn verify(&mut self, server: &Server, told: &[Acknowledged]) {
        let pad = self.pad;
        let count = server.data("getRevisionsCount", &json!({ "padID": pad }));
        let numbers = pool(&server.data("getAttributePool", &json!({ "padID": pad }))["pool"]);
        for rev in self.inserted.len() as u64..=count["revisions"].as_u64().unwrap() {
            let change = server.data("getRevisionChangeset", &json!({ "padID": pad, "rev": rev }));
            let change = Changeset::parse(string(&change)).unwrap();
            self.inserted.push(change.bank.to_string());
            self.document = self.document.apply(&change, &numbers).unwrap();
        }
        let text = server.data("getText", &json!({ "padID": pad }));
        assert_eq!(
            self.document.text().to_string(),
            string(&text["text"]),
            "{pad}"
        );
        for Acknowledged { rev, text, .. } in told.iter().filter(|told| told.pad == pad) {
            let stored = self.inserted.get(*rev as usize);
            assert_eq!(stored, Some(text), "{pad} revision {rev}");
        }
    }
}

/// Watched by strace: what is written to the database, brought to disk, and told to clients.
#[test]
fn by_strace_an_acknowledgement_leaves_after_the_disk_has_it() {
    if std::env::var_os("PADSVC_SKIP_STRACE").is_some_and(|value| value == "1") {
        return;
    }
    let root = TempRoot::new("socket_fsync");
    let trace = root.path("trace");
    let mut command = Command::new("strace");
    // -D: the program is our child, and strace is beside it.
    command.args(["-D", "-f", "-y", "-s", "120", "-e"]);
    command.arg("trace=pwrite64,pwritev,fsync,fdatasync,write,writev,sendto,sendmsg");
    command.arg("-o").arg(&trace).arg("--");
    let server = Server::start_under(command, &root);
    let mut member = Member::join(&server, "notes", &token(1));
    for number in 1..=5 {
        let length = member.length();
        let text = format!("<{number}>");
        member.change(0, insert(length, &text, &member.author.clone()));
        assert_eq!(member.room("ACCEPT_COMMIT")["newRev"], number);
    }
    drop(member);
    server.stop();
    let trace = until_written(&trace);
    assert_eq!(order(&trace), 5, "acknowledgements in:\n{trace}");
}

/// What strace wrote; it may end a moment later than the program.
fn until_written(trace: &Path) -> String {
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(trace).unwrap();
        let is_whole = text.trim_end().ends_with("+++ exited with 0 +++");
        if is_whole || begun.elapsed() > Duration::from_secs(120) {
            return text;
        }
        thread::yield_now();
    }
}

/// Counts the acknowledgements. Before each, something was written to the database since the one
/// before, and all of it was brought to disk.
fn order(trace: &str) -> usize {
    let (mut written, mut synced, mut told) = (false, false, 0);
    for line in trace.lines() {
        let is_database = line.contains("padsvc.db");
        if is_database && line.contains(" pwrite") {
            (written, synced) = (true, false);
        } else if line.contains("sync") && line.ends_with("= 0") {
            // Also the second half of a call that another thread's came between.
            synced = written;
        } else if line.contains("ACCEPT_COMMIT") {
            assert!(written && synced, "too early: {line}\n{trace}");
            (written, synced) = (false, false);
            told += 1;
        }
    }
    told
}
