//! Files that are small, and what they would become: every reader stops at its limits.

use convert::{Error, Format, Limits, import, native};
use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Small ones, so that everything happens to small files.
fn limits() -> Limits {
    Limits {
        text: 100,
        runs: 20,
        nodes: 200,
        records: 10,
        ..Limits::default()
    }
}

/// A DOCX file with this in its parts.
fn docx(parts: &[(&str, &str)]) -> Vec<u8> {
    use std::io::Write as _;
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn document(body: &str) -> Vec<u8> {
    let xml = format!("<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>");
    docx(&[("word/document.xml", &xml)])
}

const PARAGRAPH: &str = "<w:p><w:r><w:t>x</w:t></w:r></w:p>";
const BOLD: &str = "<w:r><w:rPr><w:b/></w:rPr><w:t>x</w:t></w:r><w:r><w:t>x</w:t></w:r>";

fn outcome(format: Format, file: impl AsRef<[u8]>) -> Result<usize, Error> {
    let runs = import(format, file.as_ref(), &limits())?;
    Ok(runs.iter().map(|run| run.text.len()).sum())
}

#[test]
fn texts_are_as_long_as_a_pad_may_be_and_no_longer() {
    let long = Err(Error::TextTooLong);
    for (format, unit) in [
        (Format::Text, "x\n"),
        (Format::Html, "<p>x</p>"),
        (Format::Html, "x<br>"),
        (Format::Markdown, "x\n\n"),
    ] {
        let units = if format == Format::Markdown { 3 } else { 2 };
        let most = unit.repeat(99 / units);
        let length = outcome(format, most).unwrap();
        assert!((96..=100).contains(&length), "{format:?} {unit}: {length}");
        assert_eq!(outcome(format, unit.repeat(60)), long, "{format:?} {unit}");
    }
    assert_eq!(
        outcome(Format::Docx, document(&PARAGRAPH.repeat(50))),
        Ok(100)
    );
    assert_eq!(outcome(Format::Docx, document(&PARAGRAPH.repeat(51))), long);
    // Lines of nothing are as much.
    assert_eq!(
        outcome(Format::Docx, document(&"<w:p/>".repeat(100))),
        Ok(100)
    );
    assert_eq!(outcome(Format::Docx, document(&"<w:p/>".repeat(101))), long);
    let word = format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", "x".repeat(100));
    assert_eq!(outcome(Format::Docx, document(&word)), long);
    assert_eq!(outcome(Format::Html, "x".repeat(1_000_000)), long);
    assert_eq!(outcome(Format::Markdown, "x".repeat(1_000_000)), long);
    assert_eq!(outcome(Format::Text, "x".repeat(1_000_000)), long);
}

#[test]
fn stretches_of_different_looks_are_counted() {
    let complex = Err(Error::TooComplex);
    for (format, stretch) in [
        (Format::Html, "<b>x</b>x"),
        (Format::Markdown, "**x** x "),
        (Format::Markdown, "- x\n- x\n"),
    ] {
        assert!(outcome(format, stretch.repeat(4)).is_ok(), "{stretch}");
        assert_eq!(outcome(format, stretch.repeat(12)), complex, "{stretch}");
    }
    let bold = |count| document(&format!("<w:p>{}</w:p>", BOLD.repeat(count)));
    assert!(outcome(Format::Docx, bold(9)).is_ok());
    assert_eq!(outcome(Format::Docx, bold(12)), complex);
}

#[test]
fn what_a_parser_keeps_in_memory_is_counted() {
    let complex = Err(Error::TooComplex);
    assert_eq!(outcome(Format::Html, "<i></i>".repeat(201)), complex);
    assert_eq!(outcome(Format::Html, "<!---->".repeat(201)), complex);
    assert_eq!(outcome(Format::Markdown, "*".repeat(201)), complex);
    let styles = "<w:style w:styleId=\"s\"/>".repeat(201);
    let styles = format!("<w:styles xmlns:w=\"w\">{styles}</w:styles>");
    let body = "<w:document xmlns:w=\"w\"><w:body/></w:document>";
    let file = docx(&[("word/styles.xml", &styles), ("word/document.xml", body)]);
    assert_eq!(outcome(Format::Docx, file), complex);
    // Of the text itself nothing is kept but the text.
    let silent = document(&"<w:bookmarkStart/>".repeat(10_000));
    assert_eq!(outcome(Format::Docx, silent), Ok(0));
}

#[test]
fn one_text_of_a_docx_file_is_not_taken_into_memory_first() {
    let long = document(&format!("<w:p><w:r><w:t>{}", "x".repeat(1_000_000)));
    assert_eq!(outcome(Format::Docx, long), Err(Error::TooLarge));
}

#[test]
fn native_files_are_bounded_where_anybody_sends_them() {
    let file = |text: &str, revisions: usize| {
        let mut file = json!({
            "pad:p": {
                "atext": { "text": "\n", "attribs": "|1+1" },
                "pool": { "numToAttrib": { "0": ["author", "a.x"] }, "nextNum": 1 },
                "head": revisions,
            },
        });
        let length = changeset::print_number(text.len());
        let longer = changeset::print_number(text.len() + 1);
        for revision in 0..revisions {
            let change = match (revision, revision % 2) {
                (0, _) => "Z:1>0$".to_owned(),
                (_, 1) => format!("Z:1>{length}*0+{length}${text}"),
                _ => format!("Z:{longer}<{length}-{length}$"),
            };
            file[format!("pad:p:revs:{revision}")] = json!({ "changeset": change });
        }
        file.to_string()
    };
    let read = |file: &str| native::read_within(file.as_bytes(), &limits()).map(|_| ());
    assert_eq!(read(&file("text", 9)), Ok(()));
    assert_eq!(read(&file("text", 10)), Err(Error::TooComplex));
    // The text was too long once, and is not any more.
    assert_eq!(read(&file(&"x".repeat(100), 3)), Err(Error::TextTooLong));
    // An operator's own data comes in however much there is.
    assert!(native::read(file(&"x".repeat(100), 10).as_bytes()).is_ok());
    let many = format!("{{\"pad:p\":[{}0]}}", "0,".repeat(1_000_000));
    assert_eq!(read(&many), Err(Error::TooComplex));
}
