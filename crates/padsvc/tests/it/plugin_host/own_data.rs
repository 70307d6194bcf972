//! What a plugin keeps: its own and no other's, within bounds, and whole whatever becomes of its
//! worker.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::{Written, server_with, until};
use crate::server::Server;

fn keeper(name: &'static str, server: &str) -> Written {
    Written {
        name,
        manifest: json!({
            "permissions": ["routes", "storage", "timers"], "hooks": ["request", "timer"],
            "budgets": { "request": 10000 },
        }),
        server: server.to_owned(),
        client: None,
    }
}

/// Keeps a secret.
const HONEST: &str = r#"
    padsvc.on("timer", () => {});
    padsvc.on("request", async ({ path }) => {
        if (path === "keep") await padsvc.storage.set("secret", "of honest");
        return { body: String(await padsvc.storage.get("secret")) };
    });
"#;

/// Looks for it, in its own storage and in what others might have, and takes all room there is.
const THIEF: &str = r#"
    padsvc.on("timer", () => {});
    const keys = ["secret", "honest", "honest/secret", "honest\0secret", "../honest/secret", "%",
        "' OR plugin = 'honest", "constructor", "__proto__"];
    const until = async (call) => {
        for (let i = 0; i < 300; i++) {
            try { await call(i); } catch (error) { return `${i}: ${error.message}`; }
        }
    };
    padsvc.on("request", async () => {
        const found = [];
        for (const key of keys) found.push(await padsvc.storage.get(key));
        found.push(...(await padsvc.storage.list()).keys);
        for (const key of keys) {
            found.push(...(await padsvc.storage.list(key)).keys);
            await padsvc.storage.delete(key);
            await padsvc.timers.cancel(key);
        }
        const large = "x".repeat(60000);
        const values = await until((i) => padsvc.storage.set(`value ${i}`, large));
        const timers = await until((i) => padsvc.timers.every(`timer\0${i}`, 3600));
        return { body: JSON.stringify({ found, values, timers }) };
    });
"#;

#[test]
fn a_plugin_reaches_its_own_data_only() {
    let plugins = [keeper("honest", HONEST), keeper("thief", THIEF)];
    let server = server_with("plugin_thief", &plugins);
    assert_eq!(server.get("/plugins/honest/keep").text(), "of honest");
    let stolen = server.get("/plugins/thief/all").json();
    let nothing = vec![Value::Null; 9];
    assert_eq!(stolen["found"].as_array().unwrap(), &nothing);
    assert_eq!(stolen["values"], "17: the plugin's storage is full");
    assert_eq!(stolen["timers"], "100: the plugin has too many timers");
    assert_eq!(server.get("/plugins/honest/look").text(), "of honest");
    server.stop();
}

/// Counts in two values, again and again.
const SCRIBE: &str = r#"
    padsvc.on("timer", () => {});
    padsvc.on("request", async ({ path }) => {
        const count = (await padsvc.storage.get("count")) ?? { number: 0 };
        while (path === "write") {
            count.number++;
            await padsvc.storage.set("count", { ...count, filling: "x".repeat(50000) });
        }
        return { body: `${count.number} ${(count.filling ?? "").length}` };
    });
"#;

/// The workers of a server: no other processes are its children.
fn workers(server: &Server) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{}/task", server.id()));
    let children = tasks.unwrap().flatten().map(|task| {
        let children = fs::read_to_string(task.path().join("children"));
        children.unwrap_or_default()
    });
    let children: Vec<String> = children.collect();
    let ids = children.iter().flat_map(|ids| ids.split_whitespace());
    ids.map(str::to_owned).collect()
}

/// A worker that is killed in the middle of what it writes leaves whole values behind, and the
/// next one goes on with them.
#[test]
fn a_worker_that_is_killed_leaves_whole_values() {
    let server = server_with("plugin_killed", &[keeper("scribe", SCRIBE)]);
    let count = || {
        let answer = server.get("/plugins/scribe/look");
        let (number, filling) = answer.text().split_once(' ').unwrap_or_default();
        match (number.parse::<u64>(), filling) {
            (Ok(0), "0") => Ok(0),
            (Ok(number), "50000") => Ok(number),
            _ => Err(answer.text().to_owned()),
        }
    };
    let mut last = 0;
    for _ in 0..3 {
        std::thread::scope(|scope| {
            let writing = scope.spawn(|| server.get("/plugins/scribe/write").status);
            last = until(|| match count()? {
                number if number > last => Ok(number),
                number => Err(number.to_string()),
            });
            for id in workers(&server) {
                let killed = Command::new("kill").args(["-s", "KILL", &id]).status();
                assert!(killed.unwrap().success());
            }
            assert_eq!(writing.join().unwrap(), 502);
        });
        assert!(until(count) >= last);
    }
    server.stop();
}
