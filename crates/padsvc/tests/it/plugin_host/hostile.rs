//! Hostile plugins: whatever one does, the service goes on, and so do the others.

use plugin::hooks::HOOKS;
use serde_json::{Value, json};
use store::Location;

use super::{Written, chat, install, said, server_with, until};
use crate::client::Request;
use crate::logins::basic;
use crate::server::{Server, TempRoot};
use crate::socket::insert;
use crate::socket_client::{Member, token};

/// Each is a handler of `chatMessage`, unless it begins before one.
const SCRIPTS: &[(&str, &str)] = &[
    ("endless-loop", "on(() => { for (;;); });"),
    (
        "endless-memory",
        "on(() => { const all = []; for (;;) all.push(new Array(10000).fill(all.length)); });",
    ),
    (
        "deep-recursion",
        "on(() => { const f = (n) => 1 + f(n + 1); return f(0); });",
    ),
    (
        "slow-expression",
        r#"on(() => { /^(a+)+$/.test("a".repeat(60) + "b"); /(x*)*y/.test("x".repeat(60)); });"#,
    ),
    (
        "throws",
        "on(() => { throw new TypeError('<script>alert(1)</script>'); });",
    ),
    (
        "forges-a-line",
        r#"on(() => { throw new Error("no\n2001-01-01T00:00:00Z  INFO admin: forged"); });"#,
    ),
    ("rejects", "on(async () => { await null; throw null; });"),
    ("never-answers", "on(() => new Promise(() => {}));"),
    (
        "promise-loop",
        "on(() => { const f = () => Promise.resolve().then(f); return f(); });",
    ),
    (
        "log-flood",
        "on(() => { for (let i = 0; i < 1e6; i++) console.log('x'.repeat(1000)); throw 1; });",
    ),
    (
        "call-flood",
        "on(() => { for (let i = 0; i < 1e5; i++) padsvc.pads.list(); throw 1; });",
    ),
    ("huge-answer", "on(() => ({ text: 'x'.repeat(3e6) }));"),
    (
        "deep-answer",
        "on(() => { let a = []; for (let i = 0; i < 5000; i++) a = [a]; return a; });",
    ),
    ("other-answer", "on(() => [1, 2, 3]);"),
    (
        "prototypes",
        r#"
        on(() => {
            Object.prototype.refuse = "owned";
            Array.prototype.map = Array.prototype.push = () => { throw 1; };
            JSON.stringify = () => '{"text":"owned"}';
            Promise.prototype.then = () => 7;
            Object.defineProperty(Object.prototype, "id", { set() { throw 1; } });
            globalThis.padsvc = null;
            throw 1;
        });"#,
    ),
    (
        "not-granted",
        r#"on(async ({ padId }) => {
            await padsvc.pads.setText(padId, "mine now");
        });"#,
    ),
    (
        "no-storage",
        r#"on(async () => { await padsvc.storage.get("secret"); });"#,
    ),
    (
        "bad-start",
        "throw new Error('never starts'); on(() => {});",
    ),
    ("loops-at-start", "for (;;); on(() => {});"),
    (
        "reaches-out",
        r#"on(async () => { await padsvc.http.fetch("http://127.0.0.1:1/"); });"#,
    ),
];

fn hostile(name: &'static str, script: &str) -> Written {
    let on = "const on = (handler) => padsvc.on('chatMessage', handler);\n";
    Written {
        name,
        manifest: json!({ "permissions": ["chat", "pads:read"], "hooks": ["chatMessage"] }),
        server: format!("{on}{script}"),
        client: None,
    }
}

/// Has every hook there is, and throws in each.
fn throws_everywhere() -> Written {
    let names = HOOKS.iter().map(|row| row.name);
    let handlers = names
        .clone()
        .map(|name| format!("padsvc.on('{name}', () => {{ throw new Error('in {name}'); }});\n"));
    Written {
        name: "throws-everywhere",
        manifest: json!({
            "permissions": [
                "pads:read", "pads:write", "chat", "authors:names", "routes", "storage", "timers",
            ],
            "hooks": names.collect::<Vec<_>>(),
            "api": { "fail": "Fails." },
        }),
        server: handlers.collect(),
        client: Some("export default 1;"),
    }
}

/// Answers with what it keeps, as often as it is asked.
fn well_behaved() -> Written {
    Written {
        name: "well-behaved",
        manifest: json!({
            "permissions": ["routes", "storage"], "hooks": ["request"],
            "budgets": { "request": 10000 },
        }),
        server: r#"
            padsvc.on("request", async ({ path }) => {
                const before = (await padsvc.storage.get("secret")) || "";
                await padsvc.storage.set("secret", before + path);
                return { body: before };
            });
        "#
        .to_owned(),
        client: None,
    }
}

/// One message, and one more character: nobody is held up, and another plugin goes on.
fn talk(server: &Server, ada: &mut Member, round: usize) {
    assert_eq!(ada.ask(&chat(&format!("message {round}"))), Some(None));
    let last = said(server, "notes").pop();
    assert_eq!(last, Some(format!("message {round}")));
    let kept = server.get(&format!("/plugins/well-behaved/{round}"));
    let rounds: String = (0..round).map(|round| round.to_string()).collect();
    assert_eq!(kept.text(), rounds);
    let length = ada.length() + round;
    let author = ada.author.clone();
    ada.change(round as u64, insert(length, "a", &author));
    ada.accepted().unwrap();
}

