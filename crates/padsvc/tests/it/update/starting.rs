//! What a start makes of what it finds.

use serde_json::json;

use crate::update::installation::Installation;
use crate::update::origin::Kind;

#[test]
fn a_state_that_cannot_be_read_is_set_aside() {
    let mut here = Installation::new("corrupt", json!({}));
    here.publish("1.1.0", Kind::Good);
    let var = here.root.join("var");
    std::fs::write(
        var.join("update-state.json"),
        "{\"schemaVersion\": 1, \"execution\": 7}",
    )
    .unwrap();
    here.start();
    here.until_known("v1.1.0");
    assert_eq!(here.status(), "idle");
    let names = std::fs::read_dir(&var).unwrap();
    let names: Vec<String> = names
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    let aside = names
        .iter()
        .find(|name| name.starts_with("update-state.json.corrupt-"));
    assert!(aside.is_some(), "{names:?}");
    assert!(here.update_log().contains("cannot be used"));
    here.stop();
}

#[test]
fn people_who_created_a_pad_learn_that_the_service_is_behind() {
    use crate::client::{self, Request};
    use crate::socket_client::Member;
    let mut here = Installation::new("outdated", json!({ "tier": "notify" }));
    here.publish("1.1.0", Kind::Good);
    here.start();
    here.until_known("v1.1.0");
    let ask = |query: &str, person: usize| {
        let token = crate::socket_client::token(person);
        let request = Request::get(&format!("/api/version-status{query}"));
        let answer = client::send(
            &here.address,
            &request.header("cookie", &format!("token={token}")),
        );
        assert_eq!(answer.status, 200);
        assert!(!answer.text().contains("1.0.0"));
        answer.json()
    };
    for person in [1, 2] {
        let mut member = Member::connect_to(&here.address, &[]).unwrap();
        let token = crate::socket_client::token(person);
        member.ready(&json!({ "padId": "notes", "token": token }));
        member.welcomed();
    }
    let nobody = json!({ "outdated": null, "isFirstAuthor": false });
    let first = json!({ "outdated": "minor", "isFirstAuthor": true });
    assert_eq!(ask("?padId=notes", 1), first);
    assert_eq!(ask("?padId=notes", 2), nobody);
    assert_eq!(ask("?padId=notes", 3), nobody);
    assert_eq!(ask("?padId=other", 1), nobody);
    assert_eq!(ask("", 1), nobody);
    // A patch is no reason to say anything.
    here.feed.offer("v1.0.1");
    here.restart();
    here.until_known("v1.0.1");
    let quiet = json!({ "outdated": null, "isFirstAuthor": true });
    let token = crate::socket_client::token(1);
    let request = Request::get("/api/version-status?padId=notes");
    let request = request.header("cookie", &format!("token={token}"));
    assert_eq!(client::send(&here.address, &request).json(), quiet);
    here.stop();
}
