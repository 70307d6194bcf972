//! `check`, `repair` and `rebuild`.

use serde_json::json;

use super::{answer, ask, both_ways, damage, refused, said, three_pads};
use crate::server::{Server, TempRoot, run, stderr, stdout};

const LOST: &str = "DELETE FROM revisions
    WHERE rev = 2 AND pad = (SELECT key FROM pads WHERE name = 'two')";
const WRONG: &str = "UPDATE pads SET loose_bytes = 1, head_time = 5 WHERE name = 'two'";

/// Changes nothing.
const SOUND: &str = "UPDATE pads SET public = public";

fn damaged(name: &str, sql: &str) -> TempRoot {
    let root = TempRoot::new(name);
    let server = Server::start(&root);
    three_pads(&server);
    server.stop();
    damage(&root, sql);
    root
}

#[test]
fn sound_data_has_no_problems() {
    both_ways("check_sound", "{}", three_pads, |root| {
        assert_eq!(said(root, "check"), "checked 3 pads: no problems\n");
        assert_eq!(said(root, "check two"), "checked 1 pad: no problems\n");
        let (all, code) = answer(root, "check");
        let expected = json!({"ok": true, "checked": 3, "damaged": 0, "problems": 0});
        assert_eq!((all, code), (expected, 0));
        for name in ["four", "a$b"] {
            let complaint = refused(root, &format!("check {name}"));
            assert_eq!(complaint, format!("there is no pad {name}"));
        }
    });
}

#[test]
fn damage_is_reported_line_by_line() {
    let root = damaged("check_damaged", LOST);
    let all = run(&root, &["check"]);
    assert_eq!((all.status.code(), stderr(&all)), (Some(1), String::new()));
    let told = stdout(&all);
    let lines: Vec<&str> = told.lines().collect();
    let (summary, problems) = lines.split_last().unwrap();
    assert!(problems.contains(&"two: revision 2 is missing"), "{told}");
    assert!(problems.iter().all(|line| line.starts_with("two: ")));
    let expected = format!("checked 3 pads: {} problems in 1 of them", problems.len());
    assert_eq!(*summary, expected);
    assert_eq!(run(&root, &["check", "one"]).status.code(), Some(0));
    let (data, code) = answer(&root, "check two");
    assert_eq!((&data["ok"], code), (&json!(false), 1));
    let row = json!({"pad": "two", "problem": "revision 2 is missing"});
    assert!(data["rows"].as_array().unwrap().contains(&row), "{data}");
    // The same while it runs.
    let server = Server::start(&root);
    let running = run(&root, &["check"]);
    assert_eq!((running.status.code(), stdout(&running)), (Some(1), told));
    server.stop();
}

#[test]
fn nothing_is_created_where_there_is_nothing() {
    let root = TempRoot::new("check_nothing");
    let missing = "there is no database ./var/padsvc.db";
    assert_eq!(refused(&root, "check"), missing);
    let (data, code) = answer(&root, "check");
    assert_eq!((data, code), (json!({"ok": false, "error": missing}), 1));
    assert!(!root.path("var").exists());
}

#[test]
fn what_follows_from_revisions_is_rebuilt() {
    for running in [true, false] {
        let name = format!("repair_{running}");
        let root = damaged(&name, WRONG);
        let server = running.then(|| Server::start(&root));
        let dry = said(&root, "repair two --dry-run");
        assert!(dry.contains("two: can be repaired"), "{dry}");
        assert!(dry.ends_with("would repair 1 pad\n"), "{dry}");
        assert_eq!(run(&root, &["check"]).status.code(), Some(1));
        let (data, code) = answer(&root, "repair --all");
        assert_eq!((&data["repaired"], code), (&json!(1), 0), "{data}");
        assert_eq!(said(&root, "check"), "checked 3 pads: no problems\n");
        if let Some(server) = server {
            server.stop();
        }
        let text = ask(&root, "getText", &json!({"padID": "two"}));
        assert_eq!(text["text"], "third\nand more\n");
    }
}

