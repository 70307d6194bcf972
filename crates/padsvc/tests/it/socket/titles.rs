//! Titles over sockets: for clients that know the extension, and for no others.

use serde_json::json;

use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

fn join(server: &Server, pad: &str, person: usize) -> Member {
    let mut member = Member::connect(server);
    member.ready(&json!({ "padId": pad, "token": token(person), "extensions": ["titles"] }));
    member.welcomed();
    member
}

fn room(data: serde_json::Value) -> serde_json::Value {
    json!({ "component": "pad", "type": "COLLABROOM", "data": data })
}

#[test]
fn two_people_name_a_pad_and_a_revision() {
    let root = TempRoot::new("socket_titles");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "team_notes" }));
    let mut ada = join(&server, "team_notes", 1);
    let mut bob = join(&server, "team_notes", 2);
    assert_eq!(ada.vars["extensions"], json!(["titles"]));
    assert_eq!(ada.vars["padTitle"], "team notes");
    assert_eq!(ada.vars["hasDefaultTitle"], true);

    ada.say(&json!({ "type": "SET_TITLE", "title": " What we\n<decided> " }));
    let title = json!({ "type": "TITLE", "title": "What we <decided>", "isDefault": false });
    for member in [&mut ada, &mut bob] {
        assert_eq!(member.room("TITLE"), title);
    }
    server.data("setTitle", &json!({ "padID": "team_notes", "title": "" }));
    let title = json!({ "type": "TITLE", "title": "team notes", "isDefault": true });
    assert_eq!(bob.room("TITLE"), title);

    bob.say(&json!({ "type": "SAVE_REVISION" }));
    ada.room("NEW_SAVEDREV");
    ada.say(&json!({ "type": "NAME_SAVED_REVISION", "rev": 0, "label": "Draft" }));
    let named = bob.room("SAVED_REVISIONS");
    assert_eq!(named["savedRevisions"][0]["label"], "Draft");
    assert_eq!(named["savedRevisions"][0]["revNum"], 0);

    for wrong in [
        json!({ "type": "SET_TITLE" }),
        json!({ "type": "SET_TITLE", "title": 7 }),
        json!({ "type": "SET_TITLE", "title": "x".repeat(201) }),
        json!({ "type": "NAME_SAVED_REVISION", "rev": 0 }),
        json!({ "type": "NAME_SAVED_REVISION", "rev": -1, "label": "x" }),
        json!({ "type": "NAME_SAVED_REVISION", "rev": 1, "label": "not saved" }),
        json!({ "type": "NAME_SAVED_REVISION", "rev": 0, "label": "x".repeat(256) }),
    ] {
        assert!(ada.ask(&room(wrong.clone())).unwrap().is_some(), "{wrong}");
    }
    let title = server.data("getTitle", &json!({ "padID": "team_notes" }));
    assert_eq!(title["title"], "team notes");
    drop((ada, bob));
    server.stop();
}

#[test]
fn a_visit_names_the_pad_that_it_creates_and_no_other() {
    let root = TempRoot::new("socket_titles_new");
    let server = Server::start(&root);
    for (title, shown) in [
        (json!(" What we\ndecided "), "What we decided"),
        (json!("another"), "What we decided"),
    ] {
        let mut member = Member::connect(&server);
        let extensions = json!(["titles"]);
        member.ready(&json!({
            "padId": "minutes", "token": token(1), "extensions": extensions, "title": title,
        }));
        member.welcomed();
        assert_eq!(member.vars["padTitle"], shown);
    }
    let mut member = Member::connect(&server);
    member.ready(&json!({ "padId": "odd", "token": token(1), "title": 7 }));
    member.welcomed();
    let title = server.data("getTitle", &json!({ "padID": "odd" }));
    assert_eq!(title, json!({ "title": "odd", "isDefault": true }));
    drop(member);
    server.stop();
}

#[test]
fn clients_that_do_not_know_titles_see_none() {
    let root = TempRoot::new("socket_no_titles");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes" }));
    server.data(
        "setTitle",
        &json!({ "padID": "notes", "title": "Secret plan" }),
    );
    let mut plain = Member::join(&server, "notes", &token(1));
    assert!(!plain.vars.to_string().contains("Secret plan"));
    assert_eq!(plain.vars["initialTitle"], "Pad: notes");
    server.data(
        "setTitle",
        &json!({ "padID": "notes", "title": "Other plan" }),
    );
    server.data("appendText", &json!({ "padID": "notes", "text": "!" }));
    loop {
        let message = plain.message();
        assert_ne!(message["data"]["type"], "TITLE");
        if message["data"]["type"] == "NEW_CHANGES" {
            break;
        }
    }
    drop(plain);
    server.stop();
}

#[test]
fn a_reader_learns_the_title_and_not_the_address() {
    let root = TempRoot::new("socket_read_title");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "hidden_name" }));
    let pad = json!({ "padID": "hidden_name" });
    let id = server.data("getReadOnlyID", &pad)["readOnlyID"].clone();
    let id = id.as_str().unwrap();
    let mut reader = join(&server, id, 1);
    assert_eq!(reader.vars["padTitle"], id);
    let refused = reader.ask(&room(json!({ "type": "SET_TITLE", "title": "mine" })));
    assert_eq!(
        refused.unwrap().unwrap(),
        "write attempt on a read-only pad"
    );
    let refused = json!({ "type": "NAME_SAVED_REVISION", "rev": 0, "label": "mine" });
    assert!(reader.ask(&room(refused)).unwrap().is_some());
    server.data(
        "setTitle",
        &json!({ "padID": "hidden_name", "title": "Shown" }),
    );
    assert_eq!(reader.room("TITLE")["title"], "Shown");
    server.data("setTitle", &json!({ "padID": "hidden_name", "title": "" }));
    assert_eq!(reader.room("TITLE")["title"], id);
    drop(reader);
    server.stop();
}

#[test]
fn who_was_away_learns_the_title() {
    let root = TempRoot::new("socket_title_back");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes" }));
    drop(join(&server, "notes", 1));
    server.data("setTitle", &json!({ "padID": "notes", "title": "New" }));
    server.data("saveRevision", &json!({ "padID": "notes" }));
    let mut back = Member::connect(&server);
    back.ready(&json!({
        "padId": "notes", "token": token(1), "reconnect": true, "client_rev": 0,
        "extensions": ["titles"],
    }));
    assert_eq!(back.room("CLIENT_RECONNECT")["noChanges"], true);
    assert_eq!(back.room("TITLE")["title"], "New");
    assert_eq!(
        back.room("SAVED_REVISIONS")["savedRevisions"][0]["revNum"],
        0
    );
    drop(back);
    server.stop();
}
