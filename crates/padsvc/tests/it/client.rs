//! HTTP as bytes on a connection, so that a test can also send what no library would.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

use serde_json::Value;

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Response {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &str, target: &str) -> Request {
        Request {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    pub(crate) fn get(target: &str) -> Request {
        Request::new("GET", target)
    }

    pub(crate) fn post(target: &str) -> Request {
        Request::new("POST", target)
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Request {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn body(mut self, kind: &str, body: impl Into<Vec<u8>>) -> Request {
        self.body = body.into();
        self.header("content-type", kind)
    }

    pub(crate) fn form(self, body: impl Into<Vec<u8>>) -> Request {
        self.body("application/x-www-form-urlencoded", body)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !self.headers.iter().any(|(name, _)| name == "host") {
            head += "host: pads\r\n";
        }
        head += "connection: close\r\n";
        if !self.body.is_empty() {
            head += &format!("content-length: {}\r\n", self.body.len());
        }
        [head.as_bytes(), b"\r\n", &self.body].concat()
    }
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(other, _)| other == name);
        found.map_or("", |(_, value)| value)
    }

    /// All values of a header that may be there several times.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let found = self.headers.iter().filter(move |(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

pub(crate) fn send(address: &str, request: &Request) -> Response {
    let answer = exchange(address, &request.bytes());
    parse(&answer).unwrap_or_else(|| panic!("no answer to {request:?}"))
}

/// Sends bytes and reads until the server closes; the connection may break on the way.
pub(crate) fn exchange(address: &str, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(bytes);
    read_to_end(&mut stream)
}

/// The same, and nothing more will come: what was announced and not sent never arrives.
pub(crate) fn exchange_and_hang_up(address: &str, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    read_to_end(&mut stream)
}

fn read_to_end(stream: &mut TcpStream) -> Vec<u8> {
    let mut answer = Vec::new();
    let mut part = [0; 16 * 1024];
    while let Ok(count @ 1..) = stream.read(&mut part) {
        answer.extend_from_slice(&part[..count]);
        if is_endless(&answer) {
            break;
        }
    }
    answer
}

/// Whether the answer goes on for ever, so that its head has to be enough.
fn is_endless(answer: &[u8]) -> bool {
    let begin = &answer[..answer.len().min(8192)];
    let end = begin.windows(4).position(|four| four == b"\r\n\r\n");
    end.is_some_and(|end| {
        let head = String::from_utf8_lossy(&begin[..end]);
        head.contains("content-type: text/event-stream")
    })
}

/// The first response in what a server sent.
pub(crate) fn parse(answer: &[u8]) -> Option<Response> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut response = Response {
        status,
        headers,
        body: answer[end + 4..].to_vec(),
    };
    if is_endless(answer) {
        response.body.clear();
    } else if response.header("transfer-encoding") == "chunked" {
        response.body = unchunked(&response.body);
    }
    Some(response)
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|two| two == b"\r\n").unwrap();
        let length = std::str::from_utf8(&rest[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            return body;
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 2 + length + 2..];
    }
}

/// Escapes everything that could mean something in a query or a form.
pub(crate) fn escape(text: &str) -> String {
    let escaped = |byte: u8| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().map(escaped).collect()
}

pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{}={}", escape(name), escape(value)))
        .collect();
    fields.join("&")
}

pub(crate) const BOUNDARY: &str = "----boundary-7MA4YWxk";

pub(crate) fn multipart_type() -> String {
    format!("multipart/form-data; boundary={BOUNDARY}")
}

/// The type and the body of a form that sends a file.
pub(crate) fn multipart_file(name: &str, file: &[u8]) -> (String, Vec<u8>) {
    let part = format!("Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"");
    let head = format!("--{BOUNDARY}\r\n{part}\r\n\r\n");
    let end = format!("\r\n--{BOUNDARY}--\r\n");
    (
        multipart_type(),
        [head.as_bytes(), file, end.as_bytes()].concat(),
    )
}

pub(crate) fn multipart(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
    }
    body += &format!("--{BOUNDARY}--\r\n");
    body.into_bytes()
}
