//! UTF-16 units as bytes: UTF-8, and a lone surrogate as the three bytes its number would have.
//!
//! A pair is always written as one character, so that every sequence of units has one form, and
//! well-formed text is plain UTF-8.

use super::Malformed;

pub(crate) fn encode(units: &[u16], out: &mut Vec<u8>) {
    for decoded in char::decode_utf16(units.iter().copied()) {
        match decoded {
            Ok(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(lone) => {
                let unit = lone.unpaired_surrogate();
                out.extend_from_slice(&[
                    0xE0 | (unit >> 12) as u8,
                    0x80 | (unit >> 6 & 0x3F) as u8,
                    0x80 | (unit & 0x3F) as u8,
                ]);
            }
        }
    }
}

pub(crate) fn decode(bytes: &[u8]) -> Result<Vec<u16>, Malformed> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        // Everything up to a lone surrogate is UTF-8 and takes the fast way.
        let valid = match std::str::from_utf8(rest) {
            Ok(text) => text,
            Err(error) => {
                let (valid, _) = rest
                    .split_at_checked(error.valid_up_to())
                    .unwrap_or_default();
                std::str::from_utf8(valid).unwrap_or_default()
            }
        };
        push_utf8(&mut units, valid);
        rest = rest.get(valid.len()..).unwrap_or_default();
        match *rest {
            [] => {}
            [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, ..] => {
                units.push(0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F));
                rest = rest.get(3..).unwrap_or_default();
            }
            _ => return Err(Malformed("text is not text")),
        }
    }
    Ok(units)
}

/// Most text is ASCII for long stretches, which are widened without looking at each character.
fn push_utf8(units: &mut Vec<u16>, text: &str) {
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.bytes().position(|byte| !byte.is_ascii());
        let (ascii, other) = rest
            .split_at_checked(length.unwrap_or(rest.len()))
            .unwrap_or_default();
        units.extend(ascii.bytes().map(u16::from));
        let mut chars = other.chars();
        if let Some(first) = chars.next() {
            units.extend_from_slice(first.encode_utf16(&mut [0; 2]));
        }
        rest = chars.as_str();
    }
}
