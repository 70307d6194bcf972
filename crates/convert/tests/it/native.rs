//! `.etherpad` files: what is written is read again, with all history.

use changeset::{Attribs, Attribute, Document, Pool, Text, splice};
use convert::native::{
    Author, ChatMessage, Colour, Head, Pad, PluginRecord, Revision, SavedRevision, read, write,
};
use proptest::prelude::*;
use serde_json::json;
use wtf_json::{Json, entries, object, parse};

/// One edit: where, how much is deleted, what is inserted, and by whom.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub at: usize,
    pub deleted: usize,
    pub text: Vec<u16>,
    pub author: usize,
    pub bold: bool,
}

const AUTHORS: [&str; 3] = [
    "a.padsvc-system",
    "a.0123456789abcdef",
    "a.ABCDEF9876543210",
];

/// The pad that edits make.
pub(crate) fn pad_of(edits: &[Edit]) -> Pad {
    let mut pool = Pool::new();
    let mut document = Document::plain(&Text::from("\n"));
    let mut revisions = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        let author = AUTHORS[edit.author % AUTHORS.len()];
        let mut attributes = vec![Attribute::new("author", author)];
        if edit.bold {
            attributes.push(Attribute::new("bold", "true"));
        }
        let attribs = pool.attribs_of_insert(&attributes);
        let end = document.len() - 1;
        let at = edit.at % (end + 1);
        let deleted = edit.deleted.min(end - at);
        let changeset = splice(&document, at, deleted, &edit.text, &attribs);
        document = document.apply(&changeset, &pool).unwrap();
        revisions.push(Revision {
            changeset,
            author: author.to_owned(),
            timestamp: 1_700_000_000_000 + index as u64,
        });
    }
    Pad {
        head: Head {
            id: "g.0123456789abcdef$my pad".to_owned(),
            document,
            pool,
            saved_revisions: vec![SavedRevision {
                id: "0123456789abcdef0123".to_owned(),
                revision: revisions.len() as u64 - 1,
                saved_by: AUTHORS[1].to_owned(),
                label: Text::from("Revision 1"),
                timestamp: 1_700_000_000_001,
            }],
            public_status: true,
            settings: json!({ "showChat": true, "lang": null, "view": { "rtlIsTrue": false } }),
            title: Some(Text::from("A title 😀")),
        },
        authors: vec![
            Author {
                id: AUTHORS[1].to_owned(),
                name: Some("Ann 😀".to_owned()),
                colour: Colour::Palette(3),
                timestamp: 1,
                last_seen: Some(2),
            },
            Author {
                id: AUTHORS[2].to_owned(),
                name: None,
                colour: Colour::Hex("#ff00aa".to_owned()),
                timestamp: 1,
                last_seen: None,
            },
        ],
        revisions,
        chat: vec![ChatMessage {
            text: Text::from([0x68, 0xd83d].as_slice()),
            author: Some(AUTHORS[1].to_owned()),
            name: Some("Ann".to_owned()),
            time: 1_700_000_000_002,
            extra: vec![(Text::from("colour"), Json::from("red"))],
        }],
        records: vec![PluginRecord {
            prefix: "comments".to_owned(),
            rest: ":1".to_owned(),
            value: object([("text", Json::from("note"))]),
        }],
    }
}

pub(crate) fn print(pad: &Pad) -> String {
    write(pad).unwrap()
}

