//! The program, started the way a user starts it, in a folder of its own.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::Value;
use service::api::{Version, functions};

use crate::client::{self, Request, Response};

const NO_FEED: &str = "https://localhost:1/no-feed";

/// A running server; stopped when the test ends, however it ends.
pub(crate) struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub address: String,
    pub key: String,
    log: PathBuf,
}

impl Server {
    pub(crate) fn start(root: &TempRoot) -> Server {
        Server::start_with(root, &["--port", "0"])
    }

    pub(crate) fn start_with(root: &TempRoot, arguments: &[&str]) -> Server {
        let mut command = padsvc(root);
        command.args(arguments);
        Server::spawn(command, root)
    }

    /// Starts the program through another, which becomes it.
    pub(crate) fn start_under(mut other: Command, root: &TempRoot) -> Server {
        other
            .arg(env!("CARGO_BIN_EXE_padsvc"))
            .args(["--port", "0"]);
        Server::spawn(at_home(other, root), root)
    }

    fn spawn(mut command: Command, root: &TempRoot) -> Server {
        let log = root.beside("log");
        keep_home(&mut command, root);
        command.stderr(File::create(&log).unwrap());
        let mut child = command.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let address = ready(&mut stdout, &log);
        Server {
            child,
            stdout,
            address,
            // A node takes the key of the others, and writes none down.
            key: match std::fs::read_to_string(root.path("APIKEY.txt")) {
                Ok(key) => key.trim().to_owned(),
                Err(_) => String::new(),
            },
            log,
        }
    }

    /// The same on the database of another.
    pub(crate) fn start_beside(other: &Server, root: &TempRoot) -> Server {
        let mut server = Server::start(root);
        server.key.clone_from(&other.key);
        server
    }

    pub(crate) fn send(&self, request: &Request) -> Response {
        client::send(&self.address, request)
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.send(&Request::get(path))
    }

    /// Calls a function with the key in a header, and gives the whole envelope.
    pub(crate) fn call(&self, function: &str, arguments: &Value) -> Value {
        let row = functions().find(|row| row.name == function);
        let since = row.map_or(Version::CURRENT, |row| row.since);
        let path = format!("/api/{}/{function}", since.max(Version::CURRENT));
        let request = Request::post(&path)
            .header("apikey", &self.key)
            .body("application/json", arguments.to_string());
        self.send(&request).json()
    }

    /// Calls a function that must succeed, and gives its data.
    pub(crate) fn data(&self, function: &str, arguments: &Value) -> Value {
        let mut envelope = self.call(function, arguments);
        assert_eq!(envelope["code"], 0, "{function} {arguments}: {envelope}");
        envelope["data"].take()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it says again that it is ready.
    pub(crate) fn until_ready(&mut self) {
        self.address = ready(&mut self.stdout, &self.log);
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// The most memory that the program has had so far.
    pub(crate) fn peak_kilobytes(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.unwrap()
            .trim()
            .trim_end_matches(" kB")
            .parse()
            .unwrap()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let kill = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(kill.unwrap().success());
    }

    /// Waits for the end; the exit code and what else was on standard output.
    pub(crate) fn wait(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }

    pub(crate) fn stop(self) {
        self.signal("TERM");
        assert_eq!(self.wait(), (Some(0), String::new()));
    }
}

/// The address of the next ready line.
fn ready(stdout: &mut impl BufRead, log: &Path) -> String {
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    let address = line
        .strip_prefix("padsvc is ready: open http")
        .map(|rest| rest.trim_start_matches('s'))
        .and_then(|rest| rest.strip_prefix("://"))
        .and_then(|rest| rest.strip_suffix("/\n"));
    let address = address.unwrap_or_else(|| {
        let log = std::fs::read_to_string(log).unwrap();
        panic!("not a ready line: {line:?}; the log is:\n{log}")
    });
    address.to_owned()
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder of its own for each test, named after it.
pub(crate) struct TempRoot(pub PathBuf);

impl TempRoot {
    pub(crate) fn new(test: &str) -> TempRoot {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        TempRoot(path)
    }

    pub(crate) fn with_settings(test: &str, settings: &str) -> TempRoot {
        let root = TempRoot::new(test);
        root.write("settings.json", settings);
        root
    }

    /// The name of the test.
    pub(crate) fn name(&self) -> &str {
        self.0.file_name().unwrap().to_str().unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// A file next to the folder, so that the folder holds only what the program makes.
    fn beside(&self, ending: &str) -> PathBuf {
        Path::with_extension(&self.0, ending)
    }
}

/// The program, with nothing in its environment that counts as a setting.
pub(crate) fn padsvc(root: &TempRoot) -> Command {
    at_home(Command::new(env!("CARGO_BIN_EXE_padsvc")), root)
}

fn at_home(mut command: Command, root: &TempRoot) -> Command {
    command.current_dir(&root.0).env_remove("PORT");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A server that has no release feed of its own asks a port where nobody is, and not the project's.
pub(crate) fn keep_home(command: &mut Command, root: &TempRoot) {
    let settings = std::fs::read_to_string(root.path("settings.json")).unwrap_or_default();
    if !settings.contains("codehostRepo") {
        command.env("EP__updates__codehostRepo", NO_FEED);
    }
}

/// Runs the program to its end.
pub(crate) fn run(root: &TempRoot, arguments: &[&str]) -> Output {
    padsvc(root).args(arguments).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
