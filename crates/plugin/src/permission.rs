//! Permissions: what a plugin asks for, and an operator grants or not.
//!
//! A permission is written as plugin.json has it (`pads:read`, `http:fetch(api.example.org)`), and
//! that text is also what is stored and shown.

pub mod own_network;

mod web_host;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

pub use web_host::WebHost;

/// A permission without what it is limited to: what a hook or a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PermissionKind {
    PadsRead,
    PadsWrite,
    Chat,
    AuthorsNames,
    HttpFetch,
    Routes,
    Storage,
    Timers,
}

/// Ordered as an operator reads them: what reaches furthest into pads first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Permission {
    PadsRead,
    PadsWrite,
    Chat,
    AuthorsNames,
    HttpFetch(WebHost),
    Routes,
    Storage,
    Timers,
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PermissionError {
    #[error("there is no permission called {0}; there are: {names}", names = names())]
    Unknown(String),
    #[error("write http:fetch(HOST), with the one host that requests may go to")]
    FetchWithoutHost,
    #[error(
        "{0} is no host: write a name such as api.example.org or *.example.org, or an address, \
         with a port if it is not 443"
    )]
    Host(String),
}

/// Every kind, its name, and what a plugin does with it. An operator reads these words before
/// agreeing, so they say what can happen at worst; the admin area has the same, translated.
pub const KINDS: &[(PermissionKind, &str, &str)] = &[
    (
        PermissionKind::PadsRead,
        "pads:read",
        "Reads the text and the history of every pad on this server, and can keep people out of \
         pads",
    ),
    (
        PermissionKind::PadsWrite,
        "pads:write",
        "Creates, changes and deletes any pad on this server",
    ),
    (
        PermissionKind::Chat,
        "chat",
        "Reads every chat message, and writes, changes and refuses them",
    ),
    (
        PermissionKind::AuthorsNames,
        "authors:names",
        "Sees who is in each pad and what they are called, and can change or refuse names",
    ),
    (
        PermissionKind::HttpFetch,
        "http:fetch(HOST)",
        "Sends data to HOST: anything that it can read",
    ),
    (
        PermissionKind::Routes,
        "routes",
        "Answers requests of visitors at an address of its own, and adds functions to the API",
    ),
    (
        PermissionKind::Storage,
        "storage",
        "Keeps up to 1 MB of its own data in the database",
    ),
    (
        PermissionKind::Timers,
        "timers",
        "Runs at times of its own choice, also when nobody is here",
    ),
];

impl PermissionKind {
    pub fn name(self) -> &'static str {
        let found = KINDS.iter().find(|(kind, ..)| *kind == self);
        found.map_or("", |(_, name, _)| name)
    }

    /// What a plugin does with it; `HOST` stands for the host of requests.
    pub fn meaning(self) -> &'static str {
        let found = KINDS.iter().find(|(kind, ..)| *kind == self);
        found.map_or("", |(.., meaning)| meaning)
    }
}

impl Permission {
    pub fn kind(&self) -> PermissionKind {
        match self {
            Permission::PadsRead => PermissionKind::PadsRead,
            Permission::PadsWrite => PermissionKind::PadsWrite,
            Permission::Chat => PermissionKind::Chat,
            Permission::AuthorsNames => PermissionKind::AuthorsNames,
            Permission::HttpFetch(_) => PermissionKind::HttpFetch,
            Permission::Routes => PermissionKind::Routes,
            Permission::Storage => PermissionKind::Storage,
            Permission::Timers => PermissionKind::Timers,
        }
    }

    /// Whether requests go to what only those can reach who are in the service's own network.
    pub fn is_in_own_network(&self) -> bool {
        matches!(self, Permission::HttpFetch(host) if host.is_in_own_network())
    }

    /// What an operator reads before granting it.
    pub fn meaning(&self) -> String {
        let meaning = self.kind().meaning();
        match self {
            Permission::HttpFetch(host) => meaning.replace("HOST", &host.to_string()),
            _ => meaning.to_owned(),
        }
    }
}

/// Whether one of the granted permissions is of the kind that is needed. For requests, which host
/// they may go to is [`may_fetch`]'s question.
pub fn grants(granted: &BTreeSet<Permission>, needed: PermissionKind) -> bool {
    granted.iter().any(|permission| permission.kind() == needed)
}

