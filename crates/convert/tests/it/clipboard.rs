//! What other programs put on the clipboard, `fixtures/convert/clipboard.json`, and Markdown,
//! read as files. The readers of the page are run on the same rows
//! (`web/e2e/pad-paste-table.e2e.ts`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use convert::html::read_shown;
use convert::{Limits, Run, markdown};
use serde_json::{Map, Value};

use crate::data::string;

type Attributes = BTreeMap<String, String>;

#[test]
fn html_of_other_programs_is_read_as_it_is_pasted() {
    check("clipboard.json", |row| {
        read_shown(&html(row), &Limits::default()).unwrap()
    });
}

#[test]
fn markdown_is_read_as_it_is_pasted() {
    check("markdown.json", |row| {
        markdown::read(string(&row["markdown"]), &Limits::default()).unwrap()
    });
}

fn check(file: &str, read: fn(&Value) -> Vec<Run>) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/convert");
    let content = std::fs::read_to_string(folder.join(file)).unwrap();
    let rows: Vec<Value> = serde_json::from_str(&content).unwrap();
    let mut failures = Vec::new();
    for row in &rows {
        let found = lines(&read(row));
        let lines = row.get("import").unwrap_or(&row["lines"]);
        let expected: Vec<_> = lines.as_array().unwrap().iter().map(line).collect();
        if found != expected {
            let name = string(&row["name"]);
            failures.push(format!("{name}\n   {found:?}\n   {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn html(row: &Value) -> String {
    match &row["html"] {
        Value::Array(lines) => lines.iter().map(string).collect::<Vec<_>>().join("\n"),
        one => string(one).to_owned(),
    }
}

/// A line as stretches of text with their attributes; the first is its marker.
type Line = Vec<(String, Attributes)>;

fn line(value: &Value) -> Line {
    let mut parts = value.as_array().unwrap().iter();
    let marker = ours(parts.next().unwrap().as_object().unwrap());
    let mut line = vec![(String::new(), marker)];
    for part in parts {
        let (text, attributes) = match part.as_array() {
            Some(pair) => (string(&pair[0]), ours(pair[1].as_object().unwrap())),
            None => (string(part), Attributes::new()),
        };
        push(&mut line, text, attributes);
    }
    line
}

/// Those that hold for imports.
fn ours(attributes: &Map<String, Value>) -> Attributes {
    let own = attributes
        .iter()
        .filter(|(key, _)| !key.starts_with("paste:"));
    own.map(|(key, value)| {
        let key = key.strip_prefix("import:").unwrap_or(key);
        (key.to_owned(), string(value).to_owned())
    })
    .collect()
}

fn push(line: &mut Line, text: &str, attributes: Attributes) {
    match line.last_mut() {
        Some((last, same)) if *same == attributes && !last.is_empty() => last.push_str(text),
        _ => line.push((text.to_owned(), attributes)),
    }
}

fn lines(runs: &[Run]) -> Vec<Line> {
    let mut lines = vec![vec![(String::new(), Attributes::new())]];
    for run in runs {
        let mut attributes: Attributes = run
            .attributes
            .iter()
            .map(|attribute| (attribute.key.clone(), attribute.value.clone()))
            .collect();
        let is_marker = attributes.remove("lmkr").is_some();
        attributes.remove("insertorder");
        let text = run.text.to_string_lossy();
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                lines.push(vec![(String::new(), Attributes::new())]);
            }
            let line = lines.last_mut().unwrap();
            match part {
                "" => {}
                "*" if is_marker => line[0].1.clone_from(&attributes),
                part => push(line, part, attributes.clone()),
            }
        }
    }
    // Of a page, every line ends in a newline.
    let last = runs.last().and_then(|run| run.text.last().copied());
    if last == Some(u16::from(b'\n')) {
        lines.pop();
    }
    lines
}
