//! Whether the service that runs is healthy: asked over HTTP, as anybody would ask.

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::Client;
use serde_json::Value;

use super::feed;

/// Between two questions.
const PAUSE: Duration = Duration::from_millis(250);

/// Ends when the service says that it is healthy, and that it is this version.
pub async fn healthy(address: SocketAddr, version: String) {
    loop {
        if answers(address, &version).await.unwrap_or(false) {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn answers(address: SocketAddr, version: &str) -> reqwest::Result<bool> {
    // A proxy is for other machines.
    let client = Client::builder()
        .no_proxy()
        .timeout(Duration::from_secs(5))
        .build()?;
    let response = client
        .get(format!("http://{address}/health"))
        .send()
        .await?;
    if response.status() != 200 {
        return Ok(false);
    }
    let body = feed::body(response).await?.unwrap_or_default();
    let json: Value = serde_json::from_slice(&body).unwrap_or_default();
    Ok(json.get("releaseId").and_then(Value::as_str) == Some(version))
}
