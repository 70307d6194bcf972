//! Client address of a request, and how much of it the log may show.
//!
//! A [`ClientIp`] has no way to be printed but [`ClientIp::shown`], which asks for the rule of the
//! settings. Nothing else in the program keeps or prints a client's address.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::Extensions;

use settings::IpLogging;

/// A client's address; none if it is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientIp(Option<IpAddr>);

/// Client of a request that another node has passed on, as that node has found it out.
#[derive(Clone, Copy)]
pub struct Relayed(pub ClientIp);

impl ClientIp {
    const UNKNOWN: ClientIp = ClientIp(None);

    pub fn connected(address: IpAddr) -> ClientIp {
        ClientIp(Some(address))
    }

    pub fn known(address: Option<IpAddr>) -> ClientIp {
        ClientIp(address)
    }

    /// Who sent a request: `http::forwarded` has seen to it that proxies do not count.
    pub fn of(extensions: &Extensions) -> ClientIp {
        extensions.get().copied().unwrap_or(ClientIp::UNKNOWN)
    }

    /// To compare with, and never to print.
    pub fn address(self) -> Option<IpAddr> {
        self.0
    }

    /// To count by: who has one address of an IPv6 network has all of them.
    pub fn network(self) -> ClientIp {
        ClientIp(self.0.map(|address| match address {
            IpAddr::V6(v6) if v6.to_ipv4_mapped().is_none() => {
                let [a, b, c, d, ..] = v6.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            other => other.to_canonical(),
        }))
    }

    pub fn shown(self, rule: IpLogging) -> LoggedIp {
        LoggedIp(match rule {
            IpLogging::Anonymous => None,
            IpLogging::Truncated => self.0.map(truncated),
            IpLogging::Full => self.0,
        })
    }
}

/// As much of an address as the rule allows.
pub struct LoggedIp(Option<IpAddr>);

impl fmt::Display for LoggedIp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(address) => address.fmt(f),
            None => f.write_str("ANONYMOUS"),
        }
    }
}

fn truncated(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(v4) => without_last_octet(v4).into(),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => without_last_octet(v4).to_ipv6_mapped().into(),
            None => first_48_bits(v6).into(),
        },
    }
}

fn without_last_octet(address: Ipv4Addr) -> Ipv4Addr {
    let [a, b, c, _] = address.octets();
    Ipv4Addr::new(a, b, c, 0)
}

fn first_48_bits(address: Ipv6Addr) -> Ipv6Addr {
    let [a, b, c, ..] = address.segments();
    Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_decides_what_is_shown() {
        for (address, truncated, full) in [
            ("192.0.2.77", "192.0.2.0", "192.0.2.77"),
            ("::ffff:192.0.2.77", "::ffff:192.0.2.0", "::ffff:192.0.2.77"),
            ("::ffff:c000:24d", "::ffff:192.0.2.0", "::ffff:192.0.2.77"),
            ("2001:db8:1:2::3", "2001:db8:1::", "2001:db8:1:2::3"),
            ("2001:0DB8:0:2::3", "2001:db8::", "2001:db8:0:2::3"),
            ("0:0:5::1", "0:0:5::", "0:0:5::1"),
            ("::1", "::", "::1"),
        ] {
            let client = ClientIp::connected(address.parse().unwrap());
            let shown = |rule| client.shown(rule).to_string();
            assert_eq!(shown(IpLogging::Anonymous), "ANONYMOUS");
            assert_eq!(shown(IpLogging::Truncated), truncated);
            assert_eq!(shown(IpLogging::Full), full);
        }
    }

    #[test]
    fn addresses_of_one_network_count_as_one() {
        for (one, other, is_same) in [
            ("2001:db8:1:2::3", "2001:db8:1:2:ffff::", true),
            ("2001:db8:1:2::3", "2001:db8:1:3::3", false),
            ("192.0.2.7", "::ffff:192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
        ] {
            let [one, other] = [one, other].map(|text| ClientIp::connected(text.parse().unwrap()));
            assert_eq!(one.network() == other.network(), is_same);
        }
    }

    #[test]
    fn an_unknown_address_is_anonymous_under_every_rule() {
        for rule in [IpLogging::Anonymous, IpLogging::Truncated, IpLogging::Full] {
            assert_eq!(ClientIp::UNKNOWN.shown(rule).to_string(), "ANONYMOUS");
        }
    }
}
