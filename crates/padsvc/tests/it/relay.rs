//! Long polling behind a load balancer: requests that reach another node than their connection is
//! at.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use crate::client::{Request, Response, send};
use crate::cluster::Cluster;
use crate::nodes_basic::until_known;
use crate::postgresql::root;
use crate::server::{Server, TempRoot};
use crate::socket::insert;
use crate::socket_client::{Member, token};
use crate::tls::{self, TlsClient};

/// Two nodes that know each other.
fn two_nodes(name: &str, settings: Value) -> Option<[(TempRoot, Server); 2]> {
    let cluster = Cluster::shared()?;
    let database = cluster.database();
    let [root_a, root_b] =
        ["a", "b"].map(|node| root(&format!("{name}_{node}"), &database, settings.clone()));
    let a = Server::start(&root_a);
    let b = Server::start_beside(&a, &root_b);
    until_known(&a, 2);
    until_known(&b, 2);
    Some([(root_a, a), (root_b, b)])
}

/// Sends a request to an address.
type Sender = dyn Fn(&str, &Request) -> Response;

/// A client whose requests go to one address after another.
struct Poller {
    send: Box<Sender>,
    addresses: Vec<String>,
    requests: usize,
    sid: String,
    packets: Vec<String>,
}

impl Poller {
    /// Connects at the first address.
    fn connect(addresses: &[&str]) -> Poller {
        Poller::connect_by(send, addresses)
    }

    /// The same, with another way to send requests.
    fn connect_by(
        send: impl Fn(&str, &Request) -> Response + 'static,
        addresses: &[&str],
    ) -> Poller {
        let mut poller = Poller {
            send: Box::new(send),
            addresses: addresses.iter().map(|it| (*it).to_owned()).collect(),
            requests: 0,
            sid: String::new(),
            packets: Vec::new(),
        };
        let open = poller.get();
        let open: Value = serde_json::from_str(open.text().strip_prefix('0').unwrap()).unwrap();
        poller.sid = open["sid"].as_str().unwrap().to_owned();
        poller.post("40");
        assert!(poller.packet("40").starts_with("40{"));
        poller
    }

    fn target(&self) -> String {
        let mut target = "/socket.io/?EIO=4&transport=polling".to_owned();
        if !self.sid.is_empty() {
            target += &format!("&sid={}", self.sid);
        }
        target
    }

    fn address(&mut self) -> String {
        self.requests += 1;
        self.addresses[(self.requests - 1) % self.addresses.len()].clone()
    }

    fn get(&mut self) -> Response {
        let target = self.target();
        let address = self.address();
        (self.send)(&address, &Request::get(&target))
    }

    fn post(&mut self, packet: &str) {
        let request = Request::post(&self.target()).body("text/plain", packet);
        let address = self.address();
        let response = (self.send)(&address, &request);
        assert_eq!((response.status, response.text()), (200, "ok"));
    }

    fn message(&mut self, message: &Value) {
        self.post(&format!("42{}", json!(["message", message])));
    }

    /// The next packet that has this in it.
    fn packet(&mut self, part: &str) -> String {
        loop {
            while self.packets.is_empty() {
                let polled = self.get();
                assert_eq!(polled.status, 200, "{polled:?}");
                let packets = polled.text().split('\u{1e}').map(str::to_owned);
                self.packets = packets.collect();
            }
            let packet = self.packets.remove(0);
            if packet == "2" {
                self.post("3");
            } else if packet.contains(part) {
                return packet;
            }
        }
    }

    /// Joins a pad; its author and the length of the text.
    fn join(&mut self, pad: &str, person: usize) -> (String, usize) {
        self.message(&json!({
            "component": "pad", "type": "CLIENT_READY", "padId": pad, "token": token(person),
        }));
        let vars = self.packet("CLIENT_VARS");
        let vars: Value = serde_json::from_str(vars.strip_prefix("42").unwrap()).unwrap();
        let vars = &vars[1]["data"];
        let text = &vars["collab_client_vars"]["initialAttributedText"]["text"];
        let author = vars["userId"].as_str().unwrap().to_owned();
        (author, text.as_str().unwrap().encode_utf16().count())
    }

    fn insert(&mut self, base: u64, length: usize, text: &str, author: &str) {
        self.message(&insertion(base, length, text, author));
    }
}

fn insertion(base: u64, length: usize, text: &str, author: &str) -> Value {
    let mut data = insert(length, text, author);
    data["type"] = json!("USER_CHANGES");
    data["baseRev"] = json!(base);
    json!({ "component": "pad", "type": "COLLABROOM", "data": data })
}

