//! A connection to a balancer that may break at any time, over websocket or by polling alone.

use std::collections::VecDeque;
use std::net::TcpStream;
use std::time::Duration;

use tungstenite::{Message, WebSocket};

use crate::client::{self, Request, Response};

/// After this a connection that says nothing counts as broken; the server gives a sign of life
/// every 25 seconds.
const SILENCE: Duration = Duration::from_secs(90);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transport {
    Websocket,
    Polling,
}

pub(super) enum Link {
    Websocket(Box<WebSocket<TcpStream>>),
    Polling(Polling),
}

pub(super) struct Polling {
    address: String,
    target: String,
    packets: VecDeque<String>,
}

impl Link {
    /// A Socket.IO connection; `None` if it does not come about.
    pub(super) fn connect(address: &str, transport: Transport) -> Option<Link> {
        let mut link = match transport {
            Transport::Websocket => {
                let stream = TcpStream::connect(address).ok()?;
                stream.set_read_timeout(Some(SILENCE)).unwrap();
                stream.set_nodelay(true).unwrap();
                let url = format!("ws://{address}/socket.io/?EIO=4&transport=websocket");
                let (socket, _) = tungstenite::client(url, stream).ok()?;
                let mut link = Link::Websocket(Box::new(socket));
                link.packet()?.starts_with('0').then_some(())?;
                link
            }
            Transport::Polling => Link::Polling(Polling::open(address)?),
        };
        link.send("40").then_some(())?;
        link.packet()?.starts_with("40").then_some(link)
    }

    /// False when the connection is broken.
    pub(super) fn send(&mut self, packet: &str) -> bool {
        match self {
            Link::Websocket(socket) => socket.send(Message::text(packet)).is_ok(),
            Link::Polling(polling) => polling.send(packet),
        }
    }

    /// The next packet; `None` when the connection is broken.
    pub(super) fn packet(&mut self) -> Option<String> {
        loop {
            let packet = match self {
                Link::Websocket(socket) => match socket.read().ok()? {
                    Message::Text(text) => text.as_str().to_owned(),
                    Message::Close(_) => return None,
                    _ => continue,
                },
                Link::Polling(polling) => polling.packet()?,
            };
            match packet.as_str() {
                "2" => self.send("3").then_some(())?,
                "1" | "41" => return None,
                "6" => {}
                _ => return Some(packet),
            }
        }
    }
}

impl Polling {
    fn open(address: &str) -> Option<Polling> {
        let target = "/socket.io/?EIO=4&transport=polling";
        let answer = fetch(address, &Request::get(target))?;
        let opening: serde_json::Value =
            serde_json::from_str(answer.text().strip_prefix('0')?).ok()?;
        Some(Polling {
            address: address.to_owned(),
            target: format!("{target}&sid={}", opening["sid"].as_str()?),
            packets: VecDeque::new(),
        })
    }

    fn send(&self, packet: &str) -> bool {
        let request = Request::post(&self.target).body("text/plain;charset=UTF-8", packet);
        fetch(&self.address, &request).is_some()
    }

    fn packet(&mut self) -> Option<String> {
        while self.packets.is_empty() {
            let answer = fetch(&self.address, &Request::get(&self.target))?;
            let packets = answer.text().split('\u{1e}').map(str::to_owned);
            self.packets
                .extend(packets.filter(|packet| !packet.is_empty()));
        }
        self.packets.pop_front()
    }
}

fn fetch(address: &str, request: &Request) -> Option<Response> {
    let answer = client::parse(&client::exchange(address, &request.bytes()))?;
    (answer.status == 200).then_some(answer)
}
