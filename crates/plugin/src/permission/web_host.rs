//! The host that requests of a plugin may go to: one name, one address, or all names below one.

use std::fmt;
use std::net::IpAddr;

use super::own_network::{is_local_name, is_public};

/// `api.example.org`, `*.example.org`, `192.0.2.1`, `[2001:db8::1]`, each with `:PORT` or for 443.
///
/// Addresses and local names are allowed: an operator sees them written out before granting them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebHost {
    /// In lower case; without `*.`.
    name: String,
    has_wildcard: bool,
    port: u16,
}

const HTTPS: u16 = 443;

impl WebHost {
    pub(super) fn parse(text: &str) -> Option<WebHost> {
        let (name, port) = match text.rsplit_once(':') {
            // The colons of an address stand between brackets.
            Some((name, port)) if !port.ends_with(']') => (name, parse_port(port)?),
            _ => (text, HTTPS),
        };
        let (name, has_wildcard) = match name.strip_prefix("*.") {
            Some(rest) => (rest, true),
            None => (name, false),
        };
        let is_fine = if has_wildcard {
            // One label would be a whole top-level domain.
            is_dns_name(name) && name.contains('.') && !is_address(name)
        } else {
            is_dns_name(name) || is_address(name)
        };
        is_fine.then(|| WebHost {
            name: name.to_owned(),
            has_wildcard,
            port,
        })
    }

    /// Whether it names something of the network that the service is in. Names of the internet are
    /// never looked up to lead there.
    pub fn is_in_own_network(&self) -> bool {
        let inner = self.name.trim_start_matches('[').trim_end_matches(']');
        match inner.parse::<IpAddr>() {
            Ok(address) => !is_public(address),
            Err(_) => is_local_name(&self.name),
        }
    }

    /// Whether a request to that host and port may be sent. Hosts of addresses come in lower case
    /// and without a final dot from the parser of addresses; others are refused.
    pub fn permits(&self, host: &str, port: u16) -> bool {
        let is_named = if self.has_wildcard {
            let label = host
                .strip_suffix(&self.name)
                .and_then(|rest| rest.strip_suffix('.'));
            label.is_some_and(|label| !label.is_empty() && is_dns_name(host))
        } else {
            host == self.name
        };
        is_named && port == self.port
    }
}

impl fmt::Display for WebHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wildcard = if self.has_wildcard { "*." } else { "" };
        write!(f, "{wildcard}{}", self.name)?;
        if self.port != HTTPS {
            write!(f, ":{}", self.port)?;
        }
        Ok(())
    }
}

fn parse_port(text: &str) -> Option<u16> {
    let is_canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    is_canonical.then(|| text.parse().ok())?
}

/// As a client writes it in a request: IPv6 in brackets, in its one canonical form.
fn is_address(text: &str) -> bool {
    let inner = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    match inner {
        Some(inner) => matches!(inner.parse(), Ok(IpAddr::V6(it)) if it.to_string() == inner),
        None => matches!(text.parse(), Ok(IpAddr::V4(_))),
    }
}

/// Labels of lower-case letters, digits and hyphens. A last label of digits would be read as an
/// address by some.
fn is_dns_name(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    let is_numeric = last.starts_with(|first: char| first.is_ascii_digit());
    text.len() <= 253 && !is_numeric && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_and_written() {
        for text in [
            "example.org",
            "a-b.example.org:8443",
            "*.example.org",
            "localhost:9400",
            "192.0.2.1",
            "[2001:db8::1]:80",
            "[::1]",
        ] {
            let host = WebHost::parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(host.to_string(), text);
        }
        assert_eq!(WebHost::parse("a.org:443").unwrap().to_string(), "a.org");
    }

    #[test]
    fn others_are_refused() {
        for text in [
            "",
            "*",
            "*.",
            "*.org",
            "*.192.0.2.1",
            "a..org",
            ".org",
            "a.org.",
            "A.org",
            "a.org:",
            "a.org:0",
            "a.org:080",
            "a.org:65536",
            "a.org:+1",
            "a.org/x",
            "a@b.org",
            "a b",
            "ä.org",
            "-a.org",
            "a-.org",
            "1.2.3",
            "0x7f.1",
            "::1",
            "[::0001]",
            "[::1",
            "[a]",
            "a.*.org",
            "a.org?x",
            "a.org#x",
            "a.1",
        ] {
            assert_eq!(WebHost::parse(text), None, "{text}");
        }
        assert_eq!(WebHost::parse(&format!("{}.org", "a".repeat(64))), None);
        assert_eq!(WebHost::parse(&"a.".repeat(200)), None);
    }

    #[test]
    fn own_networks_are_known() {
        for (text, is_own) in [
            ("api.example.org", false),
            ("*.example.org:8443", false),
            ("93.184.216.34", false),
            ("[2606:2800:220:1::1]", false),
            ("localhost:9001", true),
            ("intranet", true),
            ("db.internal:5984", true),
            ("*.office.lan", true),
            ("127.0.0.1:9001", true),
            ("169.254.169.254:80", true),
            ("10.1.2.3", true),
            ("[::1]:9001", true),
            ("[fd00::1]", true),
        ] {
            let host = WebHost::parse(text).unwrap();
            assert_eq!(host.is_in_own_network(), is_own, "{text}");
        }
    }

    #[test]
    fn wildcard_is_for_names_below() {
        let host = WebHost::parse("*.example.org").unwrap();
        for good in ["a.example.org", "a.b.example.org"] {
            assert!(host.permits(good, 443), "{good}");
        }
        for bad in [
            "example.org",
            "xexample.org",
            ".example.org",
            "a..example.org",
            "evil.org/a.example.org",
            "a.example.org.",
            "A.example.org",
        ] {
            assert!(!host.permits(bad, 443), "{bad}");
        }
    }
}
