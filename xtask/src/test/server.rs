//! The program itself, running for the time of a test.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::failure::{Failure, Result};
use crate::project::Project;

/// Stopped when dropped.
pub struct Server {
    child: Child,
    root: PathBuf,
    pub url: String,
}

impl Server {
    /// Starts the debug build on a free port, with a folder as its root that is named after what
    /// it is for and holds these settings and nothing else.
    pub fn start(project: &Project, name: &str, settings: &str) -> Result<Self> {
        Self::start_build(project, "debug", name, settings)
    }

    /// The same for the program of another build.
    pub fn start_build(project: &Project, build: &str, name: &str, settings: &str) -> Result<Self> {
        let root = project.scratch().join(format!("{name}-root"));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root)
            .and_then(|()| std::fs::write(root.join("settings.json"), settings))
            .map_err(Failure::at(&root))?;
        let log = std::fs::File::create(project.scratch().join(format!("{name}-server.log")))
            .map_err(|error| format!("the server's log: {error}"))?;
        let mut child = Command::new(project.target.join(build).join("padsvc"))
            .args(["--port", "0"])
            .current_dir(&root)
            .env_remove("PORT")
            // Tests stay on this machine: nobody answers there.
            .env("EP__updates__codehostRepo", "https://127.0.0.1:1/no-feed")
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
            root,
            url: String::new(),
        };
        let (_, url) = line
            .trim_end()
            .split_once("open ")
            .ok_or_else(|| format!("padsvc did not say where to open it: {line:?}"))?;
        server.url = url.to_owned();
        Ok(server)
    }

    /// The key that lets a test call the API.
    pub fn api_key(&self) -> Result<String> {
        let file = self.root.join("APIKEY.txt");
        let key = std::fs::read_to_string(&file);
        key.map(|key| key.trim().to_owned())
            .map_err(Failure::at(&file))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
