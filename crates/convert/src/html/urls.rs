//! Finding addresses in text.
//!
//! An address is a prefix and as many address characters as follow it, less the punctuation at its
//! end. Nothing needs to stand in front of it. Takes time in proportion to the text.

use std::ops::Range;

const PREFIXES: [&str; 18] = [
    "x-man://",
    "man://",
    "afp://",
    "file://",
    "ftp://",
    "ftps://",
    "gopher://",
    "http://",
    "https://",
    "nfs://",
    "sftp://",
    "smb://",
    "txmt://",
    "about:",
    "geo:",
    "mailto:",
    "tel:",
    "www.",
];

/// The addresses in a text, in order.
pub fn find_urls(text: &[u16]) -> Vec<Range<usize>> {
    let mut urls = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        match url_length(rest) {
            Some(length) => {
                urls.push(at..at + length);
                at += length;
            }
            None => at += 1,
        }
    }
    urls
}

/// The length of the address at the start of a text.
fn url_length(text: &[u16]) -> Option<usize> {
    // Most characters cannot start a prefix.
    let first = u8::try_from(*text.first()?).ok()?;
    if !b"xmafghnstw".contains(&first) {
        return None;
    }
    let prefix = PREFIXES
        .iter()
        .find(|prefix| starts_with(text, prefix))?
        .len();
    let rest = text.get(prefix..)?;
    let run = rest.iter().position(|&unit| !is_url_unit(unit));
    let run = rest.get(..run.unwrap_or(rest.len()))?;
    let last = run.iter().rposition(|&unit| !is_final_punctuation(unit))?;
    Some(prefix + last + 1)
}

fn starts_with(text: &[u16], ascii: &str) -> bool {
    text.len() >= ascii.len() && ascii.bytes().zip(text).all(|(a, &b)| u16::from(a) == b)
}

fn is_url_unit(unit: u16) -> bool {
    match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii() => {
            byte.is_ascii_alphanumeric() || b"-:@_.,~%+/?=&#!;()[]$'*".contains(&byte)
        }
        _ => matches!(unit,
            0xc0..=0xd6 | 0xd8..=0xf6 | 0xf8..=0x1fff | 0x3040..=0x9fff | 0xf900..=0xfdff
            | 0xfe70..=0xfefe | 0xff10..=0xff19 | 0xff21..=0xff3a | 0xff41..=0xff5a
            | 0xff66..=0xffdc),
    }
}

/// Punctuation that belongs to the sentence rather than to the address before it.
fn is_final_punctuation(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| b":.,;?!)]'*".contains(&byte))
}
