//! Several windows of one person in a pad: an extension that clients announce.

use serde_json::{Value, json};

use super::insert;
use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

fn ready(window: &str, more: Value) -> Value {
    let mut fields = json!({
        "padId": "notes", "token": token(1), "extensions": ["cursors", "windows"],
        "window": window,
    });
    if let (Value::Object(fields), Value::Object(more)) = (&mut fields, more) {
        fields.extend(more);
    }
    fields
}

fn open(server: &Server, window: &str) -> Member {
    let mut member = Member::connect(server);
    member.ready(&ready(window, json!({})));
    member.welcomed();
    member
}

fn start(name: &str) -> (TempRoot, Server) {
    let root = TempRoot::new(name);
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    (root, server)
}

fn text(server: &Server) -> Value {
    server.data("getText", &json!({ "padID": "notes" }))["text"].clone()
}

#[test]
fn both_windows_stay_and_others_see_one_person() {
    let (_root, server) = start("socket_windows");
    let mut stock = Member::join(&server, "notes", &token(2));
    let mut first = open(&server, "first");
    let mut second = open(&server, "second");
    assert_eq!(first.author, second.author);
    assert_eq!(first.vars["userColor"], second.vars["userColor"]);
    assert_eq!(first.vars["extensions"], json!(["cursors", "windows"]));
    assert!(first.vars["windowRecord"].is_string());
    assert_eq!(stock.vars.get("windowRecord"), None);
    // The same change on the same revision, and both count.
    for window in [&mut first, &mut second] {
        let author = window.author.clone();
        window.change(0, insert(5, "x", &author));
        window.room("ACCEPT_COMMIT");
    }
    assert_eq!(text(&server), "xxbase\n");
    let heard = stock.room("NEW_CHANGES");
    assert_eq!(heard["author"], first.author.as_str());

    first.say(&json!({ "type": "CURSOR", "rev": 2, "position": 1, "anchor": 1 }));
    let caret = second.room("CURSOR");
    assert_eq!(caret["author"], first.author.as_str());
    assert!(caret["window"].as_u64() > Some(0));
    let info = json!({ "userId": first.author, "name": "Ada", "colorId": "#123456" });
    first.say(&json!({ "type": "USERINFO_UPDATE", "userInfo": info }));
    while second.room("USER_NEWINFO")["userInfo"]["name"] != "Ada" {}
    let count = server.data("padUsersCount", &json!({ "padID": "notes" }));
    assert_eq!(count["padUsersCount"], 2);

    drop(first);
    let gone = second.room("CURSOR_GONE");
    assert_eq!(
        (&gone["author"], &gone["window"]),
        (&caret["author"], &caret["window"])
    );
    let author = second.author.clone();
    second.change(2, insert(7, "y", &author));
    second.room("ACCEPT_COMMIT");
    drop(second);
    // A client that knows nothing of windows hears of the person, and of its end once.
    let mut heard = Vec::new();
    while heard.last() != Some(&json!("USER_LEAVE")) {
        heard.push(stock.message()["data"]["type"].clone());
    }
    assert!(!heard.contains(&json!("CURSOR_GONE")));
    drop(stock);
    server.stop();
}

#[test]
fn a_window_that_comes_back_learns_which_revision_is_its_own() {
    let (_root, server) = start("socket_windows_back");
    let mut first = open(&server, "first");
    let mut second = open(&server, "second");
    for window in [&mut second, &mut first] {
        let author = window.author.clone();
        window.change(0, insert(5, "x", &author));
        window.room("ACCEPT_COMMIT");
    }
    let mut back = Member::connect(&server);
    back.ready(&ready(
        "first",
        json!({ "reconnect": true, "client_rev": 0 }),
    ));
    assert_eq!(first.until_disconnected(), "userdup");
    let own = [(); 2].map(|()| {
        let missed = back.room("CLIENT_RECONNECT");
        assert_eq!(missed["windowRecord"], first.vars["windowRecord"]);
        missed["own"].clone()
    });
    assert_eq!(own, [json!(false), json!(true)]);
    // Without news it learns that it is remembered, too.
    let mut again = Member::connect(&server);
    again.ready(&ready(
        "first",
        json!({ "reconnect": true, "client_rev": 2 }),
    ));
    let nothing = again.room("CLIENT_RECONNECT");
    assert_eq!(nothing["windowRecord"], first.vars["windowRecord"]);
    // Clients that name no window see nothing of it.
    drop(Member::join(&server, "notes", &token(2)));
    let mut stock = Member::connect(&server);
    stock.ready(&json!({
        "padId": "notes", "token": token(2), "reconnect": true, "client_rev": 0, "window": "first",
    }));
    let missed = stock.room("CLIENT_RECONNECT");
    assert_eq!(
        (missed.get("windowRecord"), missed.get("own")),
        (None, None)
    );
    drop((first, second, back, again, stock));
    server.stop();
}

#[test]
fn a_page_ends_windows_whose_drafts_it_takes_up() {
    let (_root, server) = start("socket_windows_end");
    let mut closed = open(&server, "closed");
    let mut heir = open(&server, "heir");
    let author = closed.author.clone();
    closed.change(0, insert(5, "sent ", &author));
    closed.room("ACCEPT_COMMIT");
    let end = json!({ "type": "END_WINDOWS", "windows": ["closed", "", 7, "unknown"] });
    heir.say(&end);
    assert_eq!(closed.until_disconnected(), "userdup");
    assert_eq!(heir.room("NEW_CHANGES")["newRev"], 1);
    let end = json!({ "component": "pad", "type": "COLLABROOM", "data": end });
    assert_eq!(heir.ask(&end), Some(None), "and again, with an answer");
    let mut next = Member::connect(&server);
    next.ready(&ready("next", json!({ "endWindows": ["heir"] })));
    next.welcomed();
    assert_eq!(heir.until_disconnected(), "userdup");
    assert_eq!(text(&server), "sent base\n");
    drop((closed, heir, next));
    server.stop();
}
