//! Several nodes on one database, with a balancer in front of them.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::balancer::{Balancer, Kind};
use super::editor::Editor;
use crate::postgresql;
use crate::server::{Server, TempRoot};

const PATIENCE: Duration = Duration::from_secs(240);
const KEY: &str = "0123456789abcdef0123456789abcdef";

pub(super) struct Site {
    pub nodes: Vec<Node>,
    _balancer: Balancer,
    /// Where the balancer is.
    pub address: String,
}

pub(super) struct Node {
    root: TempRoot,
    port: u16,
    /// `None` while it is stopped.
    server: Option<Server>,
}

impl Site {
    /// A node for each connection string.
    pub(super) fn start(name: &str, kind: Kind, connections: &[String]) -> Site {
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
        let ports: Vec<u16> = nodes.iter().map(|node| node.port).collect();
        let balancer = Balancer::start(kind, &format!("{name}_balancer"), free_port(), &ports);
        let address = balancer.address.clone();
        Site {
            nodes,
            _balancer: balancer,
            address,
        }
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
