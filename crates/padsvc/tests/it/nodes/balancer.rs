//! HAProxy or nginx, with the configuration that operators copy.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::site::until;
use crate::server::TempRoot;

const HAPROXY: &str = include_str!("../../../../../docs/examples/haproxy.cfg");
const NGINX: &str = include_str!("../../../../../docs/examples/nginx.conf");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Haproxy,
    Nginx,
}

pub(super) struct Balancer {
    child: Child,
    pub address: String,
    _root: TempRoot,
}

impl Balancer {
    pub(super) fn start(kind: Kind, name: &str, port: u16, nodes: &[u16]) -> Balancer {
        let root = TempRoot::new(name);
        let bind = format!("127.0.0.1:{port}");
        let mut command = match kind {
            Kind::Haproxy => {
                let text = HAPROXY.replace("bind :8080", &format!("bind {bind}"));
                root.write("haproxy.cfg", &with_nodes(&text, nodes));
                let mut command = program("haproxy");
                command.args(["-db", "-f"]).arg(root.path("haproxy.cfg"));
                command
            }
            Kind::Nginx => {
                let text = NGINX.replace("listen 8080;", &format!("listen {bind};"));
                let text = with_nodes(&text, nodes);
                // What a package brings besides.
                let around = "daemon off; pid nginx.pid; error_log stderr; events {}";
                let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                    .map(|kind| format!("{kind}_temp_path tmp_{kind};"))
                    .concat();
                let text = format!("{around}\nhttp {{ access_log off; {folders}\n{text}}}\n");
                root.write("nginx.conf", &text);
                let mut command = program("nginx");
                command
                    .arg("-p")
                    .arg(&root.0)
                    .args(["-e", "stderr", "-c", "nginx.conf"]);
                command
            }
        };
        let log = std::fs::File::create(root.path("log")).unwrap();
        let child = command.stdout(Stdio::null()).stderr(log).spawn();
        let mut child = child.unwrap_or_else(|error| {
            panic!("{kind:?} is not installed, `cargo xtask test tools` does that: {error}")
        });
        until("the balancer answers", || {
            let ended = child.try_wait().unwrap();
            assert!(ended.is_none(), "{kind:?}: {}", root.read("log"));
            TcpStream::connect(&bind).is_ok()
        });
        Balancer {
            child,
            address: bind,
            _root: root,
        }
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        // Both end their own children then.
        let id = self.child.id().to_string();
        let _ = Command::new("kill").args(["-s", "TERM", &id]).status();
        let _ = self.child.wait();
    }
}

/// Debian keeps servers out of the search path of ordinary users.
fn program(name: &str) -> Command {
    let debian = Path::new("/usr/sbin").join(name);
    if debian.is_file() {
        Command::new(debian)
    } else {
        Command::new(name)
    }
}

/// The example with other nodes: the line of each is that of the first, with another address.
fn with_nodes(text: &str, nodes: &[u16]) -> String {
    const EXAMPLE: &str = "192.0.2.1:9001";
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.contains(EXAMPLE) {
            let of_node = |(number, port): (usize, &u16)| {
                let line = line.replace(EXAMPLE, &format!("127.0.0.1:{port}"));
                line.replace("node1", &format!("node{number}"))
            };
            lines.extend(nodes.iter().enumerate().map(of_node));
        } else if !line.contains("192.0.2.") {
            lines.push(line.to_owned());
        }
    }
    assert!(lines.len() > nodes.len(), "the example names nodes");
    lines.join("\n") + "\n"
}
