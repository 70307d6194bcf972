//! The program itself, running for the time of a test.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::project::Project;

/// Stopped when dropped.
pub struct Server {
    child: Child,
    pub url: String,
}

impl Server {
    /// Starts the debug build on a free port, with an empty folder as its root.
    pub fn start(project: &Project) -> Result<Self, String> {
        let root = project.scratch().join("e2e-root");
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
        let log = std::fs::File::create(project.scratch().join("e2e-server.log"))
            .map_err(|error| format!("the server's log: {error}"))?;
        let mut child = Command::new(project.target.join("debug/padsvc"))
            .args(["--port", "0"])
            .current_dir(&root)
            .env_remove("PORT")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .map_err(|error| format!("padsvc could not be started: {error}"))?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            let _ = BufReader::new(stdout).read_line(&mut line);
        }
        let mut server = Self {
            child,
            url: String::new(),
        };
        let (_, url) = line
            .trim_end()
            .split_once("open ")
            .ok_or_else(|| format!("padsvc did not say where to open it: {line:?}"))?;
        server.url = url.to_owned();
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
