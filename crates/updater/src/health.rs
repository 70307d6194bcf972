//! Health check of the running service, over HTTP.
//!
//! Whatever its certificate says: it is this program, and it may be known by other names than the
//! address where it is asked.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use serde_json::Value;

use super::feed;

/// Between two questions.
const PAUSE: Duration = Duration::from_millis(250);
const LIMIT: Duration = Duration::from_secs(5);

/// Ends when the service says that it is healthy, and that it is this release.
pub(crate) async fn healthy(address: String, release: String) {
    loop {
        if let Ok(true) = request_health(&address, &release).await {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn request_health(address: &str, release: &str) -> reqwest::Result<bool> {
    let client = Client::builder()
        .no_proxy()
        .tls_danger_accept_invalid_certs(true)
        .redirect(Policy::none())
        .timeout(LIMIT)
        .build()?;
    let response = client.get(address).send().await?;
    let status = response.status();
    let body = feed::body(response).await?.unwrap_or_default();
    Ok(is_healthy(status, &body, release))
}

fn is_healthy(status: StatusCode, body: &[u8], expected: &str) -> bool {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let release = body.get("releaseId").and_then(Value::as_str);
    status == StatusCode::OK && release == Some(expected)
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use listener::tls;
    use settings::{Listen, Tls};

    #[tokio::test]
    async fn an_encrypted_service_is_believed_whatever_its_certificate_says() {
        let folder = tempdir().unwrap();
        let made = rcgen::generate_simple_self_signed(["pads.example".to_owned()]).unwrap();
        std::fs::write(folder.path().join("cert.pem"), made.cert.pem()).unwrap();
        let key = made.signing_key.serialize_pem();
        std::fs::write(folder.path().join("key.pem"), key).unwrap();
        let settings = Listen {
            tls: Some(Tls {
                certificate: "cert.pem".into(),
                key: "key.pem".into(),
                authorities: Vec::new(),
            }),
            ..Listen::default()
        };
        let acceptor = tls::acceptor(&settings, folder.path()).unwrap().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = async {
            let (stream, _) = listener.accept().await.unwrap();
            let mut stream = acceptor.accept(stream).await.unwrap();
            let mut head = [0; 1024];
            assert!(stream.read(&mut head).await.unwrap() > 0);
            let answer = "HTTP/1.1 200 OK\r\ncontent-length: 21\r\n\r\n{\"releaseId\":\"1.1.0\"}";
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
        };
        let address = format!("https://{address}/health");
        let (answer, ()) = tokio::join!(request_health(&address, "1.1.0"), service);
        assert!(answer.unwrap());
    }

    #[test]
    fn only_a_200_of_the_version_counts() {
        let body = |version| format!(r#"{{"status":"pass","releaseId":"{version}"}}"#);
        for (status, body, expected) in [
            (200, body("1.1.0"), true),
            (503, body("1.1.0"), false),
            (200, body("1.0.0"), false),
            (200, String::new(), false),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            let healthy = is_healthy(status, body.as_bytes(), "1.1.0");
            assert_eq!(healthy, expected, "{status} {body}");
        }
    }
}
