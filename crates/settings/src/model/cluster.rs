//! Nodes: several processes on one PostgreSQL database.

use std::net::Ipv6Addr;

use serde_json::Value as Json;

use crate::diagnostics::Report;
use crate::tree::Node;
use crate::value::Setting;

#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// Where other nodes reach this one, if not where it listens.
    pub address: Option<NodeAddress>,
}

/// A host, and a port if it is not the one that the service listens on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeAddress {
    host: String,
    port: Option<u16>,
}

impl NodeAddress {
    /// As in a URL, with the port that the service listens on unless another is named.
    pub fn authority(&self, listening: u16) -> String {
        format!("{}:{}", self.host, self.port.unwrap_or(listening))
    }
}

impl Setting for NodeAddress {
    fn allowed(&self) -> String {
        "a host or an address, with a port or without, such as \"10.0.0.5\", \
         \"node1.internal:9001\" or \"[2001:db8::5]:9001\""
            .to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        match node.text().and_then(parse) {
            Some(address) => *self = address,
            None => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        match self.port {
            Some(port) => format!("{}:{port}", self.host).into(),
            None => self.host.as_str().into(),
        }
    }
}

fn parse(text: &str) -> Option<NodeAddress> {
    if text.parse::<Ipv6Addr>().is_ok() {
        let (host, port) = (format!("[{text}]"), None);
        return Some(NodeAddress { host, port });
    }
    let end = text.rfind(']').map_or(0, |bracket| bracket + 1);
    let (host, port) = match text.get(end..)?.split_once(':') {
        Some((rest, port)) => {
            let port: u16 = port.parse().ok().filter(|port| *port > 0)?;
            (text.get(..end + rest.len())?, Some(port))
        }
        None => (text, None),
    };
    let is_bracketed = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .is_some_and(|host| host.parse::<Ipv6Addr>().is_ok());
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    let is_name = !host.is_empty() && host.chars().all(is_plain);
    let host = host.to_owned();
    (is_bracketed || is_name).then_some(NodeAddress { host, port })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_may_have_a_port() {
        for (text, authority) in [
            ("10.0.0.5", "10.0.0.5:80"),
            ("10.0.0.5:9001", "10.0.0.5:9001"),
            ("node-1.internal", "node-1.internal:80"),
            ("node-1.internal:9001", "node-1.internal:9001"),
            ("2001:db8::5", "[2001:db8::5]:80"),
            ("[2001:db8::5]", "[2001:db8::5]:80"),
            ("[2001:db8::5]:9001", "[2001:db8::5]:9001"),
        ] {
            assert_eq!(parse(text).unwrap().authority(80), authority, "{text}");
        }
        for wrong in [
            "", ":9001", "a:", "a:0", "a:65536", "http://a", "a/b", "a b", "[a]:1", "a@b", "[::1",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
