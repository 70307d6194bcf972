//! One conversion again and again, for measuring it.
//!
//! `convert_bench <case> <lines> <iterations>` prepares a document of so many lines, with styles,
//! lists and links, and then does nothing but the conversion. What preparing costs does not depend
//! on `iterations`. Nothing is random, and nothing is printed: measure the process.

use std::error::Error;
use std::hint::black_box;

use changeset::{Attribs, Attribute, Changeset, Document, Pool, Text, splice};
use convert::native::{Head, Pad, Revision};
use convert::{Limits, html, native, text};
use serde_json::Value;

const USAGE: &str = "usage: convert_bench text|html|read|diff|write|open <lines> <iterations>";

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [case, lines, iterations] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let pad = prepare(lines.parse()?)?;
    let Head { document, pool, .. } = &pad.head;
    let iterations = iterations.parse()?;
    match case.as_str() {
        "text" => repeat(iterations, || Ok(text::write(document, pool))),
        "html" => repeat(iterations, || Ok(html::body(document, pool))),
        "read" => {
            let page = html::page("bench", document, pool);
            repeat(iterations, || html::read(&page, &Limits::default()))
        }
        "diff" => {
            let base = Document::plain(&Text::from("\n"));
            let changes: Vec<(Changeset, &str)> = pad
                .revisions
                .iter()
                .map(|revision| (revision.changeset.clone(), revision.author.as_str()))
                .collect();
            let colour = |_: &str| Some("#ffc7c7".to_owned());
            repeat(iterations, || html::diff(&base, &changes, pool, &colour))
        }
        "write" => repeat(iterations, || native::write(&pad)),
        "open" => {
            let file = native::write(&pad)?;
            repeat(iterations, || native::read(file.as_bytes()))
        }
        _ => Err(USAGE.into()),
    }
}

fn repeat<T>(iterations: usize, run: impl Fn() -> Result<T, convert::Error>) -> Outcome {
    for _ in 0..iterations {
        black_box(run()?);
    }
    Ok(())
}

/// A pad to which every line was added by a revision of its own, by three authors in turn.
fn prepare(lines: usize) -> Result<Pad, Box<dyn Error>> {
    const AUTHORS: [&str; 3] = ["a.one", "a.two", "a.three"];
    let mut pool = Pool::new();
    let mut document = Document::plain(&Text::from("\n"));
    let mut revisions = Vec::new();
    for (index, author) in AUTHORS.into_iter().cycle().take(lines).enumerate() {
        for (text, attribs) in line(index, author, &mut pool) {
            let end = document.len() - 1;
            let changeset = splice(&document, end, 0, &Text::from(&*text), &attribs);
            document = document.apply(&changeset, &pool)?;
            revisions.push(Revision {
                changeset,
                author: author.to_owned(),
                timestamp: index as u64,
            });
        }
    }
    Ok(Pad {
        head: Head {
            id: "bench".to_owned(),
            document,
            pool,
            saved_revisions: Vec::new(),
            public_status: false,
            settings: Value::Null,
            title: None,
        },
        authors: Vec::new(),
        revisions,
        chat: Vec::new(),
        records: Vec::new(),
    })
}

/// The runs of a line: a marker now and then, plain and styled words, an address.
fn line(index: usize, author: &str, pool: &mut Pool) -> Vec<(String, Attribs)> {
    let mut attribs = |pairs: &[(&str, &str)]| {
        let author = [("author", author)];
        let pairs = pairs.iter().chain(&author);
        let attributes: Vec<Attribute> = pairs.map(|(k, v)| Attribute::new(*k, *v)).collect();
        pool.attribs_of_insert(&attributes)
    };
    let mut runs = Vec::new();
    if index % 3 == 1 {
        let list = format!("bullet{}", index % 4 + 1);
        runs.push(("*".to_owned(), attribs(&[("list", &list), ("lmkr", "1")])));
    }
    runs.push((format!("The quick brown fox number {index} "), attribs(&[])));
    runs.push(("jumps".to_owned(), attribs(&[("bold", "true")])));
    runs.push((" over https://example.org/dog ".to_owned(), attribs(&[])));
    runs.push((
        "and <away>\n".to_owned(),
        attribs(&[("italic", "true"), ("underline", "true")]),
    ));
    runs
}
