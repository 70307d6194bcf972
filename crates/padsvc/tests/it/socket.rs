//! Editing over real sockets: what two people see of each other, and of the API.

mod batches;
mod bounds;
mod carets;
mod classroom;
mod crash;
mod follower;
mod garbage;
mod origins;
mod past;
mod relay;
mod sessions;
mod stopping;
mod templates;
mod titles;
mod unread;
mod vectors;
mod windows;

use serde_json::{Value, json};

use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

pub(crate) fn insert(length: usize, text: &str, author: &str) -> Value {
    let pool = json!({ "numToAttrib": { "0": ["author", author] }, "nextNum": 1 });
    let units = text.encode_utf16().count();
    let changeset = format!(
        "Z:{}>{}*0+{}${text}",
        base36(length),
        base36(units),
        base36(units)
    );
    json!({ "changeset": changeset, "apool": pool })
}

fn base36(number: usize) -> String {
    changeset::print_number(number)
}

#[test]
fn two_people_write_together() {
    let root = TempRoot::new("socket_two_people");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    let mut ada = Member::join(&server, "notes", &token(1));
    let mut bob = Member::join(&server, "notes", &token(2));
    assert_eq!(
        ada.vars["collab_client_vars"]["initialAttributedText"]["text"],
        "base\n"
    );
    assert_eq!(ada.vars["collab_client_vars"]["rev"], 0);
    assert_eq!(
        ada.room("USER_NEWINFO")["userInfo"]["userId"],
        bob.author.as_str()
    );
    assert_eq!(
        bob.room("USER_NEWINFO")["userInfo"]["userId"],
        ada.author.as_str()
    );

    // Both write at the same place on the same revision; the one stored first stays in front.
    ada.change(0, insert(5, "X", &ada.author.clone()));
    assert_eq!(ada.room("ACCEPT_COMMIT")["newRev"], 1);
    bob.change(0, insert(5, "Y", &bob.author.clone()));
    let heard = bob.room("NEW_CHANGES");
    assert_eq!(
        (&heard["newRev"], &heard["changeset"]),
        (&json!(1), &json!("Z:5>1*0+1$X"))
    );
    assert_eq!(heard["author"], ada.author.as_str());
    assert_eq!(bob.room("ACCEPT_COMMIT")["newRev"], 2);
    let heard = ada.room("NEW_CHANGES");
    assert_eq!(
        (&heard["newRev"], &heard["changeset"]),
        (&json!(2), &json!("Z:6>1=1*0+1$Y"))
    );
    assert_eq!(
        server.data("getText", &json!({ "padID": "notes" }))["text"],
        "XYbase\n"
    );

    // The API writes through the same writer, and is heard at once.
    server.data("appendText", &json!({ "padID": "notes", "text": "!" }));
    for member in [&mut ada, &mut bob] {
        let heard = member.room("NEW_CHANGES");
        assert_eq!(
            (&heard["newRev"], &heard["author"]),
            (&json!(3), &json!("a.padsvc-system"))
        );
    }
    assert_eq!(
        server.data("padUsersCount", &json!({ "padID": "notes" }))["padUsersCount"],
        2
    );
    drop((ada, bob));
    server.stop();
}

#[test]
fn an_emoji_cut_in_half_is_carried() {
    let root = TempRoot::new("socket_half_emoji");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "😀" }));
    let mut ada = Member::join(&server, "notes", &token(1));
    let mut bob = Member::join(&server, "notes", &token(2));
    // From U+1F600 to U+1F601 by its second half alone, as browsers send it.
    let pool = format!(
        r#"{{"numToAttrib":{{"0":["author","{}"]}},"nextNum":1}}"#,
        ada.author
    );
    ada.raw_change(&format!(
        r#"{{"type":"USER_CHANGES","baseRev":0,"changeset":"Z:3>0=1-1*0+1$\ude01","apool":{pool}}}"#
    ));
    assert_eq!(ada.room("ACCEPT_COMMIT")["newRev"], 1);
    assert!(
        bob.raw_room("NEW_CHANGES")
            .contains(r#""changeset":"Z:3>0=1-1*0+1$\ude01""#)
    );
    assert_eq!(
        server.data("getText", &json!({ "padID": "notes" }))["text"],
        "😁\n"
    );
    drop((ada, bob));
    server.stop();
}