/// What the admin area says of a plugin, once it is in that state.
fn told(server: &Server, name: &str, states: &[&str]) -> Result<String, String> {
    let listed = Request::get("/admin/api/plugins/installed");
    let listed = server.send(&listed.header("authorization", &basic("root", "root's")));
    let listed = listed.json();
    let mut plugins = listed["plugins"].as_array().unwrap().iter();
    let health = &plugins.find(|it| it["name"] == name).unwrap()["health"];
    match health["state"].as_str() {
        Some(state) if states.contains(&state) => {
            Ok(health["reason"].as_str().unwrap_or_default().to_owned())
        }
        _ => Err(format!("{name}: {health}")),
    }
}

fn hostile_server() -> Server {
    let users = json!({ "root": { "password": "root's", "is_admin": true } });
    let settings = json!({ "users": users }).to_string();
    let root = TempRoot::with_settings("plugin_hostile", &settings);
    std::fs::create_dir(root.path("var")).unwrap();
    let hostile = SCRIPTS.iter().map(|(name, script)| hostile(name, script));
    let others = [throws_everywhere(), well_behaved()];
    let plugins: Vec<Written> = hostile.chain(others).collect();
    install(Location::Embedded(root.path("var/padsvc.db")), &plugins);
    Server::start(&root)
}

#[test]
fn hostile_plugins_hurt_nobody() {
    let server = hostile_server();
    let mut ada = Member::join(&server, "notes", &token(1));
    for round in 0..7 {
        talk(&server, &mut ada, round);
    }
    // Those that fail when they run are switched off and do not run again; the log and the admin
    // area say so.
    let names = SCRIPTS.iter().map(|(name, _)| *name);
    for name in names.chain(["throws-everywhere"]) {
        if matches!(name, "bad-start" | "loops-at-start") {
            let reason = until(|| told(&server, name, &["waiting", "off"]));
            assert!(reason.contains("server.js: "), "{name}: {reason}");
            continue;
        }
        let reason = until(|| told(&server, name, &["off"]));
        let beginning = "switched off: 5 failures in a row, the last: ";
        assert!(reason.starts_with(beginning), "{name}: {reason}");
        let is_off = |line: &str| {
            line.contains(&format!("the plugin {name}")) && line.contains("switched off")
        };
        assert!(server.log().lines().any(is_off), "{name}: {}", server.log());
    }
    let forged = |line: &str| line.starts_with("2001");
    assert!(!server.log().lines().any(forged), "{}", server.log());
    assert_eq!(server.get("/plugins/throws-everywhere/").status, 502);
    let target = "/api/1.3.0/throws-everywhere.fail?apikey=";
    let failed = server.get(&format!("{target}{}", server.key)).json();
    assert_eq!(failed["code"], 2, "{failed}");
    // Nobody else writes into the log of a plugin that has nothing in pages.
    let report = Request::post("/plugins/well-behaved/report");
    let report = report.body("application/json", r#"{"message": "it broke"}"#);
    assert_eq!(server.send(&report).status, 404);
    let text = server.data("getText", &json!({ "padID": "notes" }));
    assert!(!text["text"].as_str().unwrap().contains("mine now"));
    assert_eq!(server.get("/health").status, 200);
    server.stop();
}

/// No worker of it runs before somebody asks for something.
#[test]
fn the_log_says_at_the_start_what_workers_can_reach() {
    let server = server_with("plugin_confined", &[well_behaved()]);
    until(|| match server.log().contains(" workers of plugins ") {
        true => Ok(()),
        false => Err(server.log()),
    });
    server.stop();
}

/// A connection may send ten in a second.
const CHANGES: u64 = 60;

/// Notices that a plugin cannot keep up with cost those who type nothing.
#[test]
fn a_plugin_falls_behind_alone() {
    let slow = Written {
        name: "slow",
        manifest: json!({
            "permissions": ["pads:read", "routes"], "hooks": ["padChanged", "request"],
        }),
        server: r#"
            let calls = 0, newest = 0, covered = true;
            padsvc.on("padChanged", ({ from, revision }) => {
                calls++;
                if (from > newest + 1) covered = false;
                newest = revision;
                const sum = [];
                for (let i = 0; i < 2e4; i++) sum.push(i);
            });
            padsvc.on("request", () => ({ body: JSON.stringify({ calls, newest, covered }) }));
        "#
        .to_owned(),
        client: None,
    };
    let server = server_with("plugin_behind", &[slow]);
    let mut ada = Member::join(&server, "notes", &token(1));
    let (length, author) = (ada.length(), ada.author.clone());
    for round in 0..CHANGES {
        ada.change(round, insert(length + round as usize, "a", &author));
        ada.accepted().unwrap();
    }
    let seen: Value = until(|| {
        let answer = server.send(&Request::get("/plugins/slow/state"));
        let seen: Value = serde_json::from_str(answer.text()).unwrap();
        if seen["newest"] == CHANGES {
            Ok(seen)
        } else {
            Err(seen.to_string())
        }
    });
    // Everything arrives, in fewer calls than changes.
    assert_eq!(seen["covered"], true, "{seen}");
    assert!(seen["calls"].as_u64().unwrap() < CHANGES, "{seen}");
    server.stop();
}
