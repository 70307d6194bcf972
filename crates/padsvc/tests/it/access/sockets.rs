//! Every message of sockets.

use super::callers::Caller;
use super::*;
use crate::socket::insert;
use crate::socket_client::Member;

/// A message of each type that there is, in an order in which each can be sent. `PAD_DELETE` comes
/// last, for what it does.
fn messages(member: &Member, pad: &str) -> Vec<(&'static str, Value)> {
    let mut change = insert(member.length(), "x", &member.author);
    change["baseRev"] = json!(0);
    let room = |kind: &'static str, mut data: Value| {
        data["type"] = json!(kind);
        (
            kind,
            json!({ "component": "pad", "type": "COLLABROOM", "data": data }),
        )
    };
    let ask = |kind: &'static str, data: Value| {
        (
            kind,
            json!({ "component": "pad", "type": kind, "data": data }),
        )
    };
    let relay = |kind: &'static str, payload: Value| {
        let (_, message) = room("CLIENT_MESSAGE", json!({ "payload": payload }));
        (kind, message)
    };
    vec![
        ask(
            "CHANGESET_REQ",
            json!({ "start": 0, "granularity": 1, "requestID": 1 }),
        ),
        ask("REVISION_REQ", json!({ "rev": 0, "requestID": 2 })),
        ask(
            "ORIGIN_REQ",
            json!({ "rev": 0, "position": 0, "requestID": 3 }),
        ),
        ask("PERIODS_REQ", json!({ "requestID": 4 })),
        room("GET_CHAT_MESSAGES", json!({ "start": 0, "end": 1 })),
        room("CURSOR", json!({ "rev": 0, "position": 0, "anchor": 0 })),
        room("END_WINDOWS", json!({ "windows": ["gone"] })),
        room(
            "USERINFO_UPDATE",
            json!({ "userInfo": { "colorId": "#aabbcc", "name": "n" } }),
        ),
        room("CHAT_MESSAGE", json!({ "message": { "text": "hello" } })),
        room("SAVE_REVISION", json!({})),
        room("NAME_SAVED_REVISION", json!({ "rev": 0, "label": "n" })),
        room("SET_TITLE", json!({ "title": "n" })),
        relay(
            "suggestUserName",
            json!({ "type": "suggestUserName", "newName": "n", "unnamedId": "a.0123456789abcdef" }),
        ),
        relay(
            "padoptions",
            json!({ "type": "padoptions", "options": { "view": { "showChat": false } } }),
        ),
        room("USER_CHANGES", change),
        room("PAD_DELETE", json!({ "data": { "padId": pad } })),
    ]
}

/// What becomes of each message.
fn talk(server: &Server, caller: &Caller, pad: &str) -> Vec<(&'static str, String)> {
    let mut member = Member::connect_with(server, &caller.headers());
    member.ready(&json!({ "padId": pad, "extensions": ["cursors"] }));
    let message = member.message();
    if message["accessStatus"] == "deny" {
        assert!(member.is_closed());
        return vec![("CLIENT_READY", "denied".to_owned())];
    }
    assert_eq!(message["type"], "CLIENT_VARS", "{message}");
    member.take_vars(message);
    let mut outcomes = vec![("CLIENT_READY", "let in".to_owned())];
    for (kind, message) in messages(&member, pad) {
        let outcome = match member.ask(&message) {
            Some(None) => "done".to_owned(),
            Some(Some(text)) => text,
            None => "closed".to_owned(),
        };
        outcomes.push((kind, outcome));
    }
    outcomes
}

#[test]
fn messages_are_heard_from_whom_the_list_says() {
    for (name, signing_in) in SERVERS {
        let place = Place::one_server(&format!("access_sockets_{name}"), signing_in);
        compare(&place, name);
    }
}

#[test]
fn every_node_hears_messages_from_whom_the_list_says() {
    for (name, signing_in) in SERVERS {
        if let Some(place) = Place::two_nodes(&format!("access_talk_{name}"), signing_in) {
            compare(&place, name);
        }
    }
}

fn compare(place: &Place, name: &str) {
    let (callers, group) = callers::all(&place.made);
    // Per kind of pad and message, what each caller got.
    let mut cells: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for caller in &callers {
        let own = pads(&place.made, &group, &caller.name.replace(' ', "-"));
        for (kind, pad) in own {
            for (message, outcome) in talk(place.asked(), caller, &pad) {
                let title = format!("{kind}: {message}");
                let cell = (caller.name.to_owned(), outcome);
                match cells.iter_mut().find(|(known, _)| *known == title) {
                    Some((_, all)) => all.push(cell),
                    None => cells.push((title, vec![cell])),
                }
            }
        }
    }
    // By kind of pad, not by the caller who got there first.
    let kinds = pads(&place.made, &group, "last");
    let mut list = List::of(callers.len());
    for (kind, _) in kinds {
        for (title, all) in cells
            .iter()
            .filter(|(title, _)| title.split(": ").next() == Some(kind))
        {
            list.case(title, all);
        }
    }
    list.compare(&format!("sockets-{name}"));
}

#[test]
fn no_message_is_left_out() {
    let (server, _root) = start("access_messages", false);
    let mut member = Member::connect(&server);
    member.ready(&json!({ "padId": "plan" }));
    member.welcomed();
    let tried: Vec<&str> = messages(&member, "plan")
        .iter()
        .map(|(kind, _)| *kind)
        .collect();
    let wrappers = [
        "pad",
        "true",
        "CLIENT_READY",
        "COLLABROOM",
        "CLIENT_MESSAGE",
    ];
    for kind in marked("crates/sockets/src/message.rs", "Some(") {
        assert!(
            tried.contains(&kind.as_str()) || wrappers.contains(&kind.as_str()),
            "{kind} is not in the list"
        );
    }
}
