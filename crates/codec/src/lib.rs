//! How history is written as bytes.
//!
//! [`encode_change`] is one change, as the newest revisions have it. [`encode_pack`] is a range of
//! revisions, [`encode_snapshot`] a document; both are compressed. Values of one kind are written
//! next to each other (all lengths, then all attributes, then all characters), because that is
//! what a compressor makes small: what was typed one key at a time becomes a piece of prose again.
//!
//! What is decoded equals what was encoded, unit by unit: lone surrogates, wrong lengths in the
//! headers of imported changes and characters that no operation uses included. Decoding never
//! panics and never allocates much more than the bytes it is given can hold; bytes that nothing
//! was encoded to are [`Malformed`].

pub mod bytes;

mod wtf8;

mod changes;

mod pack;

mod snapshot;

mod squeeze;

#[cfg(test)]
mod tests;

pub use changes::{decode_change, encode_change};
pub use pack::{decode_credits, decode_pack, encode_pack};
pub use snapshot::{decode_snapshot, encode_snapshot};

/// Bytes that do not mean anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

/// Text as bytes: UTF-8 wherever the text is well-formed.
pub fn encode_text(units: &[u16]) -> Vec<u8> {
    let mut out = Vec::with_capacity(units.len());
    wtf8::encode(units, &mut out);
    out
}

pub fn decode_text(bytes: &[u8]) -> Result<changeset::Text, Malformed> {
    wtf8::decode(bytes).map(changeset::Text::from)
}
