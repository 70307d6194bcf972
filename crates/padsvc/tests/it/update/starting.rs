//! What a start makes of what it finds.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Instant;

use serde_json::json;

use crate::server::{Server, TempRoot};
use crate::update::installation::{Installation, PATIENCE};
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
fn a_feed_that_cannot_be_reached_is_one_quiet_line() {
    let root = TempRoot::new("update_no_feed");
    // As it is without any settings, but for the address: tests stay on this machine.
    let server = Server::start(&root);
    let lines = || -> Vec<String> {
        let log = server.log();
        let about = log.lines().filter(|line| line.contains("looked for"));
        about.map(str::to_owned).collect()
    };
    let end = Instant::now() + PATIENCE;
    while lines().len() < 2 && Instant::now() < end {
        std::thread::yield_now();
    }
    let lines = lines();
    let [plan, outcome] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    let address = "releases are looked for at https://localhost:1/no-feed/releases/latest, every 6";
    assert!(plan.contains(" INFO ") && plan.contains(address), "{plan}");
    let why = "no release could be looked for: ";
    assert!(
        outcome.contains(" INFO ") && outcome.contains(why),
        "{outcome}"
    );
    server.stop();
}

#[test]
fn the_update_server_is_asked_unless_that_is_switched_off() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut here = Installation::new("legacy", json!({ "tier": "off" }));
    here.settings["updateServer"] = json!(format!("http://{}", server.local_addr().unwrap()));
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let mut request = [0; 1024];
        let count = stream.read(&mut request).unwrap();
        let answer = "HTTP/1.1 200 OK\r\ncontent-length: 25\r\n\r\n{\"latestVersion\":\"1.0.9\"}";
        stream.write_all(answer.as_bytes()).unwrap();
        (
            server,
            String::from_utf8_lossy(&request[..count]).into_owned(),
        )
    });
    here.start();
    let (server, request) = answering.join().unwrap();
    assert!(
        request.starts_with("GET /info.json HTTP/1.1\r\n"),
        "{request}"
    );
    here.until("a line", || {
        here.log()
            .contains("version 1.0.9 is out; 1.0.0 is running")
    });
    here.variables
        .push(("PRIVACY_UPDATE_CHECK".to_owned(), "false".to_owned()));
    here.restart();
    here.until("a line", || {
        here.log().contains("the update server is not asked")
    });
    server.set_nonblocking(true).unwrap();
    assert!(server.accept().is_err());
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
