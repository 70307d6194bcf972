//! The right to be in a pad ends while somebody writes there.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::server::{Server, TempRoot};
use crate::socket::insert;
use crate::socket_client::{Member, token};

/// A group's pad, and a session for it that ends at that second.
fn group_pad(server: &Server, valid_until: u64) -> (String, String) {
    let group = server.data("createGroup", &json!({}))["groupID"].clone();
    let author = server.data("createAuthor", &json!({ "name": "Ada" }))["authorID"].clone();
    let pad = json!({ "groupID": group, "padName": "plan", "text": "base" });
    let pad = server.data("createGroupPad", &pad)["padID"].clone();
    let session = json!({ "groupID": group, "authorID": author, "validUntil": valid_until });
    let session = server.data("createSession", &session)["sessionID"].clone();
    let text = |value: Value| value.as_str().unwrap().to_owned();
    (text(pad), text(session))
}

/// A visit by a session that ends soon: in as few seconds as the machine takes to begin it.
struct ShortVisit {
    pad: String,
    short: String,
    /// A session of the same author that does not end.
    long: String,
    guest: Member,
}

fn short_visit(server: &Server) -> ShortVisit {
    let (pad, long) = group_pad(server, 4_000_000_000);
    let mut session = server.data("getSessionInfo", &json!({ "sessionID": long }));
    for seconds in [1, 2, 4, 8, 16, 32, 64] {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        session["validUntil"] = json!(now.as_secs() + 1 + seconds);
        let created = server.call("createSession", &session);
        let Some(short) = created["data"]["sessionID"].as_str() else {
            continue;
        };
        let mut guest = Member::connect_with_cookie(server, &format!("sessionID={short}"));
        guest.ready(&json!({ "padId": pad }));
        let message = guest.message();
        if message["type"] == "CLIENT_VARS" {
            guest.take_vars(message);
            let short = short.to_owned();
            return ShortVisit {
                pad,
                short,
                long,
                guest,
            };
        }
    }
    panic!("nobody gets in within a minute");
}

fn join(server: &Server, pad: &str, session: &str) -> Member {
    let mut member = Member::connect_with_cookie(server, &format!("sessionID={session}"));
    member.ready(&json!({ "padId": pad }));
    member.welcomed();
    member
}

#[test]
fn a_session_that_expires_cuts_the_editor_off() {
    let root = TempRoot::new("socket_session_expires");
    let server = Server::start(&root);
    let ShortVisit {
        pad,
        short: session,
        mut guest,
        ..
    } = short_visit(&server);
    // Nothing is said by either side until then.
    assert_eq!(guest.message(), json!({ "accessStatus": "deny" }));
    assert!(guest.is_closed());
    let mut again = Member::connect_with_cookie(&server, &format!("sessionID={session}"));
    again.ready(&json!({ "padId": pad }));
    assert_eq!(again.message(), json!({ "accessStatus": "deny" }));
    drop((guest, again));
    server.stop();
}

#[test]
fn an_expired_session_in_front_of_a_valid_one_does_not_matter() {
    let root = TempRoot::new("socket_session_list");
    let server = Server::start(&root);
    let ShortVisit {
        pad,
        short,
        long,
        guest: mut clock,
    } = short_visit(&server);
    // Who came with the short one alone is cut off when it ends.
    assert_eq!(clock.message(), json!({ "accessStatus": "deny" }));
    let mut guest = join(&server, &pad, &format!("{short},{long}"));
    assert_eq!(guest.author, clock.author);
    guest.change(0, insert(5, "in ", &guest.author.clone()));
    assert_eq!(guest.room("ACCEPT_COMMIT")["newRev"], 1);
    drop((clock, guest));
    server.stop();
}

#[test]
fn a_session_that_is_deleted_cuts_off_who_came_with_it_and_nobody_else() {
    let root = TempRoot::new("socket_session_deleted");
    let server = Server::start(&root);
    let (pad, session) = group_pad(&server, 4_000_000_000);
    let mut guest = join(&server, &pad, &session);
    let group = pad.split('$').next().unwrap();
    let other = server.data("createAuthor", &json!({ "name": "Bob" }))["authorID"].clone();
    let other = json!({ "groupID": group, "authorID": other, "validUntil": 4_000_000_000_u64 });
    let other = server.data("createSession", &other)["sessionID"].clone();
    let mut other = join(&server, &pad, other.as_str().unwrap());
    server.data("deleteSession", &json!({ "sessionID": session }));
    loop {
        let message = guest.message();
        if message["type"] != "COLLABROOM" {
            assert_eq!(message, json!({ "accessStatus": "deny" }));
            break;
        }
    }
    assert!(guest.is_closed());
    other.change(0, insert(5, "still here ", &other.author.clone()));
    assert_eq!(other.room("ACCEPT_COMMIT")["newRev"], 1);
    drop((guest, other));
    server.stop();
}

#[test]
fn settings_decide_who_may_come_and_who_may_create() {
    let settings = json!({ "requireSession": true, "cookie": { "prefix": "pads_" } });
    let root = TempRoot::with_settings("socket_require_session", &settings.to_string());
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "open", "text": "base" }));
    let mut stranger = Member::connect(&server);
    stranger.ready(&json!({ "padId": "open", "token": token(1) }));
    assert_eq!(stranger.message(), json!({ "accessStatus": "deny" }));
    let (pad, session) = group_pad(&server, 4_000_000_000);
    let cookie = format!("pads_sessionID={session}; pads_token={}", token(1));
    let mut guest = Member::connect_with_cookie(&server, &cookie);
    guest.ready(&json!({ "padId": pad }));
    guest.welcomed();
    drop((stranger, guest));
    server.stop();

    let root = TempRoot::with_settings("socket_edit_only", r#"{ "editOnly": true }"#);
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "there", "text": "base" }));
    let there = Member::join(&server, "there", &token(1));
    let mut creator = Member::connect(&server);
    creator.ready(&json!({ "padId": "not there", "token": token(1) }));
    assert_eq!(creator.message(), json!({ "accessStatus": "deny" }));
    let pads = server.data("listAllPads", &json!({}));
    assert_eq!(pads["padIDs"], json!(["there"]));
    drop((there, creator));
    server.stop();
}
