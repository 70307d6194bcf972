//! `backup` and `restore`.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use serde_json::json;

use super::{answer, refused, said, three_pads};
use crate::cluster::Cluster;
use crate::postgresql::root as on_postgresql;
use crate::server::{Server, TempRoot};

const PADS: usize = 4;
const BACKUPS: usize = 3;

fn name(pad: usize) -> String {
    format!("pad{pad}")
}

/// Everybody writes lines while copies are made. Each copy, restored elsewhere, is a state of the
/// pads at some moment while it was made: it has everything that was acknowledged before it was
/// begun and nothing that was sent after it had ended, without a hole.
#[test]
fn a_backup_under_load_is_a_state_that_was_acknowledged() {
    let root = TempRoot::new("backup_load");
    let server = Server::start(&root);
    for pad in 0..PADS {
        server.data("createPad", &json!({"padID": name(pad), "text": ""}));
    }
    let acknowledged: [AtomicU64; PADS] = Default::default();
    let sent: [AtomicU64; PADS] = Default::default();
    let over = AtomicBool::new(false);
    let read = |counts: &[AtomicU64; PADS]| {
        let counts = counts.iter().map(|count| count.load(Ordering::SeqCst));
        counts.collect::<Vec<u64>>()
    };
    let mut copies = Vec::new();
    thread::scope(|scope| {
        for pad in 0..PADS {
            let (server, sent, acknowledged) = (&server, &sent[pad], &acknowledged[pad]);
            let over = &over;
            scope.spawn(move || {
                for number in 1.. {
                    if over.load(Ordering::SeqCst) {
                        return;
                    }
                    sent.store(number, Ordering::SeqCst);
                    let text = format!("line {number}\n");
                    server.data("appendText", &json!({"padID": name(pad), "text": text}));
                    acknowledged.store(number, Ordering::SeqCst);
                }
            });
        }
        for copy in 0..BACKUPS {
            // Everybody has written since the last one.
            let last = read(&acknowledged);
            while read(&acknowledged)
                .iter()
                .zip(&last)
                .any(|(now, then)| now <= then)
            {
                thread::yield_now();
            }
            let before = read(&acknowledged);
            let file = format!("copy{copy}");
            said(&root, &format!("backup {file}"));
            copies.push((root.path(&file), before, read(&sent)));
        }
        over.store(true, Ordering::SeqCst);
    });
    for (number, (file, before, after)) in copies.into_iter().enumerate() {
        let elsewhere = TempRoot::new(&format!("backup_load_{number}"));
        said(&elsewhere, &format!("restore {}", file.display()));
        let expected = format!("checked {PADS} pads: no problems\n");
        assert_eq!(said(&elsewhere, "check"), expected);
        let restored = Server::start(&elsewhere);
        for pad in 0..PADS {
            let lines = lines_without_hole(&restored, pad);
            assert!(lines >= before[pad], "{lines} < {}", before[pad]);
            assert!(lines <= after[pad], "{lines} > {}", after[pad]);
            same_history(&server, &restored, pad);
            restored.data(
                "appendText",
                &json!({"padID": name(pad), "text": "on it goes"}),
            );
        }
        restored.stop();
    }
    server.stop();
}

/// How many lines a pad has: one for each number, from the first to the last.
fn lines_without_hole(server: &Server, pad: usize) -> u64 {
    let text = server.data("getText", &json!({"padID": name(pad)}))["text"].take();
    let text = text.as_str().unwrap();
    let lines = text.lines().filter(|line| !line.is_empty()).count() as u64;
    let whole: String = (1..=lines).map(|line| format!("line {line}\n")).collect();
    assert_eq!(text.trim(), whole.trim());
    lines
}

/// The original, as far as the copy goes, has the same revisions, and they lead to the same text.
fn same_history(server: &Server, restored: &Server, pad: usize) {
    let id = json!({"padID": name(pad)});
    let head = restored.data("getRevisionsCount", &id)["revisions"].take();
    let head = head.as_u64().unwrap();
    for rev in 0..=head {
        let at = json!({"padID": name(pad), "rev": rev});
        let changes = "getRevisionChangeset";
        assert_eq!(server.data(changes, &at), restored.data(changes, &at));
        if rev % 16 == 0 || rev == head {
            assert_eq!(server.data("getText", &at), restored.data("getText", &at));
        }
    }
}

