//! Packets to the client, ready for the wire.
//!
//! A packet is held as a websocket frame, which for a server is the text behind a header of a few
//! bytes. So the bytes written to a thousand sockets are the same bytes, and a poll takes the text
//! without the header. A packet that differs from receiver to receiver in a few members is held in
//! pieces, of which the large ones are shared.

use std::sync::Arc;

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
    frame: Frame,
    header: usize,
}

#[derive(Clone, Debug)]
enum Frame {
    Whole(Bytes),
    Pieces(Arc<[Bytes]>),
}

impl Packet {
    /// An event with one argument, given as JSON.
    pub fn event(name: &str, json: &str) -> Packet {
        let name = Value::from(name).to_string();
        Packet::text(&["42[", &name, ",", json, "]"])
    }

    /// An event with one argument, whose JSON is given in pieces. They are not copied.
    pub fn event_in_pieces(name: &str, json: &[Bytes]) -> Packet {
        let opening = format!("42[{},", Value::from(name));
        let length: usize = json.iter().map(Bytes::len).sum();
        let mut first = header(TEXT, opening.len() + length + 1, opening.len());
        let header = first.len();
        first.extend_from_slice(opening.as_bytes());
        let mut pieces = vec![Bytes::from(first)];
        pieces.extend(json.iter().filter(|piece| !piece.is_empty()).cloned());
        pieces.push(Bytes::from_static(b"]"));
        Packet {
            frame: Frame::Pieces(pieces.into()),
            header,
        }
    }

    /// The answer to the message with this `ack`: a JSON array.
    pub fn ack(id: u64, json_array: &str) -> Packet {
        Packet::text(&["43", &id.to_string(), json_array])
    }

    /// The bytes of the packet, without what the transport adds.
    #[expect(clippy::len_without_is_empty, reason = "no packet is empty")]
    pub fn len(&self) -> usize {
        self.pieces().iter().map(Bytes::len).sum::<usize>() - self.header
    }

    pub(crate) fn text(parts: &[&str]) -> Packet {
        let length = parts.iter().map(|part| part.len()).sum();
        let mut frame = header(TEXT, length, length);
        let header = frame.len();
        for part in parts {
            frame.extend_from_slice(part.as_bytes());
        }
        Packet {
            frame: Frame::Whole(frame.into()),
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
        let mut frame = header(kind, payload.len(), payload.len());
        let header = frame.len();
        frame.extend_from_slice(payload);
        Packet {
            frame: Frame::Whole(frame.into()),
            header,
        }
    }

    /// The frame, header and all.
    pub(crate) fn pieces(&self) -> &[Bytes] {
        match &self.frame {
            Frame::Whole(bytes) => std::slice::from_ref(bytes),
            Frame::Pieces(pieces) => pieces,
        }
    }

    /// The text without the header, which is within the first piece.
    fn content(&self) -> impl Iterator<Item = Bytes> {
        let mut header = self.header;
        self.pieces()
            .iter()
            .map(move |piece| piece.slice(std::mem::take(&mut header)..))
    }
}

/// The body of a poll's answer, in pieces that are not copied.
pub(crate) fn payload(packets: &[Packet]) -> Vec<Bytes> {
    let mut body = Vec::new();
    for packet in packets {
        if !body.is_empty() {
            body.push(Bytes::from_static(&[SEPARATOR]));
        }
        body.extend(packet.content());
    }
    body
}

/// The header of an unmasked frame that is whole in itself, with room for what follows.
fn header(kind: u8, length: usize, room: usize) -> Vec<u8> {
    let mut frame = Vec::with_capacity(room + 10);
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

    fn written(packet: &Packet) -> Vec<u8> {
        packet.pieces().concat()
    }

    fn body(packets: &[Packet]) -> String {
        String::from_utf8(payload(packets).concat()).unwrap()
    }

    #[test]
    fn an_event_in_pieces_is_the_event_and_shares_them() {
        let large = Bytes::from("x".repeat(70_000));
        let pieces = [
            Bytes::from("{\"a\":\""),
            large.clone(),
            Bytes::new(),
            Bytes::from("\"}"),
        ];
        let json = String::from_utf8(pieces.concat()).unwrap();
        let (whole, parts) = (
            Packet::event("m", &json),
            Packet::event_in_pieces("m", &pieces),
        );
        assert_eq!(written(&parts), written(&whole));
        assert_eq!(
            body(std::slice::from_ref(&parts)),
            body(std::slice::from_ref(&whole))
        );
        assert_eq!(parts.len(), whole.len());
        let is_shared = |piece: &Bytes| piece.as_ptr() == large.as_ptr();
        assert!(parts.pieces().iter().any(is_shared));
        assert!(payload(&[parts]).iter().any(is_shared));
    }

    #[test]
    fn events_and_acknowledgements_are_written_as_the_protocol_has_them() {
        let event = Packet::event("message", r#"{"a":1}"#);
        assert_eq!(event.len(), 21);
        for (packet, text) in [
            (event, r#"42["message",{"a":1}]"#),
            (Packet::event("a\"b", "1"), r#"42["a\"b",1]"#),
            (Packet::ack(7, "[null,null]"), "437[null,null]"),
        ] {
            assert_eq!(body(&[packet]), text);
        }
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
            assert!(written(&packet).starts_with(&header), "{length}");
            assert_eq!(written(&packet).len(), header.len() + length);
            assert_eq!(packet.len(), length);
        }
    }

    #[test]
    fn a_poll_is_answered_with_texts_and_separators() {
        let packets = [Packet::text(&["2"]), Packet::ack(1, "[]")];
        assert_eq!(body(&packets[..1]), "2");
        assert_eq!(body(&packets), "2\u{1e}431[]");
    }
}
