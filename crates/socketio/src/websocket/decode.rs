//! Bytes from a client to websocket messages, without input or output.
//!
//! Whatever comes, at most one message of the permitted size is held, plus what one read brought.
//! A length is checked when it is announced, not when it has arrived.

use bytes::Bytes;

use crate::end::End;

/// A buffer that has grown beyond this is given back when it is empty.
const KEPT: usize = 1024;
const MAX_CONTROL: usize = 125;

pub(crate) enum Frame {
    /// A whole message, put together if it came in parts, and valid UTF-8.
    Text(Bytes),
    Ping(Bytes),
    Pong,
    Close,
}

pub(crate) struct Decoder {
    buffer: Vec<u8>,
    /// Where in `buffer` the next frame begins.
    start: usize,
    /// The parts so far of a message that is not complete.
    parts: Option<Vec<u8>>,
    max_payload: usize,
}

struct Header {
    is_last: bool,
    opcode: u8,
    mask: [u8; 4],
    length: usize,
    header_length: usize,
}

impl Decoder {
    pub(crate) fn new(max_payload: usize) -> Self {
        Decoder {
            buffer: Vec::new(),
            start: 0,
            parts: None,
            max_payload,
        }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.start);
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// The next frame the application or the connection has to do with; `None` if it is not there
    /// yet.
    pub(crate) fn next(&mut self) -> Result<Option<Frame>, End> {
        while let Some((header, payload)) = self.next_frame()? {
            if let Some(frame) = self.take(&header, payload)? {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }

    fn next_frame(&mut self) -> Result<Option<(Header, Vec<u8>)>, End> {
        let waiting = self.buffer.get(self.start..).unwrap_or_default();
        let Some(header) = parse(waiting)? else {
            return Ok(None);
        };
        self.check(&header)?;
        let end = header.header_length + header.length;
        let Some(payload) = waiting.get(header.header_length..end) else {
            return Ok(None);
        };
        let payload = unmask(payload, header.mask);
        self.start += end;
        if self.start == self.buffer.len() {
            self.start = 0;
            self.buffer.clear();
            self.buffer.shrink_to(KEPT);
        }
        Ok(Some((header, payload)))
    }

    fn check(&self, header: &Header) -> Result<(), End> {
        let is_fitting = match header.opcode {
            0 => self.parts.is_some(),
            1 => self.parts.is_none(),
            8..=10 => header.is_last && header.length <= MAX_CONTROL,
            // Among them 2: binary messages are for attachments, which nothing here uses.
            _ => false,
        };
        let before = self.parts.as_ref().map_or(0, Vec::len);
        if !is_fitting {
            Err(End::Invalid)
        } else if header.length > self.max_payload.saturating_sub(before) {
            Err(End::TooLarge)
        } else {
            Ok(())
        }
    }

    fn take(&mut self, header: &Header, payload: Vec<u8>) -> Result<Option<Frame>, End> {
        match header.opcode {
            8 => return Ok(Some(Frame::Close)),
            9 => return Ok(Some(Frame::Ping(payload.into()))),
            10 => return Ok(Some(Frame::Pong)),
            _ => {}
        }
        let message = match self.parts.take() {
            Some(mut parts) => {
                parts.extend_from_slice(&payload);
                parts
            }
            None => payload,
        };
        if !header.is_last {
            self.parts = Some(message);
            return Ok(None);
        }
        match std::str::from_utf8(&message) {
            Ok(_) => Ok(Some(Frame::Text(message.into()))),
            Err(_) => Err(End::Invalid),
        }
    }
}

/// The header of the frame that begins here, `None` if more bytes are needed.
fn parse(bytes: &[u8]) -> Result<Option<Header>, End> {
    let [first, second, rest @ ..] = bytes else {
        return Ok(None);
    };
    let has_extension = first & 0x70 != 0;
    let is_masked = second & 0x80 != 0;
    if has_extension || !is_masked {
        return Err(End::Invalid);
    }
    let (length, rest) = match (second & 0x7f, rest) {
        (126, [a, b, rest @ ..]) => (u64::from(u16::from_be_bytes([*a, *b])), rest),
        (127, [a, b, c, d, e, f, g, h, rest @ ..]) => {
            let length = u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]);
            (length, rest)
        }
        (126 | 127, _) => return Ok(None),
        (length, rest) => (u64::from(length), rest),
    };
    let [a, b, c, d, rest @ ..] = rest else {
        return Ok(None);
    };
    Ok(Some(Header {
        is_last: first & 0x80 != 0,
        opcode: first & 0x0f,
        mask: [*a, *b, *c, *d],
        length: usize::try_from(length).map_err(|_| End::TooLarge)?,
        header_length: bytes.len() - rest.len(),
    }))
}

fn unmask(payload: &[u8], mask: [u8; 4]) -> Vec<u8> {
    let mut plain = payload.to_vec();
    for part in plain.chunks_mut(4) {
        for (byte, key) in part.iter_mut().zip(mask) {
            *byte ^= key;
        }
    }
    plain
}

#[cfg(test)]
mod tests;