fn until_logged(server: &Server, text: &str) {
    while !server.log().contains(text) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

fn text_of(server: &Server, pad: &str) -> String {
    let text = server.data("getText", &json!({ "padID": pad }));
    text["text"].as_str().unwrap().to_owned()
}

fn is_unknown(response: &Response) -> bool {
    let unknown = json!({ "code": 1, "message": "Session ID unknown" });
    response.status == 400 && response.json() == unknown
}

#[test]
fn polls_may_reach_either_node() {
    let Some([(_a, a), (_b, b)]) = two_nodes("relay_polls", json!({})) else {
        return;
    };
    let mut ada = Poller::connect(&[&a.address, &b.address]);
    let (author, length) = ada.join("notes", 1);
    for round in 0..5 {
        ada.insert(round, length + round as usize, "x", &author);
        ada.packet("ACCEPT_COMMIT");
    }
    assert!(text_of(&a, "notes").starts_with("xxxxx"));
    // A message larger than one piece, both ways.
    let name = "n".repeat(200_000);
    ada.message(&json!({ "component": "pad", "type": name }));
    ada.insert(5, length + 5, &"y".repeat(200_000), &author);
    ada.packet("ACCEPT_COMMIT");
    let mut bob = Poller::connect(&[&a.address, &b.address]);
    let (_, seen) = bob.join("notes", 2);
    assert_eq!(seen, length + 5 + 200_000);
    a.stop();
    b.stop();
}

#[test]
fn an_upgrade_may_reach_the_other_node() {
    let Some([(_a, a), (_b, b)]) = two_nodes("relay_upgrade", json!({})) else {
        return;
    };
    let mut ada = Poller::connect(&[&a.address]);
    let (author, length) = ada.join("notes", 1);
    let stream = TcpStream::connect(&b.address).unwrap();
    let mut socket = upgrade(&ada, stream);
    let message = insertion(0, length, "over there ", &author);
    let packet = format!("42{}", json!(["message", message]));
    socket.send(Message::text(packet)).unwrap();
    read(&mut socket, "ACCEPT_COMMIT");
    assert!(text_of(&a, "notes").starts_with("over there "));
    // The end of either node ends the websocket.
    a.stop();
    while socket.read().is_ok() {}
    b.stop();
}

/// A websocket in place of polling, over a connection to any node.
fn upgrade<S: Read + Write>(poller: &Poller, stream: S) -> WebSocket<S> {
    let target = poller.target().replace("=polling", "=websocket");
    let request = format!("ws://localhost{target}").into_client_request();
    let Ok((mut socket, _)) = tungstenite::client(request.unwrap(), stream) else {
        panic!("no websocket at {target}");
    };
    socket.send(Message::text("2probe")).unwrap();
    assert_eq!(read(&mut socket, "probe"), "3probe");
    socket.send(Message::text("5")).unwrap();
    socket
}

fn read<S: Read + Write>(socket: &mut WebSocket<S>, part: &str) -> String {
    loop {
        if let Message::Text(text) = socket.read().unwrap()
            && text.contains(part)
        {
            return text.as_str().to_owned();
        }
    }
}

#[test]
fn a_node_that_is_gone_costs_the_client_a_connection_and_no_change() {
    let Some([(_a, a), (_b, b)]) = two_nodes("relay_gone", json!({})) else {
        return;
    };
    let mut ada = Poller::connect(&[&a.address, &b.address]);
    let (author, length) = ada.join("notes", 1);
    ada.insert(0, length, "kept ", &author);
    ada.packet("ACCEPT_COMMIT");
    a.signal("KILL");
    a.wait();
    // Before it is missed, and afterwards.
    let lost = send(&b.address, &Request::get(&ada.target()));
    assert!(is_unknown(&lost), "{lost:?}");
    until_known(&b, 1);
    let lost = send(&b.address, &Request::get(&ada.target()));
    assert!(is_unknown(&lost), "{lost:?}");
    let again = Member::join(&b, "notes", &token(1));
    assert_eq!(again.author, author);
    assert!(text_of(&b, "notes").starts_with("kept "));
    b.stop();
}

/// Each node has a certificate of its own, which no authority has signed: the others know it from
/// the list of nodes.
#[test]
fn nodes_that_speak_tls_pass_requests_on() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let (database, settings): (_, Value) = (
        cluster.database(),
        serde_json::from_str(tls::SETTINGS).unwrap(),
    );
    let roots = ["relay_tls_a", "relay_tls_b"].map(|it| root(it, &database, settings.clone()));
    let client = TlsClient::new(roots.iter().map(tls::certify));
    let a = Server::start(&roots[0]);
    let b = Server::start_beside(&a, &roots[1]);
    for server in [&a, &b] {
        until_known(server, 2);
        assert!(server.log().contains("others reach this node at https://"));
    }
    let sending = client.clone();
    let send = move |address: &str, request: &Request| sending.send(address, request);
    let mut ada = Poller::connect_by(send, &[&a.address, &b.address]);
    let (author, length) = ada.join("notes", 1);
    ada.insert(0, length, "polled ", &author);
    ada.packet("ACCEPT_COMMIT");
    let mut socket = upgrade(&ada, client.connect(&b.address));
    let message = insertion(1, length + 7, "upgraded ", &author);
    let packet = format!("42{}", json!(["message", message]));
    socket.send(Message::text(packet)).unwrap();
    read(&mut socket, "ACCEPT_COMMIT");
    let text = Request::get("/api/1/getText?padID=notes").header("apikey", &a.key);
    let text = client.send(&a.address, &text).json();
    let text = text["data"]["text"].as_str().unwrap();
    assert!(text.starts_with("upgraded polled "), "{text}");
    a.stop();
    while socket.read().is_ok() {}
    b.stop();
}

#[test]
fn only_nodes_are_believed_who_a_client_is() {
    let settings = json!({ "ipLogging": "full", "trustProxy": true });
    let Some([(_a, a), (_b, b)]) = two_nodes("relay_forged", settings) else {
        return;
    };
    let ada = Poller::connect(&[&a.address]);
    let post = |forwarded: &str| {
        Request::post(&ada.target())
            .header("x-forwarded-for", forwarded)
            .body("text/plain", "3")
    };
    // What a proxy says at one node is known at the other.
    assert_eq!(send(&b.address, &post("192.0.2.7")).status, 200);
    until_logged(&a, "192.0.2.7");
    // What only a node may say is not believed, and such a request is not passed on.
    let forged = format!("203.0.113.9 {}", "0".repeat(64));
    let request = post("192.0.2.8").header("x-padsvc-relay", &forged);
    let refused = send(&b.address, &request);
    assert!(is_unknown(&refused), "{refused:?}");
    assert_eq!(send(&a.address, &request).status, 200);
    for server in [a, b] {
        until_logged(&server, "192.0.2.8");
        assert!(!server.log().contains("203.0.113.9"), "{}", server.log());
        server.stop();
    }
}
