//! Several nodes on one database, with HAProxy in front of them.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::editor::Editor;
use crate::postgresql;
use crate::server::{Server, TempRoot};

const PATIENCE: Duration = Duration::from_secs(240);
/// What an operator copies.
const EXAMPLE: &str = include_str!("../../../../../docs/examples/haproxy.cfg");
const KEY: &str = "0123456789abcdef0123456789abcdef";

pub(super) struct Site {
    pub nodes: Vec<Node>,
    balancer: Child,
    /// Where the balancer is.
    pub address: String,
    root: TempRoot,
}

pub(super) struct Node {
    root: TempRoot,
    port: u16,
    /// `None` while it is stopped.
    server: Option<Server>,
}

impl Site {
    /// A node for each connection string.
    pub(super) fn start(name: &str, connections: &[String]) -> Site {
        let nodes = connections.iter().enumerate().map(|(number, connection)| {
            let settings = json!({
                // Everybody comes from one address.
                "commitRateLimiting": { "duration": 1, "points": 100_000 },
                "creationRateLimiting": { "duration": 1, "points": 100_000 },
                "trustProxy": true,
            });
            let location = store::Location::Postgres(connection.clone());
            let root = postgresql::root(&format!("{name}_{number}"), &location, settings);
            root.write("APIKEY.txt", KEY);
            let mut node = Node {
                root,
                port: free_port(),
                server: None,
            };
            node.start();
            node
        });
        let nodes: Vec<Node> = nodes.collect();
        let root = TempRoot::new(&format!("{name}_balancer"));
        let port = free_port();
        let ports: Vec<u16> = nodes.iter().map(|node| node.port).collect();
        root.write("haproxy.cfg", &configuration(port, &ports));
        // Debian keeps it out of the search path of ordinary users.
        let debian = Path::new("/usr/sbin/haproxy");
        let program = if debian.is_file() {
            debian
        } else {
            Path::new("haproxy")
        };
        let balancer = Command::new(program)
            .args(["-db", "-f"])
            .arg(root.path("haproxy.cfg"))
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(root.path("haproxy.log")).unwrap())
            .spawn()
            .expect("HAProxy is installed; `cargo xtask test tools` does that");
        let mut site = Site {
            nodes,
            balancer,
            address: format!("127.0.0.1:{port}"),
            root,
        };
        until("the balancer answers", || {
            let ended = site.balancer.try_wait().unwrap();
            assert!(ended.is_none(), "{}", site.root.read("haproxy.log"));
            TcpStream::connect(&site.address).is_ok()
        });
        site
    }

    pub(super) fn data(&self, function: &str, arguments: &Value) -> Value {
        let node = self.nodes.iter().find_map(|node| node.server.as_ref());
        node.unwrap().data(function, arguments)
    }

    /// Every acknowledged word is in its pad once, nothing else is, and all nodes and editors have
    /// the same text.
    pub(super) fn verify(&self, editors: &mut [Editor]) {
        let mut pads: Vec<String> = editors.iter().map(|editor| editor.pad.clone()).collect();
        pads.sort();
        pads.dedup();
        for pad in pads {
            let named = json!({ "padID": pad });
            let text = self.data("getText", &named)["text"].clone();
            let text = text.as_str().unwrap();
            for node in &self.nodes {
                let server = node.server.as_ref().unwrap();
                let other = server.data("getText", &named)["text"].clone();
                assert_eq!(other.as_str(), Some(text), "{pad}");
            }
            let mut words: Vec<&str> = text.lines().filter(|line| is_word(line)).collect();
            words.sort_unstable();
            let here = || editors.iter().filter(|editor| editor.pad == pad);
            let told = here().flat_map(|editor| &editor.acknowledged);
            let mut told: Vec<&str> = told.map(|(_, word)| word.as_str()).collect();
            told.sort_unstable();
            assert_eq!(
                words, told,
                "{pad}: what is there, and what was acknowledged"
            );
            let head = self.data("getRevisionsCount", &named)["revisions"].clone();
            for (rev, word) in here().flat_map(|editor| &editor.acknowledged) {
                let asked = json!({ "padID": pad, "rev": rev });
                let change = self.data("getRevisionChangeset", &asked);
                assert!(
                    change.as_str().unwrap().contains(word),
                    "{pad} {rev} {word}"
                );
            }
            for editor in editors.iter_mut().filter(|editor| editor.pad == pad) {
                editor.read_to(head.as_u64().unwrap());
                assert_eq!(editor.text(), text, "{pad}");
            }
        }
    }

    pub(super) fn stop(mut self) {
        for node in &mut self.nodes {
            node.terminate();
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.balancer.kill();
        let _ = self.balancer.wait();
    }
}

impl Node {
    pub(super) fn start(&mut self) {
        let port = self.port.to_string();
        self.server = Some(Server::start_with(&self.root, &["--port", &port]));
    }

    pub(super) fn kill(&mut self) {
        // Dropping kills, without a warning.
        self.server = None;
    }

    pub(super) fn terminate(&mut self) {
        if let Some(server) = self.server.take() {
            server.signal("TERM");
            assert_eq!(server.wait().0, Some(0));
        }
    }

    pub(super) fn status(&self, path: &str) -> u16 {
        self.server.as_ref().unwrap().get(path).status
    }
}

fn is_word(line: &str) -> bool {
    line.starts_with('<') && line.ends_with('>')
}

/// The example with other addresses.
fn configuration(port: u16, nodes: &[u16]) -> String {
    let (mut lines, mut servers) = (Vec::new(), Vec::new());
    for line in EXAMPLE.lines() {
        if line.trim_start().starts_with("server ") {
            servers.push(line);
        } else {
            lines.push(line.replace("bind :8080", &format!("bind 127.0.0.1:{port}")));
        }
    }
    assert!(!servers.is_empty(), "the example names nodes");
    for (number, port) in nodes.iter().enumerate() {
        lines.push(format!("    server node{number} 127.0.0.1:{port}"));
    }
    lines.join("\n") + "\n"
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

pub(super) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "it never happens that {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
