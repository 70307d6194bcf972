//! The server stops while people write.

use serde_json::json;

use crate::server::{Server, TempRoot};
use crate::socket::insert;
use crate::socket_client::{Member, token};

#[test]
fn members_are_informed_and_what_was_accepted_stays() {
    let root = TempRoot::new("socket_stop");
    let server = Server::start(&root);
    let mut ada = Member::join(&server, "notes", &token(1));
    let mut visitor = Member::connect(&server);
    ada.change(0, insert(ada.length(), "kept ", &ada.author.clone()));
    assert_eq!(ada.room("ACCEPT_COMMIT")["newRev"], 1);
    server.signal("TERM");
    ada.shout("The server stops");
    // Not told to stay away, so that it comes again by itself.
    assert_eq!(ada.packet(), None);
    // Who has not joined is refused with a reason, and stays away.
    assert_eq!(visitor.message()["disconnect"], "updateInProgress");
    assert_eq!(visitor.packet().as_deref(), Some("41"));
    assert_eq!(visitor.packet(), None);
    drop((ada, visitor));
    assert_eq!(server.wait(), (Some(0), String::new()));
    let server = Server::start(&root);
    let text = server.data("getText", &json!({ "padID": "notes" }));
    assert!(text["text"].as_str().unwrap().starts_with("kept "));
    server.stop();
}

#[test]
fn changes_under_way_are_stored_and_acknowledged() {
    let root = TempRoot::new("socket_stop_under_way");
    let server = Server::start(&root);
    let mut members: Vec<Member> = (0..8)
        .map(|person| Member::join(&server, "notes", &token(person)))
        .collect();
    for member in &mut members {
        member.change(0, insert(member.length(), "x", &member.author.clone()));
    }
    server.signal("TERM");
    let mut accepted = 0;
    for member in &mut members {
        while let Some(packet) = member.packet() {
            accepted += u64::from(packet.contains("ACCEPT_COMMIT"));
        }
    }
    drop(members);
    assert_eq!(server.wait(), (Some(0), String::new()));
    let server = Server::start(&root);
    // A change that had not been looked at is neither stored nor acknowledged.
    let stored = server.data("getRevisionsCount", &json!({ "padID": "notes" }));
    assert_eq!(stored["revisions"], accepted);
    server.stop();
}
