//! The files of `fixtures/convert/hostile`: an error that says what is wrong, or harmless text.

use std::path::PathBuf;

use convert::{Error, Format, Limits, import, native};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/convert/hostile")
}

/// The text of a file, or what is wrong with it.
fn outcome(name: &str) -> Result<String, String> {
    let file = std::fs::read(folder().join(name)).unwrap();
    let extension = name.rsplit('.').next().unwrap();
    if extension == "etherpad" {
        let (pad, _) = native::read(&file).map_err(|error| error.to_string())?;
        // Whatever was wrong with it is not any more.
        let written = native::write(&pad).unwrap();
        assert_eq!(
            native::read(written.as_bytes()),
            Ok((pad.clone(), vec![])),
            "{name}"
        );
        return Ok(pad.head.document.text().to_string());
    }
    let format = Format::of_extension(extension).unwrap();
    let runs = import(format, &file, &Limits::default()).map_err(|error| error.to_string())?;
    Ok(runs.iter().map(|run| run.text.to_string()).collect())
}

const REFUSED: [(&str, &str); 15] = [
    ("bomb.docx", "the input is too long"),
    ("bomb-in-styles.docx", "the input is too long"),
    ("deep.docx", "the input is nested too deep"),
    ("deep-tables.docx", "the input is nested too deep"),
    (
        "entities.docx",
        "the file is not a DOCX document: it declares a document type",
    ),
    (
        "external.docx",
        "the file is not a DOCX document: it declares a document type",
    ),
    (
        "unknown-entity.docx",
        "the file is not a DOCX document: it uses an entity that XML does not have",
    ),
    (
        "no-text.docx",
        "the file is not a DOCX document: it has no text",
    ),
    (
        "not-a-zip.docx",
        "the file is not a DOCX document: it is not a zip archive",
    ),
    (
        "truncated.docx",
        "the file is not a DOCX document: it is not a zip archive",
    ),
    (
        "damaged.docx",
        "the file is not a DOCX document: a part of it is damaged",
    ),
    ("deep.html", "the input is nested too deep"),
    ("deep.md", "the input is nested too deep"),
    ("attributes.html", "the input takes too much work to read"),
    ("deep.etherpad", "the input is nested too deep"),
];

const READ: [(&str, &str); 7] = [
    ("attributes.docx", "\na\n"),
    ("circle.docx", "a\n"),
    ("levels.docx", "*\n"),
    ("script.html", "ab\n"),
    ("lengths.etherpad", "\n"),
    // Revisions that are missing are not made up: the text alone is taken.
    ("revisions.etherpad", "\n"),
    ("same-number.etherpad", "\n"),
];

#[test]
fn harm_is_refused_by_name() {
    for (name, error) in REFUSED {
        assert_eq!(outcome(name).unwrap_err(), error, "{name}");
    }
}

#[test]
fn what_is_only_odd_is_read() {
    for (name, text) in READ {
        assert_eq!(outcome(name).as_deref(), Ok(text), "{name}");
    }
    let cells = outcome("cells.docx").unwrap();
    assert_eq!(cells.matches('a').count(), 100_000);
}

#[test]
fn every_file_is_looked_at() {
    let known = REFUSED.iter().chain(&READ).map(|(name, _)| *name);
    let known: Vec<&str> = known.chain(["cells.docx", "README.md"]).collect();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name();
        let name = name.to_str().unwrap();
        assert!(known.contains(&name), "no test names {name}");
    }
}

#[test]
fn a_limit_of_our_own_is_kept() {
    let file = std::fs::read(folder().join("circle.docx")).unwrap();
    let limits = Limits {
        unpacked: 100,
        ..Limits::default()
    };
    assert_eq!(import(Format::Docx, &file, &limits), Err(Error::TooLarge));
}