#[test]
fn lost_revisions_are_not_covered_up_but_the_rest_can_be_had() {
    for running in [true, false] {
        let name = format!("rebuild_{running}");
        let root = damaged(&name, LOST);
        let server = running.then(|| Server::start(&root));
        let (data, code) = answer(&root, "repair two");
        assert_eq!((&data["lost"], code), (&json!(1), 1), "{data}");
        assert_eq!(run(&root, &["check"]).status.code(), Some(1));

        let dry = said(&root, "rebuild two --dry-run");
        let made = "two-rebuilt of two as it was at revision 1\n";
        assert_eq!(dry, format!("would make {made}"));
        assert_eq!(said(&root, "rebuild two"), format!("made {made}"));
        let (data, code) = answer(&root, "rebuild two 0 --to start");
        assert_eq!((&data["rev"], code), (&json!(0), 0));
        for (line, problem) in [
            (
                "rebuild two 2",
                "revision 2 of two cannot be reached; the last is 1",
            ),
            ("rebuild two --to one", "there is a pad one already"),
            ("rebuild four", "there is no pad four"),
        ] {
            assert_eq!(refused(&root, line), problem);
        }
        if let Some(server) = server {
            server.stop();
        }
        for (pad, text) in [("two-rebuilt", "second\n"), ("start", "first\n")] {
            let found = ask(&root, "getText", &json!({"padID": pad}));
            assert_eq!(found["text"], text);
        }
    }
}

/// A page of an index without entries.
fn empty_index_page() -> [u8; 4096] {
    let mut page = [0; 4096];
    page[0] = 10;
    page[5] = 0x10;
    page
}

/// Overwrites the first page of a table or an index.
fn overwrite(root: &TempRoot, tree: &str, with: [u8; 4096]) {
    let path = root.path("var/padsvc.db");
    let database = rusqlite::Connection::open(&path).unwrap();
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let page: u32 = database.query_row(sql, [tree], |row| row.get(0)).unwrap();
    drop(database);
    let mut bytes = std::fs::read(&path).unwrap();
    let start = (page as usize - 1) * 4096;
    bytes[start..start + 4096].copy_from_slice(&with);
    std::fs::write(&path, bytes).unwrap();
}

#[test]
fn damage_to_the_file_is_found_by_the_engine_and_named() {
    let root = damaged("check_pages", SOUND);
    overwrite(&root, "author_tokens", [0xA5; 4096]);
    let check = run(&root, &["check"]);
    let told = stdout(&check);
    assert_eq!(check.status.code(), Some(1), "{told}");
    assert!(told.contains("database: author_tokens: "), "{told}");
    assert!(told.contains("checked 3 pads: "), "{told}");
    let repair = run(&root, &["repair", "--all"]);
    let told = stdout(&repair);
    assert_eq!(repair.status.code(), Some(1), "{told}");
    assert!(told.contains("database: author_tokens: "), "{told}");
    assert!(
        told.contains("cannot be repaired: restore a backup"),
        "{told}"
    );
}

#[test]
fn damage_to_an_index_is_repaired() {
    let root = damaged("repair_index", SOUND);
    overwrite(&root, "pads_by_creation", empty_index_page());
    let check = run(&root, &["check"]);
    let told = stdout(&check);
    assert_eq!(check.status.code(), Some(1), "{told}");
    assert!(told.contains("pads_by_creation"), "{told}");
    let repair = run(&root, &["repair", "--all"]);
    let told = format!("{}{}", stdout(&repair), stderr(&repair));
    assert!(repair.status.success(), "{told}");
    assert!(told.contains("rebuilt all indexes"), "{told}");
    assert_eq!(said(&root, "check"), "checked 3 pads: no problems\n");
}

#[test]
fn a_database_that_cannot_be_opened_is_checked_all_the_same() {
    let root = damaged("check_unopenable", SOUND);
    overwrite(&root, "schema", [0xA5; 4096]);
    let check = run(&root, &["check"]);
    let told = stdout(&check);
    assert_eq!(check.status.code(), Some(1), "{told}");
    assert!(told.starts_with("database: "), "{told}");
    let (data, code) = answer(&root, "check");
    assert_eq!((&data["ok"], code), (&json!(false), 1));
    let error = data["error"].as_str().unwrap();
    assert!(error.contains("cannot be read"), "{error}");
}
