//! Removing an author who has written everywhere.

use rusqlite::{Connection, params};
use serde_json::json;

use crate::client::{Request, exchange_and_hang_up};
use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

const PADS: i64 = 10_000;
const MESSAGES_IN_EACH: i64 = 10;
/// Far less than the rows that are changed would take.
const MORE_KILOBYTES: u64 = 32 * 1024;

/// An author known by a token, to whom the pads and messages are then added in the file.
fn prolific(root: &TempRoot) -> String {
    let server = Server::start(root);
    let mut member = Member::join(&server, "first", &token(1));
    member.say(&json!({ "type": "CHAT_MESSAGE", "message": { "text": "hello" } }));
    member.room("CHAT_MESSAGE");
    let author = member.author.clone();
    drop(member);
    server.stop();
    let mut file = Connection::open(root.path("var/padsvc.db")).unwrap();
    let tx = file.transaction().unwrap();
    let pad = "INSERT INTO pads (name, head, head_time, created, chat_count)
               VALUES (?1, 0, 0, 0, ?2) RETURNING key";
    let place = "INSERT INTO pad_authors (pad, author, number) VALUES (?1, ?2, 0)";
    let message = "INSERT INTO chat (pad, number, author, time, text) VALUES (?1, ?2, ?3, 0, ?4)";
    for number in 0..PADS {
        let name = format!("pad{number}");
        let key: i64 = tx
            .prepare_cached(pad)
            .unwrap()
            .query_row(params![name, MESSAGES_IN_EACH], |row| row.get(0))
            .unwrap();
        let mut place = tx.prepare_cached(place).unwrap();
        place.execute(params![key, author]).unwrap();
        let mut message = tx.prepare_cached(message).unwrap();
        for number in 0..MESSAGES_IN_EACH {
            let row = params![key, number, author, b"hello"];
            message.execute(row).unwrap();
        }
    }
    tx.commit().unwrap();
    author
}

fn messages_of(root: &TempRoot, author: &str) -> i64 {
    let file = Connection::open(root.path("var/padsvc.db")).unwrap();
    let sql = "SELECT COUNT(*) FROM chat WHERE author = ?1";
    file.query_row(sql, [author], |row| row.get(0)).unwrap()
}

#[test]
fn an_author_of_ten_thousand_pads_is_forgotten() {
    let settings = r#"{"gdprAuthorErasure": {"enabled": true}}"#;
    let root = TempRoot::with_settings("erasure", settings);
    let author = prolific(&root);
    let call = json!({ "authorID": author });
    // Killed in the middle, it has happened wholly or not at all.
    let server = Server::start(&root);
    let request = Request::post("/api/1.3.1/anonymizeAuthor")
        .header("apikey", &server.key)
        .body("application/json", call.to_string());
    let address = server.address.clone();
    let sender = std::thread::spawn(move || exchange_and_hang_up(&address, &request.bytes()));
    server.signal("KILL");
    server.wait();
    let _ = sender.join();
    let left = messages_of(&root, &author);
    let all = PADS * MESSAGES_IN_EACH + 1;
    assert!(left == 0 || left == all, "{left}");

    let server = Server::start(&root);
    let before = server.peak_kilobytes();
    let counted = server.data("anonymizeAuthor", &call);
    let more = server.peak_kilobytes() - before;
    assert!(more < MORE_KILOBYTES, "{more} kB");
    let none = json!({
        "affectedPads": 0,
        "removedTokenMappings": 0,
        "removedExternalMappings": 0,
        "clearedChatMessages": 0,
    });
    if left == all {
        assert_eq!(counted["affectedPads"], PADS + 1);
        assert_eq!(counted["removedTokenMappings"], 1);
        assert_eq!(counted["clearedChatMessages"], all);
    } else {
        assert_eq!(counted, none);
    }
    assert_eq!(server.data("anonymizeAuthor", &call), none);
    // What was said stays; who said it is gone, and the token is somebody else's.
    let history = server.data("getChatHistory", &json!({ "padID": "first" }));
    let message = &history["messages"][0];
    assert_eq!(message["text"], "hello");
    assert!(!history.to_string().contains(&author), "{history}");
    assert_ne!(Member::join(&server, "first", &token(1)).author, author);
    server.stop();
    assert_eq!(messages_of(&root, &author), 0);
}

#[test]
fn erasing_looks_at_no_row_of_others() {
    let root = TempRoot::new("erasure_plan");
    Server::start(&root).stop();
    let file = Connection::open(root.path("var/padsvc.db")).unwrap();
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/src/people.rs");
    let source = std::fs::read_to_string(source).unwrap();
    let (_, erasing) = source.split_once("\nfn erase(").unwrap();
    let verbs = ["SELECT ", "UPDATE ", "DELETE "];
    let texts = erasing.split('"');
    let statements = texts.filter(|text| verbs.iter().any(|verb| text.starts_with(verb)));
    let mut looked = 0;
    for sql in statements {
        assert!(!walks(&file, sql), "{sql}");
        looked += 1;
    }
    assert_eq!(looked, 8);
    assert!(walks(&file, "SELECT COUNT(*) FROM chat WHERE time = $1"));
}

/// Whether a statement goes through all rows of a table.
fn walks(file: &Connection, sql: &str) -> bool {
    let mut plan = file.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let count = plan.parameter_count();
    let binds = rusqlite::params_from_iter(vec![""; count]);
    let steps = plan.query_map(binds, |row| row.get(3)).unwrap();
    let steps: Vec<String> = steps.map(|step| step.unwrap()).collect();
    steps.iter().any(|step| step.starts_with("SCAN"))
}
