//! Files as old and repaired databases contain them.

use changeset::{Changeset, Document, Text};
use convert::native::{Pad, Warning, read};
use serde_json::{Value, json};

use crate::data::{pool, string};
use crate::native::check_sound;

/// A file with these changesets, on a pool with an author, bold, no bold and the system's author.
fn file(text: &str, attribs: &str, changesets: &[&str]) -> Value {
    let mut file = json!({
        "pad:p": {
            "atext": { "text": text, "attribs": attribs },
            "pool": {
                "numToAttrib": {
                    "0": ["author", "a.x"],
                    "1": ["bold", true],
                    "2": ["bold", null],
                    "3": ["author", "a.etherpad-system"],
                },
                "nextNum": 4,
            },
            "head": changesets.len() - 1,
            "chatHead": -1,
        }
    });
    for (number, changeset) in changesets.iter().enumerate() {
        file[format!("pad:p:revs:{number}")] = json!({
            "changeset": changeset,
            "meta": { "author": "a.x", "timestamp": 100 + number },
        });
    }
    file
}

fn read_sound(file: &Value) -> (Pad, Vec<Warning>) {
    let (pad, warnings) = read(file.to_string().as_bytes()).unwrap();
    check_sound(&pad);
    (pad, warnings)
}

/// Reads a file and compares its changesets and warnings.
fn check(file: &Value, changesets: &[&str], expected: &[Warning]) {
    let (pad, warnings) = read_sound(file);
    let found: Vec<String> = pad
        .revisions
        .iter()
        .map(|revision| revision.changeset.to_string())
        .collect();
    assert_eq!(found, changesets);
    assert_eq!(warnings, expected);
}

#[test]
fn wrong_lengths_and_unused_characters_are_mended() {
    check(
        &file(
            "abc\n\n",
            "*0|1+4|1+1",
            &["Z:1>1*0|1+1$\n", "Z:2>1*0+3$abc\n"],
        ),
        &["Z:1>1*0|1+1$\n", "Z:2>3*0+3$abc"],
        &[],
    );
}

#[test]
fn spans_that_end_within_a_line_are_split() {
    check(
        &file("c\n", "*0+1|1+1", &["Z:1>4*0|1+2*0+2$a\nbc", "Z:5<3|1-3$"]),
        &["Z:1>4*0|1+2*0+2$a\nbc", "Z:5<3|1-2-1$"],
        &[],
    );
}

#[test]
fn attributes_are_put_in_order_and_authors_added() {
    check(
        &file("a\n", "*1*0+1|1+1", &["Z:1>1*1*0+1$a"]),
        &["Z:1>1*0*1+1$a"],
        &[],
    );
    check(
        &file("abcd\n", "*0+1+3|1+1", &["Z:1>4*0*2+1+1*1*2+1*9+1$abcd"]),
        &["Z:1>4*0+1*3+3$abcd"],
        &[],
    );
    // Newlines need no author, and a keep may take an attribute away.
    check(
        &file(
            "\na\n",
            "|1+1*0+1|1+1",
            &["Z:1>2|1+1*0*1+1$\na", "Z:3>0|1=1*2=1$"],
        ),
        &["Z:1>2|1+1*0*1+1$\na", "Z:3>0|1=1*2=1$"],
        &[],
    );
}

#[test]
fn the_author_that_stands_for_nobody_gets_our_name() {
    let mut file = file("a\n", "*3+1|1+1", &["Z:1>1*3+1$a"]);
    file["pad:p:revs:0"]["meta"]["author"] = json!("a.etherpad-system");
    let (pad, warnings) = read_sound(&file);
    assert_eq!(warnings, []);
    assert_eq!(pad.revisions[0].author, "a.padsvc-system");
    assert_eq!(pad.head.pool.get(3).unwrap().value, "a.padsvc-system");
}

#[test]
fn the_stored_text_wins_over_the_history() {
    check(
        &file("ax\n", "*0+1+1|1+1", &["Z:1>1*0+1$a"]),
        &["Z:1>1*0+1$a", "Z:2>1-1*0+1*3+1$ax"],
        &[Warning::HeadDiffers],
    );
    // Attributes count as well, but not those that were added in mending.
    check(
        &file("a\n", "*0*1+1|1+1", &["Z:1>1*0+1$a"]),
        &["Z:1>1*0+1$a", "Z:2>0-1*0*1+1$a"],
        &[Warning::HeadDiffers],
    );
}

