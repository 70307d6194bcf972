//! Reverse proxies: what a request says about the client behind one.
//!
//! The first step of every request. Afterwards the request's [`ClientIp`] is the client's own, and
//! headers in which a proxy speaks are there only if a trusted proxy sent the request.

use std::net::{IpAddr, SocketAddr};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName};

use identity::client_ip::{ClientIp, Relayed};
use settings::{Settings, TrustProxy};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// More entries than that are not looked at; the nearest count first.
const MAX_ENTRIES: usize = 64;

/// Resolves the client of each request.
#[derive(Clone, Debug)]
pub(crate) struct Forwarded {
    trust: TrustProxy,
    /// What only a proxy may say.
    headers: Vec<HeaderName>,
}

impl Forwarded {
    pub(crate) fn new(settings: &Settings) -> Forwarded {
        let mut headers = vec![
            FORWARDED_FOR,
            HeaderName::from_static("x-forwarded-host"),
            HeaderName::from_static("x-forwarded-prefix"),
            HeaderName::from_static("x-forwarded-proto"),
        ];
        let login = settings.access.login.header.as_ref();
        headers.extend(login.and_then(|name| HeaderName::try_from(&name.0).ok()));
        Forwarded {
            trust: settings.listen.trust_proxy.clone(),
            headers,
        }
    }

    pub(crate) fn resolved<B>(&self, mut request: Request<B>) -> Request<B> {
        let connected = ClientIp::of(request.extensions());
        let relayed = request.extensions_mut().remove::<Relayed>();
        if let Some(Relayed(client)) = relayed {
            // The other node has heard what proxies say, and passes on no more than that.
            request.extensions_mut().insert(client);
            self.remove_headers(request.headers_mut());
        } else if self.trust.trusts(0, connected.address()) {
            let client = client(&self.trust, connected, request.headers());
            request.extensions_mut().insert(client);
        } else {
            self.remove_headers(request.headers_mut());
        }
        request
    }

    fn remove_headers(&self, headers: &mut HeaderMap) {
        for name in &self.headers {
            headers.remove(name);
        }
    }
}

/// The nearest sender that is not a trusted proxy, or the farthest if all are. Each proxy appends
/// the address of its peer, so what a client invents stands farther away than its
/// own address, and is never reached.
fn client(trust: &TrustProxy, connected: ClientIp, headers: &HeaderMap) -> ClientIp {
    // A proxy may append a line of its own instead of an entry to the last line.
    let lines: Vec<_> = headers.get_all(FORWARDED_FOR).iter().collect();
    let entries = lines.iter().rev().flat_map(|line| {
        let line = line.to_str().unwrap_or_default();
        line.rsplit(',').map(parse)
    });
    let mut client = connected;
    for (place, sender) in entries.take(MAX_ENTRIES).enumerate() {
        if !trust.trusts(place, client.address()) {
            break;
        }
        client = sender;
    }
    client
}

fn parse(entry: &str) -> ClientIp {
    let entry = entry.trim();
    // Some proxies add the port; a zone says which of their cables it was.
    let without_zone = entry.split('%').next().unwrap_or_default();
    let bracketed = without_zone.trim_start_matches('[').trim_end_matches(']');
    let address: Option<IpAddr> = bracketed.parse().ok();
    let with_port = || entry.parse().ok().map(|address: SocketAddr| address.ip());
    ClientIp::known(address.or_else(with_port))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use settings::{IpLogging, load};

    fn forwarded(trust: &str) -> Forwarded {
        let text = format!(r#"{{"trustProxy": {trust}, "login": {{"header": "X-User"}}}}"#);
        Forwarded::new(&load(&text, &|_| None).unwrap().0)
    }

    /// The client of a request with these lines, and whether a proxy's other headers are left.
    fn resolved(trust: &str, lines: &[&str]) -> (String, bool) {
        let mut request = Request::builder()
            .extension(ClientIp::connected(Ipv4Addr::LOCALHOST.into()))
            .header("x-user", "ada")
            .header("x-forwarded-proto", "https");
        for line in lines {
            request = request.header("x-forwarded-for", *line);
        }
        let request = forwarded(trust).resolved(request.body(()).unwrap());
        let client = ClientIp::of(request.extensions()).shown(IpLogging::Full);
        let names = ["x-user", "x-forwarded-proto"];
        let left = names.map(|name| request.headers().contains_key(name));
        assert_eq!(left[0], left[1]);
        (client.to_string(), left[0])
    }

    #[test]
    fn the_client_is_the_entry_that_the_trusted_proxy_added() {
        for (trust, lines, client) in [
            ("true", &[][..], "127.0.0.1"),
            ("true", &["192.0.2.7"], "192.0.2.7"),
            ("true", &["203.0.113.9, 192.0.2.7"], "192.0.2.7"),
            ("true", &["203.0.113.9", "192.0.2.7"], "192.0.2.7"),
            ("true", &["203.0.113.9,", "192.0.2.7:4711"], "192.0.2.7"),
            ("true", &["203.0.113.9, [2001:db8::1]:4711"], "2001:db8::1"),
            ("true", &["[2001:db8::1]"], "2001:db8::1"),
            ("true", &["fe80::1%eth0"], "fe80::1"),
            ("true", &["203.0.113.9, unknown"], "ANONYMOUS"),
            ("true", &["203.0.113.9,"], "ANONYMOUS"),
            ("2", &["203.0.113.9, 192.0.2.7, 10.0.0.1"], "192.0.2.7"),
            ("2", &["10.0.0.1"], "10.0.0.1"),
            (
                r#"["loopback"]"#,
                &["203.0.113.9, 192.0.2.7, ::ffff:127.0.0.2"],
                "192.0.2.7",
            ),
            (
                r#"["127.0.0.1", "10.0.0.0/8"]"#,
                &["203.0.113.9, 192.0.2.7, 10.1.2.3"],
                "192.0.2.7",
            ),
            (r#"["127.0.0.1"]"#, &["127.0.0.1"], "127.0.0.1"),
        ] {
            let expected = (client.to_owned(), true);
            assert_eq!(resolved(trust, lines), expected, "{trust} {lines:?}");
        }
    }

    #[test]
    fn what_another_node_says_goes_before_proxies() {
        let client = ClientIp::connected([192, 0, 2, 7].into());
        let request = Request::builder()
            .extension(ClientIp::connected(Ipv4Addr::LOCALHOST.into()))
            .extension(Relayed(client))
            .header("x-user", "ada")
            .header("x-forwarded-for", "192.0.2.8");
        let request = forwarded("true").resolved(request.body(()).unwrap());
        assert!(ClientIp::of(request.extensions()) == client);
        assert!(request.headers().is_empty());
    }

    #[test]
    fn who_is_no_proxy_is_believed_nothing() {
        for trust in ["false", r#"["10.0.0.0/8"]"#, r#"["::1"]"#] {
            let expected = ("127.0.0.1".to_owned(), false);
            assert_eq!(resolved(trust, &["192.0.2.7"]), expected, "{trust}");
        }
    }
}
