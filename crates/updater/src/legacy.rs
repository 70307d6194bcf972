//! The older check: whether the update server knows of a newer version. It only leads to a line in
//! the log.

use serde_json::Value;
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

async fn latest(address: &str) -> Result<String, String> {
    let asked = async {
        let response = feed::client(true)?.get(address).send().await?;
        feed::body(response.error_for_status()?).await
    };
    let body = asked.await.map_err(|error| feed::reason(&error))?;
    let body = body.ok_or("the answer is too long")?;
    let json: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
    let version = json.get("latestVersion").and_then(Value::as_str);
    let version = version.ok_or("the answer has no latestVersion")?;
    Ok(version.chars().take(100).collect())
}
