//! Delivery of messages to the administrator: by mail ([`send_mail`]) and to a webhook
//! ([`Webhook`]).
//!
//! Invariant: an attempt ends by itself, what comes back is bounded, and no error text holds an
//! address, a password or the secret of a webhook. What is said, and when, is decided elsewhere.

mod mail;
mod webhook;

pub use mail::{Mail, MailError, send_mail};
pub use webhook::{SIGNATURE, Webhook, WebhookError, signature};

/// An error and all it comes from.
pub fn reason(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text += &format!(": {inner}");
        source = inner.source();
    }
    text
}
