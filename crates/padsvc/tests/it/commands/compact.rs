//! `compact`.

use serde_json::json;

use super::{answer, both_ways, refused, said, three_pads};
use crate::server::{Server, TempRoot, run, stderr};

const ENABLED: &str = r#"{"cleanup": {"enabled": true}}"#;

#[test]
fn histories_become_short_and_texts_stay() {
    both_ways("compact", ENABLED, three_pads, |root| {
        let dry = said(root, "compact one --dry-run");
        assert_eq!(
            dry,
            "one: 3 revisions would become 1\nwould compact 1 pad\n"
        );
        let (data, code) = answer(root, "compact one two --keep 1");
        assert_eq!((&data["compacted"], code), (&json!(2), 0), "{data}");
        let row = json!({"pad": "one", "before": 3, "after": 2, "error": null});
        assert_eq!(data["rows"][0], row, "the rehearsal has changed nothing");
        let (rest, _) = answer(root, "compact --all");
        assert_eq!(rest["compacted"], 3);
        assert_eq!(said(root, "compact --all"), "compacted 0 pads\n");
        assert_eq!(said(root, "check"), "checked 3 pads: no problems\n");
        assert_eq!(refused(root, "compact one four"), "there is no pad four");
    });
}

#[test]
fn what_is_compacted_says_the_same() {
    let root = TempRoot::with_settings("compact_text", ENABLED);
    let server = Server::start(&root);
    three_pads(&server);
    said(&root, "compact --all --keep 1");
    for pad in ["one", "two", "three"] {
        let text = server.data("getText", &json!({"padID": pad}));
        assert_eq!(text["text"], "third\nand more\n");
        let count = server.data("getRevisionsCount", &json!({"padID": pad}));
        assert_eq!(count["revisions"], 1);
        server.data("appendText", &json!({"padID": pad, "text": "!"}));
    }
    server.stop();
}

#[test]
fn only_pads_that_nobody_changes_are_stale() {
    let root = TempRoot::with_settings("compact_stale", ENABLED);
    let server = Server::start(&root);
    three_pads(&server);
    server.stop();
    let database = rusqlite::Connection::open(root.path("var/padsvc.db")).unwrap();
    // Ten days ago.
    let sql = "UPDATE pads SET head_time = head_time - 864000000 WHERE name = 'two'";
    database.execute(sql, []).unwrap();
    drop(database);
    assert_eq!(said(&root, "compact --older-than 11"), "compacted 0 pads\n");
    let dry = said(&root, "compact --older-than 9 --dry-run");
    assert!(
        dry.starts_with("two: 3 revisions would become 1\n"),
        "{dry}"
    );
    let (data, _) = answer(&root, "compact --older-than 9");
    assert_eq!(data["rows"].as_array().unwrap().len(), 1);
    assert_eq!(data["rows"][0]["pad"], "two");
}

#[test]
fn compacting_must_be_allowed_and_told_what() {
    both_ways("compact_disabled", "{}", three_pads, |root| {
        for line in ["compact one", "compact --all --dry-run"] {
            let expected = "compacting requires cleanup.enabled = true in settings.json";
            assert_eq!(refused(root, line), expected);
        }
        // A command line that makes no sense.
        for line in ["compact", "compact one --all", "compact --all --keep x"] {
            let arguments: Vec<&str> = line.split(' ').collect();
            let output = run(root, &arguments);
            assert_eq!(output.status.code(), Some(2), "{line}");
            assert!(stderr(&output).contains("try '--help'"), "{line}");
        }
    });
}
