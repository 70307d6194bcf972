//! `imports PROGRAM [PARAGRAPHS]`: how much memory the server takes for ten hostile DOCX files at
//! once.
//!
//! Each is small and unpacks to millions of near-empty paragraphs. What is printed is resident
//! memory above what the server had before, as the kernel counts it: the peak, and a few seconds
//! later.

#![allow(clippy::disallowed_types, clippy::print_stdout)]

#[path = "support/server.rs"]
mod server;

use std::error::Error;
use std::io::{Cursor, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use pad::{Head, PadId, Timestamp};
use server::{Outcome, Server};
use store::{Location, NewPad, Store};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const FILES: usize = 10;
const PARAGRAPH: &str = "<w:p><w:r><w:t>x</w:t></w:r></w:p>";
const A_FEW_SECONDS: Duration = Duration::from_secs(5);

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (program, sizes) = match arguments.as_slice() {
        // The first is refused, the second becomes the text of ten pads.
        [program] => (program, vec![8_000_000, 800_000]),
        [program, paragraphs] => (program, vec![paragraphs.parse()?]),
        _ => return Err("usage: imports PROGRAM [PARAGRAPHS]".into()),
    };
    println!("| paragraphs | file, MB | unpacked, MB | answer | seconds | peak, MB | later, MB |");
    println!("|---:|---:|---:|---|---:|---:|---:|");
    for paragraphs in sizes {
        let root = tempfile::tempdir()?;
        create_pads(root.path())?;
        let file = docx(paragraphs)?;
        let server = Server::start(program, root.path())?;
        let idle = server.memory("VmRSS")?;
        let start = Instant::now();
        let answers = std::thread::scope(|scope| {
            let send = |number: usize| {
                let (server, file) = (&server, &file);
                scope.spawn(move || {
                    let sent = server.import(&format!("pad{number}"), "bomb.docx", file);
                    sent.map_err(|error| error.to_string())
                })
            };
            let sent: Vec<_> = (0..FILES).map(send).collect();
            let ended_early = |_| Err("a sender ended early".to_owned());
            let joined = sent
                .into_iter()
                .map(|it| it.join().unwrap_or_else(ended_early));
            joined.collect::<Result<Vec<String>, String>>()
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let peak = server.memory("VmHWM")?.saturating_sub(idle);
        std::thread::sleep(A_FEW_SECONDS);
        let later = server.memory("VmRSS")?.saturating_sub(idle);
        let megabytes = |bytes: usize| bytes as f64 / 1e6;
        println!(
            "| {paragraphs} | {:.1} | {:.0} | {} | {seconds:.1} | {:.0} | {:.0} |",
            megabytes(file.len()),
            megabytes(paragraphs * PARAGRAPH.len()),
            answers.first().map_or("", String::as_str),
            megabytes(peak as usize * 1024),
            megabytes(later as usize * 1024),
        );
    }
    Ok(())
}

fn create_pads(root: &Path) -> Outcome<()> {
    std::fs::create_dir(root.join("var"))?;
    let location = Location::Embedded(root.join("var/padsvc.db"));
    tokio::runtime::Runtime::new()?.block_on(async {
        let store = Store::open(location).await?;
        for number in 0..FILES {
            let system = pad::AuthorId::system();
            let first = pad::edit::first_text(&changeset::Text::from("a pad"), &system);
            let step = Head::empty().advance(first.change, first.pool, None, Timestamp(1))?;
            let new = NewPad {
                id: &PadId::parse(&format!("pad{number}")).ok_or("no name of a pad")?,
                step: &step.ok_or("no text")?,
                deletion: None,
                public: false,
                settings: None,
            };
            store.create_pad(new).await?;
        }
        store.close().await;
        Ok::<(), Box<dyn Error>>(())
    })
}

fn docx(paragraphs: usize) -> Outcome<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let best = SimpleFileOptions::default().compression_level(Some(9));
    zip.start_file("word/document.xml", best)?;
    zip.write_all(b"<w:document xmlns:w=\"w\"><w:body>")?;
    let many = PARAGRAPH.repeat(1_000);
    for _ in 0..paragraphs / 1_000 {
        zip.write_all(many.as_bytes())?;
    }
    zip.write_all(b"</w:body></w:document>")?;
    Ok(zip.finish()?.into_inner())
}
