//! The plugins of this repository: installed, used, upgraded and removed while the server runs.

use std::path::Path;

use super::*;
use crate::logins::basic;

const ADDED: &str = "http:fetch(example.org)";

/// Says whether a plugin does its work, and what was seen.
type Look = fn(&Server) -> Result<(), String>;

type Own = (&'static str, fn() -> Value, Look, Look);

/// By name, with what it is set to, and what shows that it does its work and that it is gone.
const PLUGINS: [Own; 5] = [
    ("expiry", || json!({ "days": 7 }), counts, is_no_page),
    ("feed", || json!({ "minutes": 5 }), feeds, feeds_nothing),
    (
        "moderation",
        || json!({ "words": "darn" }),
        masks,
        masks_nothing,
    ),
    (
        "statistics",
        || json!({ "people": 5 }),
        shares,
        shares_nothing,
    ),
    (
        "writing-goal",
        || json!({ "goal": 100 }),
        keeps_goals,
        keeps_no_goals,
    ),
];

fn compare<T: PartialEq + std::fmt::Debug>(seen: T, wanted: T) -> Result<(), String> {
    match seen == wanted {
        true => Ok(()),
        false => Err(format!("{seen:?}, not {wanted:?}")),
    }
}

fn admin(request: Request) -> Request {
    request.header("authorization", &basic("root", "root's"))
}

fn press(server: &Server) -> (u16, String) {
    let body = json!({ "name": "expiry", "language": "en", "action": "check" });
    let request = Request::post("/admin/api/plugins/page");
    let answer = server.send(&admin(request.body("application/json", body.to_string())));
    (answer.status, answer.text().to_owned())
}

fn counts(server: &Server) -> Result<(), String> {
    let (status, page) = press(server);
    let shown = page.contains("Pads looked at: 1.") && page.contains("expires: 7.");
    compare((status, shown), (200, true)).map_err(|seen| format!("{seen}: {page}"))
}

fn is_no_page(server: &Server) -> Result<(), String> {
    compare(press(server).0, 404)
}

fn feed(server: &Server) -> (u16, bool) {
    let answer = server.get("/plugins/feed/atom?pad=notes");
    (answer.status, answer.text().contains(TYPED))
}

fn feeds(server: &Server) -> Result<(), String> {
    compare(feed(server), (200, true))
}

fn feeds_nothing(server: &Server) -> Result<(), String> {
    compare(feed(server), (404, false))
}

/// What the others read of a message with a word that must be masked.
fn heard(server: &Server) -> Option<String> {
    let mut ada = Member::join(server, "notes", &token(1));
    // Nobody may say the same too often.
    let number = said(server, "notes").len();
    let _ = ada.ask(&chat(&format!("darn {number}")));
    let heard = said(server, "notes").into_iter().nth(number)?;
    heard.split(' ').next().map(str::to_owned)
}

fn masks(server: &Server) -> Result<(), String> {
    compare(heard(server), Some("••••".to_owned()))
}

fn masks_nothing(server: &Server) -> Result<(), String> {
    compare(heard(server), Some("darn".to_owned()))
}

fn authorship(server: &Server) -> Value {
    let target = format!(
        "/api/1.3.0/statistics.authorship?padID=notes&apikey={}",
        server.key
    );
    server.get(&target).json()
}

fn shares(server: &Server) -> Result<(), String> {
    compare(
        authorship(server)["data"]["characters"].take(),
        json!(TYPED.len()),
    )
}

fn shares_nothing(server: &Server) -> Result<(), String> {
    compare(authorship(server)["code"].take(), json!(3))
}

fn message(server: &Server, data: Value) -> (u16, String) {
    let body = json!({ "padId": "notes", "data": data }).to_string();
    let request = Request::post("/plugins/writing-goal/message").body("application/json", body);
    let cookie = format!("token={}", token(1));
    let answer = server.send(&request.header("cookie", &cookie));
    (answer.status, answer.text().to_owned())
}

/// The first to ask sets it; after an upgrade it is still there.
fn keeps_goals(server: &Server) -> Result<(), String> {
    let (status, goal) = message(server, json!({}));
    if goal == r#"{"data":{"goal":100}}"# {
        message(server, json!({ "goal": 250 }));
    }
    compare((status, goal.as_str()), (200, r#"{"data":{"goal":250}}"#))
}

fn keeps_no_goals(server: &Server) -> Result<(), String> {
    compare(message(server, json!({})).0, 404)
}

const TYPED: &str = "heliotrope";

fn command(root: &TempRoot, arguments: &[&str]) -> Result<(), String> {
    let done = run(root, &[&["plugins"], arguments].concat());
    match done.status.success() {
        true => Ok(()),
        false => Err(stderr(&done).trim().to_owned()),
    }
}

/// A folder with the next version, which asks for more.
fn next_version(root: &TempRoot, name: &str, from: &Path) -> String {
    let to = root.path(name);
    copy(from, &to);
    let path = to.join("plugin.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut manifest: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(manifest["version"], "1.0.0");
    manifest["version"] = "1.1.0".into();
    manifest["permissions"]
        .as_array_mut()
        .unwrap()
        .push(ADDED.into());
    std::fs::write(path, manifest.to_string()).unwrap();
    to.to_str().unwrap().to_owned()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, to) = {
            let entry = entry.unwrap();
            (entry.path(), to.join(entry.file_name()))
        };
        match path.is_dir() {
            true => copy(&path, &to),
            false => drop(std::fs::copy(&path, &to).unwrap()),
        }
    }
}

fn version(server: &Server, name: &str) -> Value {
    let listed = server.send(&admin(Request::get("/admin/api/plugins/installed")));
    let listed = listed.json();
    let mut plugins = listed["plugins"].as_array().unwrap().iter();
    let found = plugins.find(|plugin| plugin["name"] == name);
    found.map_or(Value::Null, |plugin| plugin["version"].clone())
}

fn all_five(root: &TempRoot, server: &Server) {
    server.data("createPad", &json!({ "padID": "notes", "text": "" }));
    let mut ada = Member::join(server, "notes", &token(1));
    ada.change(0, insert(ada.length(), TYPED, &ada.author.clone()));
    ada.accepted().unwrap();
    drop(ada);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, PLUGINS.map(|(name, ..)| name));
    for (name, values, works, is_gone) in PLUGINS {
        let first = folder.join(name);
        let path = first.to_str().unwrap();
        let told = command(root, &["install", path]).unwrap_err();
        assert!(told.contains("not agreed to"), "{name}: {told}");
        is_gone(server).unwrap();
        command(root, &["install", path, "--grant-all", "--browsers"]).unwrap();
        let body = json!({ "name": name, "values": values() }).to_string();
        let set = Request::post("/admin/api/plugins/configure").body("application/json", body);
        assert_eq!(server.send(&admin(set)).status, 200, "{name}");
        until(|| works(server).map_err(|seen| format!("{name}: {seen}")));
        // A version that asks for more does nothing before that is agreed to.
        let next = next_version(root, name, &first);
        let told = command(root, &["install", &next, "--browsers"]).unwrap_err();
        assert!(
            told.contains(&format!("not agreed to: {ADDED}; ")),
            "{told}"
        );
        assert_eq!(version(server, name), "1.0.0");
        until(|| works(server).map_err(|seen| format!("{name}, as before: {seen}")));
        command(root, &["install", &next, "--grant", ADDED]).unwrap();
        assert_eq!(version(server, name), "1.1.0");
        until(|| works(server).map_err(|seen| format!("{name}, upgraded: {seen}")));
    }
    // All at once, and then none.
    for (name, _, works, _) in PLUGINS {
        until(|| works(server).map_err(|seen| format!("{name}, of five: {seen}")));
    }
    for (name, _, _, is_gone) in PLUGINS {
        command(root, &["remove", name]).unwrap();
        assert_eq!(version(server, name), Value::Null);
        until(|| is_gone(server).map_err(|seen| format!("{name}, removed: {seen}")));
    }
}

fn settings() -> Value {
    json!({ "users": { "root": { "password": "root's", "is_admin": true } } })
}

#[test]
fn our_plugins_come_work_and_go() {
    let root = TempRoot::with_settings("plugin_five", &settings().to_string());
    let server = Server::start(&root);
    all_five(&root, &server);
    server.stop();
}

#[test]
fn our_plugins_come_work_and_go_on_postgresql() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let root = postgresql::root("plugin_five_pg", &cluster.database(), settings());
    let server = Server::start(&root);
    all_five(&root, &server);
    server.stop();
}
