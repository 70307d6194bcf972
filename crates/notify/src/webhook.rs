//! Webhook: a JSON document, posted to an address of the settings.
//!
//! A request goes where the operator says and nowhere else: no redirect is followed, and only a
//! program on the same machine is reached without TLS. With a secret the body is signed, so that
//! the receiver knows who it is from.

use std::time::Duration;

use aws_lc_rs::hmac;
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, Url};
use settings::{Secret, WebhookAddress};
use thiserror::Error;

use crate::reason;

/// Header with the HMAC of the body, where there is a secret: `sha256=` and hexadecimal digits.
pub const SIGNATURE: &str = "x-padsvc-signature-256";
const LIMIT: Duration = Duration::from_secs(10);
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
const NAME: &str = "padsvc-alerts";

/// Why a document is not delivered.
#[derive(Debug, Error)]
pub enum WebhookError {
    #[error("the address is no https address")]
    Address,
    #[error("{}", reason(.0))]
    Request(reqwest::Error),
    #[error("it answered {}", .0.as_u16())]
    Status(StatusCode),
}

impl WebhookError {
    /// Whether another attempt may succeed.
    pub fn is_temporary(&self) -> bool {
        match self {
            WebhookError::Address => false,
            WebhookError::Request(_) => true,
            WebhookError::Status(status) => {
                status.is_server_error()
                    || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(status)
            }
        }
    }
}

impl From<reqwest::Error> for WebhookError {
    /// Without the address, which often has a key in it.
    fn from(error: reqwest::Error) -> WebhookError {
        WebhookError::Request(error.without_url())
    }
}

#[derive(Clone)]
pub struct Webhook {
    client: Client,
    url: Url,
    secret: Option<Secret>,
}

impl Webhook {
    pub fn new(address: &WebhookAddress, secret: Option<&Secret>) -> Result<Webhook, WebhookError> {
        let url = Url::parse(&address.0).map_err(|_| WebhookError::Address)?;
        // The settings allow no other; this is the parser that counts.
        let is_loopback = url.host_str().is_some_and(settings::is_loopback);
        if url.scheme() != "https" && !(url.scheme() == "http" && is_loopback) {
            return Err(WebhookError::Address);
        }
        let client = Client::builder()
            .user_agent(NAME)
            .timeout(LIMIT)
            .connect_timeout(CONNECT_LIMIT)
            .redirect(Policy::none())
            .build()?;
        Ok(Webhook {
            client,
            url,
            secret: secret.cloned(),
        })
    }

    /// One attempt.
    pub async fn post(&self, body: &str) -> Result<(), WebhookError> {
        let mut request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json");
        if let Some(secret) = &self.secret {
            request = request.header(SIGNATURE, signature(&secret.0, body));
        }
        // What else it answers does not matter, and is not read.
        let status = request.body(body.to_owned()).send().await?.status();
        if status.is_success() {
            Ok(())
        } else {
            Err(WebhookError::Status(status))
        }
    }
}

/// The value of [`SIGNATURE`].
pub fn signature(secret: &str, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, body.as_bytes());
    let digits = tag.as_ref().iter().map(|byte| format!("{byte:02x}"));
    format!("sha256={}", digits.collect::<String>())
}

#[cfg(test)]
mod tests;
