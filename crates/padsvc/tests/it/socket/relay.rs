//! What members can make the server say to others: fields that it has checked, and nothing else.

use serde_json::{Value, json};

use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

/// Next to a proper message, at every level of it.
fn with_extras(payload: Value) -> Value {
    let extras = |mut value: Value| {
        value["disconnect"] = json!("deleted");
        value["accessStatus"] = json!("deny");
        value["messageKey"] = json!("x");
        value
    };
    let data = extras(json!({ "type": "CLIENT_MESSAGE", "payload": extras(payload) }));
    extras(json!({ "component": "pad", "type": "COLLABROOM", "data": data }))
}

fn relayed(payload: Value) -> Value {
    let data = json!({ "type": "CLIENT_MESSAGE", "payload": payload });
    json!({ "component": "pad", "type": "COLLABROOM", "data": data })
}

/// The next message that members have sent one another.
fn heard(member: &mut Member) -> Value {
    loop {
        let message = member.message();
        if message["data"]["type"] == "CLIENT_MESSAGE" || message["type"] != "COLLABROOM" {
            return message;
        }
    }
}

#[test]
fn a_suggestion_carries_a_name_and_nothing_else() {
    let root = TempRoot::new("socket_suggestion");
    let server = Server::start(&root);
    let mut eve = Member::join(&server, "notes", &token(1));
    let mut bob = Member::join(&server, "notes", &token(2));
    let suggestion =
        json!({ "type": "suggestUserName", "unnamedId": bob.author, "newName": "Bob" });
    let asked = eve.ask(&with_extras(suggestion.clone()));
    assert_eq!(asked, Some(None));
    assert_eq!(heard(&mut bob), relayed(suggestion.clone()));
    for wrong in [
        json!(7),
        json!({ "disconnect": "deleted" }),
        json!("n".repeat(256)),
    ] {
        let mut suggestion = suggestion.clone();
        suggestion["newName"] = wrong;
        let asked = eve.ask(&with_extras(suggestion));
        assert!(matches!(asked, Some(Some(_))), "{asked:?}");
    }
    // Had one of them been passed on, it would come first.
    let mut last = suggestion;
    last["newName"] = json!("n".repeat(255));
    assert_eq!(eve.ask(&relayed(last.clone())), Some(None));
    assert_eq!(heard(&mut bob), relayed(last));
    drop((eve, bob));
    server.stop();
}

#[test]
fn options_are_sent_as_they_are_stored() {
    let root = TempRoot::new("socket_options_told");
    let server = Server::start(&root);
    let mut creator = Member::join(&server, "notes", &token(1));
    let mut bob = Member::join(&server, "notes", &token(2));
    let plain = creator.vars["initialOptions"]["view"].clone();
    for (sent, told) in [
        (
            json!({ "view": { "rtlIsTrue": true, "evil": "<b>" }, "showChat": false, "evil": 1 }),
            json!({ "view": { "rtlIsTrue": true }, "showChat": false }),
        ),
        (
            json!({ "lang": { "disconnect": "deleted" }, "view": ["x"], "showChat": "no" }),
            json!({ "lang": null, "view": plain, "showChat": true }),
        ),
        (json!(["x"]), json!({})),
    ] {
        let change = json!({ "type": "padoptions", "options": sent, "changedBy": { "a": "b" } });
        assert_eq!(creator.ask(&with_extras(change)), Some(None));
        let told = json!({ "type": "padoptions", "options": told, "changedBy": "" });
        assert_eq!(heard(&mut bob), relayed(told));
    }
    drop((creator, bob));
    server.stop();
}
