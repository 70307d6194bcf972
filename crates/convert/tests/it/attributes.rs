//! The table of attributes, `fixtures/convert/attributes.json`: each in every format, out and in.

use std::io::{Cursor, Read};
use std::path::PathBuf;

use changeset::{Attribs, Attribute, Builder, Document, Pool, Text};
use convert::pdf::NoFonts;
use convert::{Limits, Run, docx, html, links, markdown, pdf, text};
use serde_json::Value;
use zip::ZipArchive;

use crate::data::{shown, string, styled};

pub(crate) fn rows(file: &str) -> Vec<Value> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/convert");
    let content = std::fs::read_to_string(folder.join(file)).unwrap();
    serde_json::from_str(&content).unwrap()
}

/// A document as the table writes it: stretches of text with their attributes.
pub(crate) fn pairs(value: &Value) -> Vec<(&str, &str)> {
    let pairs = value.as_array().unwrap().iter();
    pairs
        .map(|pair| (string(&pair[0]), string(&pair[1])))
        .collect()
}

/// The same as [`shown`] says it. A stretch starts where the attributes change.
pub(crate) fn expected(pairs: &[(&str, &str)]) -> String {
    let mut runs: Vec<(String, Vec<&str>)> = Vec::new();
    for (text, attributes) in pairs {
        let mut attributes: Vec<&str> = attributes
            .split_whitespace()
            .filter(|pair| !pair.starts_with("lmkr=") && !pair.starts_with("insertorder="))
            .collect();
        attributes.sort_unstable();
        match runs.last_mut() {
            Some((run, last)) if *last == attributes => run.push_str(text),
            _ => runs.push(((*text).to_owned(), attributes)),
        }
    }
    let mut out = String::new();
    for (text, attributes) in runs {
        match attributes.join(" ") {
            none if none.is_empty() => out.push_str(&text),
            attributes => out.push_str(&format!("{{{attributes} {text}}}")),
        }
    }
    out
}

pub(crate) fn part_of_docx(file: &[u8], name: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
    let mut xml = String::new();
    let mut part = archive.by_name(name).unwrap();
    part.read_to_string(&mut xml).unwrap();
    xml
}

type Reader = fn(&[u8]) -> Vec<Run>;

/// One format of the table: its name, how a document is written, and how it is read again.
struct Column {
    name: &'static str,
    write: fn(&Document, &Pool) -> Vec<u8>,
    read: Option<Reader>,
}

const COLUMNS: [Column; 4] = [
    Column {
        name: "html",
        write: |document, pool| html::body(document, pool).into_bytes(),
        read: Some(|file| {
            let page = String::from_utf8(file.to_vec()).unwrap();
            html::read_shown(&page, &Limits::default()).unwrap()
        }),
    },
    Column {
        name: "markdown",
        write: |document, pool| markdown::write(document, pool).into_bytes(),
        read: Some(|file| {
            let text = String::from_utf8(file.to_vec()).unwrap();
            markdown::read(&text, &Limits::default()).unwrap()
        }),
    },
    Column {
        name: "docx",
        write: |document, pool| docx::write("t", document, pool),
        read: Some(|file| docx::read(file, &Limits::default()).unwrap()),
    },
    Column {
        name: "text",
        write: |document, pool| text::write(document, pool).to_string_lossy().into_bytes(),
        read: None,
    },
];

#[test]
fn every_attribute_in_every_format() {
    let mut failures = Vec::new();
    for row in &rows("attributes.json") {
        let name = string(&row["name"]);
        let mut check = |what: &str, found: String, expected: String| {
            if found != expected {
                failures.push(format!("{name}, {what}\n   {found:?}\n   {expected:?}"));
            }
        };
        let runs = pairs(&row["document"]);
        let (document, pool) = styled(&runs);
        for column in &COLUMNS {
            let file = (column.write)(&document, &pool);
            let fragments = row[column.name].as_array();
            for fragment in fragments.into_iter().flatten().map(string) {
                let xml = part_of_docx(&file, "word/document.xml");
                if !xml.contains(fragment) {
                    check(column.name, xml, fragment.to_owned());
                }
            }
            if let Some(whole) = row[column.name].as_str() {
                let found = String::from_utf8(file.clone()).unwrap();
                check(column.name, found, whole.to_owned());
            }
            let Some(read) = column.read else {
                continue;
            };
            // What a format cannot say is not in what comes back.
            let back = row
                .get(format!("{}Back", column.name))
                .map_or_else(|| expected(&runs), |back| expected(&pairs(back)));
            let found = shown(&read(&file));
            let found = format!("{}\n", found.trim_end_matches('\n'));
            check(&format!("{} back", column.name), found, back);
        }
        check_pdf(row, &document, &pool, &mut check);
        check_links(row, &document, &pool, &mut check);
        for spelling in row["spellings"].as_array().into_iter().flatten() {
            let (document, pool) = styled(&pairs(spelling));
            for column in COLUMNS.iter().filter(|column| row[column.name].is_string()) {
                let file = String::from_utf8((column.write)(&document, &pool)).unwrap();
                let whole = string(&row[column.name]).to_owned();
                check(&format!("{} of {spelling}", column.name), file, whole);
            }
        }
        for read in row["reads"].as_array().into_iter().flatten() {
            for column in COLUMNS
                .iter()
                .filter(|column| read[column.name].is_string())
            {
                let source = string(&read[column.name]);
                let found = shown(&column.read.unwrap()(source.as_bytes()));
                let found = format!("{}\n", found.trim_end_matches('\n'));
                let back = read
                    .get("gives")
                    .map_or_else(|| expected(&runs), |gives| expected(&pairs(gives)));
                check(source, found, back);
            }
        }
    }
    let count = failures.len();
    assert!(
        failures.is_empty(),
        "{count} differ:\n{}",
        failures.join("\n")
    );
}

