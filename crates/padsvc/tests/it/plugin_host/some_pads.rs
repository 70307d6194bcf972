//! A plugin that is switched on for some pads does nothing on the others.

use super::*;

/// Would change or refuse everything everywhere.
const SERVER: &str = r#"
    const seen = [];
    const note = (hook) => padsvc.on(hook, ({ padId }) => { seen.push([hook, padId]); });
    for (const hook of ["padCreated", "padOpened", "padChanged", "revisionSaved", "padDeleted",
        "padCopied", "memberJoined", "memberLeft"]) note(hook);
    padsvc.on("newPadText", () => ({ text: "Minutes" }));
    padsvc.on("clientVars", () => ({ n: 7 }));
    padsvc.on("chatMessage", () => ({ refuse: "no chat" }));
    padsvc.on("memberNamed", () => ({ text: "somebody" }));
    padsvc.on("memberMessage", () => ({ refuse: "no titles" }));
    padsvc.on("access", () => "readOnly");
    padsvc.on("message", ({ padId }) => padId);
    padsvc.on("request", async ({ path, query }) => {
        const answer = async () => {
            if (path === "list") return await padsvc.pads.list();
            if (path === "text") return await padsvc.pads.getText(query.pad);
            if (path === "create") return await padsvc.pads.create(query.pad, "mine");
            return seen;
        };
        const said = await answer().catch((error) => error.message);
        return { type: "application/json", body: JSON.stringify(said) };
    });
"#;

fn narrowed(hooks: &[&str]) -> Written {
    let all = [
        "padCreated",
        "padOpened",
        "padChanged",
        "revisionSaved",
        "padDeleted",
        "padCopied",
        "memberJoined",
        "memberLeft",
        "message",
        "request",
    ];
    let hooks: Vec<&str> = all.iter().chain(hooks).copied().collect();
    let waited = |hook: &&&str| plugin::hooks::HOOKS.iter().any(|row| row.name == **hook);
    let longest = |hook: &&str| match *hook {
        "message" | "request" => 10_000,
        _ => 250,
    };
    let budgets: serde_json::Map<String, Value> = hooks
        .iter()
        .filter(waited)
        .filter(|hook| hook.parse::<plugin::Hook>().unwrap().budget_ms().is_some())
        .map(|hook| ((*hook).to_owned(), longest(hook).into()))
        .collect();
    Written {
        name: "narrowed",
        manifest: json!({
            "permissions": ["pads:read", "pads:write", "chat", "authors:names", "routes"],
            "hooks": hooks,
            "budgets": budgets,
        }),
        server: SERVER.to_owned(),
        client: Some("export default 1;"),
    }
}

/// Enters a pad, says something, types, gives a title, and asks the server half.
fn visit(server: &Server, pad: &str) -> Visited {
    let mut ada = Member::connect(server);
    ada.ready(&json!({
        "padId": pad, "token": token(1), "extensions": ["plugins"],
        "userInfo": { "name": "Ada" },
    }));
    ada.welcomed();
    let title = json!({ "type": "SET_TITLE", "title": "Title" });
    let title = json!({ "component": "pad", "type": "COLLABROOM", "data": title });
    let (chat, title) = (ada.ask(&chat("hello")), ada.ask(&title));
    let typed = insert(ada.length(), "typed", &ada.author);
    ada.change(0, typed);
    ada.accepted().unwrap();
    let body = json!({ "padId": pad, "data": 1 }).to_string();
    let message = Request::post("/plugins/narrowed/message").body("application/json", body);
    let cookie = format!("token={}", token(1));
    let message = server.send(&message.header("cookie", &cookie));
    Visited {
        text: server.data("getText", &json!({ "padID": pad }))["text"].take(),
        name: ada.vars["userName"].take(),
        parts: ada.vars["pagePlugins"].as_array().unwrap().len(),
        chat: chat.flatten(),
        title: title.flatten(),
        message: message.status,
    }
}

#[derive(Debug, PartialEq)]
struct Visited {
    text: Value,
    name: Value,
    parts: usize,
    chat: Option<String>,
    title: Option<String>,
    message: u16,
}

