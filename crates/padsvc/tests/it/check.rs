//! `padsvc check`: on sound data, on damaged data, and when it must not run.

use serde_json::json;

use crate::server::{Server, TempRoot, run, stderr, stdout};

fn root_with_pads(name: &str) -> TempRoot {
    let root = TempRoot::new(name);
    let server = Server::start(&root);
    for pad in ["one", "two", "three"] {
        server.data("createPad", &json!({"padID": pad, "text": "first"}));
        for text in ["second", "third\nand more"] {
            server.data("setText", &json!({"padID": pad, "text": text}));
        }
    }
    server.stop();
    root
}

#[test]
fn sound_data_has_no_problems() {
    let root = root_with_pads("check_sound");
    let all = run(&root, &["check"]);
    assert_eq!(stdout(&all), "checked 3 pads: no problems\n");
    assert_eq!(all.status.code(), Some(0));
    let one = run(&root, &["check", "two"]);
    assert_eq!(stdout(&one), "checked 1 pad: no problems\n");
    assert_eq!(one.status.code(), Some(0));
}

#[test]
fn damage_is_told_line_by_line() {
    let root = root_with_pads("check_damaged");
    let database = rusqlite::Connection::open(root.path("var/padsvc.db")).unwrap();
    let damage = "DELETE FROM revisions
         WHERE rev = 1 AND pad = (SELECT key FROM pads WHERE name = 'two')";
    assert_eq!(database.execute(damage, []).unwrap(), 1);
    drop(database);

    let all = run(&root, &["check"]);
    assert_eq!(all.status.code(), Some(1));
    let told = stdout(&all);
    let lines: Vec<&str> = told.lines().collect();
    let (summary, problems) = lines.split_last().unwrap();
    assert!(problems.contains(&"two: revision 1 is missing"), "{told}");
    assert!(
        problems.iter().all(|line| line.starts_with("two: ")),
        "{told}"
    );
    let count = problems.len();
    let plural = if count == 1 { "" } else { "s" };
    let expected = format!("checked 3 pads: {count} problem{plural} in 1 of them");
    assert_eq!(*summary, expected);
    assert_eq!(run(&root, &["check", "one"]).status.code(), Some(0));
    assert_eq!(run(&root, &["check", "two"]).status.code(), Some(1));
}

#[test]
fn pad_that_is_not_there_is_said_to_be_none() {
    let root = root_with_pads("check_missing");
    for name in ["four", "a$b"] {
        let output = run(&root, &["check", name]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stderr(&output), format!("padsvc: there is no pad {name}\n"));
    }
}

#[test]
fn nothing_is_created_where_there_is_nothing() {
    let root = TempRoot::new("check_nothing");
    let output = run(&root, &["check"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output),
        "padsvc: there is no database ./var/padsvc.db\n"
    );
    assert!(!root.path("var").exists());
}

#[test]
fn data_in_use_is_not_checked() {
    let root = TempRoot::new("check_in_use");
    let server = Server::start(&root);
    let output = run(&root, &["check"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output),
        "padsvc: the database ./var/padsvc.db is in use by another process; stop it first\n"
    );
    server.stop();
}
