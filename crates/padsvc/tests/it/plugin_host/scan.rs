//! The scan: whatever happens, no argument of any hook holds what a client keeps to itself. The
//! table of hooks drives it, so that a new hook has to be called here before the test passes.

use plugin::hooks::HOOKS;
use plugin::permission::PermissionKind;
use store::PluginTimer;

use super::*;
use crate::logins::basic;

const ADDRESSES: [&str; 2] = ["203.0.113.77", "2001:db8:77::1"];
const PASSWORD: &str = "a-pass-word-of-root";
const AGENT: &str = "An-Agent/7.7";

/// Answers nothing, and remembers every argument of every hook.
fn scanner() -> Written {
    let hooks: Vec<&str> = HOOKS.iter().map(|row| row.name).collect();
    let budget = |hook: plugin::Hook| match hook.is_in_pads() {
        true => 250,
        false => 10_000,
    };
    let waited = HOOKS.iter().filter(|row| row.hook.budget_ms().is_some());
    let budgets: serde_json::Map<String, Value> = waited
        .map(|row| (row.name.to_owned(), budget(row.hook).into()))
        .collect();
    let needed = HOOKS.iter().filter_map(|row| row.permission);
    let mut permissions: Vec<&str> = needed.map(PermissionKind::name).collect();
    permissions.extend(["storage", "timers"]);
    permissions.sort_unstable();
    permissions.dedup();
    let server = r#"
        const seen = {};
        for (const hook of HOOKS) padsvc.on(hook, async (args) => {
            (seen[hook] ??= []).push(args);
            if (hook === "stopping") await padsvc.storage.set("stopping", seen);
            if (hook === "adminPage") return { parts: [] };
            if (hook !== "request") return;
            if (args.path !== "seen") return { body: "x" };
            const before = await padsvc.storage.get("stopping");
            return { type: "application/json", body: JSON.stringify({ before, seen }) };
        });
    "#;
    Written {
        name: "scanner",
        manifest: json!({
            "permissions": permissions, "hooks": hooks, "budgets": budgets,
            "api": { "call": "Is called." },
        }),
        server: server.replace("HOOKS", &json!(hooks).to_string()),
        client: Some("export default 1;"),
    }
}

/// Also has a timer that is due, which a plugin could only set for later.
fn installed(root: &TempRoot) {
    std::fs::create_dir(root.path("var")).unwrap();
    let location = || Location::Embedded(root.path("var/padsvc.db"));
    install(location(), &[scanner()]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = Store::open(location()).await.unwrap();
        let timer = PluginTimer {
            name: "now".to_owned(),
            wait: 0,
            every: None,
        };
        let set = store.put_plugin_timer("scanner", &timer, pad::Timestamp(1));
        set.await.unwrap();
        store.close().await;
    });
}

/// What a browser behind a proxy sends with everything, and what must not get to a plugin.
struct Client {
    forwarded: String,
    cookie: String,
    secrets: Vec<String>,
}

impl Client {
    fn new(server: &Server) -> Client {
        let group = server.data("createGroup", &json!({}))["groupID"].take();
        let author = server.data("createAuthor", &json!({ "name": "Ada" }))["authorID"].take();
        let session = json!({
            "groupID": group, "authorID": author, "validUntil": 4_000_000_000_u64,
        });
        let session = server.data("createSession", &session)["sessionID"].take();
        let session = session.as_str().unwrap().to_owned();
        let made = json!({ "groupID": group, "padName": "ours" });
        let pad = server.data("createGroupPad", &made)["padID"].take();
        let (token, login) = (token(7), basic("root", PASSWORD));
        let (_, encoded) = login.split_once(' ').unwrap();
        let cookie = format!("token={token}; sessionID={session}; prefs=known-cookie");
        let mut secrets: Vec<String> = ADDRESSES.map(str::to_owned).to_vec();
        secrets.extend([
            token,
            session,
            server.key.clone(),
            PASSWORD.to_owned(),
            encoded.to_owned(),
            AGENT.to_owned(),
            "known-cookie".to_owned(),
            "127.0.0.1".to_owned(),
            "::1".to_owned(),
        ]);
        let client = Client {
            forwarded: ADDRESSES.join(", "),
            cookie,
            secrets,
        };
        let mut member = client.member(server);
        member.ready(&json!({ "padId": pad, "extensions": ["plugins"] }));
        member.welcomed();
        client
    }

    fn send(&self, server: &Server, request: Request) -> crate::client::Response {
        let forwarded = format!("for={};proto=https", ADDRESSES[0]);
        let request = request
            .header("host", "pads.test")
            .header("cookie", &self.cookie)
            .header("authorization", &basic("root", PASSWORD))
            .header("x-forwarded-for", &self.forwarded)
            .header("x-real-ip", ADDRESSES[0])
            .header("forwarded", &forwarded)
            .header("user-agent", AGENT);
        server.send(&request)
    }

    fn member(&self, server: &Server) -> Member {
        let headers = [
            ("cookie", self.cookie.as_str()),
            ("x-forwarded-for", self.forwarded.as_str()),
            ("user-agent", AGENT),
        ];
        Member::connect_with(server, &headers)
    }
}

