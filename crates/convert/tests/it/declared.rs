//! Attributes that extensions declare: the table `fixtures/convert/declared.json`, and its laws.

use std::sync::Arc;

use changeset::{Document, Pool};
use convert::declared::{Declaration, DeclarationError, Kind};
use convert::pdf::NoFonts;
use convert::{Declared, Format, Limits, Meanings, export, html, import, native};
use proptest::prelude::*;
use serde_json::Value;

use crate::attributes::{expected, pairs, part_of_docx, rows};
use crate::data::{shown, string, styled};
use crate::round_trips::{
    DOCX_TEXT, HTML_TEXT, Line, MARKDOWN_TEXT, arb_line, document, read_runs, runs_of,
    through_a_page, through_docx, through_markdown, units,
};

fn declaration(value: &Value) -> Declaration {
    let strings = |value: &Value| -> Vec<String> {
        let strings = value.as_array().unwrap().iter();
        strings.map(|value| string(value).to_owned()).collect()
    };
    let like = value["like"].as_object().into_iter().flatten();
    Declaration {
        key: string(&value["key"]).to_owned(),
        kind: match string(&value["kind"]) {
            "line" => Kind::Line,
            _ => Kind::Inline,
        },
        values: strings(&value["values"]),
        element: string(&value["element"]).to_owned(),
        like: like
            .map(|(key, value)| (key.clone(), string(value).to_owned()))
            .collect(),
    }
}

fn table(declarations: &Value) -> Arc<Declared> {
    let mut declared = Declared::default();
    for value in declarations.as_array().unwrap() {
        declared.add(declaration(value)).unwrap();
    }
    Arc::new(declared)
}

fn limits(declared: &Arc<Declared>) -> Limits {
    Limits {
        declared: Arc::clone(declared),
        ..Limits::default()
    }
}

const FORMATS: [(&str, Format); 4] = [
    ("html", Format::Html),
    ("markdown", Format::Markdown),
    ("docx", Format::Docx),
    ("text", Format::Text),
];

fn write(format: Format, document: &Document, pool: &Pool, declared: &Declared) -> Vec<u8> {
    let meanings = Meanings { pool, declared };
    match format {
        Format::Html => html::body(document, meanings).into_bytes(),
        _ => export(format, "t", document, meanings, &NoFonts).file,
    }
}

/// The parts of a DOCX file that matter here, or the whole of another.
fn readable(format: Format, file: &[u8]) -> String {
    match format {
        Format::Docx => {
            part_of_docx(file, "word/document.xml") + &part_of_docx(file, "word/styles.xml")
        }
        _ => String::from_utf8(file.to_vec()).unwrap(),
    }
}

fn read(format: Format, file: &[u8], declared: &Arc<Declared>) -> String {
    let runs = import(format, file, &limits(declared)).unwrap();
    format!("{}\n", shown(&runs).trim_end_matches('\n'))
}

