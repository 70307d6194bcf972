//! Hostile plugins: whatever one does, the service goes on, and so do the others.

use serde_json::{Value, json};

use super::{Written, chat, said, server_with, until};
use crate::client::Request;
use crate::server::Server;
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

#[test]
fn hostile_plugins_hurt_nobody() {
    let mut plugins: Vec<Written> = Vec::new();
    for (name, script) in SCRIPTS {
        plugins.push(hostile(name, script));
    }
    plugins.push(well_behaved());
    let server = server_with("plugin_hostile", &plugins);
    let mut ada = Member::join(&server, "notes", &token(1));
    for round in 0..7 {
        talk(&server, &mut ada, round);
    }
    // Those that fail when they run are switched off and do not run again.
    for (name, _) in SCRIPTS {
        let starts = !matches!(*name, "bad-start" | "loops-at-start");
        if starts {
            until(|| {
                let log = server.log();
                let is_off = |line: &str| {
                    line.contains(&format!("the plugin {name}")) && line.contains("switched off")
                };
                if log.lines().any(is_off) {
                    Ok(())
                } else {
                    Err(format!("{name}: {log}"))
                }
            });
        }
    }
    let text = server.data("getText", &json!({ "padID": "notes" }));
    assert!(!text["text"].as_str().unwrap().contains("mine now"));
    assert_eq!(server.get("/health").status, 200);
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
