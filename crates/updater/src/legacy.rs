//! The older check: whether the update server knows of a newer version. It only leads to a line in
//! the log.

use serde_json::Value;
use thiserror::Error;
use tracing::{info, warn};
use update::version::is_newer;

use super::feed;
use settings::Privacy;

pub(crate) async fn check(privacy: &Privacy, running: &str) {
    if !privacy.update_check {
        info!("privacy.updateCheck is off: the update server is not asked");
        return;
    }
    let Some(server) = &privacy.update_server else {
        return;
    };
    let address = format!("{}/info.json", server.0.trim_end_matches('/'));
    match latest(&address).await {
        Ok(latest) if is_newer(&latest, running) => {
            warn!("version {latest} is out; {running} is running");
        }
        Ok(_) => {}
        Err(problem) => info!("{address} could not be asked for the newest version: {problem}"),
    }
}

/// Why the newest version is not known.
#[derive(Debug, Error)]
enum LatestError {
    #[error("{}", notify::reason(.0))]
    Http(#[from] reqwest::Error),
    #[error("the answer is too long")]
    TooLong,
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("the answer has no latestVersion")]
    NoVersion,
}

async fn latest(address: &str) -> Result<String, LatestError> {
    let response = feed::client(true)?.get(address).send().await?;
    let body = feed::body(response.error_for_status()?).await?;
    let json: Value = serde_json::from_slice(&body.ok_or(LatestError::TooLong)?)?;
    let version = json.get("latestVersion").and_then(Value::as_str);
    let version = version.ok_or(LatestError::NoVersion)?;
    Ok(version.chars().take(100).collect())
}
