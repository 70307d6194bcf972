//! Writer for the log that shows characters which turn the direction of text, and those that end
//! a line in the middle of it, as escapes.
//!
//! A pad that came from elsewhere may have them in its name, and a plugin in what it throws: a line
//! with such a text would read as another one on a terminal, or as two. The control characters that
//! a terminal obeys are escaped by the library that makes lines.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use pad::is_bidi_control;

/// Every character that turns text starts with one of these bytes in UTF-8. Few lines have any.
const FIRST_BYTES: [u8; 2] = [0xd8, 0xe2];

pub struct Escaped<W>(pub W);

impl<W: Write> Write for Escaped<W> {
    /// The library writes each line at once, so that no character comes in two parts.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let inner = line.strip_suffix(b"\n").unwrap_or(line);
        let is_odd = |byte: &u8| FIRST_BYTES.contains(byte) || is_break(char::from(*byte));
        if inner.iter().any(is_odd)
            && let Ok(text) = std::str::from_utf8(inner)
        {
            let mut text = one_line(text).into_owned();
            if inner.len() < line.len() {
                text.push('\n');
            }
            self.0.write_all(text.as_bytes())?;
        } else {
            self.0.write_all(line)?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Text with characters that turn it as `\u202e`: what JSON reads, so that lines of JSON stay JSON.
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_all(text, is_bidi_control)
}

/// The same, and everything on one line.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    escape_all(text, |c| is_bidi_control(c) || is_break(c))
}

/// Ends a line for some program that reads the log: a new line, a carriage return, and the
/// tabulator and page feed of printers.
fn is_break(c: char) -> bool {
    matches!(c, '\n'..='\r')
}

fn escape_all(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' if is_escaped(c) => out.push_str("\\n"),
            // Writing to a text cannot fail.
            _ if is_escaped(c) => _ = write!(out, "\\u{:04x}", u32::from(c)),
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_turn_text_or_end_lines_are_shown_and_others_are_left() {
        for (line, written) in [
            ("pad notes\n", "pad notes\n"),
            ("pad مذكرات – 😀\n", "pad مذكرات – 😀\n"),
            ("pad a\u{202e}b\u{61c}\n", "pad a\\u202eb\\u061c\n"),
            ("\u{1b}[2mwhen\u{1b}[0m\tx\n", "\u{1b}[2mwhen\u{1b}[0m\tx\n"),
            (
                "Error: a\n2026 WARN b\r\n",
                "Error: a\\n2026 WARN b\\u000d\n",
            ),
            ("a\u{b}b\u{c}c", "a\\u000bb\\u000cc"),
            ("\n\n", "\\n\n"),
        ] {
            let mut writer = Escaped(Vec::new());
            assert_eq!(writer.write(line.as_bytes()).unwrap(), line.len());
            assert_eq!(String::from_utf8(writer.0).unwrap(), written);
        }
    }
}
