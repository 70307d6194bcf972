//! The bounds of what a request may be: its head, its body, its time.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::client::{self, Request, exchange, exchange_and_hang_up, form};
use crate::server::{Server, TempRoot};

/// A request whose head has exactly this many bytes.
fn with_head_of(target: &str, bytes: usize) -> Vec<u8> {
    let empty = Request::get(target).header("x-fill", "").bytes().len();
    let fill = "f".repeat(bytes - empty);
    let request = Request::get(target).header("x-fill", &fill).bytes();
    assert_eq!(request.len(), bytes);
    request
}

#[test]
fn head_has_8192_bytes_at_most() {
    let root = TempRoot::new("head");
    let server = Server::start(&root);
    for (bytes, status) in [
        (8191, 200),
        (8192, 200),
        (8193, 431),
        (12_000, 431),
        (16_384, 431),
        (16_385, 431),
        (100_000, 431),
    ] {
        let answer = exchange(&server.address, &with_head_of("/health", bytes));
        let answer = client::parse(&answer).unwrap();
        assert_eq!(answer.status, status, "{bytes}");
    }
    let answer = exchange(&server.address, &with_head_of("/api/1/createPad", 8193));
    let answer = client::parse(&answer).unwrap();
    assert_eq!(answer.status, 431);
    assert!(
        answer.text().contains("over 8192 bytes"),
        "{}",
        answer.text()
    );
    assert_eq!(answer.header("x-request-id").len(), 16);
    assert_eq!(answer.header("x-content-type-options"), "nosniff");

    let long_query = format!("/api/1/createPad?padID=x&text={}", "t".repeat(9000));
    let get = Request::get(&long_query).header("apikey", &server.key);
    assert_eq!(server.send(&get).status, 431);
    // Nothing of it was carried out.
    assert_eq!(
        server.data("listAllPads", &json!({})),
        json!({"padIDs": []})
    );
}

#[test]
fn head_may_have_many_small_headers() {
    let root = TempRoot::new("many_headers");
    let server = Server::start(&root);
    let mut request = Request::get("/health");
    for index in 0..400 {
        request = request.header(&format!("x-{index}"), "v");
    }
    assert_eq!(server.send(&request).status, 200);
}

#[test]
fn body_has_50_megabytes_at_most() {
    const MAX: usize = 50 * 1024 * 1024;
    let root = TempRoot::new("body");
    let server = Server::start(&root);
    for (bytes, status, message) in [
        (MAX, 200, "ok"),
        (MAX + 1, 413, "the body is over 52428800 bytes"),
        (MAX + 5_000_000, 413, "the body is over 52428800 bytes"),
    ] {
        let request = Request::post("/api/1.2/checkToken")
            .header("apikey", &server.key)
            .form(format!("text={}", "x".repeat(bytes - "text=".len())));
        let answer = server.send(&request);
        assert_eq!(answer.status, status, "{bytes}");
        let code = u8::from(status != 200);
        let expected = json!({"code": code, "message": message, "data": null});
        assert_eq!(answer.json(), expected);
    }
}

#[test]
fn body_without_a_length_is_bounded_too() {
    let root = TempRoot::new("chunked");
    let server = Server::start(&root);
    let head = format!(
        "POST /api/1/createPad HTTP/1.1\r\nhost: pads\r\nconnection: close\r\napikey: {}\r\n\
         content-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n",
        server.key
    );
    let chunk = |bytes: &[u8]| {
        let length = format!("{:x}\r\n", bytes.len());
        [length.as_bytes(), bytes, b"\r\n"].concat()
    };
    let whole = [
        head.as_bytes(),
        &chunk(b"padID=chunks&te"),
        &chunk(b"xt=in two"),
        b"0\r\n\r\n",
    ];
    let answer = client::parse(&exchange(&server.address, &whole.concat())).unwrap();
    assert_eq!(answer.json()["message"], "ok");

    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let megabyte = chunk(&vec![b'x'; 1024 * 1024]);
    for _ in 0..60 {
        if stream.write_all(&megabyte).is_err() {
            break;
        }
    }
    let _ = stream.write_all(b"0\r\n\r\n");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert_eq!(client::parse(&answer).unwrap().status, 413);
}

#[test]
fn client_that_asks_first_need_not_send_what_is_too_large() {
    let root = TempRoot::new("expect");
    let server = Server::start(&root);
    let head = "POST /api/1/createPad HTTP/1.1\r\nhost: pads\r\nconnection: close\r\n\
                expect: 100-continue\r\ncontent-length: 99999999\r\n\r\n";
    let answer = exchange(&server.address, head.as_bytes());
    assert_eq!(client::parse(&answer).unwrap().status, 413);
}

#[test]
fn body_that_breaks_off_changes_nothing() {
    let root = TempRoot::new("breaks_off");
    let server = Server::start(&root);
    let request = Request::post("/api/1/createPad")
        .header("apikey", &server.key)
        .form(form(&[
            ("padID", "half"),
            ("text", "the other half is missing"),
        ]))
        .bytes();
    for cut in 1..request.len() {
        if cut % 17 == 0 {
            let answer = exchange_and_hang_up(&server.address, &request[..cut]);
            if let Some(answer) = client::parse(&answer) {
                assert_eq!(answer.status, 400, "cut at {cut}");
            }
        }
    }
    assert_eq!(
        server.data("listAllPads", &json!({})),
        json!({"padIDs": []})
    );
}

#[test]
fn several_requests_share_a_connection() {
    let root = TempRoot::new("keep_alive");
    let server = Server::start(&root);
    let one = "GET /health HTTP/1.1\r\nhost: pads\r\n\r\n";
    let last = "GET /health HTTP/1.1\r\nhost: pads\r\nconnection: close\r\n\r\n";
    let answer = exchange(&server.address, format!("{one}{one}{last}").as_bytes());
    let answer = String::from_utf8(answer).unwrap();
    assert_eq!(answer.matches("HTTP/1.1 200 OK").count(), 3);
    let ids: std::collections::BTreeSet<&str> = answer
        .lines()
        .filter(|line| line.starts_with("x-request-id: "))
        .collect();
    assert_eq!(ids.len(), 3);
}
