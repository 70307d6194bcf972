//! `exports PROGRAM [LINES REVISIONS]`: how much memory the server takes for each export of a large
//! pad.
//!
//! Makes a pad in a store of its own, starts PROGRAM on it and asks for each format twice. The
//! first answer also opens the pad. What is printed is the peak of resident memory above what the
//! server had before anybody asked, as the kernel counts it.

#![allow(
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::expect_used,
    clippy::indexing_slicing
)]

#[path = "support/server.rs"]
mod server;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use changeset::{Attribs, Attribute, Changeset, Pool, Text, splice};
use pad::{AuthorId, Head, PadId, Revision, Step, Timestamp};
use server::{Outcome, Server};
use store::{Location, NewPad, Store};

const LINE: &str = "About fifty letters, as many as a short line has.\n";
const AUTHORS: usize = 20;
const FORMATS: [&str; 6] = ["txt", "html", "md", "docx", "pdf", "native"];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (program, lines, revisions) = match arguments.as_slice() {
        [program] => (program, 20_000, 100_000),
        [program, lines, revisions] => (program, lines.parse()?, revisions.parse()?),
        _ => return Err("usage: exports PROGRAM [LINES REVISIONS]".into()),
    };
    let root = tempfile::tempdir()?;
    let step = written(lines, revisions)?;
    let text = step.head.document.len();
    store(root.path(), &step)?;
    drop(step);
    println!("a pad of {text} units and {revisions} revisions\n");
    println!("| export | file, MB | seconds | memory above idle, MB | again |");
    println!("|---|---:|---:|---:|---:|");
    for format in FORMATS {
        let server = Server::start(program, root.path())?;
        let idle = server.memory("VmRSS")?;
        let start = Instant::now();
        let bytes = server.get(&format!("/p/large/export/{format}"))?;
        let seconds = start.elapsed().as_secs_f64();
        let first = server.memory("VmHWM")?.saturating_sub(idle);
        server.get(&format!("/p/large/export/{format}"))?;
        let second = server.memory("VmHWM")?.saturating_sub(idle);
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        println!(
            "| {format} | {:.1} | {seconds:.1} | {:.0} | {:.0} |",
            megabytes(bytes),
            megabytes(first * 1024),
            megabytes(second * 1024)
        );
    }
    Ok(())
}

/// A text by several authors, in which revision after revision changes a letter.
fn written(lines: usize, revisions: usize) -> Outcome<Step> {
    let mut pool = Pool::new();
    let authors: Vec<(AuthorId, Attribs)> = (0..AUTHORS)
        .map(|number| {
            let id = format!("a.{number:016}");
            let attribs = pool.attribs_of_insert(&[Attribute::new("author", &*id)]);
            (AuthorId::parse(&id).expect("an author's id"), attribs)
        })
        .collect();
    let mut head = Head {
        pool: Arc::new(pool),
        ..Head::empty()
    };
    let mut all = Vec::with_capacity(revisions);
    let (author, attribs) = &authors[0];
    let text = Text::from(&*LINE.repeat(lines));
    let first = splice(&head.document, 0, 0, &text, attribs);
    push(&mut all, &mut head, first, author)?;
    for number in 1..revisions {
        let (author, attribs) = &authors[number % AUTHORS];
        // Anywhere in a line but at its end.
        let place = (number * 7_919 % lines) * LINE.len() + number % (LINE.len() - 1);
        let letter = char::from(b'a' + (number % 26) as u8).to_string();
        let change = splice(&head.document, place, 1, &Text::from(&*letter), attribs);
        push(&mut all, &mut head, change, author)?;
    }
    Ok(Step {
        revisions: all,
        head,
    })
}

fn push(
    all: &mut Vec<Revision>,
    head: &mut Head,
    change: Changeset,
    author: &AuthorId,
) -> Outcome<()> {
    let revision = Revision {
        change,
        author: Some(author.clone()),
        time: Timestamp(1_790_000_000_000 + 500 * all.len() as i64),
    };
    *head = head.replay(&revision)?;
    all.push(revision);
    Ok(())
}

fn store(root: &Path, step: &Step) -> Outcome<()> {
    std::fs::create_dir(root.join("var"))?;
    let location = Location::Embedded(root.join("var/padsvc.db"));
    tokio::runtime::Runtime::new()?.block_on(async {
        let store = Store::open(location).await?;
        let new = NewPad {
            id: &PadId::parse("large").expect("a name"),
            step,
            deletion: None,
            public: false,
            settings: None,
        };
        store.create_pad(new).await?;
        store.close().await;
        Ok(())
    })
}
