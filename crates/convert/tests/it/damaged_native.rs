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
fn wrong_lengths_and_unused_characters_are_repaired() {
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
    // Attributes count as well, but not those that were added in repairing.
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
        &["Z:1>1*0+1$a", "Z:2>0$", "Z:2>1=1*0+1$b", "Z:3>0$", "Z:3>0$"],
        &[Warning::Gap(1, 1), Warning::Gap(3, 4)],
    );
    file["pad:p:revs:1"] = Value::Null;
    file["pad:p"]["head"] = json!(2);
    check(
        &file,
        &["Z:1>1*0+1$a", "Z:2>0$", "Z:2>1=1*0+1$b"],
        &[Warning::Gap(1, 1), Warning::RevisionsBeyondHead(1)],
    );
}

/// A history in which every third revision is a key revision: `a`, `ab`, `abc` and so on.
fn alphabet(revisions: usize) -> Value {
    let letters: Vec<char> = ('a'..='z').take(revisions).collect();
    let change = |(at, letter): (usize, &char)| match at {
        0 => format!("Z:1>1*0+1${letter}"),
        _ => format!("Z:{}>1={at}*0+1${letter}", at + 1),
    };
    let changes: Vec<String> = letters.iter().enumerate().map(change).collect();
    let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
    let atext = |count: usize| {
        let text: String = letters.iter().take(count).collect();
        json!({ "text": format!("{text}\n"), "attribs": format!("*0+{count}|1+1") })
    };
    let mut file = file("", "", &changes);
    file["pad:p"]["atext"] = atext(revisions);
    for number in (0..revisions).step_by(3) {
        file[format!("pad:p:revs:{number}")]["meta"]["atext"] = atext(number + 1);
    }
    file
}

/// The texts after each revision.
fn texts(pad: &Pad) -> Vec<String> {
    let mut document = Document::plain(&Text::from("\n"));
    let mut texts = Vec::new();
    for revision in &pad.revisions {
        document = document.apply(&revision.changeset, &pad.head.pool).unwrap();
        texts.push(document.text().to_string_lossy().trim_end().to_owned());
    }
    texts
}

/// Revisions that become something else, and what is read then: texts and warnings.
type Case<'a> = (&'a [usize], &'a Value, &'a [&'a str], &'a [Warning]);

#[test]
fn a_gap_ends_at_the_next_key_revision() {
    let nothing = Value::Null;
    let broken = json!({ "changeset": "nonsense", "meta": {} });
    let cases: [Case<'_>; 6] = [
        // Revision 5 is the gap's last: what revision 6 makes of it is right.
        (
            &[4],
            &nothing,
            &[
                "a", "ab", "abc", "abcd", "abcd", "abcdef", "abcdefg", "abcdefgh",
            ],
            &[Warning::Gap(4, 5)],
        ),
        (
            &[5],
            &broken,
            &[
                "a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh",
            ],
            &[Warning::Gap(5, 5)],
        ),
        // A key revision is missing itself.
        (
            &[3],
            &nothing,
            &[
                "a", "ab", "abc", "abc", "abc", "abcdef", "abcdefg", "abcdefgh",
            ],
            &[Warning::Gap(3, 5)],
        ),
        (
            &[0],
            &nothing,
            &[
                "", "", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh",
            ],
            &[Warning::Gap(0, 2)],
        ),
        // No key revision follows: the head is right, and has its number.
        (
            &[6],
            &broken,
            &[
                "a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdef", "abcdefgh",
            ],
            &[Warning::Gap(6, 7)],
        ),
        (
            &[1, 7],
            &nothing,
            &[
                "a", "a", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh",
            ],
            &[Warning::Gap(1, 2), Warning::Gap(7, 7)],
        ),
    ];
    for (numbers, record, expected, gaps) in cases {
        let mut file = alphabet(8);
        for number in numbers {
            file[format!("pad:p:revs:{number}")] = record.clone();
        }
        let (pad, warnings) = read_sound(&file);
        assert_eq!(texts(&pad), expected, "{numbers:?}");
        assert_eq!(warnings, gaps, "{numbers:?}");
        for (gap, mark) in gaps.iter().zip(&pad.head.saved_revisions) {
            assert_eq!(mark.label.to_string_lossy(), gap.to_string());
            let revision = &pad.revisions[mark.revision as usize];
            assert_eq!(
                (&*revision.author, &*mark.saved_by),
                ("a.padsvc-system", "a.padsvc-system")
            );
        }
        assert_eq!(pad.head.saved_revisions.len(), gaps.len());
    }
}

