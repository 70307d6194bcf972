//! The program as a whole, started the way a user starts it.
//!
//! Every test has a folder and a port of its own and waits for the ready line, never for a time.

// Clippy's leave for tests covers `#[test]` functions but not the helpers beside them.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

/// A running server; stopped when the test ends, however it ends.
struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    address: String,
}

impl Server {
    fn start(root: &TempRoot) -> Self {
        let mut child = padsvc(root).args(["--port", "0"]).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let address = line
            .strip_prefix("padsvc is ready: open http://")
            .and_then(|rest| rest.strip_suffix("/\n"))
            .unwrap_or_else(|| panic!("not a ready line: {line:?}"))
            .to_owned();
        Self {
            child,
            stdout,
            address,
        }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: pads\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Sends a signal and returns the exit code and what else was on standard output.
    fn stop(mut self, signal: &str) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-s", signal, &id])
                .status()
                .unwrap()
                .success()
        );
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder of its own for each test, named after it.
struct TempRoot(PathBuf);

impl TempRoot {
    fn new(test: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

fn padsvc(root: &TempRoot) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_padsvc"));
    command.current_dir(&root.0).env_remove("PORT");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn first_run_serves_and_makes_its_folder() {
    let root = TempRoot::new("first_run");
    let server = Server::start(&root);
    assert!(
        server.address.starts_with("127.0.0.1:"),
        "{}",
        server.address
    );
    assert!(server.get("/").starts_with("HTTP/1.1 200 OK\r\n"));
    assert!(server.get("/health").contains("\"status\":\"pass\""));
    assert!(root.0.join("var").is_dir());
}

#[test]
fn both_signals_stop_it_cleanly() {
    for signal in ["TERM", "INT"] {
        let root = TempRoot::new(&format!("stop_{signal}"));
        let server = Server::start(&root);
        server.get("/");
        assert_eq!(server.stop(signal), (Some(0), String::new()), "{signal}");
    }
}

#[test]
fn idle_connection_does_not_hold_up_a_stop() {
    let root = TempRoot::new("idle_connection");
    let server = Server::start(&root);
    let mut idle = TcpStream::connect(&server.address).unwrap();
    write!(idle, "GET /health HTTP/1.1\r\nHost: pads\r\n\r\n").unwrap();
    let mut first_line = String::new();
    BufReader::new(&idle).read_line(&mut first_line).unwrap();
    assert_eq!(first_line, "HTTP/1.1 200 OK\r\n");
    assert_eq!(server.stop("TERM").0, Some(0));
}

#[test]
fn port_in_use_is_said_in_one_line() {
    let root = TempRoot::new("port_in_use");
    let server = Server::start(&root);
    let port = server.address.rsplit(':').next().unwrap();
    let second = padsvc(&root).env("PORT", port).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert_eq!(second.stdout, b"");
    assert_eq!(
        stderr(&second),
        format!(
            "padsvc: port {port} on 127.0.0.1 is in use; \
             stop the program that has it or choose another with --port\n"
        )
    );
}

#[test]
fn missing_root_is_not_created() {
    let root = TempRoot::new("missing_root");
    let output = padsvc(&root)
        .args(["--port", "0", "--root", "typo"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output),
        "padsvc: the root folder typo does not exist\n"
    );
    assert!(!root.0.join("typo").exists());
}
