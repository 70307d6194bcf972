//! Settings of which only a running server shows whether they do what they say.

use serde_json::json;

use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

#[test]
fn names_of_pads_are_taken_in_lower_case_and_old_pads_keep_theirs() {
    let root = TempRoot::new("settings_lower_case");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "Old Plan", "text": "old" }));
    server.stop();
    root.write("settings.json", r#"{ "lowerCasePadIds": true }"#);
    let server = Server::start(&root);
    // Who opens one in a browser is led to the name it has.
    let leads_to = |name: &str| server.get(name).header("location").to_owned();
    assert_eq!(leads_to("/p/Meeting%20Notes"), "meeting_notes");
    assert_eq!(leads_to("/p?pad=Meeting"), "p/meeting");
    assert_eq!(server.get("/p/Old_Plan").status, 200);
    assert_eq!(leads_to("/p/Old%20Plan"), "Old_Plan");
    // By a socket and by the API it is the same pad, and can be deleted by the name it was opened by.
    let mut ada = Member::join(&server, "Meeting", &token(1));
    let calls = |function: &str, pad: &str| server.call(function, &json!({ "padID": pad }));
    assert_eq!(calls("getText", "MEETING")["code"], 0);
    assert_eq!(calls("createPad", "MeetinG")["code"], 1);
    ada.say(&json!({ "type": "PAD_DELETE", "data": { "padId": "Meeting" } }));
    assert_eq!(ada.until_disconnected(), "deleted");
    assert_eq!(calls("getText", "meeting")["code"], 1);
    assert_eq!(calls("getText", "Old Plan")["data"]["text"], "old\n");
    // The letters of a group's id mean something as they are.
    let group = server.data("createGroup", &json!({}))["groupID"].clone();
    let plan = json!({ "groupID": group, "padName": "Plan" });
    let plan = server.data("createGroupPad", &plan)["padID"].clone();
    let expected = format!("{}$plan", group.as_str().unwrap());
    assert_eq!(plan, expected.as_str());
    let copy = json!({ "sourceID": "Old_Plan", "destinationID": "New_Plan" });
    server.data("copyPad", &copy);
    let pads = server.data("listAllPads", &json!({}));
    assert_eq!(pads["padIDs"], json!(["Old_Plan", expected, "new_plan"]));
    drop(ada);
    server.stop();
}
