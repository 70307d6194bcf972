//! A client of the pad protocol, as small as a test needs.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::error::ProtocolError;
use tungstenite::{Message, WebSocket};

use crate::server::Server;

/// Longer than anything should take, so that a missing message is a failure and not a hang.
const PATIENCE: Duration = Duration::from_secs(120);

/// The token of person number so and so.
pub(crate) fn token(person: usize) -> String {
    format!("t.{person:020}")
}

pub(crate) struct Member {
    socket: WebSocket<TcpStream>,
    pub author: String,
    /// The data of CLIENT_VARS.
    pub vars: Value,
}

impl Member {
    pub(crate) fn connect(server: &Server) -> Member {
        Member::connect_with_cookie(server, "")
    }

    pub(crate) fn connect_with_cookie(server: &Server, cookie: &str) -> Member {
        Member::connect_with(server, &[("cookie", cookie)])
    }

    pub(crate) fn connect_with(server: &Server, headers: &[(&'static str, &str)]) -> Member {
        Member::connect_to(&server.address, headers).expect("the server lets connections in")
    }

    /// `None` if nobody is there, or goes away again.
    pub(crate) fn connect_to(address: &str, headers: &[(&'static str, &str)]) -> Option<Member> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Member::over(stream, address, headers)
    }

    /// The same over a connection that is there already.
    pub(crate) fn over(
        stream: TcpStream,
        address: &str,
        headers: &[(&'static str, &str)],
    ) -> Option<Member> {
        let url = format!("ws://{address}/socket.io/?EIO=4&transport=websocket");
        let mut request = url.into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let (socket, _) = tungstenite::client(request, stream).ok()?;
        let mut member = Member {
            socket,
            author: String::new(),
            vars: Value::Null,
        };
        assert!(member.packet()?.starts_with('0'));
        member.try_send("40");
        assert!(member.packet()?.starts_with("40{"));
        Some(member)
    }

    /// Connects and joins a pad.
    pub(crate) fn join(server: &Server, pad: &str, token: &str) -> Member {
        let mut member = Member::connect(server);
        member.ready(&json!({ "padId": pad, "token": token }));
        member.welcomed();
        member
    }

    /// Waits for the answer to `ready`.
    pub(crate) fn welcomed(&mut self) {
        let message = self.message();
        assert_eq!(message["type"], "CLIENT_VARS", "{message}");
        self.take_vars(message);
    }

    pub(crate) fn take_vars(&mut self, mut message: Value) {
        self.vars = message["data"].take();
        self.author = self.vars["userId"].as_str().unwrap().to_owned();
    }

    pub(crate) fn ready(&mut self, fields: &Value) {
        self.try_ready(fields).expect("the connection is open");
    }

    /// Asks to join; `None` when the connection is closed.
    pub(crate) fn try_ready(&mut self, fields: &Value) -> Option<()> {
        let mut message = fields.clone();
        message["component"] = json!("pad");
        message["type"] = json!("CLIENT_READY");
        let packet = format!("42{}", json!(["message", message]));
        self.try_send(&packet).then_some(())
    }

    /// Sends a message as it is.
    pub(crate) fn tell(&mut self, message: &Value) {
        self.send(&format!("42{}", json!(["message", message])));
    }

    /// Sends a message and waits for what becomes of it: a problem or none, or the end.
    pub(crate) fn ask(&mut self, message: &Value) -> Option<Option<String>> {
        if !self.try_send(&format!("427{}", json!(["message", message]))) {
            return None;
        }
        loop {
            let packet = self.packet()?;
            if let Some(answer) = packet.strip_prefix("437") {
                let answer: Value = serde_json::from_str(answer).unwrap();
                return Some(answer[0]["message"].as_str().map(str::to_owned));
            }
        }
    }

    /// Says something in the pad.
    pub(crate) fn say(&mut self, data: &Value) {
        self.raw_change(&data.to_string());
    }

    pub(crate) fn change(&mut self, base: u64, mut change: Value) {
        change["type"] = json!("USER_CHANGES");
        if change.get("baseRev").is_none() && change.get("changeset").is_some() {
            change["baseRev"] = json!(base);
        }
        self.say(&change);
    }

    pub(crate) fn raw_change(&mut self, data: &str) {
        let message = format!(r#"{{"component":"pad","type":"COLLABROOM","data":{data}}}"#);
        self.send(&format!(r#"42["message",{message}]"#));
    }

    fn send(&mut self, packet: &str) {
        assert!(self.try_send(packet), "the connection is open");
    }

    /// Sends a packet. False when the connection is closed.
    pub(crate) fn try_send(&mut self, packet: &str) -> bool {
        self.socket.send(Message::text(packet)).is_ok()
    }

    /// What is below the frames.
    pub(crate) fn stream(&mut self) -> &mut TcpStream {
        self.socket.get_mut()
    }

    /// The next packet; `None` when the connection is closed.
    pub(crate) fn packet(&mut self) -> Option<String> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) if text.as_str() == "2" => {
                    self.try_send("3");
                }
                Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
                Ok(Message::Close(_)) | Err(tungstenite::Error::ConnectionClosed) => return None,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error))
                    if error.kind() == std::io::ErrorKind::ConnectionReset =>
                {
                    return None;
                }
                // The server was killed.
                Err(tungstenite::Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => {
                    return None;
                }
                Err(error) => panic!("waiting for a message: {error}"),
            }
        }
    }

    fn event(&mut self) -> (String, String) {
        let packet = self.packet().expect("the connection is open");
        let arguments = packet.strip_prefix("42").expect("an event").to_owned();
        let (name, rest) = arguments[2..].split_once('"').unwrap();
        (name.to_owned(), rest[1..rest.len() - 1].to_owned())
    }

    /// The next message of whatever type; `None` when the connection is closed.
    pub(crate) fn next_message(&mut self) -> Option<Value> {
        loop {
            let packet = self.packet()?;
            if let Some(arguments) = packet.strip_prefix("42") {
                return Some(whole(arguments)[1].take());
            }
        }
    }

    /// The next message of whatever type.
    pub(crate) fn message(&mut self) -> Value {
        whole(&self.event().1)
    }

    /// The next message of a type in the pad, those before it passed over.
    pub(crate) fn room(&mut self, kind: &str) -> Value {
        let raw = self.raw_room(kind);
        whole(&raw)["data"].take()
    }

    /// The next thing that concerns the text.
    pub(crate) fn edit(&mut self) -> Value {
        loop {
            let mut message = self.message();
            let kind = &message["data"]["type"];
            if kind == "NEW_CHANGES" || kind == "ACCEPT_COMMIT" {
                return message["data"].take();
            }
        }
    }

    pub(crate) fn raw_room(&mut self, kind: &str) -> String {
        loop {
            let (_, json) = self.event();
            let is_meant = json.contains(&format!(r#""type":"{kind}""#));
            if json.starts_with(r#"{"type":"COLLABROOM","data":{"#) && is_meant {
                return json;
            }
        }
    }

    pub(crate) fn shout(&mut self, key: &str) {
        loop {
            let (name, json) = self.event();
            if name == "shout" {
                return assert!(json.contains(key), "{json}");
            }
        }
    }

    /// The revision of the next acceptance; `None` when the connection is closed.
    pub(crate) fn accepted(&mut self) -> Option<u64> {
        loop {
            let packet = self.packet()?;
            if packet.contains(r#""type":"ACCEPT_COMMIT""#) {
                let (_, json) = packet.split_once(',').unwrap();
                let message = whole(json.strip_suffix(']').unwrap());
                return message["data"]["newRev"].as_u64();
            }
        }
    }

    /// Reads until the server sends the client away, and gives its reason.
    pub(crate) fn until_disconnected(&mut self) -> String {
        loop {
            let message = self.message();
            if let Some(reason) = message["disconnect"].as_str() {
                return reason.to_owned();
            }
        }
    }

    /// The units of the text that the member was shown when it came.
    pub(crate) fn length(&self) -> usize {
        let text = &self.vars["collab_client_vars"]["initialAttributedText"]["text"];
        text.as_str().unwrap().encode_utf16().count()
    }

    /// Whether the server has closed the connection, once what it said before is read.
    pub(crate) fn is_closed(&mut self) -> bool {
        while let Some(packet) = self.packet() {
            assert!(
                packet.starts_with("41") || packet.starts_with("42"),
                "{packet}"
            );
        }
        true
    }
}

/// JSON whose halves of surrogate pairs, which are escaped, are replaced by as many other units.
fn whole(json: &str) -> Value {
    let mut text = json.to_owned();
    while let Some(at) = text.find("\\ud") {
        text.replace_range(at..at + 6, "\\ufffd");
    }
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {json}"))
}
