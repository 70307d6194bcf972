//! Clients that ask for a large pad and do not read it.

use std::thread;

use serde_json::{Value, json};

use crate::server::{Server, TempRoot};
use crate::socket::insert;
use crate::socket_client::{Member, token};

const LENGTH: usize = 2_000_000;
/// Few enough that they have all come long before the first is given up, which takes half a minute.
const CLIENTS: usize = 10;
/// What a copy of the text for each of them would take, and half of it.
const BOUND: f64 = (LENGTH * CLIENTS) as f64 / 2.0;

fn memory(server: &Server) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    let kilobytes: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes * 1024.0
}

/// Somebody who asks for the pad, from an address.
fn ask(server: &Server, address: &str, person: usize) -> Member {
    let mut member = Member::connect_with(server, &[("x-forwarded-for", address)]);
    member.ready(&json!({ "padId": "book", "token": token(person) }));
    member
}

fn length_of(message: &Value) -> usize {
    let text = &message["data"]["collab_client_vars"]["initialAttributedText"]["text"];
    text.as_str().unwrap_or_default().len()
}

#[test]
fn who_does_not_read_holds_up_neither_memory_nor_others() {
    let settings = json!({
        "trustProxy": true,
        "socketIo": { "maxUnreadBytesPerAddress": 2 * LENGTH },
    });
    let root = TempRoot::with_settings("socket_unread", &settings.to_string());
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "book", "text": "base" }));
    let text = "0123456789abcde\n".repeat(LENGTH / 16);
    server.data("setText", &json!({ "padID": "book", "text": text }));
    // What the text itself takes is there before.
    let first = &mut ask(&server, "192.0.2.9", 0);
    assert_eq!(length_of(&first.message()), LENGTH);
    let before = memory(&server);

    // The text is another one for everybody who comes.
    let mut silent = Vec::new();
    for person in 1..=CLIENTS {
        silent.push(ask(&server, "192.0.2.1", person));
        server.data("appendText", &json!({ "padID": "book", "text": "." }));
    }
    let users =
        || server.data("padUsersCount", &json!({ "padID": "book" }))["padUsersCount"].clone();
    while users() != CLIENTS + 1 {}
    let grown = memory(&server) - before;
    assert!(
        grown < BOUND,
        "{grown} bytes for {CLIENTS} clients that do not read"
    );

    // Somebody from elsewhere is let in at once, and writes.
    let mut loyal = ask(&server, "192.0.2.2", 100);
    loyal.welcomed();
    let rev = loyal.vars["collab_client_vars"]["rev"].as_u64().unwrap();
    // It may have been shown a revision a little older, and then hears the others.
    let newest = 1 + CLIENTS as u64;
    for missed in rev + 1..=newest {
        assert_eq!(loyal.room("NEW_CHANGES")["newRev"], missed);
    }
    loyal.change(newest, insert(LENGTH + CLIENTS, "x", &loyal.author.clone()));
    assert_eq!(loyal.room("ACCEPT_COMMIT")["newRev"], newest + 1);

    // A client that reads after all gets the whole text.
    let readers = silent
        .into_iter()
        .map(|mut member| thread::spawn(move || length_of(&member.message()) >= LENGTH));
    let readers: Vec<_> = readers.collect();
    for reader in readers {
        assert!(reader.join().unwrap());
    }
    server.stop();
}
