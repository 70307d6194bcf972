//! JSON with half surrogate pairs: reading, printing, errors and bounds.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use changeset::Text;
use proptest::prelude::*;
use wtf_json::{ErrorKind, Json, MAX_DEPTH, Number, entries, object, parse};

#[test]
fn halves_of_surrogate_pairs_survive() {
    let json = r#"{"a\udc00":["\ud83d","x\ud83dy","\ud83d\ude00","\ude00\ud83d"]}"#;
    let value = parse(json.as_bytes()).unwrap();
    let Json::Object(members) = &value else {
        panic!("not an object");
    };
    assert_eq!(*members[0].0, [0x61, 0xdc00]);
    let strings = members[0].1.as_array().unwrap();
    assert_eq!(**strings[1].as_text().unwrap(), [0x78, 0xd83d, 0x79]);
    assert_eq!(strings[2].to_str().unwrap(), "😀");
    // A pair is written as the character it is.
    let printed = json.replace(r"\ud83d\ude00", "😀");
    assert_eq!(value.to_string(), printed);
}

#[test]
fn strings_are_written_as_javascript_writes_them() {
    let text = Text::from("\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}\u{2028}é");
    let printed = Json::from(text.clone()).to_string();
    assert_eq!(
        printed,
        "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f}\u{2028}é\""
    );
    assert_eq!(parse(printed.as_bytes()).unwrap(), Json::String(text));
}

#[test]
fn what_is_not_json_is_refused_where_it_goes_wrong() {
    use ErrorKind::*;
    for (json, kind, at) in [
        (&b""[..], UnexpectedEnd, 0),
        (b"  ", UnexpectedEnd, 2),
        (b"nul", UnexpectedByte, 0),
        (b"[1,]", UnexpectedByte, 3),
        (b"[1 2]", UnexpectedByte, 3),
        (b"{\"a\":1,}", UnexpectedByte, 7),
        (b"{,\"a\":1}", UnexpectedByte, 1),
        (b"{\"a\" 1}", UnexpectedByte, 5),
        (b"{a:1}", UnexpectedByte, 1),
        (b"\"a", UnexpectedEnd, 2),
        (b"\"a\nb\"", ControlCharacter, 2),
        (b"\"\\x\"", InvalidEscape, 1),
        (b"\"\\u12", InvalidEscape, 1),
        (b"\"\\u+123\"", InvalidEscape, 1),
        (b"01", InvalidNumber, 0),
        (b"1.", InvalidNumber, 0),
        (b"-", InvalidNumber, 0),
        (b"1e999", InvalidNumber, 0),
        (b"1 1", TrailingData, 2),
        (b"\"\xff\"", NotUtf8, 1),
        (b"\"\xed\xa0\x80\"", NotUtf8, 1),
    ] {
        let error = parse(json).unwrap_err();
        assert_eq!((error.kind, error.at), (kind, at), "{json:?}");
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(nested(MAX_DEPTH).as_bytes()).is_ok());
    let error = parse(nested(MAX_DEPTH + 1).as_bytes()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::TooDeep);
    assert!(parse("[{\"a\":".repeat(1_000_000).as_bytes()).is_err());
}

#[test]
fn members_are_found_by_name_and_the_last_counts() {
    let value = parse(br#" {"a":1,"b":"x","a":2.0,"c":null,"d":-1,"e":[true]} "#).unwrap();
    assert_eq!(value.get("a").and_then(Json::as_u64), Some(2));
    assert_eq!(value.get("b").and_then(Json::to_str).as_deref(), Some("x"));
    assert!(value.get("c").unwrap().is_null());
    assert_eq!(value.get("d").and_then(Json::as_u64), None);
    assert_eq!(
        value.get("e").unwrap().as_array().unwrap()[0].as_bool(),
        Some(true)
    );
    assert_eq!(value.get("f"), None);
    assert_eq!(Json::Null.get("a"), None);
}

#[test]
fn a_large_object_can_be_read_member_by_member() {
    let members = |json: &str| -> Result<Vec<(String, Json)>, ErrorKind> {
        let read = entries(json.as_bytes()).map_err(|error| error.kind)?;
        read.map(|entry| entry.map(|(name, value)| (name.to_string(), value)))
            .collect::<Result<_, _>>()
            .map_err(|error| error.kind)
    };
    assert_eq!(members("{}"), Ok(vec![]));
    assert_eq!(members("[]"), Err(ErrorKind::NotAnObject));
    assert_eq!(members("{\"a\":1"), Err(ErrorKind::UnexpectedEnd));
    assert_eq!(members("{} x"), Err(ErrorKind::TrailingData));
    assert_eq!(
        members("\u{feff} {\"a\":1, \"b\" : [] } "),
        Ok(vec![
            ("a".to_owned(), Json::from(1)),
            ("b".to_owned(), Json::Array(vec![])),
        ])
    );
}

#[test]
fn values_go_to_the_usual_type_and_back() {
    let json = object([("a", Json::from(1)), ("b", Json::from(None::<u64>))]);
    let value = json.to_value();
    assert_eq!(value, serde_json::json!({ "a": 1, "b": null }));
    assert_eq!(Json::from(&value), json);
}

fn arb_json() -> impl Strategy<Value = Json> {
    let text = prop::collection::vec(
        prop_oneof![any::<u16>(), 0xd800u16..0xe000, 0u16..0x80],
        0..8,
    )
    .prop_map(Text::from);
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(|n| Json::Number(n.into())),
        any::<f64>().prop_filter_map("finite", |n| Number::from_f64(n).map(Json::Number)),
        text.clone().prop_map(Json::from),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::Array),
            prop::collection::vec((text.clone(), inner), 0..5).prop_map(Json::Object),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_parsed_again(json in arb_json()) {
        prop_assert_eq!(parse(json.to_string().as_bytes()), Ok(json));
    }

    #[test]
    fn broken_json_is_an_error_or_a_value(
        json in arb_json(),
        at in any::<prop::sample::Index>(),
        byte in prop_oneof![any::<u8>(), prop::sample::select(b"\"\\{}[],:u0-e".to_vec())],
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = json.to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = parse(&bytes);
        bytes.truncate(cut.index(bytes.len()));
        let _ = parse(&bytes);
    }

    #[test]
    fn it_agrees_with_the_usual_parser(json in "[\\[\\]{}\",:0-9a-c\\\\u.eE+-]{0,12}|\\PC{0,8}") {
        let usual = serde_json::from_str::<serde_json::Value>(&json);
        let ours = parse(json.as_bytes());
        prop_assert_eq!(usual.is_ok(), ours.is_ok(), "{}", json);
        if let (Ok(usual), Ok(ours)) = (usual, ours) {
            prop_assert_eq!(usual, ours.to_value());
        }
    }
}
