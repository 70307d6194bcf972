//! Tests of edits: what changes in a text, and what does not.

#![allow(clippy::disallowed_methods, reason = "variables say how to test")]

use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, parse_to_ast};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::model::Settings;
use crate::{effective, load};

fn changed(text: &str, changes: &Json) -> String {
    let changes = changes.as_object().unwrap();
    edit(text, changes).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn check<const COUNT: usize>(cases: [(&str, Json, &str); COUNT]) {
    for (before, changes, after) in cases {
        assert_eq!(changed(before, &changes), after, "{before} {changes}");
    }
}

#[test]
fn a_change_is_written_as_a_person_would() {
    check([
        ("{}", json!({"port": 1}), "{\n  \"port\": 1\n}"),
        (
            "{ }\n",
            json!({"mail.port": 1}),
            "{\n  \"mail\": {\n    \"port\": 1\n  }\n}\n",
        ),
        ("{\"port\": 1}", json!({"port": 2}), "{\"port\": 2}"),
        (
            "{\"port\": 1}",
            json!({"title": "A"}),
            "{\"port\": 1, \"title\": \"A\"}",
        ),
        ("{\"port\": 1}", json!({"port": null}), "{}"),
        (
            "{ \"port\": 1, \"title\": \"A\" }",
            json!({"port": null}),
            "{ \"title\": \"A\" }",
        ),
        (
            "{ \"port\": 1, \"title\": \"A\" }",
            json!({"title": null}),
            "{ \"port\": 1 }",
        ),
    ]);
}

#[test]
fn comments_stay_with_what_they_are_about() {
    check([
        // Comments on the line of a member are about it; those above stay.
        (
            "{\n\t// ours\n\t\"port\": 1 // yours\n\t// end\n}",
            json!({"title": "A"}),
            "{\n\t// ours\n\t\"port\": 1, // yours\n\t\"title\": \"A\"\n\t// end\n}",
        ),
        (
            "{\r\n    \"port\": 1, // yours\r\n}\r\n",
            json!({"mail.port": 2}),
            "{\r\n    \"port\": 1, // yours\r\n    \"mail\": {\r\n        \"port\": 2\r\n    },\
             \r\n}\r\n",
        ),
        (
            "{\n  // ours\n  \"port\": 1, // yours\n  \"title\": \"A\"\n}",
            json!({"port": null}),
            "{\n  // ours\n  // yours\n  \"title\": \"A\"\n}",
        ),
        (
            "{\n  \"title\": \"A\", // name\n  \"port\": 1\n}",
            json!({"port": null}),
            "{\n  \"title\": \"A\" // name\n}",
        ),
        // What is left empty goes too, but for comments.
        (
            "{\n  \"mail\": {\n    \"port\": 1\n  }\n}",
            json!({"mail.port": null}),
            "{\n}",
        ),
        (
            "{\"mail\": {\"port\": 1 /* ours */}}",
            json!({"mail.port": null}),
            "{\"mail\": { /* ours */}}",
        ),
    ]);
}

#[test]
fn other_ways_to_write_the_same_are_understood() {
    check([
        (
            "{\"disableIPlogging\": true}",
            json!({"ipLogging": "full"}),
            "{\n  \"ipLogging\": \"full\"\n}",
        ),
        (
            "{\"disableIPlogging\": true, \"port\": 1}",
            json!({"ipLogging": null}),
            "{\"port\": 1}",
        ),
        (
            "{\"sso\": [] /* none */}",
            json!({"sso.issuer": "https://a.example"}),
            "{\"sso\": {\"clients\": [], \"issuer\": \"https://a.example\"} /* none */}",
        ),
        (
            "{\"dbSettings\": \"postgres://a\"}",
            json!({"dbSettings.connectionString": null}),
            "{}",
        ),
        (
            "{\"mail\": null}",
            json!({"mail.port": 1}),
            "{\"mail\": {\n  \"port\": 1\n}}",
        ),
        // The last of several counts, and none may come back.
        (
            "{\"port\": 1, \"port\": 2}",
            json!({"port": 3}),
            "{\"port\": 1, \"port\": 3}",
        ),
        ("{\"port\": 1, \"port\": 2}", json!({"port": null}), "{}"),
        (
            "{\"mail\": {\"port\": 1}, \"mail\": {\"port\": 2}}",
            json!({"mail.port": null}),
            "{\"mail\": {\"port\": 1}, \"mail\": {}}",
        ),
        // Objects and lists.
        (
            "{\n  \"users\": {\n    // root\n    \"ann\": {\"is_admin\": true},\
             \n    \"bob\": {}\n  }\n}",
            json!({"users": {"ann": {"is_admin": false}, "eve": {"readOnly": true}}}),
            "{\n  \"users\": {\n    // root\n    \"ann\": {\"is_admin\": false},\
             \n    \"eve\": {\n      \"readOnly\": true\n    }\n  }\n}",
        ),
        (
            "{\"socketTransportProtocols\": [\"polling\"]}",
            json!({"socketTransportProtocols": ["websocket", "polling"]}),
            "{\"socketTransportProtocols\": [\"websocket\", \"polling\"]}",
        ),
        (
            "\u{feff}{}",
            json!({"port": 1}),
            "\u{feff}{\n  \"port\": 1\n}",
        ),
        (
            "{\"port\": 9001.0e0}",
            json!({"port": 9001.0}),
            "{\"port\": 9001.0e0}",
        ),
    ]);
}

#[test]
fn secrets_that_were_not_shown_stay() {
    check([
        (
            "{\"users\": {\"ann\": {\"password\": \"hunter2\", \"is_admin\": true}}}",
            json!({"users": {"ann": {"password": HIDDEN, "is_admin": false}}}),
            "{\"users\": {\"ann\": {\"password\": \"hunter2\", \"is_admin\": false}}}",
        ),
        (
            "{\"mail\": {\"auth\": {\"pass\": \"hunter2\"}}}",
            json!({"mail.auth.pass": HIDDEN}),
            "{\"mail\": {\"auth\": {\"pass\": \"hunter2\"}}}",
        ),
    ]);
    // One must not become the secret of somebody else.
    for changes in [
        json!({"users": {"eve": {"password": HIDDEN}}}),
        json!({"sso.clients": [{"client_id": "a", "client_secret": HIDDEN}]}),
    ] {
        let problems = edit("{}", changes.as_object().unwrap()).unwrap_err();
        assert!(problems[0].text.contains(HIDDEN), "{problems:?}");
    }
}

#[test]
fn what_cannot_be_changed_is_said_and_nothing_is() {
    for (text, changes, told) in [
        (
            "{}",
            json!({"nonsense": 1}),
            "nonsense cannot be changed: padsvc has no such setting",
        ),
        (
            "{}",
            json!({"": 1}),
            " cannot be changed: padsvc has no such setting",
        ),
        (
            "{}",
            json!({"skinName": "x"}),
            "skinName does not apply here. ",
        ),
        (
            "{}",
            json!({"disableIPlogging": true}),
            "disableIPlogging is an older name; change ipLogging",
        ),
        (
            "{}",
            json!({"mail.auth": {}}),
            "mail.auth is an object; change one of user, pass",
        ),
        (
            "{\"mail\": \"${MAIL}\"}",
            json!({"mail.auth.user": "a", "port": 1}),
            "mail.auth.user cannot be changed: mail is not an object with host, port",
        ),
        ("{", json!({"port": 1}), "this is not valid JSON"),
        ("", json!({"port": 1}), "the file is empty"),
        ("[]", json!({"port": 1}), "the settings must be one object"),
    ] {
        let problems = edit(text, changes.as_object().unwrap()).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(
            problems[0].text.starts_with(told),
            "{} {text}",
            problems[0].text
        );
    }
}

/// A file in one of many layouts: members in any order, comments in all places.
fn file() -> impl Strategy<Value = String> {
    let gap = || {
        prop::sample::select(vec![
            "",
            " ",
            "\n",
            "\n    ",
            "\r\n\t",
            " // c\n",
            "/* c */",
            " /* a\n b */ ",
            "\n\n  // c\n  ",
        ])
    };
    let member = prop::sample::select(vec![
        "\"port\": 1234",
        "\"title\": \"My // pads\"",
        "\"loglevel\": \"${LEVEL:WARN}\"",
        "\"mail\": {\n    // inside\n    \"port\": 26, // port\n    \"host\": \"a\"\n  }",
        "\"mail\": {\"auth\": {\"user\": \"a\"}}",
        "\"ttl\": { }",
        "\"unknown\": [1, {\"port\": 2}]",
        "\"disableIPlogging\": true",
        "\"sso\": [/* none */]",
        "\"cleanup\": null",
        "\"title\": \"other\"",
    ]);
    let members = prop::collection::vec((gap(), member, gap(), gap()), 0..6);
    (members, gap(), any::<bool>()).prop_map(|(members, end, trailing)| {
        let last = members.len().saturating_sub(1);
        let mut text = "{".to_owned();
        for (at, (before, member, after, behind)) in members.into_iter().enumerate() {
            let comma = if at < last || trailing { "," } else { "" };
            text.push_str(&format!("{before}{member}{after}{comma}{behind}"));
        }
        text + end + "}\n"
    })
}

fn change() -> impl Strategy<Value = (&'static str, Json)> {
    prop::sample::select(vec![
        ("port", json!(4321)),
        ("title", json!("A \"new\"\none")),
        ("loglevel", json!("ERROR")),
        ("mail.port", json!(25)),
        ("mail.auth.user", json!("b")),
        ("ttl.IdToken", json!(60)),
        ("ipLogging", json!("full")),
        ("sso.issuer", json!("https://a.example")),
        ("cleanup.enabled", json!(true)),
        ("trustProxy", json!(true)),
        ("socketTransportProtocols", json!(["polling"])),
    ])
}

fn comments(text: &str) -> Vec<String> {
    let collect = CollectOptions {
        comments: CommentCollectionStrategy::AsTokens,
        tokens: true,
    };
    let tokens = parse_to_ast(text, &collect, &tree::OPTIONS).unwrap().tokens;
    let comment = |token| match token {
        Token::CommentLine(text) | Token::CommentBlock(text) => Some(text.trim_end().to_owned()),
        _ => None,
    };
    let tokens = tokens.unwrap().into_iter();
    tokens.filter_map(|found| comment(found.token)).collect()
}

/// The values in force, but for one key.
fn others(text: &str, key: &str) -> Json {
    let mut shown = effective(&settings(text));
    let pointer = format!("/{}", key.replace('.', "/"));
    *shown.pointer_mut(&pointer).unwrap() = Json::Null;
    shown
}

fn settings(text: &str) -> Settings {
    match load(text, &|_| None) {
        Ok((settings, _)) => settings,
        Err(problems) => panic!("{text}: {problems:?}"),
    }
}

fn value(text: &str, key: &str) -> Json {
    table::find(key)
        .unwrap()
        .json_value(&mut settings(text))
        .unwrap()
}

fn cases() -> ProptestConfig {
    let factor = std::env::var("PADSVC_SOAK").map_or(1, |factor| factor.parse().unwrap());
    ProptestConfig::with_cases(512 * factor)
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn everything_else_stays_and_the_way_back_is_open(before in file(), (key, new) in change()) {
        let after = changed(&before, &json!({ key: new }));
        prop_assert_eq!(value(&after, key), new, "{}", after);
        prop_assert_eq!(comments(&after), comments(&before), "{} {}", &before, after);
        prop_assert_eq!(others(&after, key), others(&before, key));

        let back = changed(&after, &json!({ key: value(&before, key) }));
        prop_assert_eq!(effective(&settings(&back)), effective(&settings(&before)));

        let reset = changed(&after, &json!({ key: null }));
        prop_assert_eq!(value(&reset, key), value("{}", key), "{}", reset);
        prop_assert_eq!(comments(&reset), comments(&before), "{} {}", &before, reset);
        prop_assert_eq!(others(&reset, key), others(&before, key));
    }

    #[test]
    fn any_text_and_any_change_is_answered(
        text in ".{0,100}",
        file in file(),
        key in "[a-z.]{0,8}|users|mail.port|title",
        name in ".{0,5}",
    ) {
        for value in [json!(null), json!(name), json!({ name: [{}, [], null] })] {
            let changes = [(key.clone(), value)].into_iter().collect();
            let _ = edit(&text, &changes);
            if let Ok(after) = edit(&file, &changes) {
                prop_assert_eq!(comments(&after).len(), comments(&file).len());
            }
        }
    }
}
