//! Frames: encoding, and a decoder that bytes are pushed into as they come.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The most bytes of JSON in a frame.
pub const FRAME: usize = 4 * 1024 * 1024;

const HEADER: usize = 4;

#[derive(Debug, Error)]
pub enum FrameError {
    #[error("a message of {0} bytes, more than {FRAME}")]
    TooLong(usize),
    #[error("a message that is not understood: {0}")]
    Json(#[from] serde_json::Error),
}

/// The bytes of a message.
pub fn encode(message: &impl Serialize) -> Result<Vec<u8>, FrameError> {
    let mut bytes = vec![0; HEADER];
    serde_json::to_writer(&mut bytes, message)?;
    let length = bytes.len() - HEADER;
    let header = u32::try_from(length).ok().filter(|_| length <= FRAME);
    let header = header.ok_or(FrameError::TooLong(length))?.to_le_bytes();
    for (place, byte) in bytes.iter_mut().zip(header) {
        *place = byte;
    }
    Ok(bytes)
}

/// Makes messages of bytes that arrive in pieces of any size.
#[derive(Debug)]
pub struct Decoder<T> {
    bytes: Vec<u8>,
    /// What of the bytes has been read.
    read: usize,
    message: PhantomData<T>,
}

impl<T> Default for Decoder<T> {
    fn default() -> Decoder<T> {
        Decoder {
            bytes: Vec::new(),
            read: 0,
            message: PhantomData,
        }
    }
}

impl<T: DeserializeOwned> Decoder<T> {
    /// Adds what has arrived. Take all messages out before adding more: then no more than one
    /// frame and one piece are held.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.drain(..self.read);
        self.read = 0;
        if self.bytes.is_empty() && self.bytes.capacity() > FRAME / 4 {
            // One large message does not keep its memory for good.
            self.bytes = Vec::new();
        }
        self.bytes.extend_from_slice(piece);
    }

    /// The next message, or `None` until more has arrived. After an error there is no telling
    /// where the next message begins: the connection is closed.
    pub fn next_message(&mut self) -> Result<Option<T>, FrameError> {
        let rest = self.bytes.get(self.read..).unwrap_or_default();
        let Some((header, rest)) = rest.split_first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*header) as usize;
        if length > FRAME {
            return Err(FrameError::TooLong(length));
        }
        let Some(json) = rest.get(..length) else {
            return Ok(None);
        };
        let message = serde_json::from_slice(json)?;
        self.read += HEADER + length;
        Ok(Some(message))
    }

    /// Whether the last bytes were the end of a message.
    pub fn is_between_messages(&self) -> bool {
        self.read == self.bytes.len()
    }
}
