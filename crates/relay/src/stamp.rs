//! Stamp: the header by which a node says for whom it passes a request on, signed with a key that
//! only nodes have.
//!
//! The signature covers the request line and the node that it is for, so a stamp that somebody has
//! seen is of no use for anything else, and of none once that node has ended.

use std::net::IpAddr;

use aws_lc_rs::hmac;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use identity::client_ip::{ClientIp, Relayed};
use store::NodeId;
use system::{hex, unhex};

pub(crate) const STAMP: HeaderName = HeaderName::from_static("x-padsvc-relay");
/// What the keys of nodes are for, so that each use has one of its own.
const PURPOSE: &[u8] = b"padsvc relay 1";
/// In the place of an address that is not known.
const UNKNOWN: &str = "-";

/// A request came with a stamp, good or not.
#[derive(Clone, Copy)]
pub(crate) struct Stamped;

/// The key that stamps are signed with.
#[derive(Clone)]
pub struct RelayKey(hmac::Key);

impl RelayKey {
    /// Derived from the key that all nodes of a database share.
    pub fn new(cluster_key: &[u8]) -> RelayKey {
        let master = hmac::Key::new(hmac::HMAC_SHA256, cluster_key);
        let derived = hmac::sign(&master, PURPOSE);
        RelayKey(hmac::Key::new(hmac::HMAC_SHA256, derived.as_ref()))
    }

    /// The stamp of a request that is passed on to a node.
    pub(crate) fn stamp<B>(
        &self,
        node: NodeId,
        request: &axum::http::Request<B>,
        client: ClientIp,
    ) -> Option<HeaderValue> {
        let client = client.address().map(|address| address.to_string());
        let client = client.unwrap_or_else(|| UNKNOWN.to_owned());
        let tag = hmac::sign(&self.0, &signed(node, request, &client));
        HeaderValue::try_from(format!("{client} {}", hex(tag.as_ref()))).ok()
    }

    /// The client that a good stamp names.
    fn client(&self, node: NodeId, request: &Request, stamp: &HeaderValue) -> Option<ClientIp> {
        let (client, tag) = stamp.to_str().ok()?.split_once(' ')?;
        let tag: [u8; 32] = unhex(tag)?;
        hmac::verify(&self.0, &signed(node, request, client), &tag).ok()?;
        match client {
            UNKNOWN => Some(ClientIp::known(None)),
            client => client.parse::<IpAddr>().ok().map(ClientIp::connected),
        }
    }
}

fn signed<B>(node: NodeId, request: &axum::http::Request<B>, client: &str) -> Vec<u8> {
    let target = request.uri().path_and_query();
    let target = target.map_or("/", |target| target.as_str());
    format!("{node}\n{}\n{target}\n{client}", request.method()).into_bytes()
}

/// Takes the stamp off a request, and believes a good one.
pub(crate) fn receive(key: &RelayKey, node: NodeId, mut request: Request) -> Request {
    let Some(stamp) = request.headers_mut().remove(STAMP) else {
        return request;
    };
    let client = key.client(node, &request, &stamp);
    let extensions = request.extensions_mut();
    extensions.insert(Stamped);
    if let Some(client) = client {
        extensions.insert(Relayed(client));
    }
    request
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use store::NodeId;

    use super::*;

    fn request(method: &str, target: &str) -> Request {
        let request = Request::builder().method(method).uri(target);
        request.body(Body::empty()).unwrap()
    }

    fn believed(key: &RelayKey, node: u64, mut request: Request, stamp: &HeaderValue) -> bool {
        request.headers_mut().insert(STAMP, stamp.clone());
        let received = receive(key, NodeId::new(node), request);
        assert!(received.headers().get(STAMP).is_none());
        assert!(received.extensions().get::<Stamped>().is_some());
        received.extensions().get::<Relayed>().is_some()
    }

    #[test]
    fn a_stamp_is_good_for_one_request_to_one_node() {
        let key = RelayKey::new(&[7; 32]);
        let target = "/socket.io/?sid=a";
        let client = ClientIp::connected([192, 0, 2, 7].into());
        let stamp = key.stamp(NodeId::new(1), &request("GET", target), client);
        let stamp = stamp.unwrap();
        assert!(believed(&key, 1, request("GET", target), &stamp));
        assert!(!believed(&key, 2, request("GET", target), &stamp));
        assert!(!believed(&key, 1, request("POST", target), &stamp));
        assert!(!believed(
            &key,
            1,
            request("GET", "/socket.io/?sid=b"),
            &stamp
        ));
        let other = RelayKey::new(&[8; 32]);
        assert!(!believed(&other, 1, request("GET", target), &stamp));
        let text = stamp.to_str().unwrap();
        for wrong in [
            String::new(),
            text.replace("192.0.2.7", "192.0.2.8"),
            text.replace(' ', ""),
            format!("{text}0"),
            "192.0.2.7".to_owned(),
        ] {
            let wrong = HeaderValue::try_from(wrong).unwrap();
            assert!(!believed(&key, 1, request("GET", target), &wrong));
        }
    }

    #[test]
    fn what_is_signed_is_the_client() {
        let key = RelayKey::new(&[7; 32]);
        for client in [
            ClientIp::connected([192, 0, 2, 7].into()),
            ClientIp::known(None),
        ] {
            let mut sent = request("GET", "/");
            let stamp = key.stamp(NodeId::new(1), &sent, client).unwrap();
            sent.headers_mut().insert(STAMP, stamp);
            let received = receive(&key, NodeId::new(1), sent);
            let Relayed(found) = received.extensions().get().unwrap();
            assert!(*found == client);
        }
    }
}
