//! Hostile people: who floods a plugin or makes it fail passes nothing by that.

use serde_json::json;

use super::{Written, chat, said, server_with, until};
use crate::client::exchange;
use crate::socket_client::{Member, token};

/// One client sends no more requests to plugins than others could stand.
#[test]
fn requests_to_plugins_are_limited() {
    let server = server_with("plugin_limited", &[]);
    // All at once: on a busy machine one after another would come slower than the limit.
    let request = "GET /plugins/none/page HTTP/1.1\r\nhost: pads\r\n\r\n";
    let message = "POST /plugins/none/message HTTP/1.1\r\nhost: pads\r\nconnection: close\r\n\
                   content-length: 2\r\n\r\n{}";
    let requests = request.repeat(1_000) + message;
    let answers = exchange(&server.address, requests.as_bytes());
    let answers = String::from_utf8(answers).unwrap();
    let statuses: Vec<&str> = answers
        .match_indices("HTTP/1.1 ")
        .filter_map(|(place, found)| answers.get(place + found.len()..)?.split(' ').next())
        .collect();
    assert_eq!(statuses.len(), 1_001);
    assert_eq!(statuses.first(), Some(&"404"));
    assert_eq!(statuses[999..], ["429", "429"], "{statuses:?}");
    server.stop();
}

/// Refuses nothing by itself, and fails when it is asked to.
fn strict() -> Written {
    Written {
        name: "strict",
        manifest: json!({
            "permissions": ["chat", "authors:names", "pads:read"],
            "hooks": ["chatMessage", "memberNamed", "access"],
            "budgets": { "chatMessage": 250, "memberNamed": 250, "access": 250 },
            "onFailure": { "chatMessage": "refuse", "memberNamed": "refuse", "access": "refuse" },
        }),
        server: r#"
            const failing = (text) => { if (text.includes("fail")) throw new Error("asked to"); };
            padsvc.on("chatMessage", ({ text }) => failing(text));
            padsvc.on("memberNamed", ({ name }) => failing(name));
            padsvc.on("access", ({ padId }) => failing(padId));
        "#
        .to_owned(),
        client: None,
    }
}

/// Who makes a plugin fail passes nothing by that, however often, and nobody else suffers from it.
#[test]
fn what_a_plugin_must_check_does_not_pass_without_it() {
    let server = server_with("plugin_strict", &[strict()]);
    let unchecked = "refused: it could not be checked, try again in a moment";
    // On a busy machine a plugin may be late, and then it refuses what it would let pass.
    let mut ada = until(|| {
        let mut ada = Member::connect(&server);
        let extensions = json!(["plugins"]);
        ada.ready(&json!({ "padId": "notes", "token": token(1), "extensions": extensions }));
        let first = ada.message();
        if first["type"] != "CLIENT_VARS" {
            return Err(first.to_string());
        }
        Ok(ada)
    });
    for _ in 0..7 {
        let problem = ada.ask(&chat("let me fail"));
        assert_eq!(problem, Some(Some(unchecked.to_owned())));
    }
    until(|| match ada.ask(&chat("hello")) {
        Some(None) => Ok(()),
        other => Err(format!("{other:?}")),
    });
    assert_eq!(said(&server, "notes"), ["hello"]);
    let user = json!({ "name": "fail", "colorId": "#ff0000" });
    let data = json!({ "type": "USERINFO_UPDATE", "userInfo": user });
    let named = json!({ "component": "pad", "type": "COLLABROOM", "data": data });
    assert_eq!(ada.ask(&named), Some(Some(unchecked.to_owned())));
    let mut bob = Member::connect(&server);
    bob.ready(&json!({ "padId": "fail", "token": token(2) }));
    let answer = bob.message().to_string();
    assert!(answer.contains("refused.unchecked"), "{answer}");
    assert_eq!(server.get("/p/fail/export/txt").status, 503);
    assert!(!server.log().contains("switched off"), "{}", server.log());
    server.stop();
}

/// Who ends the worker by a request to a route refuses nobody anything by that.
#[test]
fn a_route_that_ends_its_worker_leaves_those_who_decide_alone() {
    let plugin = Written {
        name: "fragile",
        manifest: json!({
            "permissions": ["chat", "routes"],
            "hooks": ["chatMessage", "request"],
            "budgets": { "chatMessage": 250, "request": 10_000 },
            "onFailure": { "chatMessage": "refuse" },
        }),
        server: r#"
            padsvc.on("chatMessage", ({ text }) => ({ text: `checked ${text}` }));
            padsvc.on("request", async ({ path }) => {
                while (path === "spin") await null;
                return { body: "well" };
            });
        "#
        .to_owned(),
        client: None,
    };
    let server = server_with("plugin_fragile", &[plugin]);
    let mut ada = Member::join(&server, "notes", &token(1));
    until(|| match ada.ask(&chat("0")) {
        Some(None) => Ok(()),
        other => Err(format!("{other:?}")),
    });
    for round in 1..4 {
        assert_eq!(server.get("/plugins/fragile/spin").status, 502);
        assert_eq!(ada.ask(&chat(&round.to_string())), Some(None), "{round}");
    }
    let said = said(&server, "notes");
    assert_eq!(said, ["checked 0", "checked 1", "checked 2", "checked 3"]);
    // What has ended comes back.
    until(|| match server.get("/plugins/fragile/page").text() {
        "well" => Ok(()),
        other => Err(other.to_owned()),
    });
    server.stop();
}
