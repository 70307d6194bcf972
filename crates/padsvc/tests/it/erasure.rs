//! Removing an author who has written everywhere, and that nobody acts as that author again.

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::client::{Request, exchange_and_hang_up};
use crate::cluster::Cluster;
use crate::server::{Server, TempRoot};
use crate::socket::insert;
use crate::socket_client::{Member, token};

const ENABLED: &str = r#"{"gdprAuthorErasure": {"enabled": true}}"#;

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
    let root = TempRoot::with_settings("erasure", ENABLED);
    let author = prolific(&root);
    let call = json!({ "authorID": author });
    // Killed in the middle, it has happened completely or not at all.
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
    let none = counts(0, 0, 0);
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
    assert_eq!(looked, 9);
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

fn counts(pads: u64, tokens: u64, messages: u64) -> Value {
    json!({
        "affectedPads": pads,
        "removedTokenMappings": tokens,
        "removedExternalMappings": 0,
        "clearedChatMessages": messages,
    })
}

fn named(name: &str) -> Value {
    json!({ "type": "USERINFO_UPDATE", "userInfo": { "name": name, "colorId": "#abcdef" } })
}

fn said(text: &str) -> Value {
    json!({ "type": "CHAT_MESSAGE", "message": { "text": text } })
}

/// Somebody with a name, in a pad.
fn person(server: &Server, pad: &str, number: usize, watcher: &mut Member) -> Member {
    let mut member = Member::join(server, pad, &token(number));
    member.say(&named(&format!("Ada {number}")));
    while watcher.room("USER_NEWINFO")["userInfo"]["name"] != format!("Ada {number}") {}
    member
}

/// Reads until the connection is closed; what was said to the client last.
fn sent_away(member: &mut Member) -> Value {
    let mut last = Value::Null;
    while let Some(message) = member.next_message() {
        last = message;
    }
    last
}

/// What remains visible of the authors that were erased.
fn traces(server: &Server) -> String {
    let pad = json!({ "padID": "notes" });
    let newcomer = Member::join(server, "notes", &token(99));
    [
        server.data("padUsers", &pad).to_string(),
        server.data("getChatHistory", &pad).to_string(),
        newcomer.vars.to_string(),
    ]
    .concat()
}

/// People who are on one server are erased on another, or on the same.
fn erased_for_good(here: &Server, there: &Server) {
    here.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    let mut watcher = Member::join(here, "notes", &token(50));
    let length = watcher.length();
    let acts = [
        named("Ada again"),
        said("Ada still says"),
        insert(length, "Ada still writes ", ""),
    ];
    for (number, mut act) in acts.into_iter().enumerate() {
        let mut member = person(here, "notes", number, &mut watcher);
        let author = member.author.clone();
        let call = json!({ "authorID": author });
        assert_eq!(there.data("anonymizeAuthor", &call), counts(0, 1, 0));
        assert!(!traces(here).contains("Ada"), "{}", traces(here));
        assert!(!traces(there).contains("Ada"), "{}", traces(there));
        if act.get("changeset").is_some() {
            act["type"] = json!("USER_CHANGES");
            act["baseRev"] = json!(0);
            act["apool"]["numToAttrib"]["0"][1] = json!(author);
        }
        // The server may have closed it already.
        let message = json!({ "type": "COLLABROOM", "component": "pad", "data": act });
        member.try_send(&format!("42{}", json!(["message", message])));
        assert_eq!(sent_away(&mut member), json!({ "disconnect": "rejected" }));
        // Those who stay forget the name, and the author is gone.
        assert_eq!(
            watcher.room("USER_LEAVE")["userInfo"]["userId"],
            author.as_str()
        );
        // A page that did not hear of it and goes on is sent away, too.
        let mut page = Member::connect(here);
        let ready = json!({ "padId": "notes", "token": token(number) });
        let mut again = ready.clone();
        again["reconnect"] = json!(true);
        again["client_rev"] = json!(0);
        page.ready(&again);
        assert_eq!(page.until_disconnected(), "rejected");
        let mut newcomer = Member::connect(here);
        newcomer.ready(&ready);
        newcomer.welcomed();
        assert_ne!(newcomer.author, author);
        assert_eq!(newcomer.vars["userName"], Value::Null);
        assert_eq!(
            here.data("getAuthorName", &call),
            json!({ "authorName": null })
        );
        assert_eq!(there.data("anonymizeAuthor", &call), counts(0, 0, 0));
        // What a call puts there under the author's id all the same is erased, and counted.
        let message = json!({ "padID": "notes", "text": "relayed", "authorID": author });
        here.data("appendChatMessage", &message);
        assert_eq!(there.data("anonymizeAuthor", &call), counts(1, 0, 1));
        assert!(!traces(here).contains(&author));
    }
    let text = here.data("getText", &json!({ "padID": "notes" }));
    assert!(!text.to_string().contains("Ada"), "{text}");
}

/// Members of a group's pad by a session of an erased author go, and do not come back.
fn sessions_admit_nobody(here: &Server, there: &Server) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let group = here.data("createGroup", &json!({}))["groupID"].take();
    let author = here.data("createAuthor", &json!({ "name": "Ada" }))["authorID"].take();
    let pad = json!({ "groupID": group, "padName": "plan", "text": "base" });
    let pad = here.data("createGroupPad", &pad)["padID"].take();
    let session = json!({
        "groupID": group, "authorID": author, "validUntil": 4_000_000_000_u64,
    });
    let session = here.data("createSession", &session)["sessionID"].take();
    let cookie = format!("sessionID={}; token={}", text(&session), token(1));
    let mut guest = Member::connect_with_cookie(here, &cookie);
    guest.ready(&json!({ "padId": pad }));
    guest.welcomed();
    assert_eq!(guest.author, text(&author));
    there.data("anonymizeAuthor", &json!({ "authorID": author }));
    let message = json!({ "type": "COLLABROOM", "component": "pad", "data": said("me again") });
    guest.try_send(&format!("42{}", json!(["message", message])));
    assert_eq!(sent_away(&mut guest), json!({ "disconnect": "rejected" }));
    for server in [here, there] {
        let mut again = Member::connect_with_cookie(server, &cookie);
        again.ready(&json!({ "padId": pad }));
        assert_eq!(again.message(), json!({ "accessStatus": "deny" }));
        let export = Request::get(&format!("/p/{}/export/txt", text(&pad)));
        let export = server.send(&export.header("cookie", &cookie));
        assert_ne!(export.status, 200);
    }
    let history = here.data("getChatHistory", &json!({ "padID": pad }));
    assert_eq!(history["messages"], json!([]));
}

#[test]
fn nobody_acts_as_an_erased_author_again() {
    let root = TempRoot::with_settings("erasure_for_good", ENABLED);
    let server = Server::start(&root);
    erased_for_good(&server, &server);
    sessions_admit_nobody(&server, &server);
    server.stop();
}

#[test]
fn nobody_acts_as_an_erased_author_again_on_postgres() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let settings = serde_json::from_str(ENABLED).unwrap();
    let root = crate::postgresql::root("erasure_postgres", &cluster.database(), settings);
    let server = Server::start(&root);
    erased_for_good(&server, &server);
    sessions_admit_nobody(&server, &server);
    server.stop();
}
