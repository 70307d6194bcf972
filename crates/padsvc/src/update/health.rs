//! Whether the service that runs is healthy: asked over HTTP, as anybody would ask.
//!
//! With bytes on a connection, because it must not depend on certificates, proxies or anything else
//! that is there for questions to other machines.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Between two questions.
const PAUSE: Duration = Duration::from_millis(250);
const LIMIT: Duration = Duration::from_secs(5);
const LONGEST: u64 = 64 * 1024;

/// Ends when the service says that it is healthy, and that it is this version.
pub async fn healthy(address: SocketAddr, version: String) {
    loop {
        if let Ok(Ok(answer)) = timeout(LIMIT, ask(address)).await
            && is_healthy(&answer, &version)
        {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn ask(address: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let question = format!("GET /health HTTP/1.0\r\nhost: {address}\r\n\r\n");
    stream.write_all(question.as_bytes()).await?;
    let mut answer = String::new();
    stream.take(LONGEST).read_to_string(&mut answer).await?;
    Ok(answer)
}

fn is_healthy(answer: &str, version: &str) -> bool {
    let Some((head, body)) = answer.split_once("\r\n\r\n") else {
        return false;
    };
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let release = body.get("releaseId").and_then(Value::as_str);
    head.split(' ').nth(1) == Some("200") && release == Some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_200_of_the_version_counts() {
        let answer = |status, version| {
            let body = format!(r#"{{"status":"pass","releaseId":"{version}"}}"#);
            format!("HTTP/1.0 {status} X\r\ncontent-type: x\r\n\r\n{body}")
        };
        assert!(is_healthy(&answer(200, "1.1.0"), "1.1.0"));
        assert!(!is_healthy(&answer(503, "1.1.0"), "1.1.0"));
        assert!(!is_healthy(&answer(200, "1.0.0"), "1.1.0"));
        assert!(!is_healthy("HTTP/1.0 200 OK\r\n\r\n", "1.1.0"));
        assert!(!is_healthy("", "1.1.0"));
    }
}
