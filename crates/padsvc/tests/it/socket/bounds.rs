//! What members can make a pad store, and so everybody who comes later receive.

use serde_json::{Value, json};

use super::insert;
use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

const HOSTILE: usize = 12;
/// As much as one message can carry.
const LONG: usize = 900_000;

fn in_room(data: &Value) -> Value {
    json!({ "component": "pad", "type": "COLLABROOM", "data": data })
}

fn renamed(name: &str) -> Value {
    let user = json!({ "name": name, "colorId": "#123456" });
    in_room(&json!({ "type": "USERINFO_UPDATE", "userInfo": user }))
}

/// An insert whose text carries an attribute with a value.
fn with_attribute(member: &Member, key: &str, value: &str) -> Value {
    let mut change = insert(5, "X", &member.author);
    change["changeset"] = json!("Z:5>1*0*1+1$X");
    change["apool"]["numToAttrib"]["1"] = json!([key, value]);
    change["apool"]["nextNum"] = json!(2);
    change["type"] = json!("USER_CHANGES");
    change["baseRev"] = json!(0);
    in_room(&change)
}

#[test]
fn twelve_hostile_authors_do_not_make_later_visits_large() {
    let root = TempRoot::new("socket_bounds");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    let before = Member::join(&server, "notes", &token(99))
        .vars
        .to_string()
        .len();
    let long = "n".repeat(LONG);
    for person in 0..HOSTILE {
        let mut member = Member::join(&server, "notes", &token(person));
        let problem = member.ask(&renamed(&long)).flatten();
        let expected = "name is longer than 255 characters";
        assert_eq!(problem.as_deref(), Some(expected));
        let writes = in_room(&{
            let mut change = insert(5 + person, "x", &member.author);
            change["type"] = json!("USER_CHANGES");
            change["baseRev"] = json!(person);
            change
        });
        assert_eq!(member.ask(&writes), Some(None));
        // A change that brings too much ends the connection, as every bad one does.
        let image = with_attribute(&member, "image", &long);
        assert_eq!(member.ask(&image), None);
    }
    let visit = Member::join(&server, "notes", &token(99))
        .vars
        .to_string()
        .len();
    let grown = visit - before;
    println!("a visit of {before} bytes has grown by {grown} bytes");
    assert!(grown < HOSTILE * 1_000, "{grown}");
}

#[test]
fn names_at_the_door_and_in_the_api_have_the_same_bound() {
    let root = TempRoot::new("socket_bounds_names");
    let server = Server::start(&root);
    let (longest, longer) = ("ä".repeat(255), "ä".repeat(256));
    let mut member = Member::connect(&server);
    let ready = |name: &str| {
        json!({
            "component": "pad", "type": "CLIENT_READY", "padId": "notes", "token": token(1),
            "userInfo": { "name": name, "colorId": "#123456" },
        })
    };
    let problem = member.ask(&ready(&longer)).flatten();
    assert_eq!(
        problem.as_deref(),
        Some("a name has at most 255 characters")
    );
    // Nothing of it has happened.
    let answer = server.call("getText", &json!({ "padID": "notes" }));
    assert_eq!(answer["message"], "padID does not exist");
    assert_eq!(member.ask(&ready(&longest)), Some(None));
    for (function, arguments, message) in [
        (
            "createAuthor",
            json!({ "name": longer }),
            "name is longer than 255 characters",
        ),
        (
            "createAuthorIfNotExistsFor",
            json!({ "authorMapper": "m".repeat(1_025) }),
            "authorMapper is longer than 1024 characters",
        ),
        (
            "createAuthorIfNotExistsFor",
            json!({ "authorMapper": "m", "name": longer }),
            "name is longer than 255 characters",
        ),
        (
            "createGroupIfNotExistsFor",
            json!({ "groupMapper": "m".repeat(1_025) }),
            "groupMapper is longer than 1024 characters",
        ),
    ] {
        let answer = server.call(function, &arguments);
        assert_eq!(
            (&answer["code"], &answer["message"]),
            (&json!(1), &json!(message))
        );
    }
    server.data("createAuthor", &json!({ "name": longest }));
}

#[test]
fn chat_messages_and_options_are_bounded() {
    let root = TempRoot::new("socket_bounds_rest");
    let server = Server::start(&root);
    let mut member = Member::join(&server, "notes", &token(1));
    let chat = |units: usize| {
        let message = json!({ "text": "t".repeat(units) });
        in_room(&json!({ "type": "CHAT_MESSAGE", "message": message }))
    };
    let problem = member.ask(&chat(10_001)).flatten();
    assert_eq!(problem.as_deref(), Some("text too long"));
    assert_eq!(member.ask(&chat(10_000)), Some(None));
    let options = json!({
        "lang": "l".repeat(LONG / 3),
        "view": { "padFontFamily": "f".repeat(LONG / 3) },
    });
    let payload = json!({ "type": "padoptions", "options": options });
    let set = in_room(&json!({ "type": "CLIENT_MESSAGE", "payload": payload }));
    assert_eq!(member.ask(&set), Some(None));
    let stored = Member::join(&server, "notes", &token(2)).vars["initialOptions"].take();
    assert!(stored.to_string().len() < 1_000, "{stored}");
}
