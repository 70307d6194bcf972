//! A process that writes is killed in the middle of it, again and again.
//!
//! The process tells every revision and message that was acknowledged. Whatever it told must be
//! there afterwards, and nothing may be there in part.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use changeset::Text;
use pad::{AuthorId, ChatMessage, Timestamp};
use tokio::task::JoinSet;

use super::cluster::Cluster;
use super::scratch::Scratch;
use crate::conformance::sample::*;
use crate::{Appended, Error, Location, PadKey, Store, Transfer};

const PADS: u64 = 12;
const VARIABLE: &str = "PADSVC_KILL_LOCATION";

fn cycles() -> u64 {
    let cycles = std::env::var("PADSVC_CYCLES").ok();
    cycles.and_then(|cycles| cycles.parse().ok()).unwrap_or(10)
}

/// The process that is killed: this test program, running this test alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "is run by the tests that kill it"]
async fn writer() {
    let Ok(location) = std::env::var(VARIABLE) else {
        return;
    };
    let location = match location.split_once(':').unwrap() {
        ("embedded", path) => Location::Embedded(path.into()),
        (_, connection) => Location::Postgres(connection.to_owned()),
    };
    let store = Store::open(location).await.unwrap();
    let mut tasks = JoinSet::new();
    for pad in 0..PADS {
        let store = store.clone();
        tasks.spawn(async move {
            loop {
                // After an error the store is asked what is true, as the service does.
                if write_until_error(&store, pad).await.is_err() {
                    tell(format_args!("error {pad} 0"));
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        });
    }
    tasks.join_all().await;
}

/// Every pad's text is the list of its revisions, so that it tells by itself whether it is whole.
async fn write_until_error(store: &Store, pad: u64) -> Result<(), Error> {
    let name = format!("pad {pad}");
    let author = author_id(u128::from(pad));
    let (mut key, mut head) = match store.pad(&pad_id(&name)).await? {
        Some(record) => (record.key, store.load_head(record.key).await?.unwrap()),
        None => {
            let step = first(&entry(pad, 0), &author);
            let id = pad_id(&name);
            let new = crate::NewPad {
                id: &id,
                step: &step,
                deletion: None,
                public: false,
                settings: None,
            };
            (store.create_pad(new).await?.unwrap(), step.head)
        }
    };
    loop {
        let rev = head.next_rev();
        let step = typed(&head, &entry(pad, rev.0), &author);
        assert_eq!(store.append(key, &head, &step).await?, Appended::Done);
        head = step.head;
        tell(format_args!("revision {pad} {rev}"));
        if rev.0.is_multiple_of(5) {
            let number = chat(store, key, &author).await?;
            tell(format_args!("message {pad} {number}"));
        }
        if rev.0 % 40 == pad {
            key = rebuild(store, key, &name).await?;
        }
    }
}

fn entry(pad: u64, rev: u64) -> String {
    format!("{pad}.{rev};")
}

async fn chat(store: &Store, key: PadKey, author: &AuthorId) -> Result<u64, Error> {
    let message = ChatMessage {
        text: Text::from("Hallo"),
        author: Some(author.clone()),
        time: Timestamp(1),
    };
    Ok(store.append_chat(key, &message).await?.unwrap())
}

/// Replaces the pad by a copy of itself, so that copying, moving and removing are cut off as well.
async fn rebuild(store: &Store, key: PadKey, name: &str) -> Result<PadKey, Error> {
    let other = pad_id(&format!("copy of {name}"));
    let copied = store
        .copy_pad(key, &other, true, None, Timestamp(1))
        .await?;
    let Transfer::Done(copy) = copied else {
        panic!("{copied:?}");
    };
    store.move_pad(copy, &pad_id(name), true).await?;
    Ok(copy)
}

fn tell(line: std::fmt::Arguments<'_>) {
    // When nobody listens any more, the test is over.
    if writeln!(std::io::stdout().lock(), "\n{line}").is_err() {
        std::process::exit(1);
    }
}

/// What the process has told.
#[derive(Default)]
struct Told {
    revisions: HashMap<u64, u64>,
    messages: HashMap<u64, u64>,
}

impl Told {
    /// Takes in a line. True: it was one that tells of something written.
    fn hear(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split(' ').collect();
        let [what, pad, number] = words.as_slice() else {
            return false;
        };
        let (Ok(pad), Ok(number)) = (pad.parse(), number.parse()) else {
            return false;
        };
        match *what {
            "revision" => drop(self.revisions.insert(pad, number)),
            "message" => drop(self.messages.insert(pad, number)),
            _ => return false,
        }
        true
    }
}

struct Writer {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Writer {
    fn start(location: &str) -> Writer {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::kill::writer", "--ignored", "--nocapture"])
            .env(VARIABLE, location)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Writer { process, output }
    }

    /// Listens until so many things have been written.
    fn listen(&mut self, count: u64, told: &mut Told) {
        let mut heard = 0;
        let mut line = String::new();
        while heard < count {
            line.clear();
            let length = self.output.read_line(&mut line).unwrap();
            assert_ne!(length, 0, "the writer ended by itself");
            heard += u64::from(told.hear(line.trim_end()));
        }
    }

    /// Listens until something could not be written.
    fn listen_for_error(&mut self, told: &mut Told) {
        let mut line = String::new();
        while !line.starts_with("error") {
            line.clear();
            let length = self.output.read_line(&mut line).unwrap();
            assert_ne!(length, 0, "the writer ended by itself");
            told.hear(line.trim_end());
        }
    }

    /// Kills the process and listens to its last words.
    fn kill(mut self, told: &mut Told) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        let mut rest = String::new();
        // The last line may have been cut off.
        while self.output.read_line(&mut rest).unwrap_or(0) > 0 && rest.ends_with('\n') {
            told.hear(rest.trim_end());
            rest.clear();
        }
    }
}

/// Everything that was acknowledged is there, and everything that is there is whole.
async fn verify(store: &Store, told: &Told) {
    for pad in 0..PADS {
        let id = pad_id(&format!("pad {pad}"));
        let Some(record) = store.pad(&id).await.unwrap() else {
            assert!(!told.revisions.contains_key(&pad), "{id} is gone");
            continue;
        };
        assert!(Some(&record.head.0) >= told.revisions.get(&pad), "{id}");
        let messages = told.messages.get(&pad).map_or(0, |number| number + 1);
        assert!(record.chat_count >= messages, "{id}");
        let head = store.load_head(record.key).await.unwrap().unwrap();
        let entries = (0..=record.head.0).map(|rev| entry(pad, rev));
        let expected: String = entries.chain(["\n".to_owned()]).collect();
        assert_eq!(head.document.text().to_string(), expected);
        assert_eq!(store.check_pad(&id).await.unwrap(), [], "{id}");
    }
    for id in store.list_pads(None, 100).await.unwrap() {
        assert_eq!(store.check_pad(&id).await.unwrap(), [], "{id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_writers_lose_nothing() {
    let scratch = Scratch::new();
    let Location::Embedded(path) = scratch.embedded() else {
        return;
    };
    let location = format!("embedded:{}", path.display());
    let mut seed = u64::from(std::process::id());
    let mut told = Told::default();
    for _ in 0..cycles() {
        tokio::task::block_in_place(|| {
            let mut writer = Writer::start(&location);
            writer.listen(random(&mut seed, 300) + 1, &mut told);
            writer.kill(&mut told);
        });
        let store = Store::open(scratch.embedded()).await.unwrap();
        verify(&store, &told).await;
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_writers_and_postgres_servers_lose_nothing() {
    let Some(cluster) = Cluster::wanted() else {
        return;
    };
    let Location::Postgres(connection) = cluster.database() else {
        return;
    };
    let location = format!("postgres:{connection}");
    let mut seed = u64::from(std::process::id());
    let mut told = Told::default();
    for cycle in 0..(cycles() / 5).max(4) {
        tokio::task::block_in_place(|| {
            let mut writer = Writer::start(&location);
            writer.listen(random(&mut seed, 300) + 1, &mut told);
            match cycle % 4 {
                1 => cluster.crash_and_restart(),
                3 => cluster.kill_a_session(),
                _ => {}
            }
            if cycle % 2 == 1 {
                // The writer notices, and goes on by itself. What it tells after that is more than
                // what had been written before.
                writer.listen_for_error(&mut told);
                writer.listen(random(&mut seed, 300) + 5 * PADS, &mut told);
            }
            writer.kill(&mut told);
        });
        let store = Store::open(Location::Postgres(connection.clone()))
            .await
            .unwrap();
        verify(&store, &told).await;
        store.close().await;
    }
}