/// Whether a request to that host and port is granted.
pub fn may_fetch(granted: &BTreeSet<Permission>, host: &str, port: u16) -> bool {
    granted.iter().any(|permission| match permission {
        Permission::HttpFetch(allowed) => allowed.permits(host, port),
        _ => false,
    })
}

/// What a new version of a plugin asks for beyond what is granted, in order.
pub fn added(granted: &BTreeSet<Permission>, asked: &BTreeSet<Permission>) -> Vec<Permission> {
    asked.difference(granted).cloned().collect()
}

impl FromStr for Permission {
    type Err = PermissionError;

    fn from_str(text: &str) -> Result<Permission, PermissionError> {
        Ok(match text {
            "pads:read" => Permission::PadsRead,
            "pads:write" => Permission::PadsWrite,
            "chat" => Permission::Chat,
            "authors:names" => Permission::AuthorsNames,
            "routes" => Permission::Routes,
            "storage" => Permission::Storage,
            "timers" => Permission::Timers,
            "http:fetch" | "http:fetch()" => return Err(PermissionError::FetchWithoutHost),
            _ => {
                let host = text
                    .strip_prefix("http:fetch(")
                    .and_then(|rest| rest.strip_suffix(')'));
                let host = host.ok_or_else(|| PermissionError::Unknown(excerpt(text)))?;
                let parsed = WebHost::parse(host);
                Permission::HttpFetch(parsed.ok_or_else(|| PermissionError::Host(excerpt(host)))?)
            }
        })
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Permission::HttpFetch(host) => write!(f, "http:fetch({host})"),
            other => f.write_str(other.kind().name()),
        }
    }
}

impl Serialize for Permission {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Permission {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Permission, D::Error> {
        let text = String::deserialize(source)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

fn names() -> String {
    let names: Vec<&str> = KINDS.iter().map(|(_, name, _)| *name).collect();
    names.join(", ")
}

/// What an error quotes of a text that may be of any length.
pub(crate) fn excerpt(text: &str) -> String {
    const CHARACTERS: usize = 60;
    let mut quoted: String = text.chars().take(CHARACTERS).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(texts: &[&str]) -> BTreeSet<Permission> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn permissions_are_written_as_they_are_read() {
        for (kind, name, meaning) in KINDS {
            let text = name.replace("HOST", "a.example.org");
            let permission: Permission = text.parse().unwrap();
            assert_eq!(permission.to_string(), text);
            assert_eq!(permission.kind(), *kind);
            assert_eq!(kind.name(), *name);
            assert_eq!(kind.meaning(), *meaning);
            assert_eq!(
                permission.meaning(),
                meaning.replace("HOST", "a.example.org")
            );
            let json = serde_json::to_string(&permission).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(
                serde_json::from_str::<Permission>(&json).unwrap(),
                permission
            );
        }
    }

    #[test]
    fn errors_say_what_to_write() {
        for (text, part) in [
            (
                "pads",
                "there is no permission called pads; there are: pads:read, pads:write",
            ),
            ("Chat", "there is no permission called Chat"),
            ("http:fetch", "write http:fetch(HOST)"),
            ("http:fetch()", "write http:fetch(HOST)"),
            ("http:fetch(https://a.org)", "https://a.org is no host"),
            ("http:fetch(*)", "* is no host"),
        ] {
            let error = text.parse::<Permission>().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let long = "x".repeat(10_000).parse::<Permission>().unwrap_err();
        assert!(long.to_string().len() < 300);
    }

    #[test]
    fn difference_at_an_upgrade_has_an_order() {
        let granted = set(&["storage", "pads:read", "http:fetch(a.org)"]);
        let asked = set(&["timers", "http:fetch(b.org)", "pads:write", "pads:read"]);
        let added: Vec<String> = added(&granted, &asked)
            .iter()
            .map(Permission::to_string)
            .collect();
        assert_eq!(added, ["pads:write", "http:fetch(b.org)", "timers"]);
    }

    #[test]
    fn requests_go_to_granted_hosts_only() {
        let granted = set(&["http:fetch(a.org)", "http:fetch(*.b.org)", "chat"]);
        assert!(grants(&granted, PermissionKind::HttpFetch));
        assert!(!grants(&granted, PermissionKind::PadsRead));
        assert!(may_fetch(&granted, "a.org", 443));
        assert!(may_fetch(&granted, "x.b.org", 443));
        for (host, port) in [("a.org", 80), ("b.org", 443), ("x.a.org", 443), ("", 443)] {
            assert!(!may_fetch(&granted, host, port), "{host}:{port}");
        }
    }
}
