//! Sockets that pages of other origins open, as Chromium sends them: with the visitor's cookies, an
//! `Origin`, and nothing else that tells where the page is from.

use serde_json::{Value, json};

use crate::client::{self, Request};
use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

type Headers<'a> = [(&'static str, &'a str)];
type Way = fn(&Server, &str, &Headers<'_>) -> Value;

/// The answer to somebody who comes to a pad by a websocket.
fn by_websocket(server: &Server, pad: &str, headers: &Headers<'_>) -> Value {
    let mut member = Member::connect_with(server, headers);
    member.ready(&json!({ "padId": pad }));
    member.message()
}

/// The same, by polling.
fn by_polling(server: &Server, pad: &str, headers: &Headers<'_>) -> Value {
    let target = "/socket.io/?EIO=4&transport=polling";
    let send = |mut request: Request| {
        for (name, value) in headers {
            request = request.header(name, value);
        }
        client::send(&server.address, &request).text().to_owned()
    };
    let open = send(Request::get(target));
    let id = open.split('"').nth(3).unwrap();
    let target = format!("{target}&sid={id}");
    let ready = json!({ "component": "pad", "type": "CLIENT_READY", "padId": pad });
    for packet in ["40", &format!("42{}", json!(["message", ready]))] {
        assert_eq!(
            send(Request::post(&target).body("text/plain", packet)),
            "ok"
        );
    }
    let message = loop {
        let answer = send(Request::get(&target));
        let mut packets = answer.split('\u{1e}');
        if let Some(event) = packets.find_map(|packet| packet.strip_prefix("42")) {
            break serde_json::from_str::<Value>(event).unwrap()[1].take();
        }
    };
    // It leaves, so that the server does not wait for its next poll.
    send(Request::post(&target).body("text/plain", "1"));
    message
}

#[test]
fn pages_of_other_origins_get_none_of_the_visitors_credentials() {
    let root = TempRoot::new("socket_origins");
    let server = Server::start(&root);
    let group = server.data("createGroup", &json!({}))["groupID"].clone();
    let ada = server.data("createAuthor", &json!({}))["authorID"].clone();
    let plan = json!({ "groupID": group, "padName": "plan" });
    let plan = server.data("createGroupPad", &plan)["padID"].clone();
    let plan = plan.as_str().unwrap();
    let session = json!({ "groupID": group, "authorID": ada, "validUntil": 4_000_000_000_u64 });
    let session = server.data("createSession", &session)["sessionID"].clone();
    let visitor = Member::join(&server, "diary", &token(1));
    let author = visitor.author.clone();
    drop(visitor);
    let cookies = format!(
        "token={}; sessionID={}",
        token(1),
        session.as_str().unwrap()
    );
    let cookies = ("cookie", cookies.as_str());

    let (host, port) = server.address.split_once(':').unwrap();
    let own = format!("http://{}", server.address);
    let other_port = format!("http://{host}:{}", port.parse::<u16>().unwrap() ^ 1);
    let other_name = format!("http://pads.localhost:{port}");
    let others = [&other_port, &other_name, "https://evil.example", "null"];
    // The client of these tests calls the server by another name when it polls.
    let ways: [(&str, Way); 2] = [(&own, by_websocket), ("http://pads", by_polling)];
    for (own, way) in ways {
        let come = |pad: &str, headers: &Headers<'_>| way(&server, pad, headers);
        for ours in [&[cookies][..], &[cookies, ("origin", own)]] {
            let vars = come(plan, ours);
            assert_eq!(vars["data"]["userId"], ada, "{ours:?}");
            let vars = come("diary", ours);
            assert_eq!(vars["data"]["userId"], author.as_str(), "{ours:?}");
        }
        for origin in others {
            let theirs = [cookies, ("origin", origin)];
            let answer = come(plan, &theirs);
            assert_eq!(answer, json!({ "accessStatus": "deny" }), "{origin}");
            let answer = come("diary", &theirs);
            assert_eq!(answer["type"], "CLIENT_VARS", "{origin}");
            assert_ne!(answer["data"]["userId"], author.as_str(), "{origin}");
            assert_eq!(answer["data"]["canDeleteWithoutToken"], false, "{origin}");
        }
    }

    let mut page = Member::connect_with(&server, &[cookies, ("origin", &other_port)]);
    page.ready(&json!({ "padId": "diary" }));
    page.welcomed();
    page.say(&json!({ "type": "PAD_DELETE", "data": { "padId": "diary" } }));
    page.shout("pad.deletionToken.notCreator");
    drop(page);
    server.stop();
}

#[test]
fn a_proxy_that_renames_the_server_needs_a_setting() {
    let own = "https://pads.example";
    let cookies = format!("token={}", token(1));
    let forwarded = ("x-forwarded-host", "pads.example");
    for (name, settings, headers, is_visitor) in [
        ("none", json!({}), vec![], false),
        ("untrusted", json!({}), vec![forwarded], false),
        ("public", json!({ "publicURL": own }), vec![], true),
        (
            "forwarded",
            json!({ "trustProxy": true }),
            vec![forwarded],
            true,
        ),
    ] {
        let root = TempRoot::with_settings(&format!("socket_proxy_{name}"), &settings.to_string());
        let server = Server::start(&root);
        let visitor = Member::join(&server, "diary", &token(1));
        let author = visitor.author.clone();
        drop(visitor);
        let mut headers = headers;
        headers.extend([("cookie", cookies.as_str()), ("origin", own)]);
        let vars = by_websocket(&server, "diary", &headers);
        assert_eq!(
            vars["data"]["userId"] == author.as_str(),
            is_visitor,
            "{name}"
        );
        server.stop();
    }
}
