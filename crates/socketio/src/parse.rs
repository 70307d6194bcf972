//! Packets from the client: which kind they are, and where the text of an event begins.
//!
//! JSON is looked at from outside only: its first and its last character. What is in it is for the
//! application, which may be laxer than a parser here would be: half of a surrogate pair, written
//! as an escape, is something editors do send.

use bytes::Bytes;

use crate::message::Message;
use crate::packet::SEPARATOR;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// The client closes the transport.
    Close,
    Pong,
    Noop,
    /// The client wants to join the namespace `/`.
    Join,
    /// The client wants to join a namespace that is not there.
    JoinOther(String),
    Leave,
    Event(Message),
    /// Nothing is ever sent that asks for one.
    Ack,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Reads one packet, which has been checked to be UTF-8.
pub(crate) fn packet(text: Bytes) -> Result<Received, Malformed> {
    match text.first() {
        Some(b'1') if text.len() == 1 => Ok(Received::Close),
        Some(b'3') => Ok(Received::Pong),
        Some(b'4') => message(text),
        Some(b'6') => Ok(Received::Noop),
        // Among them 2: pings go from server to client only, and b: binary data.
        _ => Err(Malformed),
    }
}

/// Splits a body of the polling transport.
pub(crate) fn packets(body: &Bytes) -> impl Iterator<Item = Bytes> {
    body.split(|byte| *byte == SEPARATOR)
        .map(|packet| body.slice_ref(packet))
}

/// What is inside a packet of type 4: `<kind>[/namespace,][ack][JSON]`.
fn message(text: Bytes) -> Result<Received, Malformed> {
    let (kind, rest) = match text.get(1..) {
        Some([kind, rest @ ..]) => (*kind, rest),
        _ => return Err(Malformed),
    };
    let (namespace, rest) = namespace(rest);
    if namespace != b"/" {
        return match kind {
            b'0' => Ok(Received::JoinOther(
                String::from_utf8_lossy(namespace).into_owned(),
            )),
            // It cannot have joined it.
            _ => Err(Malformed),
        };
    }
    match kind {
        b'0' if rest.is_empty() || is_between(rest, b'{', b'}') => Ok(Received::Join),
        b'1' => Ok(Received::Leave),
        b'2' | b'3' => {
            let (ack, arguments) = number(rest)?;
            if !is_between(arguments, b'[', b']') {
                return Err(Malformed);
            }
            match (kind, ack) {
                (b'2', ack) => Ok(Received::Event(Message {
                    ack,
                    arguments: text.slice_ref(arguments),
                })),
                (_, Some(_)) => Ok(Received::Ack),
                (_, None) => Err(Malformed),
            }
        }
        _ => Err(Malformed),
    }
}

/// The namespace, without the query some clients append to it, and what follows.
fn namespace(text: &[u8]) -> (&[u8], &[u8]) {
    if !text.starts_with(b"/") {
        return (b"/", text);
    }
    let mut parts = text.splitn(2, |byte| *byte == b',');
    let name = parts.next().unwrap_or_default();
    let name = name.split(|byte| *byte == b'?').next().unwrap_or_default();
    (name, parts.next().unwrap_or_default())
}

fn number(text: &[u8]) -> Result<(Option<u64>, &[u8]), Malformed> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return Ok((None, text));
    }
    let (digits, rest) = text.split_at_checked(digits).ok_or(Malformed)?;
    let number = std::str::from_utf8(digits).map_err(|_| Malformed)?;
    let number = number.parse().map_err(|_| Malformed)?;
    Ok((Some(number), rest))
}

fn is_between(text: &[u8], first: u8, last: u8) -> bool {
    text.len() >= 2 && text.first() == Some(&first) && text.last() == Some(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &'static str) -> Result<Received, Malformed> {
        packet(Bytes::from_static(text.as_bytes()))
    }

    fn event(ack: Option<u64>, arguments: &'static str) -> Result<Received, Malformed> {
        let arguments = Bytes::from_static(arguments.as_bytes());
        Ok(Received::Event(Message { ack, arguments }))
    }

    #[test]
    fn packets_the_protocol_has() {
        for (text, expected) in [
            ("1", Ok(Received::Close)),
            ("3", Ok(Received::Pong)),
            ("3probe", Ok(Received::Pong)),
            ("6", Ok(Received::Noop)),
            ("40", Ok(Received::Join)),
            ("40/,", Ok(Received::Join)),
            (r#"40{"token":"x"}"#, Ok(Received::Join)),
            ("40/foo,", Ok(Received::JoinOther("/foo".to_owned()))),
            ("40/foo", Ok(Received::JoinOther("/foo".to_owned()))),
            (
                r#"40/foo?a=1,{"b":2}"#,
                Ok(Received::JoinOther("/foo".to_owned())),
            ),
            ("41", Ok(Received::Leave)),
            ("41/,", Ok(Received::Leave)),
            (r#"42["message",{}]"#, event(None, r#"["message",{}]"#)),
            (r#"42/,["message"]"#, event(None, r#"["message"]"#)),
            (r#"4217["message"]"#, event(Some(17), r#"["message"]"#)),
            (r#"420["message"]"#, event(Some(0), r#"["message"]"#)),
            ("431[]", Ok(Received::Ack)),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn other_texts_are_malformed() {
        for text in [
            "",
            "0",
            "1x",
            "2",
            "2probe",
            "4",
            "5",
            "7",
            "40[]",
            "40{",
            "41/foo,",
            "42",
            "42{}",
            "42[",
            "42]",
            r#"42["a""#,
            r#"42/foo,["a"]"#,
            "43[]",
            "431",
            "44{}",
            r#"451-["a"]"#,
            "461-[]",
            "4299999999999999999999[]",
            "42-1[]",
            "bAAEC",
            "é",
        ] {
            assert_eq!(parse(text), Err(Malformed), "{text}");
        }
    }

    #[test]
    fn half_a_surrogate_pair_is_passed_on_as_it_came() {
        assert_eq!(parse(r#"42["\ud83d"]"#), event(None, r#"["\ud83d"]"#));
    }

    #[test]
    fn bodies_are_split_at_separators() {
        let split = |body: &'static str| {
            let body = Bytes::from_static(body.as_bytes());
            packets(&body)
                .map(|packet| String::from_utf8(packet.to_vec()).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(split("3"), ["3"]);
        assert_eq!(split("3\u{1e}41"), ["3", "41"]);
        assert_eq!(split("\u{1e}"), ["", ""]);
    }
}
