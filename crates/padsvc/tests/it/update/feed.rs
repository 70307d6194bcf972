//! A code host: it says which release is the newest.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use serde_json::json;

pub(super) struct Feed {
    pub address: String,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    /// The answer, and the mark by which it is known again.
    answer: String,
    etag: String,
    /// The status of each answer given.
    given: Vec<u16>,
}

impl Feed {
    pub(super) fn start() -> Feed {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/repos/padsvc", listener.local_addr().unwrap());
        let shared = Arc::<Mutex<Shared>>::default();
        let feed = Feed {
            address,
            shared: Arc::clone(&shared),
        };
        feed.offer("v1.0.0");
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = answer(stream, &shared);
            }
        });
        feed
    }

    /// From now on this one is the newest.
    pub(super) fn offer(&self, tag: &str) {
        let release = json!({
            "tag_name": tag,
            "html_url": format!("https://example.org/{tag}"),
            "published_at": "2026-03-01T00:00:00Z",
            "body": "what is new",
        });
        self.answer(200, "", &release.to_string());
    }

    pub(super) fn answer(&self, status: u16, header: &str, body: &str) {
        let mut shared = self.shared.lock().unwrap();
        shared.etag = format!("\"{}\"", shared.given.len() + body.len());
        shared.answer = format!(
            "HTTP/1.1 {status} X\r\netag: {}\r\n{header}content-length: {}\r\n\r\n{body}",
            shared.etag,
            body.len()
        );
    }

    pub(super) fn given(&self) -> Vec<u16> {
        self.shared.lock().unwrap().given.clone()
    }
}

fn answer(mut stream: std::net::TcpStream, shared: &Mutex<Shared>) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.ends_with(b"\r\n\r\n") {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        request.extend_from_slice(&buffer[..count]);
    }
    let request = String::from_utf8_lossy(&request).to_lowercase();
    assert!(request.starts_with("get /repos/padsvc/releases/latest "));
    assert!(request.contains("user-agent: padsvc-self-update\r\n"));
    let mut shared = shared.lock().unwrap();
    let known = format!("if-none-match: {}\r\n", shared.etag);
    let answer = if request.contains(&known) {
        "HTTP/1.1 304 X\r\ncontent-length: 0\r\n\r\n".to_owned()
    } else {
        shared.answer.clone()
    };
    let status = answer[9..12].parse().unwrap();
    shared.given.push(status);
    let close = answer.replacen("\r\n", "\r\nconnection: close\r\n", 1);
    stream.write_all(close.as_bytes())
}
