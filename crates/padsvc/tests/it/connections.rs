//! Connections that say nothing, in numbers: they are closed, and the server goes on.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use crate::client;
use crate::server::{Server, TempRoot, run, stderr, stdout};

/// A shell that limits descriptors and becomes the program.
fn limited(limits: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{limits} && exec \"$@\""), "sh"]);
    shell
}

/// What a connection hears that is one too many.
fn refusal(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

#[test]
fn a_server_full_of_silent_connections_takes_commands() {
    let root = TempRoot::new("silent");
    let server = Server::start_under(limited("ulimit -n 256"), &root);
    // Of 256 descriptors half are for connections, and half of those for one address.
    let silent: Vec<TcpStream> = (0..64)
        .map(|_| TcpStream::connect(&server.address).unwrap())
        .collect();
    for _ in 0..300 {
        let answer = refusal(TcpStream::connect(&server.address).unwrap());
        assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
        assert!(answer.contains("too many connections"), "{answer}");
    }
    let health = run(&root, &["health"]);
    assert!(health.status.success(), "{}", stderr(&health));
    assert!(stdout(&health).contains("the server runs"));
    let log = server.log();
    assert_eq!(log.matches("a connection is refused").count(), 1, "{log}");
    drop(silent);
    server.stop();
}

#[test]
fn an_address_has_as_many_connections_as_the_settings_say() {
    let settings = r#"{ "connectionLimits": { "perAddress": 2 } }"#;
    let root = TempRoot::with_settings("per_address", settings);
    let server = Server::start(&root);
    let mut open = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let request = "GET /health HTTP/1.1\r\nhost: pads\r\n\r\n";
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
        open.push(stream);
    }
    let third = TcpStream::connect(&server.address).unwrap();
    let answer = refusal(third);
    assert_eq!(client::parse(answer.as_bytes()).unwrap().status, 503);
}

#[test]
fn the_soft_limit_of_descriptors_is_raised() {
    let root = TempRoot::new("descriptors");
    let server = Server::start_under(limited("ulimit -Sn 200 && ulimit -Hn 600"), &root);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"));
    let numbers: Vec<&str> = line.unwrap().split_whitespace().take(2).collect();
    assert_eq!(numbers, ["600", "600"]);
    server.stop();
}