#[test]
fn a_stored_text_that_cannot_be_read_is_replaced() {
    for (text, attribs) in [("a\n", "+9"), ("a\n", "nonsense"), ("a", "+1"), ("", "")] {
        check(
            &file(text, attribs, &["Z:1>1*0+1$a"]),
            &["Z:1>1*0+1$a"],
            &[Warning::HeadUnreadable],
        );
    }
    check(
        &file("", "", &["Z:1>0|1-1*0+1$a"]),
        &["Z:1>0|1-1*0+1$a", "Z:1>1=1|1+1$\n"],
        &[Warning::HeadUnreadable, Warning::HeadDiffers],
    );
}

#[test]
fn revisions_that_are_missing_or_broken_do_not_cost_the_others() {
    let changesets = [
        "Z:1>1*0+1$a",
        "nonsense",
        "Z:2>1=1*0+1$b",
        "Z:9>0$",
        "Z:3>0$",
    ];
    let mut file = file("ab\n", "*0+2|1+1", &changesets);
    file["pad:p:revs:4"] = Value::Null;
    check(
        &file,
        &["Z:1>1*0+1$a", "Z:2>0$", "Z:2>1=1*0+1$b", "Z:3>0$"],
        &[
            Warning::UnusableRevision(1),
            Warning::UnusableRevision(3),
            Warning::MissingRevision(4),
        ],
    );
    file["pad:p:revs:1"] = Value::Null;
    file["pad:p"]["head"] = json!(2);
    check(
        &file,
        &["Z:1>1*0+1$a", "Z:2>0$", "Z:2>1=1*0+1$b"],
        &[Warning::RevisionsBeyondHead(1), Warning::MissingRevision(1)],
    );
}

#[test]
fn a_file_cannot_ask_for_room_that_it_does_not_have() {
    let mut file = file("a\n", "*0+1|1+1", &["Z:1>1*0+1$a"]);
    file["pad:p"]["head"] = json!(u64::MAX);
    file["pad:p"]["chatHead"] = json!(u64::MAX);
    file["pad:p"]["pool"]["nextNum"] = json!(u64::MAX);
    file["pad:p"]["pool"]["numToAttrib"]["4294967295"] = json!(["bold", "true"]);
    let (pad, warnings) = read_sound(&file);
    assert_eq!(
        warnings,
        [Warning::MissingRevision(1), Warning::MissingChat(u64::MAX)]
    );
    assert_eq!(pad.head.pool.next_number(), 4);
    file["pad:p:revs:1000000000000"] = file["pad:p:revs:0"].clone();
    assert!(read(file.to_string().as_bytes()).is_err());
}

#[test]
fn a_pad_without_history_gets_one() {
    let mut file = file("a\n", "*0+1|1+1", &["Z:1>0$"]);
    file["pad:p:revs:0"] = Value::Null;
    check(&file, &["Z:1>1*0+1$a"], &[Warning::HeadDiffers]);
    file["pad:p"]["atext"] = json!({ "text": "\n", "attribs": "|1+1" });
    check(&file, &["Z:1>0$"], &[]);
}

#[test]
fn chat_and_saved_revisions_of_any_age_are_read() {
    let mut file = file("a\n", "*0+1|1+1", &["Z:1>1*0+1$a"]);
    file["pad:p"]["chatHead"] = json!(3);
    file["pad:p"]["savedRevisions"] = json!([
        { "revNum": 0, "savedById": "a.x", "label": "one", "timestamp": 5, "id": "f0" },
        { "revNum": 7, "label": "none" },
        "nonsense",
    ]);
    file["pad:p:chat:0"] = json!({ "text": "a", "userId": "a.x", "userName": "X", "time": 5 });
    file["pad:p:chat:1"] = Value::Null;
    file["pad:p:chat:3"] = json!({ "text": null, "authorId": null, "time": "6", "extra": [1] });
    let (pad, warnings) = read_sound(&file);
    assert_eq!(
        warnings,
        [
            Warning::UnusableSavedRevision,
            Warning::UnusableSavedRevision,
            Warning::MissingChat(2),
        ]
    );
    assert_eq!(pad.head.saved_revisions[0].label, Text::from("one"));
    assert_eq!(pad.chat[0].author.as_deref(), Some("a.x"));
    assert_eq!((pad.chat[1].time, pad.chat[1].extra.len()), (6, 1));
}