fn only_there(root: &TempRoot, server: &Server) {
    let set = |patterns: &[&str]| {
        let done = run(root, &[&["plugins", "pads", "narrowed"], patterns].concat());
        assert!(done.status.success(), "{}", stderr(&done));
    };
    set(&["minutes-*", "g.*$*"]);
    until(|| match ask(server, "seen") {
        Value::Array(_) => Ok(()),
        other => Err(other.to_string()),
    });
    let there = Visited {
        text: "typedMinutes\n".into(),
        name: "somebody".into(),
        parts: 1,
        chat: Some("refused: no chat".to_owned()),
        title: Some("refused: no titles".to_owned()),
        message: 200,
    };
    let elsewhere = Visited {
        text: "typed\n".into(),
        name: "Ada".into(),
        parts: 0,
        chat: None,
        title: None,
        message: 404,
    };
    // The first answers may be late on a busy machine; then the pad is as if there were no plugin.
    let mut number = 0;
    until(|| {
        number += 1;
        let seen = visit(server, &format!("minutes-{number}"));
        if seen == there {
            Ok(())
        } else {
            Err(format!("{seen:?}"))
        }
    });
    assert_eq!(visit(server, "notes"), elsewhere);
    server.data("deletePad", &json!({ "padID": "notes" }));
    server.data("createPad", &json!({ "padID": "other", "text": "secret" }));
    reaches_no_others(server);
    learns_of_no_others(server);
    // An open page gets the plugin's part, and loses it, without a reload.
    let mut ada = Member::connect(server);
    ada.ready(&json!({ "padId": "other", "token": token(1), "extensions": ["plugins"] }));
    ada.welcomed();
    set(&["other"]);
    assert_eq!(ada.room("PLUGINS")["pagePlugins"][0]["name"], "narrowed");
    set(&["minutes-*"]);
    assert_eq!(ada.room("PLUGINS")["pagePlugins"], json!([]));
}

fn ask(server: &Server, path: &str) -> Value {
    server.get(&format!("/plugins/narrowed/{path}")).json()
}

fn reaches_no_others(server: &Server) {
    let ask = |path: &str| ask(server, path);
    let told = |pad: &str| json!(format!("the plugin is not switched on for the pad {pad}"));
    assert_eq!(ask("text?pad=other"), told("other"));
    assert_eq!(ask("create?pad=mine"), told("mine"));
    assert_eq!(ask("create?pad=minutes-own"), Value::Null);
    let pads = ask("list")["pads"].take();
    let pads: Vec<&str> = pads
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(pads.contains(&"minutes-own"), "{pads:?}");
    assert!(
        pads.iter().all(|pad| pad.starts_with("minutes-")),
        "{pads:?}"
    );
}

/// Notices come in order, so those about other pads would be here by now.
fn learns_of_no_others(server: &Server) {
    let ask = |path: &str| ask(server, path);
    let seen = until(|| {
        let seen = ask("seen");
        let created = json!(["padCreated", "minutes-own"]);
        match seen.as_array().unwrap().contains(&created) {
            true => Ok(seen),
            false => Err(seen.to_string()),
        }
    });
    for call in seen.as_array().unwrap() {
        assert!(call[1].as_str().unwrap().starts_with("minutes-"), "{seen}");
    }
}

const DECIDING: [&str; 5] = [
    "newPadText",
    "clientVars",
    "chatMessage",
    "memberNamed",
    "memberMessage",
];

#[test]
fn a_plugin_is_only_on_the_pads_that_are_chosen() {
    let root = TempRoot::new("plugin_some_pads");
    std::fs::create_dir(root.path("var")).unwrap();
    let location = Location::Embedded(root.path("var/padsvc.db"));
    install(location, &[narrowed(&DECIDING)]);
    let server = Server::start(&root);
    only_there(&root, &server);
    server.stop();
}

#[test]
fn a_plugin_is_only_on_the_pads_that_are_chosen_on_postgresql() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let database = cluster.database();
    install(database.clone(), &[narrowed(&DECIDING)]);
    let root = postgresql::root("plugin_some_pads_pg", &database, json!({}));
    let server = Server::start(&root);
    only_there(&root, &server);
    server.stop();
}

/// Access is narrowed on those pads, and on no others.
#[test]
fn access_is_narrowed_where_a_plugin_is_on() {
    let root = TempRoot::new("plugin_some_access");
    std::fs::create_dir(root.path("var")).unwrap();
    install(
        Location::Embedded(root.path("var/padsvc.db")),
        &[narrowed(&["access"])],
    );
    let server = Server::start(&root);
    for pad in ["minutes-1", "notes"] {
        server.data("createPad", &json!({ "padID": pad }));
    }
    let read_only = |pad: &str| Member::join(&server, pad, &token(1)).vars["readonly"].take();
    until(|| match read_only("notes") {
        Value::Bool(true) => Ok(()),
        other => Err(other.to_string()),
    });
    let done = run(&root, &["plugins", "pads", "narrowed", "minutes-*"]);
    assert!(done.status.success(), "{}", stderr(&done));
    until(|| match read_only("minutes-1") {
        Value::Bool(true) => Ok(()),
        other => Err(other.to_string()),
    });
    assert_eq!(read_only("notes"), false);
    server.stop();
}
