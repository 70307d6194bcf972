//! An installation from git that is supervised: what the link points to runs, and is restarted
//! whenever it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{self, Request, Response};
use crate::server::TempRoot;
use crate::update::feed::Feed;
use crate::update::origin::{Kind, Origin, git, write_program};

/// Longer than anything should take, so that a missing state is a failure and not a hang.
pub(super) const PATIENCE: Duration = Duration::from_secs(300);

pub(super) struct Installation {
    folder: TempRoot,
    pub root: PathBuf,
    pub origin: Origin,
    pub feed: Feed,
    pub address: String,
    pub settings: Value,
    pub variables: Vec<(String, String)>,
    supervisor: Option<Supervisor>,
}

struct Supervisor {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    /// The process that runs.
    child: Mutex<Option<u32>>,
    codes: Mutex<Vec<Option<i32>>>,
    is_over: AtomicBool,
}

impl Installation {
    /// Version 1.0.0, not started yet.
    pub(super) fn new(test: &str, updates: Value) -> Installation {
        let folder = TempRoot::new(&format!("update_{test}"));
        let origin = Origin::new(&folder.0);
        let root = folder.path("root");
        let bare = origin.bare.to_str().unwrap();
        git(&folder.0, &["clone", "--quiet", bare, "root"]);
        let first = root.join("var/releases/first");
        std::fs::create_dir_all(&first).unwrap();
        let program = env!("CARGO_BIN_EXE_padsvc");
        let script = format!("#!/bin/sh\nexec '{program}' \"$@\" --as-version 1.0.0\n");
        write_program(&first.join("padsvc"), &script);
        symlink("releases/first", root.join("var/current")).unwrap();
        let feed = Feed::start();
        // Clients come back to the same port; nobody else takes one that was just free.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut settings = json!({
            "port": address.port(),
            "exposeVersion": true,
            "users": {
                "root": { "password": "pw", "is_admin": true },
                "ada": { "password": "pw" },
            },
            "updates": {
                "tier": "manual",
                "codehostRepo": feed.address,
                "allowInsecureFeed": true,
                "requireSignature": false,
                // Tests may run in a container.
                "installMethod": "git",
                "drainSeconds": 1,
                // Longer than the slowest machine needs.
                "rollbackHealthCheckSeconds": 600,
                "diskSpaceMinMB": 1,
            },
        });
        for (key, value) in updates.as_object().unwrap() {
            settings["updates"][key] = value.clone();
        }
        // What the releases that do not work are started with.
        folder.write("broken.json", "{ this is no JSON");
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}", origin.tools().display());
        Installation {
            folder,
            root,
            origin,
            feed,
            address: address.to_string(),
            settings,
            variables: vec![("PATH".to_owned(), path)],
            supervisor: None,
        }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }

    /// Publishes a release and has the feed offer it.
    pub(super) fn publish(&self, version: &str, kind: Kind) {
        self.origin.commit(version, kind, "1.70");
        self.origin.tag(&format!("v{version}"));
        self.feed.offer(&format!("v{version}"));
    }

    pub(super) fn start(&mut self) {
        let settings = self.settings.to_string();
        std::fs::write(self.root.join("settings.json"), settings).unwrap();
        let shared = Arc::<Shared>::default();
        let (ready, is_ready) = mpsc::channel();
        let run = Run {
            root: self.root.clone(),
            variables: self.variables.clone(),
            log: self.path("log"),
            shared: Arc::clone(&shared),
            ready,
        };
        let thread = std::thread::spawn(move || run.supervise());
        self.supervisor = Some(Supervisor { shared, thread });
        let ready = is_ready.recv_timeout(PATIENCE);
        assert!(ready.is_ok(), "it starts: {}", self.log());
    }

    /// Ends it in an orderly way, and does not restart it.
    pub(super) fn stop(&mut self) {
        let supervisor = self.supervisor.take().unwrap();
        supervisor.shared.is_over.store(true, Ordering::SeqCst);
        self.signal(&supervisor, "TERM");
        supervisor.thread.join().unwrap();
        let last = supervisor.shared.codes.lock().unwrap().last().copied();
        assert_eq!(last, Some(Some(0)), "{}", self.log());
    }

    pub(super) fn restart(&mut self) {
        self.stop();
        self.start();
    }

    /// The process that runs is gone at once, and another is started.
    pub(super) fn kill(&self) {
        self.signal(self.supervisor.as_ref().unwrap(), "KILL");
    }

    fn signal(&self, supervisor: &Supervisor, signal: &str) {
        // Between two runs there is none.
        let child = || *supervisor.shared.child.lock().unwrap();
        self.until("it runs", || child().is_some());
        let id = child().unwrap().to_string();
        let kill = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(kill.unwrap().success());
    }

    /// How the runs so far have ended; `None` for those that were killed.
    pub(super) fn codes(&self) -> Vec<Option<i32>> {
        let supervisor = self.supervisor.as_ref().unwrap();
        supervisor.shared.codes.lock().unwrap().clone()
    }

    pub(super) fn log(&self) -> String {
        std::fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    pub(super) fn update_log(&self) -> String {
        std::fs::read_to_string(self.root.join("var/log/update.log")).unwrap_or_default()
    }

    pub(super) fn state(&self) -> Value {
        let text = std::fs::read_to_string(self.root.join("var/update-state.json"));
        serde_json::from_str(&text.unwrap_or("{}".to_owned())).unwrap()
    }

    pub(super) fn status(&self) -> String {
        let status = self.state()["execution"]["status"].take();
        status.as_str().unwrap_or("idle").to_owned()
    }

    /// Waits until something is so.
    pub(super) fn until(&self, what: &str, mut is_so: impl FnMut() -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_so() {
            let state = self.state();
            assert!(Instant::now() < end, "{what}; {state}; {}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(super) fn until_status(&self, status: &str) -> Value {
        self.until(status, || self.status() == status);
        self.state()["execution"].take()
    }

    /// Waits for an answer that says that the service is healthy and which version it is.
    pub(super) fn until_runs(&self, version: &str) {
        self.until(&format!("{version} runs"), || {
            self.health()
                .is_some_and(|answer| answer.status == 200 && answer.json()["releaseId"] == version)
        });
    }

    /// `None` while nobody is there, or goes away again.
    fn health(&self) -> Option<Response> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.write_all(&Request::get("/health").bytes()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        client::parse(&answer)
    }

    /// Waits until the feed was asked and the release is known.
    pub(super) fn until_known(&self, tag: &str) {
        self.until(tag, || self.state()["latest"]["tag"] == tag);
    }

    pub(super) fn get(&self, path: &str) -> Response {
        client::send(&self.address, &as_admin(Request::get(path)))
    }

    pub(super) fn post(&self, path: &str) -> Response {
        client::send(&self.address, &as_admin(Request::post(path)))
    }

    pub(super) fn apply(&self) -> Response {
        self.post("/admin/update/apply")
    }

    pub(super) fn acknowledge(&self) {
        let answer = self.post("/admin/update/acknowledge");
        let expected = json!({ "acknowledged": true });
        assert_eq!((answer.status, answer.json()), (200, expected));
        assert_eq!(self.status(), "idle");
    }

    /// Starts, and applies a release as soon as it is known.
    pub(super) fn apply_new(&mut self, version: &str, kind: Kind) -> Response {
        self.publish(version, kind);
        self.start();
        self.until_known(&format!("v{version}"));
        self.apply()
    }

    /// The commit that is checked out, in a tree that is as it was committed.
    pub(super) fn head(&self) -> String {
        let changes = git(&self.root, &["status", "--porcelain", "--", ".", ":!var"]);
        let lines: Vec<&str> = changes
            .lines()
            .filter(|line| line.starts_with(' '))
            .collect();
        assert_eq!(lines, [""; 0]);
        git(&self.root, &["rev-parse", "HEAD"])
    }

    /// Nothing is left of an update: the old version runs from the old commit.
    pub(super) fn is_as_before(&self) {
        self.until_runs("1.0.0");
        assert_eq!(self.head(), self.origin.commit_of("v1.0.0"));
        let link = std::fs::read_link(self.root.join("var/current")).unwrap();
        assert_eq!(link, PathBuf::from("releases/first"));
        assert!(self.root.join("notes-1.0.0").exists());
        assert!(!self.root.join("notes-1.1.0").exists());
    }
}

impl Drop for Installation {
    fn drop(&mut self) {
        if let Some(supervisor) = self.supervisor.take() {
            supervisor.shared.is_over.store(true, Ordering::SeqCst);
            if let Some(id) = *supervisor.shared.child.lock().unwrap() {
                let _ = Command::new("kill")
                    .args(["-s", "KILL", &id.to_string()])
                    .status();
            }
            let _ = supervisor.thread.join();
        }
    }
}

pub(super) fn as_admin(request: Request) -> Request {
    request.header("authorization", "Basic cm9vdDpwdw==")
}

struct Run {
    root: PathBuf,
    variables: Vec<(String, String)>,
    log: PathBuf,
    shared: Arc<Shared>,
    ready: mpsc::Sender<()>,
}

impl Run {
    fn supervise(self) {
        while !self.shared.is_over.load(Ordering::SeqCst) {
            let options = std::fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(&self.log);
            let mut command = Command::new(self.root.join("var/current/padsvc"));
            command
                .current_dir(&self.root)
                .env_remove("PORT")
                .envs(self.variables.iter().cloned())
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(options.unwrap());
            let mut child = command.spawn().unwrap();
            *self.shared.child.lock().unwrap() = Some(child.id());
            let mut line = String::new();
            let mut stdout = BufReader::new(child.stdout.take().unwrap());
            let _ = stdout.read_line(&mut line);
            if line.starts_with("padsvc is ready") {
                let _ = self.ready.send(());
            }
            let status = child.wait().unwrap();
            *self.shared.child.lock().unwrap() = None;
            self.shared.codes.lock().unwrap().push(status.code());
        }
    }
}
