//! Where alerts go, and what is one.

use std::fmt;
use std::net::IpAddr;

use serde_json::Value as Json;

use crate::diagnostics::{HIDDEN, Report};
use crate::tree::Node;
use crate::value::{Kind, Secret, Setting};

#[derive(Clone, Debug)]
pub struct Alerts {
    pub email: Option<String>,
    pub webhook: Option<WebhookAddress>,
    pub webhook_secret: Option<Secret>,
    /// Changes that take longer until they are stored (p95) are slow.
    pub slow_milliseconds: u64,
    /// A certificate that expires sooner needs a look.
    pub certificate_days: u64,
}

impl Default for Alerts {
    fn default() -> Alerts {
        Alerts {
            email: None,
            webhook: None,
            webhook_secret: None,
            slow_milliseconds: 1_000,
            certificate_days: 14,
        }
    }
}

/// An address that is posted to. Anyone who knows it can often post there, so it is never printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct WebhookAddress(pub String);

impl fmt::Debug for WebhookAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl Setting for WebhookAddress {
    fn allowed(&self) -> String {
        "an address that begins with https://, or http:// on this machine".to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        // What stands in its place where settings are shown is read like that of other secrets.
        match node
            .text()
            .filter(|text| is_webhook(text) || *text == HIDDEN)
        {
            Some(text) => self.0 = text.to_owned(),
            None => report.refuse_secret(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        HIDDEN.into()
    }

    fn kind(&self) -> Kind {
        Kind::Secret
    }
}

fn is_webhook(text: &str) -> bool {
    let (rest, is_plain) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(rest), _) => (rest, false),
        (None, Some(rest)) => (rest, true),
        (None, None) => return false,
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // The port, which an IPv6 address has behind its bracket.
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => host,
        _ => authority,
    };
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
    !host.is_empty()
        && !text.contains(is_odd)
        && !authority.contains('@')
        && (!is_plain || is_loopback(host))
}

/// Whether a host of an address is this machine, by its name alone.
pub fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let address: Result<IpAddr, _> = bare.parse();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use crate::load;

    #[test]
    fn a_webhook_is_reached_over_tls_or_on_this_machine() {
        for (address, is_fine) in [
            ("https://hooks.example.org/a/b?c", true),
            ("https://hooks.example.org:8443", true),
            ("http://localhost:8080/", true),
            ("http://127.0.0.1:8080/", true),
            ("http://[::1]:8080/", true),
            ("http://[::1]", true),
            ("http://10.0.0.1/", false),
            ("http://hooks.example.org/", false),
            ("http://localhost.example.org/", false),
            ("http://localhost@hooks.example.org/", false),
            ("http://127.0.0.1\\\\@hooks.example.org/", false),
            ("https://", false),
            ("https://hooks.example.org/a b", false),
            ("file:///etc/passwd", false),
        ] {
            let text = format!(r#"{{"alerts": {{"webhook": "{address}"}}}}"#);
            match load(&text, &|_| None) {
                Ok((settings, _)) => {
                    assert!(is_fine, "{address}");
                    let shown = format!("{:?}", settings.alerts);
                    assert!(!shown.contains("://"), "{shown}");
                }
                Err(problems) => {
                    assert!(!is_fine, "{address}: {problems:?}");
                    assert!(!format!("{problems:?}").contains("://h"), "{problems:?}");
                }
            }
        }
    }
}
