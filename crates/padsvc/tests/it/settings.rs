//! Settings of which only a running server shows whether they do what they say.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::access::routes;
use crate::client::Request;
use crate::logins::basic;
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
    // By a socket and by the API it is the same pad, and is deleted by the name it was opened by.
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

#[test]
fn the_admin_interface_is_described_as_it_is() {
    let settings = |enabled| {
        json!({
            "users": { "root": { "password": "root's", "is_admin": true } },
            "adminOpenAPI": { "enabled": enabled },
            "updates": { "tier": "manual" },
            "privacy": { "updateCheck": false },
        })
    };
    let login = basic("root", "root's");
    let ask = |server: &Server, method: &str, path: &str| {
        let request = Request::new(method, path).header("authorization", &login);
        server.send(&request)
    };
    let root = TempRoot::with_settings("settings_admin_openapi", &settings(false).to_string());
    let server = Server::start(&root);
    let off = ask(&server, "GET", "/admin/openapi.json");
    assert_eq!(off.status, 404);
    assert!(off.json()["error"].is_string());
    server.stop();
    root.write("settings.json", &settings(true).to_string());
    let server = Server::start(&root);
    assert_eq!(server.get("/admin/openapi.json").status, 401);
    let document = ask(&server, "GET", "/admin/openapi.json").json();
    let paths: BTreeMap<String, Value> = serde_json::from_value(document["paths"].clone()).unwrap();
    let described: Vec<&String> = paths.keys().collect();
    let there = routes::all();
    let there: Vec<&String> = there
        .iter()
        .filter(|route| route.starts_with("/admin/api/") || route.starts_with("/admin/update/"))
        .collect();
    assert_eq!(described, there);
    for (path, operations) in &paths {
        for method in ["get", "post", "put", "patch", "delete"] {
            let has_no_end = path == "/admin/api/live" && method == "get";
            let ends_all = path == "/admin/api/restart" && method == "post";
            if has_no_end || ends_all {
                continue;
            }
            let request = routes::request(&method.to_uppercase(), path, "nowhere");
            let status = ask(&server, &request.method, &request.target).status;
            let is_described = operations.get(method).is_some();
            assert_eq!(status != 405, is_described, "{method} {path}: {status}");
        }
    }
    server.stop();
}
