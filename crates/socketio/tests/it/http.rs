//! A client for HTTP/1.1 that hides nothing: one connection per request.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[derive(Debug)]
pub(crate) struct Answer {
    pub status: u16,
    /// In lower case.
    pub head: String,
    pub body: String,
}

/// A request that has been sent.
pub(crate) struct Sent(TcpStream);

pub(crate) async fn send(address: SocketAddr, method: &str, target: &str, body: &[u8]) -> Sent {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let length = body.len();
    let head = format!(
        "{method} {target} HTTP/1.1\r\nhost: pad\r\nconnection: close\r\n\
         content-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // The server may have answered and closed before all of a large body is written.
    let _ = stream.write_all(body).await;
    Sent(stream)
}

impl Sent {
    /// Waits for the beginning of the answer, and reads none of it.
    pub(crate) async fn begins(&self) {
        let mut byte = [0];
        assert_eq!(self.0.peek(&mut byte).await.unwrap(), 1);
    }

    pub(crate) async fn answer(mut self) -> Answer {
        let mut bytes = Vec::new();
        // What was received before a reset still counts.
        let _ = self.0.read_to_end(&mut bytes).await;
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").expect("an answer with a head");
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer {
            status,
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }
}

pub(crate) async fn get(address: SocketAddr, target: &str) -> Answer {
    send(address, "GET", target, b"").await.answer().await
}

pub(crate) async fn post(address: SocketAddr, target: &str, body: &[u8]) -> Answer {
    send(address, "POST", target, body).await.answer().await
}
