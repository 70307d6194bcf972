//! Who calls: what a request shows, and who judges it.
//!
//! One valid credential is enough, wherever it is. What is shown is compared and forgotten; it is
//! never logged and never part of an answer.

use axum::http::{HeaderMap, header};
use service::api::{Argument, Arguments, Caller};

use identity::api_key::ApiKey;

/// Something that claims to be a credential.
#[derive(Clone, Copy)]
pub enum Shown<'a> {
    /// As a parameter, or in the header `apikey`.
    Key(&'a str),
    /// In the header `Authorization`, with the word `Bearer` or without.
    Bearer(&'a str),
}

/// Knows one kind of credential.
pub trait Verifier: Send + Sync {
    /// `asked` is the address that it was sent to.
    fn accepts(&self, shown: Shown, asked: &str) -> bool;
}

impl Verifier for ApiKey {
    fn accepts(&self, shown: Shown, _: &str) -> bool {
        let (Shown::Key(text) | Shown::Bearer(text)) = shown;
        self.matches(text)
    }
}

/// Every kind of credential that is accepted.
pub struct Credentials(Vec<Box<dyn Verifier>>);

impl Credentials {
    pub fn new(verifiers: Vec<Box<dyn Verifier>>) -> Credentials {
        Credentials(verifiers)
    }

    pub fn caller(&self, headers: &HeaderMap, arguments: &Arguments, asked: &str) -> Caller {
        let keys = ["apikey", "api_key"].map(|name| argument(arguments, name));
        let shown = keys
            .into_iter()
            .flatten()
            .chain(header(headers, "apikey"))
            .map(Shown::Key)
            .chain(header(headers, header::AUTHORIZATION.as_str()).map(bearer));
        for shown in shown {
            if self.0.iter().any(|verifier| verifier.accepts(shown, asked)) {
                return Caller::Trusted;
            }
        }
        Caller::Anonymous
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
