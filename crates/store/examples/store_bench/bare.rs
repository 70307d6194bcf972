//! What the engine does by itself: one row inserted and one updated for each commit, all that wait
//! in one transaction, flushed in the same way.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};

use crate::{Outcome, Place};

/// The same as the store has.
const EMBEDDED_BATCH: usize = 1024;
const POSTGRES_BATCH: usize = 64;
const POSTGRES_WRITERS: usize = 4;

const TABLES: [&str; 2] = [
    "CREATE TABLE bare_pads (key BIGINT PRIMARY KEY, head BIGINT NOT NULL, time BIGINT NOT NULL)",
    "CREATE TABLE bare_revisions (pad BIGINT NOT NULL, rev BIGINT NOT NULL, author TEXT,
         time BIGINT NOT NULL, change {bytes} NOT NULL, PRIMARY KEY (pad, rev))",
];
const INSERT: &str =
    "INSERT INTO bare_revisions (pad, rev, author, time, change) VALUES ($1, $2, $3, $4, $5)";
const UPDATE: &str = "UPDATE bare_pads SET head = $1, time = $2 WHERE key = $3";
const AUTHOR: &str = "a.1000000000000000";
const CHANGE: [u8; 11] = [7; 11];

/// A revision to be written, and who waits for it.
pub(crate) type Job = (i64, i64, oneshot::Sender<()>);

pub(crate) struct Bare {
    pub jobs: mpsc::Sender<Job>,
}

impl Bare {
    pub(crate) fn start(place: &Place, round: usize, pads: i64) -> Outcome<Bare> {
        let (jobs, inbox) = mpsc::channel(4096);
        match place.connection() {
            None => {
                let path = place.file(&format!("bare-{round}-{pads}.db"));
                let connection = rusqlite::Connection::open(path)?;
                prepare_sqlite(&connection, pads)?;
                std::thread::Builder::new()
                    .name("bare".to_owned())
                    .spawn(move || run_sqlite(&connection, inbox))?;
            }
            Some(connection) => {
                let inbox = Arc::new(Mutex::new(inbox));
                let text = connection.to_owned();
                // The driver waits in its own way, which this thread does not allow.
                let prepare = move || prepare_postgres(&text, pads);
                let prepared = std::thread::spawn(prepare).join();
                prepared.map_err(|_| "the server cannot be prepared")??;
                for _ in 0..POSTGRES_WRITERS {
                    let (inbox, text) = (Arc::clone(&inbox), connection.to_owned());
                    std::thread::spawn(move || run_postgres(&text, &inbox));
                }
            }
        }
        Ok(Bare { jobs })
    }
}

fn prepare_sqlite(connection: &rusqlite::Connection, pads: i64) -> Outcome {
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")?;
    for table in TABLES {
        let clustered = if table.contains("revisions") {
            "WITHOUT ROWID"
        } else {
            ""
        };
        let table = table.replace("{bytes}", "BLOB");
        connection.execute_batch(&format!("{table} {clustered}"))?;
    }
    let mut insert = connection.prepare("INSERT INTO bare_pads VALUES ($1, 0, 0)")?;
    for pad in 0..pads {
        insert.execute([pad])?;
    }
    Ok(())
}

fn run_sqlite(connection: &rusqlite::Connection, mut inbox: mpsc::Receiver<Job>) -> Outcome {
    let mut insert = connection.prepare(INSERT)?;
    let mut update = connection.prepare(UPDATE)?;
    let mut taken = Vec::new();
    while inbox.blocking_recv_many(&mut taken, EMBEDDED_BATCH) > 0 {
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for (pad, rev, _) in &taken {
            insert.execute((pad, rev, AUTHOR, rev, CHANGE))?;
            update.execute((rev, rev, pad))?;
        }
        connection.prepare_cached("COMMIT")?.execute([])?;
        answer(&mut taken);
    }
    Ok(())
}

fn prepare_postgres(connection: &str, pads: i64) -> Outcome {
    let mut client = postgres::Client::connect(connection, postgres::NoTls)?;
    client.batch_execute("DROP TABLE IF EXISTS bare_pads, bare_revisions")?;
    for table in TABLES {
        client.batch_execute(&table.replace("{bytes}", "BYTEA"))?;
    }
    for pad in 0..pads {
        client.execute("INSERT INTO bare_pads VALUES ($1, 0, 0)", &[&pad])?;
    }
    Ok(())
}

fn run_postgres(connection: &str, inbox: &Mutex<mpsc::Receiver<Job>>) -> Outcome {
    let mut client = postgres::Client::connect(connection, postgres::NoTls)?;
    let insert = client.prepare(INSERT)?;
    let update = client.prepare(UPDATE)?;
    let change = CHANGE.as_slice();
    loop {
        let mut taken = Vec::new();
        let mut jobs = inbox.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.blocking_recv_many(&mut taken, POSTGRES_BATCH) == 0 {
            return Ok(());
        }
        drop(jobs);
        taken.sort_by_key(|(pad, ..)| *pad);
        client.batch_execute("BEGIN")?;
        for (pad, rev, _) in &taken {
            client.execute(&insert, &[pad, rev, &AUTHOR, rev, &change])?;
            client.execute(&update, &[rev, rev, pad])?;
        }
        client.batch_execute("COMMIT")?;
        answer(&mut taken);
    }
}

fn answer(taken: &mut Vec<Job>) {
    for (.., reply) in taken.drain(..) {
        let _ = reply.send(());
    }
}
