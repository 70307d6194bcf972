//! Escaping.
//!
//! What leaves here holds none of the characters that mean something in HTML, whatever went in.

use std::fmt::Write;

/// Characters that mean something, and how they are written instead.
fn entity(c: char) -> Option<&'static str> {
    Some(match c {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#x27;",
        '/' => "&#x2F;",
        _ => return None,
    })
}

const FORM_FEED: u16 = 0x0c;

/// Writes text of one run. Everything beyond ASCII that is not white space becomes a number, so
/// that the page survives being read in the wrong encoding; so does half of a surrogate pair.
pub(super) fn push_text(out: &mut String, units: &[u16]) {
    let first_form_feed = units.iter().position(|&unit| unit == FORM_FEED);
    let (before, after) = match first_form_feed {
        Some(at) => (units.get(..at), units.get(at + 1..)),
        None => (Some(units), None),
    };
    for units in [before, after].into_iter().flatten() {
        for c in char::decode_utf16(units.iter().copied()) {
            match c {
                Ok(c) => push_char(out, c),
                Err(half) => push_number(out, u32::from(half.unpaired_surrogate())),
            }
        }
    }
}

fn push_char(out: &mut String, c: char) {
    if let Some(entity) = entity(c) {
        out.push_str(entity);
    } else if ('\x21'..='\x7e').contains(&c) || is_space(c) {
        out.push(c);
    } else {
        push_number(out, u32::from(c));
    }
}

fn push_number(out: &mut String, code_point: u32) {
    // Writing into a string cannot fail.
    let _ = write!(out, "&#{code_point};");
}

/// White space as ECMAScript has it: Unicode's, without U+0085, with U+FEFF.
fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

/// Writes the value of an attribute, to stand between double quotes.
pub(super) fn push_attribute(out: &mut String, units: &[u16]) {
    for c in char::decode_utf16(units.iter().copied()) {
        let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
        if let Some(entity) = entity(c) {
            out.push_str(entity);
        } else if c.is_ascii_alphanumeric() || c > '\u{ff}' {
            out.push(c);
        } else {
            let _ = write!(out, "&#x{:02x};", u32::from(c));
        }
    }
}