#[test]
fn wrong_changes_end_the_connection_and_change_nothing() {
    let root = TempRoot::new("socket_wrong_changes");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    let mut witness = Member::join(&server, "notes", &token(9));
    for (number, wrong) in [
        json!({ "baseRev": 0, "changeset": "nonsense", "apool": { "numToAttrib": {} } }),
        json!({ "baseRev": 7, "changeset": "Z:5>0$", "apool": { "numToAttrib": {} } }),
        json!({ "baseRev": "0", "changeset": "Z:5>0$", "apool": { "numToAttrib": {} } }),
        json!({ "baseRev": 0, "changeset": "Z:5>1+1$x", "apool": { "numToAttrib": {} } }),
        json!({ "baseRev": 0, "changeset": "Z:5<5|1-5$", "apool": { "numToAttrib": {} } }),
        json!({ "baseRev": 0, "changeset": "Z:5<1-1$" }),
        json!({}),
    ]
    .into_iter()
    .enumerate()
    {
        let mut member = Member::join(&server, "notes", &token(20 + number));
        member.change(0, wrong.clone());
        assert_eq!(member.until_disconnected(), "badChangeset", "{wrong}");
        assert!(member.is_closed(), "{wrong}");
    }
    assert_eq!(
        server.data("getText", &json!({ "padID": "notes" }))["text"],
        "base\n"
    );
    witness.change(0, insert(5, "ok", &witness.author.clone()));
    assert_eq!(witness.room("ACCEPT_COMMIT")["newRev"], 1);
    drop(witness);
    server.stop();
}

#[test]
fn who_was_away_hears_what_was_missed() {
    let root = TempRoot::new("socket_reconnect");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    for person in [1, 2] {
        drop(Member::join(&server, "notes", &token(person)));
    }
    for text in ["a", "b", "c"] {
        server.data("appendText", &json!({ "padID": "notes", "text": text }));
    }
    let mut back = Member::connect(&server);
    back.ready(&json!({ "padId": "notes", "token": token(1), "reconnect": true, "client_rev": 1 }));
    for rev in [2, 3] {
        let missed = back.room("CLIENT_RECONNECT");
        assert_eq!(
            (&missed["newRev"], &missed["headRev"]),
            (&json!(rev), &json!(3))
        );
    }
    server.data("appendText", &json!({ "padID": "notes", "text": "d" }));
    assert_eq!(back.room("NEW_CHANGES")["newRev"], 4);
    let mut again = Member::connect(&server);
    again
        .ready(&json!({ "padId": "notes", "token": token(2), "reconnect": true, "client_rev": 4 }));
    assert_eq!(again.room("CLIENT_RECONNECT")["noChanges"], true);
    let mut lost = Member::connect(&server);
    lost.ready(
        &json!({ "padId": "notes", "token": token(3), "reconnect": true, "client_rev": 99 }),
    );
    assert_eq!(lost.message()["disconnect"], "rejected");
    drop((back, again, lost));
    server.stop();
}

#[test]
fn chat_names_saved_revisions_and_messages_reach_everybody() {
    let root = TempRoot::new("socket_presence");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    let mut ada = Member::join(&server, "notes", &token(1));
    let mut bob = Member::join(&server, "notes", &token(2));
    ada.room("USER_NEWINFO");
    bob.say(
        &json!({ "type": "USERINFO_UPDATE", "userInfo": { "name": "Bob", "colorId": "#abc" } }),
    );
    let info = ada.room("USER_NEWINFO");
    assert_eq!(
        info["userInfo"],
        json!({
            "userId": bob.author, "name": "Bob", "colorId": "#abc",
        })
    );
    bob.say(&json!({ "type": "CHAT_MESSAGE", "message": { "text": "hello" } }));
    for member in [&mut ada, &mut bob] {
        let chat = member.room("CHAT_MESSAGE");
        assert_eq!(chat["message"]["text"], "hello");
        assert_eq!(chat["message"]["userName"], "Bob");
    }
    ada.say(&json!({ "type": "GET_CHAT_MESSAGES", "start": 0, "end": 0 }));
    assert_eq!(ada.room("CHAT_MESSAGES")["messages"][0]["text"], "hello");
    ada.say(&json!({ "type": "SAVE_REVISION" }));
    assert_eq!(bob.room("NEW_SAVEDREV")["savedRev"]["revNum"], 0);
    server.data(
        "sendClientsMessage",
        &json!({ "padID": "notes", "msg": "reload" }),
    );
    assert!(bob.room("reload")["time"].is_number());
    let users = server.data("padUsers", &json!({ "padID": "notes" }));
    assert!(
        users["padUsers"]
            .as_array()
            .unwrap()
            .iter()
            .any(|user| user["name"] == "Bob")
    );
    let bobs = bob.author.clone();
    drop(bob);
    assert_eq!(ada.room("USER_LEAVE")["userInfo"]["userId"], bobs.as_str());
    drop(ada);
    server.stop();
}