#[test]
fn a_backup_is_rehearsed_made_once_and_put_back() {
    let root = TempRoot::new("backup");
    assert_eq!(
        refused(&root, "backup copy"),
        "there is no database ./var/padsvc.db"
    );
    let server = Server::start(&root);
    three_pads(&server);
    let dry = said(&root, "backup copy --dry-run");
    assert!(dry.starts_with("would write copy, "), "{dry}");
    assert!(!root.path("copy").exists());
    let (data, code) = answer(&root, "backup copy");
    assert_eq!((&data["file"], code), (&json!("copy"), 0), "{data}");
    assert_eq!(refused(&root, "backup copy"), "copy is there already");
    let nowhere = refused(&root, "backup nowhere/copy");
    assert!(nowhere.contains("No such file or directory"), "{nowhere}");
    // Nothing is replaced while it is in use, or unasked.
    let in_use = refused(&root, "restore copy --force");
    assert!(in_use.contains("is in use by another process"), "{in_use}");
    server.data("deletePad", &json!({"padID": "two"}));
    server.stop();
    let log = root.path("var/padsvc.db-wal");
    assert!(!log.exists(), "what is copied by hand is whole");
    let there = "./var/padsvc.db is there already; --force replaces it";
    assert_eq!(refused(&root, "restore copy"), there);
    let dry = said(&root, "restore copy --force --dry-run");
    assert_eq!(dry, "would restore ./var/padsvc.db\n");
    assert_eq!(said(&root, "check"), "checked 2 pads: no problems\n");
    let (data, code) = answer(&root, "restore copy --force");
    assert_eq!((&data["replaced"], code), (&json!(true), 0), "{data}");
    assert_eq!(said(&root, "check"), "checked 3 pads: no problems\n");
    root.write("other", "no database");
    for line in ["restore other --force", "restore other --force --dry-run"] {
        assert!(refused(&root, line).contains("no database"), "{line}");
    }
    assert_eq!(said(&root, "check"), "checked 3 pads: no problems\n");
}

/// After a crash there is a log beside the database that holds what was acknowledged last.
#[test]
fn what_was_acknowledged_before_a_crash_is_in_a_backup() {
    let root = TempRoot::new("backup_crash");
    let server = Server::start(&root);
    three_pads(&server);
    server.signal("KILL");
    server.wait();
    said(&root, "backup copy");
    let elsewhere = TempRoot::new("backup_crash_elsewhere");
    said(
        &elsewhere,
        &format!("restore {}", root.path("copy").display()),
    );
    assert_eq!(said(&elsewhere, "check"), "checked 3 pads: no problems\n");
}

/// From a server into a file while it runs, into a database of the other kind, and back.
#[test]
fn pads_on_postgresql_are_backed_up_and_move() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let root = on_postgresql("backup_postgresql", &cluster.database(), json!({}));
    let server = Server::start(&root);
    three_pads(&server);
    let dry = said(&root, "backup copy --dry-run");
    assert_eq!(dry, "would write copy\n");
    assert!(!root.path("copy").exists());
    said(&root, "backup copy");
    assert_eq!(refused(&root, "backup copy"), "copy is there already");
    let there = refused(&root, "restore copy --force");
    assert!(there.contains("nodes use the database"), "{there}");
    let copy = root.path("copy").display().to_string();

    let embedded = TempRoot::new("backup_to_file");
    said(&embedded, &format!("restore {copy}"));
    assert_eq!(said(&embedded, "check"), "checked 3 pads: no problems\n");
    said(&embedded, "backup again");
    let again = embedded.path("again").display().to_string();

    let other = on_postgresql("backup_to_other", &cluster.database(), json!({}));
    // An empty server that was started once is as good as a new one.
    Server::start(&other).stop();
    let dry = said(&other, &format!("restore {again} --dry-run"));
    assert_eq!(dry, "would restore the PostgreSQL database\n");
    said(&other, &format!("restore {again}"));
    let moved = Server::start(&other);
    for pad in ["one", "two", "three"] {
        for call in ["getText", "getRevisionsCount", "getChatHistory"] {
            let id = json!({ "padID": pad });
            assert_eq!(
                server.data(call, &id),
                moved.data(call, &id),
                "{call} {pad}"
            );
        }
    }
    moved.data("createPad", &json!({"padID": "four"}));
    moved.stop();
    let there = refused(&other, &format!("restore {again} --force"));
    assert!(there.contains("is not empty"), "{there}");
}

#[test]
fn a_server_that_is_away_is_reported() {
    let settings =
        r#"{"dbType": "postgres", "dbSettings": "postgres://u:geheim@127.0.0.1:1/pads"}"#;
    let root = TempRoot::with_settings("backup_away", settings);
    let told = refused(&root, "backup copy");
    assert!(
        told.contains("connecting") && !told.contains("geheim"),
        "{told}"
    );
    assert!(!root.path("copy").exists() && !root.path("copy.partial").exists());
}
