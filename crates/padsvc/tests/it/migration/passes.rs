//! A migration in several passes: interrupted, and following an Etherpad that still runs.

use std::process::{Child, Stdio};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use super::{compare, fixture, migrate, unpacked};
use crate::server::{Server, TempRoot, padsvc, run, stdout};

/// How many pads the running migration has begun to bring.
fn begun(root: &TempRoot) -> Option<i64> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let ledger = Connection::open_with_flags(root.path("var/migration.ledger"), flags).ok()?;
    let count = "SELECT COUNT(*) FROM brought WHERE key LIKE 'pad:%'";
    ledger.query_row(count, [], |row| row.get(0)).ok()
}

fn is_running(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_none()
}

#[test]
fn a_migration_that_was_killed_is_started_again() {
    let (root, file) = unpacked("migration_killed", "dirty.db");
    let mut killed = 0;
    for pads in [3, 15, 40] {
        let mut command = padsvc(&root);
        let mut child = command.args(["migrate", &file]).spawn().unwrap();
        while is_running(&mut child) && begun(&root).is_none_or(|begun| begun < pads) {
            std::thread::yield_now();
        }
        killed += u32::from(is_running(&mut child));
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert_eq!(killed, 3);
    let (report, code) = migrate(&root, &[&file, "--verify", "all"], Stdio::null());
    assert_eq!(code, 0, "{report:#}");
    assert_eq!(report["same"], 61, "{report:#}");
    assert!(report["present"].as_u64().unwrap() > 30, "{report:#}");
    assert!(!root.path("var/migration.partial").exists());
    assert_eq!(
        stdout(&run(&root, &["check"])),
        "checked 61 pads: no problems\n"
    );
    compare(&root, "dirty", "1.3.1", |_| true);
}

/// Adds lines to a database of the kind dirty, as a running Etherpad does.
fn append(root: &TempRoot, file: &str, records: &[Value]) {
    let mut text = root.read(file);
    for record in records {
        text.push_str(&format!("{record}\n"));
    }
    root.write(file, &text);
}

/// The last record of a key.
fn last(text: &str, key: &str) -> Value {
    let start = format!("{{\"key\":{}", json!(key));
    let line = text.lines().rfind(|line| line.starts_with(&start)).unwrap();
    serde_json::from_str::<Value>(line).unwrap()["val"].take()
}

/// A pad record after somebody has typed `!` at the start.
fn typed(text: &str, pad: &str) -> [Value; 2] {
    let mut record = last(text, &format!("pad:{pad}"));
    let head = record["head"].as_u64().unwrap() + 1;
    let before = record["atext"]["text"].as_str().unwrap().to_owned();
    let length = changeset::print_number(before.encode_utf16().count());
    record["head"] = json!(head);
    record["atext"]["text"] = json!(format!("!{before}"));
    let attribs = record["atext"]["attribs"].as_str().unwrap().to_owned();
    record["atext"]["attribs"] = json!(format!("*0+1{attribs}"));
    let revision = json!({
        "changeset": format!("Z:{length}>1*0+1$!"),
        "meta": {"author": "", "timestamp": 1_800_000_000_000_u64},
    });
    [
        json!({"key": format!("pad:{pad}:revs:{head}"), "val": revision}),
        json!({"key": format!("pad:{pad}"), "val": record}),
    ]
}

#[test]
fn later_passes_bring_what_has_changed() {
    let (root, file) = unpacked("migration_followed", "dirty.db");
    let text = String::from_utf8(fixture("dirty.db")).unwrap();
    let pass = || {
        migrate(
            &root,
            &[&file, "--follow", "--verify", "all"],
            Stdio::null(),
        )
    };
    let counts = |report: &Value| -> Vec<u64> {
        let names = ["pads", "present", "updated", "removed", "same", "different"];
        names.map(|name| report[name].as_u64().unwrap()).to_vec()
    };
    let (first, code) = pass();
    assert_eq!(
        (counts(&first), code),
        (vec![61, 0, 0, 0, 61, 0], 0),
        "{first:#}"
    );
    let (nothing, code) = pass();
    assert_eq!((counts(&nothing), code), (vec![0, 61, 0, 0, 61, 0], 0));

    // Somebody writes there, a pad is new, a pad and a session are gone, an author is renamed.
    let mut author = last(&text, "globalAuthor:a.6QkxlsnfGDb75Iol");
    author["name"] = json!("Renamed");
    author["lastSeen"] = json!(1_800_000_000_000_u64);
    let mut changes = typed(&text, "simple").to_vec();
    changes.push(json!({"key": "pad:new", "val": last(&text, "pad:(paren)[br]")}));
    changes.push(json!({"key": "pad:new:revs:0", "val": last(&text, "pad:(paren)[br]:revs:0")}));
    changes.push(json!({"key": "pad:empty"}));
    changes.push(json!({"key": "session:s.78e80bf2c0c8dcf75617cc5f1ec540c3"}));
    changes.push(json!({"key": "globalAuthor:a.6QkxlsnfGDb75Iol", "val": author}));
    append(&root, &file, &changes);
    let (second, code) = pass();
    assert_eq!(
        (counts(&second), code),
        (vec![2, 59, 1, 1, 61, 0], 0),
        "{second:#}"
    );

    let server = Server::start(&root);
    let simple = server.data("getText", &json!({"padID": "simple"}));
    assert!(simple["text"].as_str().unwrap().starts_with('!'));
    let pads = server.data("listAllPads", &json!({}));
    let pads = pads["padIDs"].as_array().unwrap();
    assert!(pads.contains(&json!("new")) && !pads.contains(&json!("empty")));
    let name = server.data("getAuthorName", &json!({"authorID": "a.6QkxlsnfGDb75Iol"}));
    assert_eq!(name["authorName"], "Renamed");
    let session = json!({"sessionID": "s.78e80bf2c0c8dcf75617cc5f1ec540c3"});
    assert_eq!(server.call("getSessionInfo", &session)["code"], 1);
    server.data(
        "appendText",
        &json!({"padID": "simple", "text": "written here"}),
    );
    server.stop();

    // What was written here stays, and is reported.
    let text = root.read(&file);
    append(&root, &file, &typed(&text, "simple"));
    let (third, code) = pass();
    assert_eq!(
        (counts(&third), code),
        (vec![0, 60, 0, 0, 60, 1], 3),
        "{third:#}"
    );
    let reason = "it was changed in both places; what is here stays as it is";
    assert_eq!(third["rows"][0]["reason"], reason);
}
