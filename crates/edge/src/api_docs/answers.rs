//! Examples of answers: the first of each function in `fixtures/api/examples.script`.
//!
//! Tests run that script against the service and against a running server, so the examples are what
//! calls are answered. Only ids and times, which differ each time, are written in here.

use serde_json::{Value, json};

const SCRIPT: &str = include_str!("../../../../fixtures/api/examples.script");

/// As wide as a code block is on a small screen.
const COLUMNS: usize = 40;

/// What the names of the script stand for, in the order in which they are replaced.
const NAMES: [(&str, &str); 11] = [
    (": $_", ": 1767225600000"),
    (
        "$grouptoken",
        "8f1d0c5b7a9e4362b1c8d7f60594e3a28f1d0c5b7a9e4362b1c8d7f60594e3a2",
    ),
    (
        "$diff",
        r#"Hello!<span class=\"authora_h3Zs9cWn7pJfE1Ug\">And more.</span><br>"#,
    ),
    ("$group", "g.x8Kd2mQv0aLrT5Yb"),
    ("$other", "g.Qn4Tz7eBw1KsC9Lp"),
    ("$author", "a.h3Zs9cWn7pJfE1Ug"),
    ("$another", "a.Yb2Wk6tNx0VmD8Rf"),
    ("$session", "s.V6yRt4bXk8NqM2Do"),
    ("$readonly", "r.c5GwP0uLj9HaS7Ie"),
    ("$future", "4102444800"),
    (
        "$token",
        "3b7e9a1c5d2f80644e6b8d0f2a4c6e813b7e9a1c5d2f80644e6b8d0f2a4c6e81",
    ),
];

/// The answer to a call of a function that succeeds.
pub(super) fn answer(function: &str) -> Option<String> {
    let mut lines = SCRIPT.lines();
    lines.find(|line| called(line) == Some(function))?;
    let data = lines.next()?.strip_prefix("> 0 ")?;
    let named = |data: String, (name, value): &(&str, &str)| data.replace(name, value);
    let data = NAMES.iter().fold(data.to_owned(), named);
    let data: Value = serde_json::from_str(&data).ok()?;
    let answer = json!({"code": 0, "message": "ok", "data": data});
    let short = answer.to_string();
    if short.len() <= COLUMNS {
        return Some(short);
    }
    serde_json::to_string_pretty(&answer).ok()
}

/// The function that a line calls, behind a version.
fn called(line: &str) -> Option<&str> {
    line.split(' ').find(|word| !word.starts_with('@'))
}

#[cfg(test)]
mod tests {
    use service::api::functions;

    use super::*;

    #[test]
    fn every_function_has_an_example_without_names() {
        for function in functions() {
            let answer = answer(function.name).unwrap_or_default();
            assert!(answer.contains(r#""message""#), "{}", function.name);
            let names = answer.replace("$minutes", "").replace("$And more.", "");
            assert!(!names.contains('$'), "{answer}");
        }
    }
}
