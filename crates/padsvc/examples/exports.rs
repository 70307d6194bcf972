//! `exports PROGRAM [LINES REVISIONS]`: how much memory the server takes for each export of a large
//! pad.
//!
//! Makes a pad in a store of its own, starts PROGRAM on it and asks for each format twice. The
//! first answer also opens the pad. What is printed is the peak of resident memory above what the
//! server had before anybody asked, as the kernel counts it.

#![allow(clippy::print_stdout, clippy::expect_used, clippy::indexing_slicing)]

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use changeset::{Attribs, Attribute, Changeset, Pool, Text, splice};
use pad::{AuthorId, Head, PadId, Revision, Step, Timestamp};
use store::{Location, NewPad, Store};

const LINE: &str = "About fifty letters, as many as a short line has.\n";
const AUTHORS: usize = 20;
const FORMATS: [&str; 6] = ["txt", "html", "md", "docx", "pdf", "native"];

type Outcome<T> = Result<T, Box<dyn Error>>;

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

/// Stopped when dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(program: &str, root: &Path) -> Outcome<Server> {
        let mut child = Command::new(program)
            .args(["--ip", "127.0.0.1", "--port", "0", "--root"])
            .arg(root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("no standard output")?;
        BufReader::new(stdout).read_line(&mut line)?;
        let (_, url) = line.trim_end().split_once("open ").ok_or("no ready line")?;
        let address = url.trim_start_matches("http://").trim_end_matches('/');
        Ok(Server {
            child,
            address: address.to_owned(),
        })
    }

    /// A line of `/proc/<pid>/status`, in KiB.
    fn memory(&self, name: &str) -> Outcome<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with(name));
        let value = line.and_then(|line| line.split_whitespace().nth(1));
        Ok(value.ok_or("no such line")?.parse()?)
    }

    /// The bytes of an answer, which are not kept.
    fn get(&self, path: &str) -> Outcome<u64> {
        let mut stream = TcpStream::connect(&self.address)?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            self.address
        )?;
        let mut answer = BufReader::new(stream);
        let mut status = String::new();
        answer.read_line(&mut status)?;
        if !status.contains(" 200 ") {
            return Err(format!("{path}: {status}").into());
        }
        Ok(std::io::copy(&mut answer.by_ref(), &mut std::io::sink())?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
