//! Connections as clients open them, on streams in memory and a clock that jumps.

use std::future::pending;
use std::net::Ipv4Addr;

use axum::body::to_bytes;
use axum::http::StatusCode;
use axum::routing::{get, post};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

use super::*;

/// A connection to a server with a page, a place to send to, and one that never answers.
fn connect() -> (DuplexStream, GracefulShutdown) {
    let take = async |body: Body| match to_bytes(body, 1000).await {
        Ok(bytes) => (StatusCode::OK, bytes.len().to_string()),
        Err(_) => (StatusCode::BAD_REQUEST, String::new()),
    };
    let router = Router::new()
        .route("/", get(async || "page"))
        .route("/large", get(async || vec![b'x'; 1_000_000]))
        .route("/silent", get(async || pending::<String>().await))
        .route("/take", post(take));
    let client = ClientIp::connected(Ipv4Addr::LOCALHOST.into());
    let limits = ConnectionLimits::new(&settings::Listen::default(), None);
    let permit = Connections::new(limits).admit(client).unwrap();
    let visit = Visit {
        client,
        router,
        builder: builder(),
        first_request_by: Instant::now() + HEAD_TIMEOUT,
    };
    let (ours, theirs) = duplex(10_000);
    // Dropped it would be a stop.
    let running = GracefulShutdown::new();
    tokio::spawn(visit.serve(Box::new(theirs), permit, running.watcher()));
    (ours, running)
}

const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n";
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// A frame without settings.
const SETTINGS: &[u8] = b"\0\0\0\x04\0\0\0\0\0";
/// `GET http://a/` as the first stream.
const HEADERS: &[u8] = b"\0\0\x06\x01\x05\0\0\0\x01\x82\x84\x86\x41\x01a";

#[tokio::test(start_paused = true)]
async fn connections_that_send_nothing_are_closed() {
    for sent in [
        &b""[..],
        b"GET / HT",
        GET,
        &PREFACE[..10],
        PREFACE,
        &[PREFACE, SETTINGS].concat(),
        &[PREFACE, SETTINGS, HEADERS].concat(),
    ] {
        let (mut client, _running) = connect();
        client.write_all(sent).await.unwrap();
        let mut answer = Vec::new();
        let hour = Duration::from_secs(3600);
        let closed = timeout(hour, client.read_to_end(&mut answer)).await;
        assert!(closed.is_ok(), "{:?}", String::from_utf8_lossy(sent));
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_takes_long_is_waited_for() {
    let (mut client, _running) = connect();
    let request = b"GET /silent HTTP/1.1\r\nhost: a\r\n\r\n";
    client.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    let hour = Duration::from_secs(3600);
    let closed = timeout(hour, client.read_to_end(&mut answer)).await;
    assert!(closed.is_err());
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_nobody_takes_is_given_up() {
    let (mut client, _running) = connect();
    let request = b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n";
    client.write_all(request).await.unwrap();
    tokio::time::sleep(Duration::from_secs(3600)).await;
    let mut answer = Vec::new();
    client.read_to_end(&mut answer).await.unwrap();
    assert!(answer.len() < 1_000_000);
}

#[tokio::test]
async fn heads_that_can_be_read_in_two_ways_are_refused() {
    for (request, status) in [
        (
            "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
            "200",
        ),
        ("GET / HTTP/1.0\r\n\r\n", "200"),
        ("GET / HTTP/1.1\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nhost: a\nx: y\r\n\r\n", "400"),
        ("GET / HTTP/1.1\nhost: a\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nhost: a\r\n\n", "400"),
        ("\nGET / HTTP/1.1\r\nhost: a\r\n\r\n", "400"),
        (
            "POST /take HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 2\r\n\r\n\n\n",
            "200",
        ),
    ] {
        let (mut client, _running) = connect();
        client.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        let begin = format!("HTTP/1.{} {status} ", request.contains("1.1") as u8);
        assert!(answer.starts_with(&begin), "{request:?}: {answer}");
    }
}