#[test]
fn what_a_key_revision_deletes_does_not_change_what_it_leads_to() {
    let mut file = alphabet(8);
    // Takes `c` and `d` away and adds `x`.
    file["pad:p:revs:6"]["changeset"] = json!("Z:7<1=2-2=2*0+1$x");
    file["pad:p:revs:6"]["meta"]["atext"] = json!({ "text": "abefx\n", "attribs": "*0+5|1+1" });
    file["pad:p:revs:7"] = json!({ "changeset": "Z:6>1=5*0+1$y", "meta": { "author": "a.x" } });
    file["pad:p"]["atext"] = json!({ "text": "abefxy\n", "attribs": "*0+6|1+1" });
    file["pad:p:revs:4"] = Value::Null;
    let (pad, warnings) = read_sound(&file);
    assert_eq!(warnings, [Warning::Gap(4, 5)]);
    assert_eq!(pad.revisions[6].changeset.to_string(), "Z:7<1=2-2=2*0+1$x");
    assert_eq!(
        texts(&pad)[5..],
        ["ab\u{fffd}\u{fffd}ef", "abefx", "abefxy"]
    );
}

#[test]
fn a_text_that_contradicts_its_history_is_right_at_the_next_key_revision() {
    let mut file = alphabet(5);
    file["pad:p:revs:2"]["changeset"] = json!("Z:3>1=2*0+1$X");
    let (pad, warnings) = read_sound(&file);
    assert_eq!(warnings, [Warning::Gap(3, 3)]);
    assert_eq!(texts(&pad), ["a", "ab", "abX", "abcd", "abcde"]);
}

#[test]
fn attributes_that_the_pool_has_lost_keep_their_places() {
    let changes = ["Z:1>1*0+1$a", "Z:2>1=1*1*4+1$b", "Z:3>1=2*5+1$c"];
    let mut file = file("abc\n", "*0+1*1*4+1*5+1|1+1", &changes);
    let pool = &mut file["pad:p"]["pool"];
    pool["nextNum"] = json!(6);
    pool["numToAttrib"].as_object_mut().unwrap().remove("1");
    // A key revision still knows one of them.
    file["pad:p:revs:2"]["meta"]["atext"] =
        json!({ "text": "abc\n", "attribs": "*0+1*1*4+1*5+1|1+1" });
    file["pad:p:revs:2"]["meta"]["pool"] = json!({ "numToAttrib": { "4": ["italic", "true"] } });
    check(&file, &changes, &[Warning::LostAttributes(2)]);
    let (pad, _) = read_sound(&file);
    let key = |number| pad.head.pool.get(number).map(|it| it.key.as_str());
    assert_eq!(key(4), Some("italic"));
    assert_eq!(key(5), Some("lost-attribute-5"));
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
        [Warning::Gap(1, u64::MAX), Warning::MissingChat(u64::MAX)]
    );
    assert_eq!(pad.head.pool.next_number(), 4);
    file["pad:p:revs:1000000000000"] = file["pad:p:revs:0"].clone();
    let (pad, warnings) = read_sound(&file);
    assert_eq!(
        warnings[..2],
        [Warning::HistoryLost(2), Warning::HeadDiffers]
    );
    assert_eq!(pad.revisions.len(), 1);
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
    file["title:p"] = json!("As a plugin has it");
    file["pad:p:deletionToken"] = json!({ "hash": "00" });
    file["pad2readonly:p"] = Value::Null;
    let (pad, warnings) = read_sound(&file);
    assert_eq!(pad.records.len(), 1);
    assert_eq!(pad.head.title, Some(Text::from("As a plugin has it")));
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
