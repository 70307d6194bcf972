//! Plugins that run: what they learn, what they decide, and that none of them can hurt.

mod admin_page;
mod five;
mod from_catalogue;
mod hostile;
mod own_data;
mod scan;
mod some_pads;
mod strict;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use plugins::{CatalogueSource, Consent, Manager, Registry};
use serde_json::{Value, json};
use store::{Location, Store};

use crate::client::Request;
use crate::cluster::Cluster;
use crate::postgresql;
use crate::server::{Server, TempRoot, run, stderr};
use crate::socket::insert;
use crate::socket_client::{Member, token};

const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// A plugin of a test: its manifest beyond what all have, and its scripts.
struct Written {
    name: &'static str,
    manifest: Value,
    server: String,
    client: Option<&'static str>,
}

impl Written {
    fn archive(&self) -> Vec<u8> {
        let mut manifest = json!({
            "name": self.name, "version": "1.0.0", "interface": "^1",
            "title": self.name, "description": "Of a test.",
        });
        for (key, value) in self.manifest.as_object().unwrap() {
            manifest[key] = value.clone();
        }
        let mut files = BTreeMap::from([
            ("plugin.json".to_owned(), manifest.to_string().into_bytes()),
            ("server.js".to_owned(), self.server.clone().into_bytes()),
        ]);
        if let Some(client) = self.client {
            files.insert("client.js".to_owned(), client.as_bytes().to_vec());
        }
        plugin::Package::from_files(files).unwrap().pack().unwrap()
    }
}

/// Installs plugins with all that they ask for, while no server runs.
fn install(location: Location, plugins: &[Written]) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = Store::open(location).await.unwrap();
        let registry = Registry::open(store.clone()).await.unwrap();
        let nowhere = CatalogueSource {
            is_allowed: false,
            address: None,
            keys: Vec::new(),
        };
        let manager = Manager::new(registry, nowhere);
        for plugin in plugins {
            let archive = plugin.archive();
            let package = plugin::Package::unpack(&archive).unwrap();
            let consent = Consent {
                sha256: plugin::package::sha256(&archive),
                granted: package.manifest().permissions.clone(),
                browsers: true,
            };
            let installed = manager.install(&archive, &consent, pad::Timestamp(1)).await;
            installed.unwrap();
        }
        store.close().await;
    });
}

fn server_with(test: &str, plugins: &[Written]) -> Server {
    let root = TempRoot::new(test);
    std::fs::create_dir(root.path("var")).unwrap();
    install(Location::Embedded(root.path("var/padsvc.db")), plugins);
    Server::start(&root)
}

