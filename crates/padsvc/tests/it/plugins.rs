//! What an administrator sees about plugins, and what others are asked for it.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::client::Request;
use crate::logins::basic;
use crate::server::{Server, TempRoot};

/// A server of catalogues, and the first line of each request to it.
struct Host {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Host {
    fn start() -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = Host {
            address: format!("http://{}/infos", listener.local_addr().unwrap()),
            asked: Arc::default(),
        };
        let asked = Arc::clone(&host.asked);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut request = [0; 4096];
                let count = stream.read(&mut request).unwrap_or_default();
                let request = String::from_utf8_lossy(&request[..count]).into_owned();
                let line = request.lines().next().unwrap_or_default();
                asked.lock().unwrap().push(line.to_owned());
                let body = r#"{"ep_markdown": {"name": "ep_markdown"}, "x": 1}"#;
                let head = format!("HTTP/1.1 200 X\r\ncontent-length: {}\r\n", body.len());
                let _ =
                    stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes());
            }
        });
        host
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn root(test: &str, host: &Host) -> TempRoot {
    let settings = json!({
        "users": { "root": { "password": "root's", "is_admin": true } },
        "updateServer": host.address,
        "privacy": { "updateCheck": false },
    });
    TempRoot::with_settings(test, &settings.to_string())
}

fn ask(server: &Server, method: &str, path: &str) -> Value {
    let request = Request::new(method, path);
    let request = request.header("authorization", &basic("root", "root's"));
    let answer = server.send(&request);
    assert_eq!(answer.status, 200, "{method} {path}");
    answer.json()
}

#[test]
fn the_catalogue_is_asked_for_when_somebody_looks() {
    let host = Host::start();
    let root = root("plugins_catalogue", &host);
    let server = Server::start(&root);
    assert_eq!(host.asked(), [] as [&str; 0]);
    let line = "GET /infos/plugins.json HTTP/1.1";
    for (method, asked) in [("GET", 1), ("GET", 1), ("POST", 2), ("GET", 2)] {
        let shown = ask(&server, method, "/admin/api/plugins/catalogue");
        assert_eq!(shown["plugins"][0]["builtIn"], "markdown", "{shown}");
        assert_eq!(shown["plugins"].as_array().unwrap().len(), 1);
        assert_eq!(host.asked(), vec![line; asked]);
    }
    server.stop();
}

#[test]
fn a_variable_keeps_the_catalogue_from_being_asked_for_and_decides() {
    let host = Host::start();
    let root = root("plugins_variable", &host);
    let mut environment = Command::new("env");
    environment.arg("PRIVACY_PLUGIN_CATALOG=false");
    let server = Server::start_under(environment, &root);
    for method in ["GET", "POST"] {
        let shown = ask(&server, method, "/admin/api/plugins/catalogue");
        assert_eq!(shown, json!({ "off": "privacy.pluginCatalog" }));
    }
    let shown = ask(&server, "GET", "/admin/api/plugins");
    let features = shown["features"].as_array().unwrap();
    let feature = |key| features.iter().find(|feature| feature["key"] == key);
    let catalogue = feature("privacy.pluginCatalog").unwrap();
    assert_eq!(catalogue["on"], false);
    assert_eq!(catalogue["next"], false);
    assert_eq!(catalogue["variable"], "PRIVACY_PLUGIN_CATALOG");
    let metrics = feature("enableMetrics").unwrap();
    assert_eq!(metrics["on"], true);
    assert_eq!(metrics["variable"], Value::Null);
    assert_eq!(host.asked(), [] as [&str; 0]);
    server.stop();
}
