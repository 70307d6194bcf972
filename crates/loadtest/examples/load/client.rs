//! As little HTTP as an honest measurement needs: one connection, one request after another.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Result;

pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: &str) -> Result<Connection> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection {
            stream,
            buffer: Vec::with_capacity(64 * 1024),
        })
    }

    /// Sends a request and reads the whole answer, which must be a success; the body's length.
    pub(crate) async fn request(&mut self, request: &[u8]) -> Result<usize> {
        Ok(self.exchange(request).await?.1)
    }

    /// The data of an answer.
    pub(crate) async fn call(&mut self, request: &[u8]) -> Result<Value> {
        let (start, length) = self.exchange(request).await?;
        let body = self.buffer.get(start..start + length).unwrap_or_default();
        let mut envelope: Value = serde_json::from_slice(body)?;
        match envelope.get_mut("data") {
            Some(data) => Ok(data.take()),
            None => Err("not an envelope".into()),
        }
    }

    /// Where the body is in the buffer.
    async fn exchange(&mut self, request: &[u8]) -> Result<(usize, usize)> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let start = loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the server closed the connection".into());
            }
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end + 4;
            }
        };
        let head = std::str::from_utf8(self.buffer.get(..start).unwrap_or_default())?;
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .ok_or("an answer without a length")?
            .parse::<usize>()?;
        let is_good = head.starts_with("HTTP/1.1 200");
        self.buffer.reserve(length);
        while self.buffer.len() < start + length {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the server closed the connection".into());
            }
        }
        let body = self.buffer.get(start..).unwrap_or_default();
        let is_refusal = body.starts_with(b"{\"code\":") && !body.starts_with(b"{\"code\":0");
        if !is_good || is_refusal {
            return Err(String::from_utf8_lossy(body).into());
        }
        Ok((start, length))
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}