fn in_room(mut data: Value, kind: &str) -> Value {
    data["type"] = kind.into();
    json!({ "component": "pad", "type": "COLLABROOM", "data": data })
}

/// Everything that somebody in a pad can do, once; gives the token for deleting the pad.
fn in_a_pad(server: &Server, client: &mut Client) {
    let mut ada = client.member(server);
    ada.ready(&json!({
        "padId": "notes", "token": token(7), "extensions": ["plugins"],
        "userInfo": { "name": "Ada" },
    }));
    ada.welcomed();
    let deletion = ada.vars["padDeletionToken"].as_str().map(str::to_owned);
    let read_only = ada.vars["readOnlyId"].as_str().unwrap().to_owned();
    client.secrets.extend([read_only]);
    client.secrets.extend(deletion.clone());
    let typed = insert(ada.length(), "typed", &ada.author);
    ada.change(0, typed);
    ada.accepted().unwrap();
    let suggested = json!({
        "type": "suggestUserName", "newName": "Bob", "unnamedId": "a.0123456789abcdef",
    });
    let options = json!({ "type": "padoptions", "options": { "view": {} } });
    for (kind, data) in [
        ("CHAT_MESSAGE", json!({ "message": { "text": "hello" } })),
        ("SAVE_REVISION", json!({})),
        ("SET_TITLE", json!({ "title": "Title" })),
        ("GET_CHAT_MESSAGES", json!({ "start": 0, "end": 1 })),
        ("CLIENT_MESSAGE", json!({ "payload": suggested })),
        ("CLIENT_MESSAGE", json!({ "payload": options })),
    ] {
        ada.tell(&in_room(data, kind));
    }
    let body = json!({ "padId": "notes", "data": { "word": "this" } }).to_string();
    let message = Request::post("/plugins/scanner/message").body("application/json", body);
    assert_eq!(client.send(server, message).status, 200);
    let deleted = json!({ "data": { "padId": "notes", "deletionToken": deletion } });
    let _ = ada.ask(&in_room(deleted, "PAD_DELETE"));
}

fn over_http(server: &Server, client: &Client) {
    let key = &server.key;
    for target in [
        format!("/plugins/scanner/route?a=1&apikey={key}&API_KEY={key}"),
        format!("/plugins/scanner/route?sessionID={}", client.secrets[3]),
        format!("/plugins/scanner/route?cookie=token%3D{}", token(7)),
    ] {
        assert_eq!(client.send(server, Request::get(&target)).status, 200);
        let posted = Request::post(&target).body("text/plain", "body");
        assert_eq!(client.send(server, posted).status, 200);
    }
    let called = format!("/api/1.3.0/scanner.call?a=1&apikey={key}");
    for request in [
        Request::get(&called),
        Request::post("/api/1.3.0/scanner.call").form(format!("a=1&apikey={key}")),
        Request::get("/api/1.3.0/scanner.call?a=1").header("apikey", key),
    ] {
        client.send(server, request);
    }
    let page = Request::get("/admin/api/plugins/page?name=scanner&language=en");
    assert_eq!(client.send(server, page).status, 200);
    server.data("createPad", &json!({ "padID": "made" }));
    let copied = json!({ "sourceID": "made", "destinationID": "copy" });
    server.data("copyPad", &copied);
    server.data("deletePad", &json!({ "padID": "copy" }));
}

fn seen(server: &Server, client: &Client) -> Value {
    let answer = client.send(server, Request::get("/plugins/scanner/seen"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// The hooks that were not called in either life of the worker.
fn uncalled(seen: &Value) -> Vec<&'static str> {
    let called = |name: &str| !seen["seen"][name].is_null() || !seen["before"][name].is_null();
    let names = HOOKS.iter().map(|row| row.name);
    names.filter(|name| !called(name)).collect()
}

#[test]
fn no_hook_learns_what_clients_keep_to_themselves() {
    let users = json!({ "root": { "password": PASSWORD, "is_admin": true } });
    let settings = json!({ "trustProxy": true, "users": users }).to_string();
    let root = TempRoot::with_settings("plugin_scan", &settings);
    installed(&root);
    let server = Server::start(&root);
    let mut client = Client::new(&server);
    in_a_pad(&server, &mut client);
    over_http(&server, &client);
    let wanted = |seen: &Value| uncalled(seen) == ["stopping"];
    until(|| {
        let seen = seen(&server, &client);
        match wanted(&seen) {
            true => Ok(()),
            false => Err(format!("{:?}", uncalled(&seen))),
        }
    });
    for switch in ["disable", "enable"] {
        let done = run(&root, &["plugins", switch, "scanner"]);
        assert!(done.status.success(), "{}", stderr(&done));
    }
    let seen = until(|| {
        let seen = seen(&server, &client);
        match uncalled(&seen).as_slice() {
            [] => Ok(seen),
            others => Err(format!("{others:?}")),
        }
    });
    let all = seen.to_string();
    for secret in &client.secrets {
        assert!(secret.len() >= 3, "{secret}");
        assert!(!all.contains(secret.as_str()), "{secret} is in {all}");
    }
    // What was sent did arrive, so the scan looks at the right thing.
    for known in ["hello", "Title", "this", "pads.test", "body", "Bob"] {
        assert!(all.contains(known), "{known}: {all}");
    }
    server.stop();
}
