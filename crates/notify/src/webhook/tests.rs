//! A webhook as its receiver sees it, and what becomes of receivers in trouble.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use super::*;

/// Answers each request with the same bytes, and hands on what it got.
fn receiver(answer: &'static [u8]) -> (String, Receiver<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hook?key=hidden", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                if reader.read_line(&mut head).unwrap() == 0 {
                    break;
                }
            }
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                let is_length = name.eq_ignore_ascii_case("content-length");
                is_length.then(|| value.parse().ok())?
            });
            let mut body = vec![0; length.unwrap_or(0)];
            reader.read_exact(&mut body).unwrap();
            let _ = sender.send((head, String::from_utf8(body).unwrap()));
            let _ = stream.write_all(answer);
        }
    });
    (address, receiver)
}

fn webhook(address: &str, secret: Option<&str>) -> Result<Webhook, WebhookError> {
    let secret = secret.map(|secret| Secret(secret.to_owned()));
    Webhook::new(&WebhookAddress(address.to_owned()), secret.as_ref())
}

const FINE: &[u8] = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";

#[tokio::test]
async fn a_document_arrives_with_its_signature() {
    let (address, requests) = receiver(FINE);
    let body = r#"{"event":"test"}"#;
    webhook(&address, Some("It's a Secret to Everybody"))
        .unwrap()
        .post(body)
        .await
        .unwrap();
    let (head, received) = requests.recv().unwrap();
    assert_eq!(received, body);
    assert!(
        head.starts_with("POST /hook?key=hidden HTTP/1.1\r\n"),
        "{head}"
    );
    let head = head.to_lowercase();
    assert!(
        head.contains("content-type: application/json\r\n"),
        "{head}"
    );
    let signed = signature("It's a Secret to Everybody", body);
    assert!(
        head.contains(&format!("{SIGNATURE}: {signed}\r\n")),
        "{head}"
    );
    webhook(&address, None).unwrap().post(body).await.unwrap();
    let (head, _) = requests.recv().unwrap();
    assert!(!head.to_lowercase().contains("signature"), "{head}");
}

/// RFC 4231, case 2.
#[test]
fn the_signature_is_hmac_sha256() {
    assert_eq!(
        signature("Jefe", "what do ya want for nothing?"),
        "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    );
}

#[tokio::test]
async fn a_receiver_in_trouble_is_an_error_that_names_no_address() {
    for (answer, text, is_temporary) in [
        (
            &b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"[..],
            "it answered 500",
            true,
        ),
        (
            b"HTTP/1.1 429 Oh\r\nContent-Length: 0\r\n\r\n",
            "it answered 429",
            true,
        ),
        (
            b"HTTP/1.1 404 Oh\r\nContent-Length: 0\r\n\r\n",
            "it answered 404",
            false,
        ),
        // A redirect is an answer like others, and is not followed.
        (
            b"HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
            "it answered 307",
            false,
        ),
        (b"what\r\n\r\n", "error sending request", true),
    ] {
        let (address, _requests) = receiver(answer);
        let error = webhook(&address, None)
            .unwrap()
            .post("{}")
            .await
            .unwrap_err();
        let found = error.to_string();
        assert!(found.starts_with(text), "{found}");
        assert!(
            !found.contains("hidden") && !found.contains("hook"),
            "{found}"
        );
        assert_eq!(error.is_temporary(), is_temporary, "{found}");
    }
}

#[tokio::test]
async fn an_answer_without_an_end_is_not_read() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let sending = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line).unwrap();
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        // Until the other end has had enough.
        while stream.write_all(&[b'x'; 8_192]).is_ok() {}
    });
    webhook(&address, None).unwrap().post("{}").await.unwrap();
    // The connection is closed by a task of this runtime.
    let sent = tokio::task::spawn_blocking(|| sending.join());
    sent.await.unwrap().unwrap();
}

#[test]
fn only_this_machine_is_reached_without_tls() {
    for (address, is_fine) in [
        ("https://hooks.example.org/a/b", true),
        ("http://127.0.0.1:8080/", true),
        ("http://localhost:8080/", true),
        ("http://[::1]/", true),
        ("http://hooks.example.org/", false),
        ("http://127.0.0.1@hooks.example.org/", false),
        ("http://127.0.0.1.example.org/", false),
        ("ftp://127.0.0.1/", false),
        ("hooks", false),
    ] {
        assert_eq!(webhook(address, None).is_ok(), is_fine, "{address}");
    }
}