fn check_pdf(
    row: &Value,
    document: &Document,
    pool: &Pool,
    check: &mut impl FnMut(&str, String, String),
) {
    let file = pdf::write("t", document, pool, &NoFonts).file;
    let raw = String::from_utf8_lossy(&file);
    let drawn = crate::pdf::drawn(&file);
    for fragment in row["pdf"].as_array().into_iter().flatten().map(string) {
        if !raw.contains(fragment) && !drawn.contains(fragment) {
            check("pdf", drawn.clone(), fragment.to_owned());
        }
    }
}

/// Where links of a file lead to.
fn check_links(
    row: &Value,
    document: &Document,
    pool: &Pool,
    check: &mut impl FnMut(&str, String, String),
) {
    let page = html::page("t", document, pool);
    for fragment in row["file"].as_array().into_iter().flatten().map(string) {
        if !page.contains(fragment) {
            check("HTML file", page.clone(), fragment.to_owned());
        }
    }
    let docx = docx::write("t", document, pool);
    for address in row["docxLinks"].as_array().into_iter().flatten() {
        let targets = part_of_docx(&docx, "word/_rels/document.xml.rels");
        let target = format!("Target=\"{}\"", string(address));
        if !targets.contains(&target) {
            check("DOCX", targets, target);
        }
    }
}

/// The same table that the pages are held to (`web/test/`).
#[test]
fn only_safe_addresses_are_linked() {
    for row in &rows("links.json") {
        let url = string(&row["url"]);
        let is_safe = row["safe"].as_bool().unwrap();
        assert_eq!(links::is_safe(url), is_safe, "{}", row["name"]);
    }
}

const HOSTILE: [&str; 13] = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "\"><script>alert(1)</script>",
    "red;background:url(javascript:1)",
    "#fff\";}</style><script>",
    "expression(alert(1))",
    "\u{1}\u{2}\u{1b}",
    "](javascript:1)",
    "```",
    "-->",
    "]]>",
    "true",
];

const KEYS: &str = "url hyperlink color colors highlight font-size size code sub font-family \
    mention heading quote hr lang tasklist-done list start align something-else";

/// Whatever a value is, what is written holds nothing of it, and the text is there.
#[test]
fn hostile_values_are_harmless() {
    let long = "x".repeat(1_000_000);
    for value in HOSTILE.into_iter().chain([&*long]) {
        for key in KEYS.split_whitespace() {
            let (document, pool) = marked(key, value);
            for column in &COLUMNS {
                let file = (column.write)(&document, &pool);
                let file = match column.name {
                    "docx" => {
                        let relations = part_of_docx(&file, "word/_rels/document.xml.rels");
                        part_of_docx(&file, "word/document.xml") + &relations
                    }
                    _ => String::from_utf8(file).unwrap(),
                };
                assert!(file.contains("word"), "{key}={value} in {}", column.name);
                assert!(file.len() < 100_000, "{key} in {}", column.name);
                for bad in ["javascript", "<script", "url(", "expression", "\u{1b}"] {
                    let name = column.name;
                    assert!(!file.contains(bad), "{key}={value} in {name}: {file}");
                }
            }
            pdf::write("t", &document, &pool, &NoFonts);
        }
    }
}

/// A line whose marker and text have an attribute.
fn marked(key: &str, value: &str) -> (Document, Pool) {
    let mut pool = Pool::new();
    let attribute = Attribute::new(key, value);
    let mut builder = Builder::new(0);
    let marker = [Attribute::new("lmkr", "1"), attribute.clone()];
    let attribs = pool.attribs_of_insert(&marker);
    builder.insert(&Text::from("*"), &attribs);
    let attribs = pool.attribs_of_insert(&[attribute]);
    builder.insert(&Text::from("word"), &attribs);
    builder.insert(&Text::from("\n"), &Attribs::none());
    let empty = Document::plain(&[]);
    let document = empty.apply(&builder.finish(), &pool).unwrap();
    (document, pool)
}
