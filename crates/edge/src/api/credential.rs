//! Who calls: what a request shows, and who judges it.
//!
//! One valid credential is enough, wherever it is. What is shown is compared and forgotten; it is
//! never logged and never part of an answer.

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use service::api::{Argument, Arguments, Caller};

use crate::oidc::Oidc;
use identity::api_key::ApiKey;

/// Something that claims to be a credential.
#[derive(Clone, Copy)]
enum Shown<'a> {
    /// As a parameter, or in the header `apikey`.
    Key(&'a str),
    /// In the header `Authorization`, with the word `Bearer` or without.
    Bearer(&'a str),
}

/// Every kind of credential that is accepted: the API key, and tokens of administrators.
pub struct Credentials {
    key: ApiKey,
    oidc: Arc<Oidc>,
}

impl Credentials {
    pub fn new(key: ApiKey, oidc: Arc<Oidc>) -> Credentials {
        Credentials { key, oidc }
    }

    /// `asked` is the address that the request was sent to.
    pub async fn caller(&self, headers: &HeaderMap, arguments: &Arguments, asked: &str) -> Caller {
        let keys = ["apikey", "api_key"].map(|name| argument(arguments, name));
        let shown = keys
            .into_iter()
            .flatten()
            .chain(header(headers, "apikey"))
            .map(Shown::Key)
            .chain(header(headers, header::AUTHORIZATION.as_str()).map(bearer));
        for shown in shown {
            if self.accepts(shown, asked).await {
                return Caller::Trusted;
            }
        }
        Caller::Anonymous
    }

    async fn accepts(&self, shown: Shown<'_>, asked: &str) -> bool {
        let (Shown::Key(text) | Shown::Bearer(text)) = shown;
        if self.key.matches(text) {
            return true;
        }
        matches!(shown, Shown::Bearer(_)) && self.oidc.may_administer(text, asked).await
    }
}

fn argument<'a>(arguments: &'a Arguments, name: &str) -> Option<&'a str> {
    match arguments.get(name)? {
        Argument::Text(text) => Some(text),
        _ => None,
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn bearer(authorization: &str) -> Shown<'_> {
    let text = match authorization.split_once(' ') {
        Some((scheme, text)) if scheme.eq_ignore_ascii_case("bearer") => text.trim_start(),
        _ => authorization,
    };
    Shown::Bearer(text)
}
