//! `session`.

use serde_json::{Value, json};

use super::{answer, both_ways, refused, said};
use crate::server::{Server, TempRoot};

#[test]
fn somebody_is_let_into_the_pads_of_a_group() {
    let root = TempRoot::new("session");
    let server = Server::start(&root);
    let dry = said(&root, "session --group physics --author ada --dry-run");
    assert!(dry.starts_with("would let ada into the pads of physics until "));
    assert_eq!(
        server.data("listAllGroups", &json!({}))["groupIDs"],
        json!([])
    );
    let line = "session --group physics --author ada --name Ada --pad notes --hours 2";
    let (data, code) = answer(&root, line);
    assert_eq!(code, 0, "{data}");
    let session = json!({"sessionID": data["sessionID"]});
    let info = server.data("getSessionInfo", &session);
    for key in ["groupID", "authorID", "validUntil"] {
        assert_eq!(info[key], data[key]);
    }
    let name = server.data("getAuthorName", &json!({"authorID": data["authorID"]}));
    assert_eq!(name["authorName"], "Ada");
    server.data("getText", &json!({"padID": data["padID"]}));
    // The names are the application's: the same group, author and pad again.
    let (again, _) = answer(&root, line);
    for key in ["groupID", "authorID", "padID"] {
        assert_eq!(again[key], data[key]);
    }
    assert_ne!(again["sessionID"], data["sessionID"]);
    server.stop();
}

#[test]
fn a_session_that_is_over_at_once_is_refused() {
    both_ways(
        "session_over",
        "{}",
        |_| {},
        |root| {
            let line = "session --group a --author b --hours 0";
            assert_eq!(refused(root, line), "validUntil is in the past");
            let (data, code) = answer(root, line);
            assert_eq!((&data["ok"], code), (&Value::Bool(false), 1));
        },
    );
}