fn arb_edit() -> impl Strategy<Value = Edit> {
    let unit = prop_oneof![
        8 => 0x61u16..0x64,
        2 => Just(0x0a),
        1 => prop::sample::select(vec![0x22, 0x5c, 0x24, 0x00, 0xd83d, 0xde00, 0x2028]),
    ];
    let text = prop::collection::vec(unit, 0..6);
    (0usize..400, 0usize..8, text, 0usize..3, any::<bool>()).prop_map(
        |(at, deleted, text, author, bold)| Edit {
            at,
            deleted,
            text,
            author,
            bold,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_pad_comes_back_with_all_its_history(edits in prop::collection::vec(arb_edit(), 1..220)) {
        let pad = pad_of(&edits);
        let file = print(&pad);
        let (found, warnings) = read(file.as_bytes()).unwrap();
        prop_assert_eq!(&found, &pad);
        prop_assert_eq!(warnings, vec![]);
        prop_assert_eq!(print(&found), file);
    }

    #[test]
    fn a_text_is_attributed_in_canonical_form(edits in prop::collection::vec(arb_edit(), 1..60)) {
        let pad = pad_of(&edits);
        let file = parse(print(&pad).as_bytes()).unwrap();
        let record = file.as_object().unwrap()[0].1.get("atext").unwrap();
        let attribs = record.get("attribs").and_then(Json::to_str);
        prop_assert_eq!(attribs, Some(pad.head.document.attribs()));
    }

    #[test]
    fn a_broken_file_is_an_error_or_a_sound_pad(
        edits in prop::collection::vec(arb_edit(), 1..8),
        breaks in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut file = print(&pad_of(&edits)).into_bytes();
        for (at, byte) in breaks {
            let at = at.index(file.len());
            file[at] = byte & 0x7f;
        }
        if let Ok((pad, _)) = read(&file) {
            check_sound(&pad);
        }
    }
}

/// Every revision is canonical, applies, and the last one gives the head.
pub(crate) fn check_sound(pad: &Pad) {
    let mut document = Document::plain(&Text::from("\n"));
    for revision in &pad.revisions {
        let notation = revision.changeset.print();
        let parsed = changeset::Changeset::parse_units(&notation);
        assert_eq!(parsed.as_ref(), Ok(&revision.changeset), "{notation}");
        document = document.apply(&revision.changeset, &pad.head.pool).unwrap();
    }
    assert_eq!(document, pad.head.document);
    assert_eq!(document.text().last(), Some(&0x0a));
    assert!(!pad.revisions.is_empty());
    let (again, warnings) = read(print(pad).as_bytes()).unwrap();
    assert_eq!((&again, warnings), (pad, vec![]));
}

#[test]
fn records_stand_in_their_order_with_a_snapshot_each_hundred() {
    let edit = Edit {
        at: 0,
        deleted: 0,
        text: vec![0x61],
        author: 1,
        bold: false,
    };
    let last = Edit {
        bold: true,
        author: 2,
        ..edit.clone()
    };
    let mut edits = vec![edit; 200];
    edits.push(last);
    let pad = pad_of(&edits);
    let file = print(&pad);
    let members: Vec<(String, Json)> = entries(file.as_bytes())
        .unwrap()
        .map(|entry| entry.map(|(key, value)| (key.to_string(), value)))
        .collect::<Result<_, _>>()
        .unwrap();
    let id = &pad.head.id;
    let mut keys = vec![
        format!("pad:{id}"),
        format!("globalAuthor:{}", AUTHORS[1]),
        format!("globalAuthor:{}", AUTHORS[2]),
    ];
    keys.extend((0..201).map(|n| format!("pad:{id}:revs:{n}")));
    keys.extend([format!("pad:{id}:chat:0"), format!("comments:{id}:1")]);
    let found: Vec<&String> = members.iter().map(|(key, _)| key).collect();
    assert_eq!(found, keys.iter().collect::<Vec<_>>());

    let members_of = |json: &Json| -> Vec<String> {
        let members = json.as_object().unwrap();
        members.iter().map(|(name, _)| name.to_string()).collect()
    };
    assert_eq!(
        members_of(&members[0].1),
        [
            "atext",
            "pool",
            "head",
            "chatHead",
            "publicStatus",
            "savedRevisions",
            "padSettings",
            "padTitle"
        ]
    );
    assert_eq!(members[0].1.get("head").and_then(Json::as_u64), Some(200));
    assert_eq!(
        members[1].1.get("padIDs").and_then(Json::to_str).as_ref(),
        Some(id)
    );
    let meta = |n: usize| members[3 + n].1.get("meta").unwrap();
    assert_eq!(members_of(meta(1)), ["author", "timestamp"]);
    for (n, pool_size) in [(0, 1), (100, 1), (200, 3)] {
        let text = meta(n).get("atext").and_then(|atext| atext.get("text"));
        assert_eq!(
            text.and_then(Json::as_text).map(|text| text.len()),
            Some(n + 2)
        );
        let pool = meta(n).get("pool").unwrap();
        assert_eq!(pool.get("nextNum").and_then(Json::as_u64), Some(pool_size));
    }
}

#[test]
fn a_change_that_does_not_fit_is_not_written() {
    let mut pad = pad_of(&[Edit {
        at: 0,
        deleted: 0,
        text: vec![0x61],
        author: 0,
        bold: false,
    }]);
    let nowhere = splice(&Document::plain(&[0x61; 9]), 0, 1, &[], &Attribs::none());
    pad.revisions[0].changeset = nowhere;
    assert!(write(&pad).is_err());
}

#[test]
fn other_formats_are_refused_with_a_reason() {
    for (file, reason) in [
        ("", "the file is not JSON"),
        ("<html>", "the file is not JSON"),
        ("[]", "the file is not JSON"),
        (
            "{}",
            "the file does not hold a pad: it has no record of one",
        ),
        (
            r#"{"pad:a":{"pool":{"numToAttrib":{}}}}"#,
            "the file does not hold a pad: it has neither text nor history",
        ),
        (
            r#"{"pad:a":{}}"#,
            "the file does not hold a pad: its pool cannot be read",
        ),
        (
            r#"{"pad:a":{},"pad:b:revs:0":{}}"#,
            "the file does not hold a pad: it names more than one",
        ),
        (
            r#"{"pad:a":{},"globalAuthor:a.x":{"padIDs":"b"}}"#,
            "the file does not hold a pad: it names more than one",
        ),
        (
            r#"{"pad:a":{},"globalAuthor:a.x":{"padIDs":{"a":1}}}"#,
            "the file does not hold a pad: an author has other pads in it",
        ),
    ] {
        assert_eq!(
            read(file.as_bytes()).unwrap_err().to_string(),
            reason,
            "{file}"
        );
    }
    assert!(parse(br#"{"pad:a":{}}"#).is_ok());
}
