//! Addresses of nodes: `http://host:port`, or `https://host:port#` and the SHA-256 sum of the
//! certificate that the node shows.
//!
//! A node is reached at an address that its certificate does not name, so the certificate itself is
//! what is compared. The sum comes from the database, as the key of all nodes does.

use axum::http::uri::Authority;
use system::{hex, unhex};

/// The sum of a certificate.
pub(crate) type Fingerprint = [u8; 32];

/// The address that other nodes get, for a host and port.
pub fn address(authority: &str, certificate: Option<Fingerprint>) -> String {
    match certificate {
        Some(sum) => format!("https://{authority}#{}", hex(&sum)),
        None => format!("http://{authority}"),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peer {
    pub authority: Authority,
    /// `None`: it is spoken to in the clear.
    pub certificate: Option<Fingerprint>,
}

impl Peer {
    pub(crate) fn parse(address: &str) -> Option<Peer> {
        let (authority, certificate) = match address.strip_prefix("https://") {
            Some(rest) => {
                let (authority, sum) = rest.split_once('#')?;
                (authority, Some(unhex(sum)?))
            }
            None => (address.strip_prefix("http://")?, None),
        };
        let authority: Authority = authority.parse().ok()?;
        authority.port_u16()?;
        Some(Peer {
            authority,
            certificate,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        for sum in [None, Some([9; 32])] {
            for authority in ["10.0.0.5:9001", "[::1]:9001", "node1:80"] {
                let peer = Peer::parse(&address(authority, sum)).unwrap();
                assert_eq!(peer.authority, authority);
                assert_eq!(peer.certificate, sum);
            }
        }
        for wrong in [
            "",
            "10.0.0.5:9001",
            "http://10.0.0.5",
            "https://10.0.0.5:9001",
            "https://10.0.0.5:9001#12",
            "http://a b:1",
        ] {
            assert_eq!(Peer::parse(wrong), None, "{wrong}");
        }
    }
}
