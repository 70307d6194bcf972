//! `trustProxy`: which reverse proxies may say who the client is.
//!
//! The values are those of Express's `trust proxy`, with one difference: `true` trusts exactly one
//! proxy, the one that is connected. Express believes the first entry of `X-Forwarded-For` then,
//! which is the one that a client can invent.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde_json::Value as Json;

use crate::diagnostics::Report;
use crate::tree::{Node, Value};
use crate::value::{Kind, Setting};

/// Longer chains of proxies do not occur.
const MAX_HOPS: usize = 32;
const ALLOWED: &str = "true (one proxy), false, a number of proxies, or a list of addresses and \
                       networks such as [\"loopback\", \"10.0.0.0/8\"]";

/// Networks with a name, as in Express.
const LOOPBACK: [Network; 2] = [v4([127, 0, 0, 0], 8), v6([0, 0, 0, 0, 0, 0, 0, 1], 128)];
const LINK_LOCAL: [Network; 2] = [
    v4([169, 254, 0, 0], 16),
    v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10),
];
const UNIQUE_LOCAL: [Network; 4] = [
    v4([10, 0, 0, 0], 8),
    v4([172, 16, 0, 0], 12),
    v4([192, 168, 0, 0], 16),
    v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7),
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TrustProxy {
    #[default]
    Nobody,
    /// So many proxies stand between a client and this service, wherever they are.
    Hops(usize),
    /// Proxies have these addresses.
    Networks(Vec<Network>),
}

/// A range of addresses in CIDR notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

impl TrustProxy {
    pub fn is_on(&self) -> bool {
        *self != TrustProxy::Nobody
    }

    /// Whether the sender at a place in the chain is a proxy of ours; the one that is connected has
    /// place 0, and the one that it names place 1.
    pub fn trusts(&self, place: usize, sender: Option<IpAddr>) -> bool {
        match self {
            TrustProxy::Nobody => false,
            TrustProxy::Hops(hops) => place < *hops,
            TrustProxy::Networks(networks) => sender.is_some_and(|sender| {
                let sender = sender.to_canonical();
                networks.iter().any(|network| network.contains(sender))
            }),
        }
    }

    fn parse(text: &str) -> Option<TrustProxy> {
        match text.trim() {
            "true" => Some(TrustProxy::Hops(1)),
            "false" | "" => Some(TrustProxy::Nobody),
            text => match text.parse() {
                Ok(hops) => TrustProxy::hops(hops),
                Err(_) => TrustProxy::networks(text.split(',')),
            },
        }
    }

    fn hops(hops: usize) -> Option<TrustProxy> {
        match hops {
            0 => Some(TrustProxy::Nobody),
            1..=MAX_HOPS => Some(TrustProxy::Hops(hops)),
            _ => None,
        }
    }

    fn networks<'a>(names: impl Iterator<Item = &'a str>) -> Option<TrustProxy> {
        let mut networks = Vec::new();
        for name in names {
            match name.trim() {
                "loopback" => networks.extend(LOOPBACK),
                "linklocal" => networks.extend(LINK_LOCAL),
                "uniquelocal" => networks.extend(UNIQUE_LOCAL),
                text => networks.push(Network::parse(text)?),
            }
        }
        Some(if networks.is_empty() {
            TrustProxy::Nobody
        } else {
            TrustProxy::Networks(networks)
        })
    }
}

impl Setting for TrustProxy {
    fn allowed(&self) -> String {
        ALLOWED.to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let read = match &node.value {
            Value::Flag(flag) => TrustProxy::hops(usize::from(*flag)),
            Value::Number(number) => number.parse().ok().and_then(TrustProxy::hops),
            Value::Text(text) | Value::Loose(text) => TrustProxy::parse(text),
            Value::List(items) => {
                let names: Option<Vec<&str>> = items.iter().map(Node::text).collect();
                names.and_then(|names| TrustProxy::networks(names.into_iter()))
            }
            Value::Null | Value::Object(_) => None,
        };
        match read {
            Some(trust) => *self = trust,
            None => report.refuse(key, node, ALLOWED),
        }
    }

    fn to_json(&self) -> Json {
        match self {
            TrustProxy::Nobody => false.into(),
            TrustProxy::Hops(1) => true.into(),
            TrustProxy::Hops(hops) => (*hops).into(),
            TrustProxy::Networks(networks) => networks.iter().map(Network::text).collect(),
        }
    }

    /// Written as JSON in a form: it is a flag, a number or a list.
    fn kind(&self) -> Kind {
        Kind::List
    }
}

impl Network {
    fn parse(text: &str) -> Option<Network> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().ok()?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        (bits <= most).then_some(Network { address, bits })
    }

    fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(ours), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                (ours.to_bits() ^ other.to_bits()) & mask == 0
            }
            (IpAddr::V6(ours), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits));
                (ours.to_bits() ^ other.to_bits()) & mask.unwrap_or(0) == 0
            }
            _ => false,
        }
    }

    fn text(&self) -> String {
        format!("{}/{}", self.address, self.bits)
    }
}

const fn v4([a, b, c, d]: [u8; 4], bits: u8) -> Network {
    Network {
        address: IpAddr::V4(Ipv4Addr::new(a, b, c, d)),
        bits,
    }
}

const fn v6([a, b, c, d, e, f, g, h]: [u16; 8], bits: u8) -> Network {
    Network {
        address: IpAddr::V6(Ipv6Addr::new(a, b, c, d, e, f, g, h)),
        bits,
    }
}

#[cfg(test)]
mod tests {
    use crate::load;

    #[test]
    fn values_are_those_of_express() {
        for (written, shown) in [
            ("true", "true"),
            ("false", "false"),
            ("0", "false"),
            ("1", "true"),
            ("2", "2"),
            (r#""2""#, "2"),
            (r#""true""#, "true"),
            ("[]", "false"),
            (r#"["192.0.2.1"]"#, r#"["192.0.2.1/32"]"#),
            (
                r#""loopback, 2001:db8::/32""#,
                r#"["127.0.0.0/8","::1/128","2001:db8::/32"]"#,
            ),
        ] {
            let loaded = load(&format!(r#"{{"trustProxy": {written}}}"#), &|_| None);
            let (settings, _) = loaded.unwrap();
            let value = crate::effective(&settings)["trustProxy"].to_string();
            assert_eq!(value, shown, "{written}");
        }
        for wrong in [
            "-1",
            "1.5",
            "33",
            r#""proxy.example""#,
            r#"["10.0.0.0/33"]"#,
            "{}",
        ] {
            let loaded = load(&format!(r#"{{"trustProxy": {wrong}}}"#), &|_| None);
            assert!(loaded.is_err(), "{wrong}");
        }
    }
}