#[test]
fn readers_read_and_strangers_stay_outside() {
    let root = TempRoot::new("socket_access");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    let readonly = server.data("getReadOnlyID", &json!({ "padID": "notes" }));
    let readonly = readonly["readOnlyID"].as_str().unwrap();
    let mut reader = Member::join(&server, readonly, &token(1));
    assert_eq!(reader.vars["readonly"], true);
    assert!(
        !reader.vars.to_string().contains("notes"),
        "the real name is not told"
    );
    reader.change(0, insert(5, "x", &reader.author.clone()));
    reader.say(&json!({ "type": "GET_CHAT_MESSAGES", "start": 0, "end": 0 }));
    assert_eq!(reader.room("CHAT_MESSAGES")["messages"], json!([]));
    assert_eq!(
        server.data("getText", &json!({ "padID": "notes" }))["text"],
        "base\n"
    );

    let group = server.data("createGroup", &json!({}))["groupID"].clone();
    let author = server.data("createAuthor", &json!({ "name": "Ada" }))["authorID"].clone();
    let plan = server.data(
        "createGroupPad",
        &json!({ "groupID": group, "padName": "plan" }),
    );
    let plan = plan["padID"].as_str().unwrap();
    let mut stranger = Member::connect(&server);
    stranger.ready(&json!({ "padId": plan, "token": token(2) }));
    assert_eq!(stranger.message()["accessStatus"], "deny");
    let until = 4_000_000_000_u64;
    let session = server.data(
        "createSession",
        &json!({ "groupID": group, "authorID": author, "validUntil": until }),
    );
    let session = session["sessionID"].as_str().unwrap();
    let mut guest = Member::connect_with_cookie(&server, &format!("sessionID=s.other,{session}"));
    guest.ready(&json!({ "padId": plan, "token": token(2) }));
    let vars = guest.message();
    assert_eq!(vars["data"]["userId"], author);
    server.data("deleteSession", &json!({ "sessionID": session }));
    assert_eq!(guest.message()["accessStatus"], "deny");
    assert!(guest.is_closed());
    drop((reader, stranger, guest));
    server.stop();
}

#[test]
fn a_deleted_pad_sends_everybody_away() {
    let root = TempRoot::new("socket_deleted");
    let server = Server::start(&root);
    let mut ada = Member::join(&server, "fresh", &token(1));
    let mut bob = Member::join(&server, "fresh", &token(2));
    let secret = ada.vars["padDeletionToken"].as_str().unwrap().to_owned();
    assert_eq!(bob.vars["padDeletionToken"], Value::Null);
    bob.say(&json!({ "type": "PAD_DELETE", "data": { "padId": "fresh" } }));
    bob.shout("pad.deletionToken.notCreator");
    bob.say(&json!({
        "type": "PAD_DELETE", "data": { "padId": "fresh", "deletionToken": "wrong" },
    }));
    bob.shout("pad.deletionToken.invalid");
    bob.say(&json!({
        "type": "PAD_DELETE", "data": { "padId": "fresh", "deletionToken": secret },
    }));
    for member in [&mut ada, &mut bob] {
        assert_eq!(member.until_disconnected(), "deleted");
    }
    assert_eq!(server.data("listAllPads", &json!({}))["padIDs"], json!([]));
    drop((ada, bob));
    server.stop();
}

#[test]
fn the_same_person_twice_leaves_the_first_window() {
    let root = TempRoot::new("socket_duplicate");
    let server = Server::start(&root);
    let mut first = Member::join(&server, "notes", &token(1));
    let second = Member::join(&server, "notes", &token(1));
    assert_eq!(first.author, second.author);
    assert_eq!(first.until_disconnected(), "userdup");
    assert!(first.is_closed());
    drop((first, second));
    server.stop();
}
