//! A plugin from the operator's catalogue: offered, reviewed, installed and upgraded, in the admin
//! area and by the command.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use super::*;
use crate::logins::basic;
use crate::server::stdout;

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// Serves files; gives its address.
fn host(files: &Files) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let files = Arc::clone(files);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut request = [0; 4096];
            let count = stream.read(&mut request).unwrap_or_default();
            let request = String::from_utf8_lossy(&request[..count]).into_owned();
            let path = request.split(' ').nth(1).unwrap_or_default();
            let body = files.lock().unwrap().get(path).cloned().unwrap_or_default();
            let head = format!("HTTP/1.1 200 X\r\ncontent-length: {}\r\n", body.len());
            let head = format!("{head}connection: close\r\n\r\n");
            let _ = stream.write_all(&[head.as_bytes(), &body].concat());
        }
    });
    address
}

/// The second version asks for more.
fn greeter(version: &str) -> Vec<u8> {
    let mut permissions = vec!["pads:write"];
    if version != "1.0.0" {
        permissions.push("timers");
    }
    let greeter = Written {
        name: "greeter",
        manifest: json!({
            "version": version, "permissions": permissions, "hooks": ["newPadText"],
            "budgets": { "newPadText": 250 },
        }),
        server: format!("padsvc.on('newPadText', () => ({{ text: 'from {version}' }}));"),
        client: None,
    };
    greeter.archive()
}

fn publish(files: &Files, address: &str, versions: &[&str]) {
    let mut files = files.lock().unwrap();
    let mut entries = Vec::new();
    for version in versions {
        let archive = greeter(version);
        entries.push(json!({
            "name": "greeter", "version": version, "title": "Greeter", "description": "Greets.",
            "url": format!("{address}/{version}"), "sha256": plugin::package::sha256(&archive),
        }));
        files.insert(format!("/{version}"), archive);
    }
    let catalogue = json!({ "plugins": entries }).to_string();
    files.insert("/catalogue.json".to_owned(), catalogue.into_bytes());
}

fn served(test: &str, address: &str, keys: &[&str]) -> (TempRoot, Server) {
    let settings = json!({
        "users": { "root": { "password": "root's", "is_admin": true } },
        "plugins": { "catalogue": format!("{address}/catalogue.json"), "keys": keys },
    });
    let root = TempRoot::with_settings(test, &settings.to_string());
    let server = Server::start(&root);
    (root, server)
}

fn ask(server: &Server, request: Request) -> (u16, Value) {
    let answer = server.send(&request.header("authorization", &basic("root", "root's")));
    (answer.status, answer.json())
}

fn offers(server: &Server) -> Value {
    ask(server, Request::get("/admin/api/plugins/offers")).1
}

fn text_of_new(server: &Server, pad: &str) -> Value {
    server.data("createPad", &json!({ "padID": pad }));
    server.data("getText", &json!({ "padID": pad }))["text"].take()
}

#[test]
fn a_plugin_comes_from_the_catalogue() {
    let files = Files::default();
    let address = host(&files);
    publish(&files, &address, &["1.0.0"]);
    let (root, server) = served("plugin_catalogue", &address, &[]);
    let offered = &offers(&server)["plugins"];
    assert_eq!(
        (&offered[0]["name"], &offered[0]["version"]),
        (&json!("greeter"), &json!("1.0.0"))
    );
    let chosen = "name=greeter&version=1.0.0";
    let review = Request::post(&format!("/admin/api/plugins/review?{chosen}"));
    let (status, review) = ask(&server, review);
    assert_eq!(
        (status, &review["permissions"][0]["permission"]),
        (200, &json!("pads:write"))
    );
    let sha256 = review["sha256"].as_str().unwrap();
    let agreed = format!("{chosen}&granted=pads:write&sha256={sha256}");
    let install = || Request::post(&format!("/admin/api/plugins/install?{agreed}"));

    // The host has another archive in its place meanwhile.
    let put = |archive| files.lock().unwrap().insert("/1.0.0".to_owned(), archive);
    let first = put(greeter("9.0.0")).unwrap();
    let (status, told) = ask(&server, install());
    assert_eq!(status, 502, "{told}");
    let told = told["error"].as_str().unwrap();
    assert!(told.contains("its SHA-256 is another"), "{told}");
    put(first);
    let (status, told) = ask(&server, install());
    assert_eq!(status, 200, "{told}");
    assert_eq!(text_of_new(&server, "one"), "from 1.0.0\n");

    publish(&files, &address, &["1.0.0", "1.1.0"]);
    let told = stderr(&run(&root, &["plugins", "install", "greeter"]));
    assert!(told.contains("not agreed to: timers; "), "{told}");
    assert_eq!(text_of_new(&server, "two"), "from 1.0.0\n");
    let upgraded = run(
        &root,
        &["plugins", "install", "greeter", "--grant", "timers"],
    );
    let told = stdout(&upgraded);
    assert!(
        told.ends_with("installed greeter 1.1.0 in place of 1.0.0\n"),
        "{told}"
    );
    assert_eq!(text_of_new(&server, "three"), "from 1.1.0\n");
    server.stop();
}

/// With a key of the operator's own nothing comes that is not signed with it.
#[test]
fn what_is_not_signed_does_not_come() {
    let files = Files::default();
    let address = host(&files);
    publish(&files, &address, &["1.0.0"]);
    let key = format!("{}=", "A".repeat(43));
    let (root, server) = served("plugin_unsigned", &address, &[&key]);
    assert_eq!(offers(&server), json!({ "plugins": [], "skipped": 1 }));
    let told = stderr(&run(
        &root,
        &["plugins", "install", "greeter@1.0.0", "--grant-all"],
    ));
    assert!(told.contains("greeter is not signed"), "{told}");
    server.stop();
}
