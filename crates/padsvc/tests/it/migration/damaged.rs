//! Damaged databases: what Etherpad still answers padsvc answers, too, and it loses no more.

use std::process::Stdio;

use serde_json::{Value, json};

use super::expected::{Row, compare};
use super::{migrate, unpacked};
use crate::server::{Server, TempRoot};

/// Moves a damaged database in; gives what it reports as not the same.
fn moved(name: &str) -> (TempRoot, Vec<String>, i32) {
    let (root, file) = unpacked(&format!("damaged_{name}"), &format!("damaged/{name}.db"));
    let (report, code) = migrate(&root, &[&file, "--verify", "all"], Stdio::null());
    let rows = report["rows"].as_array().cloned().unwrap_or_default();
    let row = |row: &Value| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        format!("{}: {}: {}", text("key"), text("outcome"), text("reason"))
    };
    assert_eq!(report["different"], 0, "{report:#}");
    assert_eq!(report["pads"], 3, "{report:#}");
    (root, rows.iter().map(row).collect(), code)
}

/// Answers that Etherpad has, other than those from records of a gap, which it hands out although
/// nothing can be done with them.
fn answered(row: &Row, gap: std::ops::RangeInclusive<u64>) -> bool {
    let rev = row.param("rev").unwrap_or_default();
    !(row.pad.as_deref() == Some("longhist") && gap.contains(&rev))
}

#[test]
fn a_missing_revision_costs_what_comes_up_to_the_next_key_revision() {
    for (name, first) in [("missing-rev", 150), ("missing-keyrev", 100)] {
        let (root, told, code) = moved(name);
        let label = format!("revisions {first} to 199 could not be read");
        assert_eq!(told, [format!("longhist: repaired with loss: {label}")]);
        assert_eq!(code, 3);
        compare(&root, &format!("damaged-{name}"), "1.3.1", |row| {
            answered(row, first..=199)
        });

        let server = Server::start(&root);
        let pad = json!({"padID": "longhist"});
        let count = server.data("getSavedRevisionsCount", &pad);
        let marked = server.data("listSavedRevisions", &pad);
        assert!(
            marked["savedRevisions"]
                .as_array()
                .unwrap()
                .contains(&json!(199)),
            "{marked}"
        );
        assert_eq!(count["savedRevisions"], 4);
        let file = server.get("/p/longhist/export/etherpad").json();
        assert_eq!(
            file["pad:longhist:revs:199"]["meta"]["author"],
            "a.padsvc-system"
        );
        let marks = file["pad:longhist"]["savedRevisions"].as_array().unwrap();
        assert!(marks.iter().any(|mark| mark["label"] == label), "{marks:?}");
        server.stop();
    }
}

#[test]
fn attributes_that_are_missing_cost_nothing_else() {
    let (root, told, code) = moved("missing-pool-attr");
    assert_eq!(
        told,
        ["many-authors: repaired with loss: 1 attributes are missing in the pool"]
    );
    assert_eq!(code, 3);
    compare(&root, "damaged-missing-pool-attr", "1.3.1", |_| true);

    // Etherpad fails where text has attributes that are lost; here the text stays.
    let (root, told, code) = moved("empty-pool");
    assert_eq!(
        told,
        ["simple: repaired with loss: 14 attributes are missing in the pool"]
    );
    assert_eq!(code, 3);
    let rev = |row: &Row| row.param("rev");
    compare(&root, "damaged-empty-pool", "1.3.1", |row| {
        let is_of_text = row.function == "getText" || row.function == "getHTML";
        !(row.pad.as_deref() == Some("simple") && is_of_text && rev(row).is_none_or(|rev| rev > 2))
    });
    let server = Server::start(&root);
    let text = server.data("getText", &json!({"padID": "simple"}));
    assert!(text["text"].as_str().unwrap().contains("Straße"), "{text}");
    server.stop();
}

#[test]
fn lines_that_are_broken_do_not_cost_the_others() {
    let (root, told, code) = moved("garbage-middle");
    assert_eq!(
        told,
        ["line 240: left out: it is not a record; it begins with \
             {\"key\":\"pad:simple:revs:3\",\"val\":{\"chang",]
    );
    assert_eq!(code, 3);
    drop(root);
    let (_, told, code) = moved("nul-tail");
    assert_eq!((told, code), (vec![], 0));
}
