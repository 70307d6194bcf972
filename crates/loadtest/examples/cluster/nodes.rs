//! The nodes that are measured: the program itself, on a database they share.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::{Bench, Outcome};

/// Stopped when dropped.
pub(crate) struct Node {
    child: Child,
    pub url: String,
}

impl Node {
    pub(crate) fn start(bench: &Bench, number: usize, connection: &str) -> Outcome<Node> {
        let root = bench.folder.join(format!("node-{number}"));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root)?;
        let settings = json!({
            "dbType": "postgres",
            "dbSettings": { "connectionString": connection },
            // Everybody comes from one address.
            "commitRateLimiting": { "duration": 1, "points": 100_000 },
            "creationRateLimiting": { "duration": 1, "points": 100_000 },
        });
        std::fs::write(root.join("settings.json"), settings.to_string())?;
        // It ends with this process, however that ends.
        let mut child = Command::new("setpriv")
            .args(["--pdeathsig", "KILL"])
            .arg(&bench.program)
            .args(["--ip", "127.0.0.1", "--port", "0", "--root"])
            .arg(&root)
            .env_remove("PORT")
            // Nobody answers there.
            .env("EP__updates__codehostRepo", "https://127.0.0.1:1/no-feed")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(root.join("log"))?)
            .spawn()?;
        let stdout = child.stdout.take();
        let mut node = Node {
            child,
            url: String::new(),
        };
        let mut line = String::new();
        BufReader::new(stdout.ok_or("no standard output")?).read_line(&mut line)?;
        let (_, url) = line
            .trim_end()
            .split_once("open ")
            .ok_or_else(|| format!("a node did not start; see {}/log", root.display()))?;
        node.url = url.to_owned();
        Ok(node)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
