//! Asking the code host for the newest release.

use std::time::Duration;

use notify::reason;
use reqwest::header::{ACCEPT, ETAG, IF_NONE_MATCH, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use update::feed::{Answer, Checked, read};

use super::owner::now;

const LIMIT: Duration = Duration::from_secs(30);
const LONGEST: usize = 1024 * 1024;
/// Says what asks, and not which version of it.
const NAME: &str = "padsvc-self-update";

/// A client for questions to other machines. Unless plain HTTP is allowed, it does not follow
/// redirects there either.
pub(crate) fn client(allows_http: bool) -> reqwest::Result<Client> {
    Client::builder()
        .https_only(!allows_http)
        .user_agent(NAME)
        .timeout(LIMIT)
        .connect_timeout(Duration::from_secs(10))
        .redirect(Policy::limited(5))
        .build()
}

pub(crate) async fn check(client: Client, address: String, etag: Option<String>) -> Checked {
    let mut request = client.get(address);
    request = request.header(ACCEPT, "application/vnd.github+json");
    if let Some(etag) = etag {
        request = request.header(IF_NONE_MATCH, etag);
    }
    let answered = async {
        let response = request.send().await?;
        let text = |name| {
            let value = response.headers().get(name)?;
            value.to_str().ok().map(str::to_owned)
        };
        let (etag, retry_after) = (text(ETAG), text(RETRY_AFTER));
        let status = response.status().as_u16();
        let body = body(response).await?;
        Ok::<_, reqwest::Error>(body.map(|body| {
            let answer = Answer {
                status,
                etag: etag.as_deref(),
                retry_after: retry_after.as_deref(),
                body: &body,
            };
            read(&answer, now())
        }))
    };
    match answered.await {
        Ok(Some(checked)) => checked,
        Ok(None) => Checked::Failed("the answer is too long".to_owned()),
        Err(error) => Checked::Failed(reason(&error)),
    }
}

/// `None` if it is too long.
pub(crate) async fn body(mut response: Response) -> reqwest::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > LONGEST {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}
