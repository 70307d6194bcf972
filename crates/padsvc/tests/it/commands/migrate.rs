//! `migrate`.

use serde_json::json;

use super::{answer, refused, said};
use crate::cluster::Cluster;
use crate::server::{Server, TempRoot, run, stderr, stdout};

const RECORDS: &str = include_str!("../../../../../fixtures/migrate/records.txt");
const BROKEN: &str = include_str!("../../../../../fixtures/migrate/broken.txt");
const BROUGHT: &str = "3 pads with 6 revisions and 2 chat messages, 2 authors, 1 groups and 2 \
     sessions\n";
const SAME: &str = "3 pads are the same, 0 repaired, 0 different, 0 left out\n";
const PLUGINS: &str = "left out: 2 records of plugins: comments (texts of comments, of \
     ep_comments_page)\n\
     nothing of Etherpad itself was lost; records of plugins have no place here\n";

/// What a command says that has left something out.
fn with_loss(root: &TempRoot, line: &str) -> String {
    let arguments: Vec<&str> = line.split(' ').collect();
    let output = run(root, &arguments);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    stdout(&output)
}

/// As the database of the kind dirty has them.
fn dirty(records: &str) -> String {
    let pairs = records.lines().filter_map(|line| line.split_once('\t'));
    pairs
        .map(|(key, value)| format!("{{\"key\":\"{key}\",\"val\":{value}}}\n"))
        .collect()
}

#[test]
fn an_etherpad_moves_in() {
    let root = TempRoot::new("migrate");
    root.write("dirty.db", &dirty(RECORDS));
    let dry = with_loss(&root, "migrate dirty.db --dry-run");
    assert_eq!(
        dry,
        format!("would bring {BROUGHT}expected: {SAME}{PLUGINS}")
    );
    assert!(!root.path("var/padsvc.db").exists());
    assert_eq!(
        with_loss(&root, "migrate dirty.db"),
        format!("brought {BROUGHT}compared with the source: {SAME}{PLUGINS}")
    );
    assert!(!root.path("var/migration.partial").exists());
    assert_eq!(said(&root, "check"), "checked 3 pads: no problems\n");
    let (again, code) = answer(&root, "migrate dirty.db");
    assert_eq!(
        (&again["pads"], &again["present"], code),
        (&json!(0), &json!(3), 3)
    );

    let server = Server::start(&root);
    let notes = json!({"padID": "notes"});
    assert_eq!(server.data("getText", &notes)["text"], "Hello you\n");
    let read_only = server.data("getReadOnlyID", &notes);
    assert_eq!(
        read_only["readOnlyID"],
        "r.00112233445566778899aabbccddeeff"
    );
    let mapper = json!({"authorMapper": "ada@example.org"});
    let ada = server.data("createAuthorIfNotExistsFor", &mapper);
    assert_eq!(ada["authorID"], "a.AAAAAAAAAAAAAAAA");
    let group = server.data(
        "createGroupIfNotExistsFor",
        &json!({"groupMapper": "class 7"}),
    );
    assert_eq!(group["groupID"], "g.GGGGGGGGGGGGGGGG");
    let public = server.data(
        "getPublicStatus",
        &json!({"padID": "g.GGGGGGGGGGGGGGGG$plan"}),
    );
    assert_eq!(public["publicStatus"], true);
    let session = json!({"sessionID": format!("s.{}", "a".repeat(32))});
    assert_eq!(
        server.data("getSessionInfo", &session)["authorID"],
        ada["authorID"]
    );
    let in_use = refused(&root, "migrate dirty.db");
    assert!(in_use.contains("in use"), "{in_use}");
    server.stop();
}

#[test]
fn what_cannot_come_along_is_reported() {
    let root = TempRoot::new("migrate_broken");
    root.write("dirty.db", &dirty(&format!("{RECORDS}{BROKEN}")));
    let (report, code) = answer(&root, "migrate dirty.db --report report.json");
    assert_eq!((&report["pads"], code), (&json!(3), 3));
    let counts = ["same", "repaired", "different", "leftOut", "losses"].map(|it| &report[it]);
    assert_eq!(counts, [2, 1, 0, 2, 7]);
    assert_eq!(report["rows"].as_array().unwrap().len(), 7, "{report}");
    let written: serde_json::Value = serde_json::from_str(&root.read("report.json")).unwrap();
    assert_eq!(written["entries"], report["rows"]);
    assert_eq!(written["nothingLost"], false);
    let what = "texts of comments, of ep_comments_page";
    assert_eq!(
        written["pluginRecords"]["comments"],
        json!({"records": 2, "what": what})
    );
    let pad = written["entries"].as_array().unwrap().iter();
    let pad = pad
        .filter(|entry| entry["key"] == "odd:name")
        .collect::<Vec<_>>();
    let gap = json!({
        "key": "odd:name",
        "outcome": "repaired with loss",
        "loss": true,
        "reason": "revision 1 could not be read",
    });
    assert_eq!(pad, [&gap]);
    let nothing = refused(&root, "migrate nowhere");
    assert!(nothing.contains("nowhere: No such file"), "{nothing}");
    root.write("other.txt", "some\nlines\n");
    let other = refused(&root, "migrate other.txt");
    assert!(other.contains("line 1 is not a record"), "{other}");
}

#[test]
fn an_etherpad_on_postgresql_moves_in() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    cluster.execute("postgres", "CREATE DATABASE etherpad");
    let rows: Vec<String> = RECORDS
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(key, value)| format!("('{key}', '{}')", value.replace('\'', "''")))
        .collect();
    let table = "CREATE TABLE store (key varchar(100) PRIMARY KEY, value text)";
    let fill = format!("{table}; INSERT INTO store VALUES {}", rows.join(","));
    cluster.execute("etherpad", &fill);
    let root = TempRoot::new("migrate_postgresql");
    let address = cluster.address("etherpad");
    assert_eq!(
        with_loss(&root, &format!("migrate {address}")),
        format!("brought {BROUGHT}compared with the source: {SAME}{PLUGINS}")
    );
    assert_eq!(said(&root, "check"), "checked 3 pads: no problems\n");
}