#[test]
fn every_declared_attribute_in_every_format() {
    let mut failures = Vec::new();
    for row in &rows("declared.json") {
        let name = string(&row["name"]);
        let declared = table(&row["declared"]);
        let mut check = |what: &str, found: String, expected: String| {
            if found != expected {
                failures.push(format!("{name}, {what}\n   {found:?}\n   {expected:?}"));
            }
        };
        let runs = pairs(&row["document"]);
        let (document, pool) = styled(&runs);
        for (column, format) in FORMATS {
            let file = write(format, &document, &pool, &declared);
            let found = readable(format, &file);
            match &row[column] {
                Value::String(whole) => check(column, found, whole.clone()),
                Value::Array(fragments) => {
                    for fragment in fragments.iter().map(string) {
                        if !found.contains(fragment) {
                            check(column, found.clone(), fragment.to_owned());
                        }
                    }
                }
                _ => {}
            }
            if format != Format::Text {
                let back = row.get(format!("{column}Back"));
                let back = expected(&back.map_or(runs.clone(), pairs));
                check(
                    &format!("{column} back"),
                    read(format, &file, &declared),
                    back,
                );
            }
        }
        let meanings = Meanings {
            pool: &pool,
            declared: &declared,
        };
        let page = html::get_html(&document, meanings);
        let back = html::read(&page, &limits(&declared)).unwrap();
        let back = format!("{}\n", shown(&back).trim_end_matches('\n'));
        let whole = row.get("setHTML").map_or(runs.clone(), pairs);
        check("setHTML", back, expected(&whole));
        check_pdf(row, &document, meanings, &mut check);
        for read_row in row["reads"].as_array().into_iter().flatten() {
            for (column, format) in FORMATS {
                let Some(source) = read_row[column].as_str() else {
                    continue;
                };
                let found = read(format, source.as_bytes(), &declared);
                let gives = read_row.get("gives").map_or(runs.clone(), pairs);
                check(source, found, expected(&gives));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check_pdf(
    row: &Value,
    document: &Document,
    meanings: Meanings<'_>,
    check: &mut impl FnMut(&str, String, String),
) {
    let file = export(Format::Pdf, "t", document, meanings, &NoFonts).file;
    let like = row["pdfLike"].as_array().map(|_| pairs(&row["pdfLike"]));
    if let Some(like) = like {
        let (document, pool) = styled(&like);
        let expected = export(Format::Pdf, "t", &document, &pool, &NoFonts).file;
        let drawn = crate::pdf::drawn;
        check("pdf", drawn(&file), drawn(&expected));
    }
}

/// What an extension declares becomes part of tags and styles, so nothing else gets in.
#[test]
fn only_harmless_declarations_enter_the_table() {
    let good = || Declaration {
        key: "spoiler".to_owned(),
        kind: Kind::Inline,
        values: vec!["true".to_owned()],
        element: "span".to_owned(),
        like: Vec::new(),
    };
    type Change = fn(&mut Declaration);
    let cases: [(Change, Option<DeclarationError>); 17] = [
        (|_| {}, None),
        (|it| it.key.clear(), Some(DeclarationError::Key)),
        (|it| it.key = "a\"b".into(), Some(DeclarationError::Key)),
        (|it| it.key = "1a".into(), Some(DeclarationError::Key)),
        (|it| it.key = "x".repeat(41), Some(DeclarationError::Key)),
        (|it| it.key = "bold".into(), Some(DeclarationError::Key)),
        (|it| it.key = "color".into(), Some(DeclarationError::Key)),
        (|it| it.key = "list".into(), Some(DeclarationError::Key)),
        (|it| it.key = "fs14".into(), Some(DeclarationError::Key)),
        (
            |it| it.key = "fontarial".into(),
            Some(DeclarationError::Key),
        ),
        (|it| it.values.clear(), Some(DeclarationError::Values)),
        (
            |it| it.values = vec!["\"><script>".into()],
            Some(DeclarationError::Values),
        ),
        (
            |it| it.values = (0..51).map(|number| number.to_string()).collect(),
            Some(DeclarationError::Values),
        ),
        (
            |it| it.element = "script".into(),
            Some(DeclarationError::Element),
        ),
        (|it| it.kind = Kind::Line, Some(DeclarationError::Element)),
        (
            |it| it.like = vec![("quote".into(), "true".into())],
            Some(DeclarationError::Like("quote".into())),
        ),
        (
            |it| it.like = vec![("color".into(), "red;x".into())],
            Some(DeclarationError::Like("color".into())),
        ),
    ];
    for (change, error) in cases {
        let mut declared = Declared::default();
        let mut declaration = good();
        change(&mut declaration);
        let outcome = declared.add(declaration.clone());
        assert_eq!(outcome.err(), error, "{declaration:?}");
        if error.is_none() {
            let again = declared.add(declaration);
            assert_eq!(again, Err(DeclarationError::Declared));
        }
        assert_eq!(declared.is_empty(), error.is_some());
    }
    let mut declared = Declared::default();
    let added = |number: usize| Declaration {
        key: format!("key-{number}"),
        ..good()
    };
    let fitting = (0..1_000).take_while(|number| declared.add(added(*number)).is_ok());
    assert_eq!(fitting.count(), 400);
    assert_eq!(declared.add(added(1_000)), Err(DeclarationError::TooMany));
}

/// Each run of a file has its own list of attributes, so that one does not grow without bound.
#[test]
fn a_character_has_no_more_than_eight_of_them() {
    let mut declared = Declared::default();
    for number in 0..100 {
        let added = declared.add(Declaration {
            key: format!("key-{number}"),
            kind: Kind::Inline,
            values: vec!["a".to_owned()],
            element: "span".to_owned(),
            like: Vec::new(),
        });
        added.unwrap();
    }
    let declared = Arc::new(declared);
    let classes: Vec<String> = (0..100).map(|number| format!("key-{number}:a")).collect();
    let tags: String = classes
        .iter()
        .map(|class| format!("<span class=\"{class}\">"))
        .collect();
    for file in [
        format!("{tags}word"),
        format!("<b class=\"{}\">word", classes.join(" ")),
    ] {
        for format in [Format::Html, Format::Markdown] {
            let runs = import(format, file.as_bytes(), &limits(&declared)).unwrap();
            let most = runs.iter().map(|run| run.attributes.len()).max();
            assert!(most <= Some(9), "{most:?} in {file}");
        }
    }
}

/// Two of each kind, among them elements that mean something by themselves.
fn usual_table() -> Arc<Declared> {
    table(&serde_json::json!([
        {"key": "spoiler", "kind": "inline", "values": ["true"], "element": "mark",
         "like": {"highlight": "yellow", "bold": "true", "color": "red"}},
        {"key": "edited", "kind": "inline", "values": ["in", "out"], "element": "ins",
         "like": {"underline": "true", "code": "true"}},
        {"key": "callout", "kind": "line", "values": ["info", "warning"], "element": "aside",
         "like": {"quote": "true"}},
        {"key": "verse", "kind": "line", "values": ["true"], "element": "p",
         "like": {"heading": "h2", "align": "right"}},
    ]))
}

fn arb_lines(text: &'static str) -> impl Strategy<Value = Vec<Line>> {
    let inline = vec!["spoiler=true", "edited=in", "edited=out"];
    let lines = vec!["callout=info", "callout=warning", "verse=true"];
    let pairs = |all: Vec<&'static str>| {
        let some = prop::sample::subsequence(all.clone(), 0..=all.len());
        some.prop_map(|pairs| {
            let mut pairs: Vec<String> = pairs.into_iter().map(str::to_owned).collect();
            pairs.dedup_by_key(|pair| pair.split('=').next().unwrap().to_owned());
            pairs
        })
    };
    let line = (
        arb_line(text),
        pairs(lines),
        prop::collection::vec(pairs(inline), 4),
    );
    let line = line.prop_map(|(mut line, marker, inline)| {
        line.marker.extend(marker);
        for ((_, attributes), declared) in line.runs.iter_mut().zip(inline) {
            let mut pairs: Vec<&str> = attributes.split_whitespace().collect();
            pairs.extend(declared.iter().map(String::as_str));
            pairs.sort_unstable();
            *attributes = pairs.join(" ");
        }
        line
    });
    prop::collection::vec(line, 1..10)
}

/// Without what the table of [`usual_table`] declares.
fn plain(lines: &[Line]) -> Vec<Line> {
    let is_core = |pair: &str| {
        let key = pair.split('=').next().unwrap();
        !["spoiler", "edited", "callout", "verse"].contains(&key)
    };
    let mut lines = lines.to_vec();
    for line in &mut lines {
        line.marker.retain(|pair| is_core(pair));
        for (_, attributes) in &mut line.runs {
            let kept = attributes.split_whitespace().filter(|pair| is_core(pair));
            *attributes = kept.collect::<Vec<_>>().join(" ");
        }
    }
    lines
}

proptest! {
    #[test]
    fn they_go_through_docx(lines in arb_lines(DOCX_TEXT)) {
        through_docx(lines, &usual_table())?;
    }

    #[test]
    fn they_go_through_a_page(lines in arb_lines(HTML_TEXT)) {
        through_a_page(lines, &usual_table())?;
    }

    #[test]
    fn they_go_through_markdown(lines in arb_lines(MARKDOWN_TEXT)) {
        through_markdown(lines, &usual_table())?;
    }

    // Of the core, `setHTML` reads lists and a few styles of characters.
    #[test]
    fn they_go_through_get_and_set_html(mut lines in arb_lines(HTML_TEXT)) {
        let mut lines: Vec<Line> = lines.drain(..).filter(|line| !line.runs.is_empty()).collect();
        for line in &mut lines {
            let is_kept = |pair: &String| pair.starts_with("callout") || pair.starts_with("verse");
            line.marker.retain(is_kept);
            for (text, attributes) in &mut line.runs {
                *text = text.replace(' ', "x");
                let kept = attributes.split_whitespace();
                let kept = kept.filter(|pair| !pair.starts_with("code") && !pair.starts_with("su"));
                *attributes = kept.collect::<Vec<_>>().join(" ");
            }
        }
        let (document, pool) = document(&lines);
        let declared = usual_table();
        let meanings = Meanings { pool: &pool, declared: &declared };
        let page = html::get_html(&document, meanings);
        let read = html::read(&page, &limits(&declared)).unwrap();
        let found = read_runs(&read);
        prop_assert_eq!(units(&found), units(&runs_of(&lines)), "{}", page);
    }

    // A table that says nothing about a document changes nothing.
    #[test]
    fn a_document_without_them_is_written_as_ever(lines in arb_lines(HTML_TEXT)) {
        let (document, pool) = document(&plain(&lines));
        for format in [Format::Html, Format::Markdown, Format::Docx, Format::Text, Format::Pdf] {
            let meanings = Meanings { pool: &pool, declared: &usual_table() };
            let with = export(format, "t", &document, meanings, &NoFonts).file;
            let without = export(format, "t", &document, &pool, &NoFonts).file;
            prop_assert!(with == without, "{:?}", format);
        }
    }

    // And without the table they are not there but in the pad's own format.
    #[test]
    fn undeclared_attributes_survive_in_native_files(lines in arb_lines(HTML_TEXT)) {
        let (document, pool) = document(&lines);
        let head = native::Head {
            id: "pad".to_owned(),
            document,
            pool,
            saved_revisions: Vec::new(),
            public_status: false,
            settings: Value::Null,
            title: None,
        };
        let file = native_file(head);
        let (read, _) = native::read(file.as_bytes()).unwrap();
        let runs = |document: &Document, pool: &Pool| -> Vec<(String, String)> {
            let pieces = document.pieces(0..document.len());
            let runs = pieces.map(|piece| {
                let attributes = piece.attribs.iter().map(|number| pool.get(number).unwrap());
                // Text that nobody wrote becomes the system's.
                let attributes = attributes.filter(|a| a.key != "author");
                let pairs = attributes.map(|a| format!("{}={}", a.key, a.value));
                let pairs: Vec<String> = pairs.collect();
                (String::from_utf16_lossy(piece.units), pairs.join(" "))
            });
            runs.collect()
        };
        let found = runs(&read.head.document, &read.head.pool);
        prop_assert_eq!(units(&found), units(&runs_of(&lines)));
    }
}

/// A pad of one revision.
fn native_file(head: native::Head) -> String {
    let base = Document::plain(&changeset::Text::from("\n"));
    let mut builder = changeset::Builder::new(base.len());
    for piece in head.document.pieces(0..head.document.len() - 1) {
        builder.insert(piece.units, piece.attribs);
    }
    let revision = native::Revision {
        changeset: builder.finish(),
        author: String::new(),
        timestamp: 1,
    };
    let pad = native::Pad {
        head,
        authors: Vec::new(),
        revisions: vec![revision],
        chat: Vec::new(),
        records: Vec::new(),
    };
    native::write(&pad).unwrap()
}
