//! Plain text, as people expect it in a file.
//!
//! Only lines with a marker differ from the document: it gives way to the tabs and the bullet or
//! number of a list item, the box of a task, the sign of a quotation.

use std::collections::BTreeMap;

use std::borrow::Cow;

use changeset::{Document, NEWLINE, Text};
use pad::clean_text;

use crate::block::LINE_KEYS;
use crate::declared::{Kind, Meanings};
use crate::lines::{List, lines};
use crate::runs::Run;
use crate::{Error, Limits};

pub fn write<'a>(document: &'a Document, pool: impl Into<Meanings<'a>>) -> Text {
    let meanings = pool.into();
    let mut entries = meanings.pool.entries();
    let has_lines = entries.any(|(_, attribute)| LINE_KEYS.contains(&&*attribute.key));
    if !has_lines && !meanings.has(Kind::Line) {
        return without_markers(document);
    }
    let mut out = Text::with_capacity(document.len());
    let mut numbering = Numbering::default();
    for line in lines(document, meanings) {
        numbering.advance(line.list);
        if line.is_quote {
            out.push_str("> ");
        }
        if let Some(list) = line.list {
            out.push_str(&"\t".repeat(list.level));
            match list.kind {
                "bullet" => out.push_str("* "),
                "number" => numbering.push_number(list.level, &mut out),
                _ => {}
            }
        }
        match line.task {
            Some(true) => out.push_str("[x] "),
            Some(false) => out.push_str("[ ] "),
            None if line.is_rule => out.push_str("---"),
            None => {}
        }
        out.push_units(&line.text);
        out.push(NEWLINE);
    }
    out
}

/// The content of a text file: its lines, as they are. A tab is eight spaces, as in every text that
/// a call sets.
pub fn read(file: &[u8], limits: &Limits) -> Result<Vec<Run>, Error> {
    if file.len() > limits.bytes {
        return Err(Error::TooLarge);
    }
    if file.len() > limits.bytes_of_text() {
        return Err(Error::TextTooLong);
    }
    let units: Vec<u16> = decode(file)?.encode_utf16().collect();
    // Each becomes eight blanks.
    let tabs = units
        .iter()
        .filter(|&&unit| unit == u16::from(b'\t'))
        .count();
    if tabs > limits.text / 8 {
        return Err(Error::TextTooLong);
    }
    let mut text = clean_text(&units);
    if text.last() == Some(&NEWLINE) {
        text = text.get(..text.len() - 1).unwrap_or_default().into();
    }
    if text.len() > limits.text {
        return Err(Error::TextTooLong);
    }
    Ok(vec![Run {
        text,
        attributes: Vec::new(),
    }])
}

/// The text of a file: in UTF-8, in UTF-16 if it says so, and otherwise as Windows wrote it in the
/// West. What holds control characters of other kinds than text has is not text.
pub(crate) fn decode(file: &[u8]) -> Result<Cow<'_, str>, Error> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, _) = bytes.as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().copied().map(unit).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    let text = match file {
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => match std::str::from_utf8(file) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(file.iter().copied().map(windows_1252).collect()),
        },
    };
    let is_odd = |c: char| matches!(c, '\0'..='\x08' | '\x0e'..='\x1a' | '\x1c'..='\x1f');
    if text.contains(is_odd) {
        Err(Error::NotText)
    } else {
        Ok(text)
    }
}

pub(crate) fn windows_1252(byte: u8) -> char {
    const UPPER: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    let upper = byte.checked_sub(0x80).map(usize::from);
    let upper = upper.and_then(|index| UPPER.get(index));
    upper.copied().unwrap_or(char::from(byte))
}

/// A document without markers is its text. Most are, and a large one is not taken apart for
/// nothing.
fn without_markers(document: &Document) -> Text {
    let mut text = document.text();
    if text.last().is_some_and(|&last| last != NEWLINE) {
        text.push(NEWLINE);
    }
    text
}

/// Counts numbered items: `1.`, `1.1.`, `1.2.`, `2.` The stored number of an item is not looked
/// at: it is right only in the editor that wrote it.
#[derive(Default)]
struct Numbering {
    /// Level to the number of its last item.
    counts: BTreeMap<usize, usize>,
    level: usize,
}

impl Numbering {
    fn advance(&mut self, list: Option<List<'_>>) {
        match list {
            Some(list) if list.kind == "number" => {
                if list.level < self.level {
                    self.counts.remove(&self.level);
                }
                self.level = list.level;
                *self.counts.entry(list.level).or_default() += 1;
            }
            _ => self.counts.clear(),
        }
    }

    fn push_number(&self, level: usize, out: &mut Text) {
        for level in 1..=level {
            let count = self.counts.get(&level).copied().unwrap_or_default();
            out.push_str(&format!("{count}."));
        }
        out.push_str(" ");
    }
}
