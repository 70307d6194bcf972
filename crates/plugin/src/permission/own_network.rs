//! The own network: addresses and names that are no one else's to point at.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A name that an operator who grants it knows to be of the own network.
pub fn is_local_name(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    !name.contains('.') || matches!(last, "local" | "internal" | "localhost" | "lan" | "home")
}

/// Whether an address is one of the internet, and of no network of our own.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    let is_shared = a == 100 && (64..128).contains(&b);
    let is_benchmark = a == 198 && (b == 18 || b == 19);
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_multicast()
        || is_shared
        || is_benchmark
        || a == 0
        || a >= 240
        || address.octets().starts_with(&[192, 0, 0]))
}

/// Only what is assigned for the whole internet, without what carries an IPv4 address inside.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    let is_global = a & 0xe000 == 0x2000;
    let is_teredo = a == 0x2001 && b == 0;
    let is_documentation = a == 0x2001 && b == 0xdb8;
    let is_6to4 = a == 0x2002;
    is_global && !is_teredo && !is_documentation && !is_6to4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_networks_are_not_public() {
        for (address, public) in [
            ("93.184.216.34", true),
            ("127.0.0.1", false),
            ("10.1.2.3", false),
            ("172.16.0.1", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("0.0.0.0", false),
            ("255.255.255.255", false),
            ("224.0.0.1", false),
            ("::1", false),
            ("::ffff:127.0.0.1", false),
            ("fe80::1", false),
            ("fd00::1", false),
            ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::", false),
            ("2606:2800:220:1::1", true),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
        for (name, local) in [
            ("localhost", true),
            ("db.internal", true),
            ("a.test", false),
        ] {
            assert_eq!(is_local_name(name), local);
        }
    }
}