#[test]
fn records_of_extensions_come_along_and_others_do_not() {
    let mut file = file("a\n", "*0+1|1+1", &["Z:1>1*0+1$a"]);
    file["comments:p"] = json!({ "c": 1 });
    file["comments:pq"] = json!(1);
    file["pad:p:deletionToken"] = json!({ "hash": "00" });
    file["pad2readonly:p"] = Value::Null;
    let (pad, warnings) = read_sound(&file);
    assert_eq!(pad.records.len(), 1);
    assert_eq!(warnings, [Warning::ForeignRecord("comments:pq".to_owned())]);
}

#[test]
fn half_a_surrogate_pair_is_kept() {
    let file = file("?\n", "*0+1|1+1", &["Z:1>1*0+1$?"]);
    let file = file.to_string().replace('?', "\\ud83d");
    let (pad, warnings) = read(file.as_bytes()).unwrap();
    check_sound(&pad);
    assert_eq!(warnings, []);
    assert_eq!(*pad.head.document.text(), [0xd83d, 0x0a]);
}

/// Histories that were recorded, with all their flaws.
#[test]
fn recorded_histories_are_read_without_a_warning() {
    let rows = include_str!("../../../../fixtures/convert/diff_html.json");
    let rows: Vec<Value> = serde_json::from_str(rows).unwrap();
    for row in &rows {
        let pool = pool(&row["pool"]);
        let mut document = Document::plain(&Text::from("\n"));
        let revisions = row["revs"].as_array().unwrap();
        let mut file = json!({});
        for (number, revision) in revisions.iter().enumerate() {
            let change = Changeset::unpack(string(&revision["changeset"])).unwrap();
            document = document.apply(&change, &pool).unwrap();
            file[format!("pad:p:revs:{number}")] = json!({
                "changeset": revision["changeset"],
                "meta": { "author": revision["author"], "timestamp": 1 },
            });
        }
        file["pad:p"] = json!({
            "atext": { "text": document.text().to_string(), "attribs": document.attribs() },
            "pool": row["pool"],
            "head": revisions.len() - 1,
        });
        let (pad, warnings) = read_sound(&file);
        assert_eq!(warnings, [], "{}", row["name"]);
        assert_eq!(pad.head.document.text(), document.text());
        assert_eq!(pad.revisions.len(), revisions.len());
    }
}

#[test]
fn attributes_beyond_the_bounds_are_left_out_and_the_text_stays() {
    let mut file = file("ab\n", "*0*4+1*0*1+1|1+1", &["Z:1>2*0*4+1*0*1+1$ab"]);
    let pool = &mut file["pad:p"]["pool"];
    pool["numToAttrib"]["4"] = json!(["image", "x".repeat(4_097)]);
    pool["numToAttrib"]["5"] = json!(["k".repeat(65), "true"]);
    pool["numToAttrib"]["6"] = json!(["image", "x".repeat(4_096)]);
    check(
        &file,
        &["Z:1>2*0+1*0*1+1$ab"],
        &[Warning::AttributesLeftOut(2)],
    );
    let (pad, _) = read_sound(&file);
    let longest = pad.head.pool.entries().map(|(_, it)| it.value.len()).max();
    assert_eq!(longest, Some(4_096));
}

#[test]
fn a_pool_beyond_the_bounds_keeps_its_first_attributes_and_the_authors() {
    let mut file = file("a\n", "*0+1|1+1", &["Z:1>1*0+1$a"]);
    let pool = &mut file["pad:p"]["pool"];
    for number in 4..65_536 + 10 {
        pool["numToAttrib"][number.to_string()] = json!(["start", number.to_string()]);
    }
    pool["numToAttrib"]["70000"] = json!(["author", "a.late"]);
    let (pad, warnings) = read_sound(&file);
    assert_eq!(warnings, [Warning::AttributesLeftOut(10)]);
    assert_eq!(pad.head.pool.len(), 65_536 + 1);
    assert!(pad.head.pool.get(70_000).is_some());
}
