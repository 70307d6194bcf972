//! Packets to the client, ready for the wire.
//!
//! A packet is held as a websocket frame, which for a server is the text behind a header of a few
//! bytes. So the bytes written to a thousand sockets are the same bytes, and a poll takes the text
//! without the header.

use bytes::Bytes;
use serde_json::Value;

/// The separator of packets in a body of the polling transport.
pub(crate) const SEPARATOR: u8 = 0x1e;

const TEXT: u8 = 0x81;
const CLOSE: u8 = 0x88;
const PONG: u8 = 0x8a;

/// A packet as it goes over the wire; one encoding serves all receivers.
#[derive(Clone, Debug)]
pub struct Packet {
    frame: Bytes,
    header: usize,
}

impl Packet {
    /// An event with one argument, given as JSON.
    pub fn event(name: &str, json: &str) -> Packet {
        let name = Value::from(name).to_string();
        Packet::text(&["42[", &name, ",", json, "]"])
    }

    /// The answer to the message with this `ack`: a JSON array.
    pub fn ack(id: u64, json_array: &str) -> Packet {
        Packet::text(&["43", &id.to_string(), json_array])
    }

    /// The bytes of the packet, without what the transport adds.
    #[expect(clippy::len_without_is_empty, reason = "no packet is empty")]
    pub fn len(&self) -> usize {
        self.frame.len() - self.header
    }

    pub(crate) fn text(parts: &[&str]) -> Packet {
        let length = parts.iter().map(|part| part.len()).sum();
        let mut frame = header(TEXT, length);
        let header = frame.len();
        for part in parts {
            frame.extend_from_slice(part.as_bytes());
        }
        Packet {
            frame: frame.into(),
            header,
        }
    }

    /// The answer to a websocket's own ping, which carries the same bytes back.
    pub(crate) fn websocket_pong(payload: &[u8]) -> Packet {
        Packet::control(PONG, payload)
    }

    pub(crate) fn websocket_close(code: u16) -> Packet {
        Packet::control(CLOSE, &code.to_be_bytes())
    }

    fn control(kind: u8, payload: &[u8]) -> Packet {
        let mut frame = header(kind, payload.len());
        let header = frame.len();
        frame.extend_from_slice(payload);
        Packet {
            frame: frame.into(),
            header,
        }
    }

    pub(crate) fn frame(&self) -> &Bytes {
        &self.frame
    }

    fn content(&self) -> Bytes {
        self.frame.slice(self.header..)
    }
}

/// The body of a poll's answer.
pub(crate) fn payload(packets: &[Packet]) -> Bytes {
    if let [only] = packets {
        return only.content();
    }
    let length: usize = packets.iter().map(|packet| packet.len() + 1).sum();
    let mut body = Vec::with_capacity(length);
    for packet in packets {
        if !body.is_empty() {
            body.push(SEPARATOR);
        }
        body.extend_from_slice(&packet.content());
    }
    body.into()
}

/// The header of an unmasked frame that is whole in itself, with room for what follows.
fn header(kind: u8, length: usize) -> Vec<u8> {
    let mut frame = Vec::with_capacity(length + 10);
    frame.push(kind);
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(length @ ..126), _) => frame.push(length),
        (_, Ok(length)) => {
            frame.push(126);
            frame.extend_from_slice(&length.to_be_bytes());
        }
        _ => {
            frame.push(127);
            frame.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_and_acknowledgements_are_written_as_the_protocol_has_them() {
        let event = Packet::event("message", r#"{"a":1}"#);
        assert_eq!(event.content(), r#"42["message",{"a":1}]"#);
        assert_eq!(event.len(), 21);
        assert_eq!(Packet::event("a\"b", "1").content(), r#"42["a\"b",1]"#);
        assert_eq!(Packet::ack(7, "[null,null]").content(), "437[null,null]");
    }

    #[test]
    fn the_header_grows_with_the_length() {
        for (length, header) in [
            (125, vec![0x81, 125]),
            (126, vec![0x81, 126, 0, 126]),
            (65_535, vec![0x81, 126, 255, 255]),
            (65_536, vec![0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            let packet = Packet::text(&[&"x".repeat(length)]);
            assert!(packet.frame().starts_with(&header), "{length}");
            assert_eq!(packet.frame().len(), header.len() + length);
            assert_eq!(packet.len(), length);
        }
    }

    #[test]
    fn a_poll_is_answered_with_texts_and_separators() {
        let packets = [Packet::text(&["2"]), Packet::ack(1, "[]")];
        assert_eq!(payload(&packets[..1]), "2");
        assert_eq!(payload(&packets), "2\u{1e}431[]");
    }
}