/// Looks until it is as it should be.
fn until<T>(mut look: impl FnMut() -> Result<T, String>) -> T {
    let begun = Instant::now();
    loop {
        match look() {
            Ok(found) => return found,
            Err(seen) => assert!(begun.elapsed() < LONGEST_WAIT, "{seen}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn chat(text: &str) -> Value {
    let message = json!({ "text": text });
    let data = json!({ "type": "CHAT_MESSAGE", "message": message });
    json!({ "component": "pad", "type": "COLLABROOM", "data": data })
}

/// What the chat of a pad says.
fn said(server: &Server, pad: &str) -> Vec<String> {
    let history = server.data("getChatHistory", &json!({ "padID": pad }));
    let messages = history["messages"].as_array().unwrap().clone();
    let text = |message: &Value| message["text"].as_str().unwrap().to_owned();
    messages.iter().map(text).collect()
}

const PROBE: &str = r#"
            const seen = [];
            const note = (hook, args) => { seen.push([hook, args]); };
            for (const hook of ["padCreated", "padOpened", "padChanged", "revisionSaved",
                "padDeleted", "padCopied", "memberJoined", "memberLeft"]) {
                padsvc.on(hook, (args) => note(hook, args));
            }
            padsvc.on("started", async () => {
                const starts = (await padsvc.storage.get("starts")) || 0;
                await padsvc.storage.set("starts", starts + 1);
            });
            padsvc.on("newPadText", (args) => {
                note("newPadText", args);
                if (args.padId.startsWith("agenda")) return { text: "Agenda" };
            });
            padsvc.on("clientVars", (args) => { note("clientVars", args); return { n: 7 }; });
            const filter = (hook, key) => padsvc.on(hook, (args) => {
                note(hook, args);
                if (args[key].includes("bad")) return { refuse: "<b>not here</b>" };
                if (args[key].includes("rude")) return { text: "polite" };
            });
            filter("chatMessage", "text");
            filter("memberNamed", "name");
            padsvc.on("memberMessage", (args) => {
                note("memberMessage", args);
                if (args.text === "bad title") return { refuse: "not this title" };
            });
            padsvc.on("access", (args) => {
                note("access", args);
                if (args.padId === "closed") return "deny";
                if (args.padId === "frozen") return "readOnly";
            });
            padsvc.on("message", async (args) => {
                note("message", args);
                await padsvc.chat.append(args.padId, "heard " + args.data.word);
                return { text: await padsvc.pads.getText(args.padId) };
            });
            padsvc.on("apiCall", ({ function: name, arguments: given }) => {
                if (name === "double") return { value: 2 * Number(given.n) };
            });
            padsvc.on("request", async ({ method, path, query, base, body }) => {
                if (path === "seen") {
                    const starts = await padsvc.storage.get("starts");
                    return { type: "application/json", body: JSON.stringify({ seen, starts }) };
                }
                if (path === "page") return { type: "text/html", body: "<script>1</script>" };
                if (path === "echo") {
                    const all = { method, path, query, base, body };
                    return { status: 201, type: "application/json", body: JSON.stringify(all) };
                }
                if (path === "headers") {
                    const headers = { "set-cookie": "a=b", "access-control-allow-origin": "*" };
                    const policy = { "content-security-policy": "default-src *" };
                    return { body: "x", headers: { ...headers, ...policy }, ...headers };
                }
                if (path === "script") return { type: "text/javascript", body: "alert(1)" };
                if (path === "throw") throw new Error("secret of the plugin");
            });
        "#;

/// Remembers every argument, and decides by what it reads.
fn probe() -> Written {
    Written {
        name: "probe",
        manifest: json!({
            "permissions": [
                "pads:read", "pads:write", "chat", "authors:names", "routes", "storage", "timers",
            ],
            "hooks": [
                "started", "padCreated", "padOpened", "padChanged", "revisionSaved", "padDeleted",
                "padCopied", "memberJoined", "memberLeft", "newPadText", "clientVars",
                "chatMessage", "memberNamed", "access", "memberMessage", "message", "request",
                "apiCall",
            ],
            // As long as they may be, for machines that are busy.
            "budgets": {
                "newPadText": 250, "clientVars": 250, "chatMessage": 250, "memberNamed": 250,
                "access": 250, "memberMessage": 250, "message": 10000, "request": 10000,
                "apiCall": 10000,
            },
            "api": { "double": "Doubles a number." },
        }),
        server: PROBE.to_owned(),
        client: Some("export default 1;"),
    }
}

fn seen(server: &Server) -> Value {
    let answer = server.send(&Request::get("/plugins/probe/seen").header("host", "pads.test"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// The names of hooks in the order in which they came, once each.
fn hooks_of(seen: &Value) -> Vec<String> {
    let mut hooks: Vec<String> = Vec::new();
    for call in seen["seen"].as_array().unwrap() {
        let name = call[0].as_str().unwrap().to_owned();
        if !hooks.contains(&name) {
            hooks.push(name);
        }
    }
    hooks
}

fn visit_everything(server: &Server) {
    let mut ada = Member::connect(server);
    ada.ready(&json!({
        "padId": "notes", "token": token(1), "extensions": ["plugins"],
        "userInfo": { "name": "rude Ada" },
    }));
    ada.welcomed();
    assert_eq!(ada.vars["userName"], "polite");
    let parts = &ada.vars["pagePlugins"];
    assert_eq!(parts[0]["name"], "probe", "{parts}");
    assert_eq!(parts[0]["vars"], json!({ "n": 7 }));
    let base = parts[0]["base"].as_str().unwrap();
    let file = server.get(&format!("/{base}client.js"));
    assert_eq!((file.status, file.text()), (200, "export default 1;"));
    assert!(file.header("cache-control").contains("immutable"));
    assert!(file.header("content-type").starts_with("text/javascript"));
    // What is not for pages is not there.
    for hidden in ["server.js", "plugin.json", "../plugin.json"] {
        assert_eq!(server.get(&format!("/{base}{hidden}")).status, 404);
    }
    for (text, problem) in [
        ("hello", None),
        ("rude words", None),
        ("bad words", Some("refused: <b>not here</b>".to_owned())),
    ] {
        assert_eq!(ada.ask(&chat(text)), Some(problem), "{text}");
    }
    assert_eq!(said(server, "notes"), ["hello", "polite"]);
    let typed = insert(ada.length(), "typed", &ada.author);
    ada.change(0, typed);
    ada.accepted().unwrap();
    ada.say(&json!({ "type": "SAVE_REVISION" }));
    for (title, problem) in [
        ("good title", None),
        ("bad title", Some("refused: not this title".to_owned())),
    ] {
        let data = json!({ "type": "SET_TITLE", "title": title });
        let message = json!({ "component": "pad", "type": "COLLABROOM", "data": data });
        assert_eq!(ada.ask(&message), Some(problem), "{title}");
    }
    let title = server.data("getTitle", &json!({ "padID": "notes" }));
    assert_eq!(title["title"], "good title", "{title}");
    let bob = Member::join(server, "notes", &token(2));
    drop(bob);
    let copied = json!({ "sourceID": "notes", "destinationID": "copy" });
    server.data("copyPad", &copied);
    server.data("deletePad", &json!({ "padID": "copy" }));
}

fn messages_and_routes(server: &Server) {
    let cookie = format!("token={}", token(1));
    let send = |pad: &str| {
        let body = json!({ "padId": pad, "data": { "word": "this" } }).to_string();
        let request = Request::post("/plugins/probe/message").body("application/json", body);
        server.send(&request.header("cookie", &cookie))
    };
    let answer = send("notes");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(
        answer.json()["data"]["text"]
            .as_str()
            .unwrap()
            .contains("typed")
    );
    assert!(said(server, "notes").contains(&"heard this".to_owned()));
    // Nobody asks about a pad that they may not open.
    assert_eq!(send("closed").status, 403);
    assert_eq!(send("nowhere").status, 404);
    let forged = Request::post("/plugins/probe/message")
        .body("application/json", "{}")
        .header("sec-fetch-site", "cross-site");
    assert_eq!(server.send(&forged).status, 403);

    let echo = Request::post("/plugins/probe/echo?a=1&b=%3C")
        .body("text/plain", "body")
        .header("host", "pads.test")
        .header("cookie", &cookie);
    let echo = server.send(&echo);
    assert_eq!(echo.status, 201);
    assert_eq!(
        echo.json(),
        json!({
            "method": "POST", "path": "echo", "query": { "a": "1", "b": "<" },
            "base": "http://pads.test/plugins/probe/", "body": "body",
        })
    );
    let page = server.get("/plugins/probe/page");
    assert!(
        page.header("content-security-policy")
            .starts_with("sandbox;")
    );
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    for (path, status) in [
        ("/plugins/probe/script", 502),
        ("/plugins/probe/throw", 502),
        ("/plugins/probe/nothing", 404),
        ("/plugins/other/", 404),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, status, "{path}");
        assert!(!answer.text().contains("secret"), "{path}");
    }
    let double = |key: &str| {
        let target = format!("/api/1.3.0/probe.double?n=21&apikey={key}");
        server.get(&target).json()
    };
    assert_eq!(double(&server.key)["data"], json!({ "value": 42 }));
    assert_eq!(double("wrong")["code"], 4);
    for unknown in ["probe.triple", "other.double", "probe."] {
        let target = format!("/api/1.3.0/{unknown}?apikey={}", server.key);
        assert_eq!(server.get(&target).json()["code"], 3, "{unknown}");
    }
    let report = Request::post("/plugins/probe/report");
    let report = report.body("application/json", r#"{"message": "it broke"}"#);
    assert_eq!(server.send(&report).status, 204);
}

/// What neither a plugin nor its visitors can do with routes.
fn bounded_routes(server: &Server) {
    // A plugin sets no header of an answer.
    let answer = server.get("/plugins/probe/headers");
    assert_eq!((answer.status, answer.text()), (200, "x"));
    assert_eq!(answer.header("set-cookie"), "");
    assert_eq!(answer.header("access-control-allow-origin"), "");
    let policy = answer.header("content-security-policy");
    assert!(policy.starts_with("sandbox;"), "{policy}");
    let long = Request::post("/plugins/probe/echo").body("text/plain", "x".repeat(1_000_001));
    assert_eq!(server.send(&long).status, 413);
    for long in [
        format!("/plugins/probe/{}", "x".repeat(1_001)),
        format!("/plugins/probe/echo?a={}", "x".repeat(8_000)),
    ] {
        assert_eq!(server.get(&long).status, 414);
    }
    // What JSON makes the most of still fits.
    let zeros = format!("/plugins/probe/echo?a={}", "%00".repeat(2_499));
    assert_eq!(server.get(&zeros).status, 201);
    let long = Request::post("/plugins/probe/message");
    let long = long.body("application/json", " ".repeat(70_001));
    assert_eq!(server.send(&long).status, 413);
}

fn runs_for_real(server: &Server) {
    // The first call may be late on a busy machine; then the pad is as if there were no plugin.
    let mut number = 0;
    until(|| {
        number += 1;
        let pad = json!({ "padID": format!("agenda-{number}") });
        server.data("createPad", &pad);
        let text = server.data("getText", &pad);
        if text["text"] == "Agenda\n" {
            Ok(())
        } else {
            Err(text.to_string())
        }
    });
    visit_everything(server);
    messages_and_routes(server);
    bounded_routes(server);
    let wanted = [
        "access",
        "chatMessage",
        "clientVars",
        "memberJoined",
        "memberLeft",
        "memberMessage",
        "memberNamed",
        "message",
        "newPadText",
        "padChanged",
        "padCopied",
        "padCreated",
        "padDeleted",
        "padOpened",
        "revisionSaved",
    ];
    let seen = until(|| {
        let seen = seen(server);
        let mut hooks = hooks_of(&seen);
        hooks.sort();
        if hooks == wanted {
            Ok(seen)
        } else {
            Err(format!("{hooks:?}"))
        }
    });
    assert_eq!(seen["starts"], 1);
    // The scan: nothing that a client keeps to itself, in any argument.
    let all = seen.to_string();
    for secret in [
        "127.0.0.1",
        "t.0000",
        &server.key,
        "cookie",
        "r.",
        "deletion",
    ] {
        assert!(!all.contains(secret), "{secret}: {all}");
    }
    // Access only becomes less.
    for (pad, outcome) in [("closed", "deny"), ("frozen", "deny")] {
        let mut member = Member::connect(server);
        member.ready(&json!({ "padId": pad, "token": token(3) }));
        assert_eq!(member.message()["accessStatus"], outcome, "{pad}");
    }
    server.data("createPad", &json!({ "padID": "frozen" }));
    assert_eq!(
        Member::join(server, "frozen", &token(3)).vars["readonly"],
        true
    );
}

#[test]
fn a_plugin_runs_in_the_program() {
    let server = server_with("plugin_runs", &[probe()]);
    runs_for_real(&server);
    // What happens to plugins is in the log, and what the kernel keeps their processes from.
    let log = server.log();
    for line in ["the plugin probe 1.0.0 runs", "workers of plugins "] {
        assert!(log.contains(line), "{line}: {log}");
    }
    server.stop();
}

#[test]
fn a_plugin_runs_on_postgresql() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let database = cluster.database();
    install(database.clone(), &[probe()]);
    let server = Server::start(&postgresql::root("plugin_postgres", &database, json!({})));
    runs_for_real(&server);
    server.stop();
}

/// Installed, switched off and on, and removed while somebody is in a pad: no restart, and the open
/// page learns of it.
#[test]
fn open_pages_follow_what_is_installed() {
    let root = TempRoot::new("plugin_changes");
    let server = Server::start(&root);
    let mut ada = Member::connect(&server);
    ada.ready(&json!({ "padId": "notes", "token": token(1), "extensions": ["plugins"] }));
    ada.welcomed();
    assert_eq!(ada.vars["pagePlugins"], json!([]));
    std::fs::write(root.path("probe.padplugin"), probe().archive()).unwrap();
    let plugins = |arguments: &[&str]| {
        let done = run(&root, &[&["plugins"], arguments].concat());
        assert!(done.status.success(), "{arguments:?}: {}", stderr(&done));
    };
    let parts = |ada: &mut Member| ada.room("PLUGINS")["pagePlugins"].take();
    plugins(&["install", "--grant-all", "--browsers", "probe.padplugin"]);
    let installed = parts(&mut ada);
    assert_eq!(installed[0]["name"], "probe", "{installed}");
    seen(&server);
    // Who sends what a plugin refuses learns why, as text.
    until(|| {
        ada.tell(&chat("bad words"));
        let said = ada.message();
        let data = &said["data"];
        if data["type"] == "REFUSED" && data["reason"] == "<b>not here</b>" {
            Ok(())
        } else {
            Err(said.to_string())
        }
    });
    plugins(&["disable", "probe"]);
    assert_eq!(parts(&mut ada), json!([]));
    assert_eq!(server.get("/plugins/probe/seen").status, 404);
    plugins(&["enable", "probe"]);
    assert_eq!(parts(&mut ada), installed);
    plugins(&["remove", "probe"]);
    assert_eq!(parts(&mut ada), json!([]));
    server.stop();
}
