//! Writer for the log that shows characters which turn the direction of text as escapes.
//!
//! A pad that came from elsewhere may have them in its name, and a line with such a name would read
//! as another one on a terminal. Control characters are escaped by the library that makes lines.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use pad::is_bidi_control;

/// Every such character starts with one of these bytes in UTF-8. Few lines have any.
const FIRST_BYTES: [u8; 2] = [0xd8, 0xe2];

pub struct Escaped<W>(pub W);

impl<W: Write> Write for Escaped<W> {
    /// The library writes each line at once, so that no character comes in two parts.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if line.iter().any(|byte| FIRST_BYTES.contains(byte))
            && let Ok(text) = std::str::from_utf8(line)
        {
            self.0.write_all(escape(text).as_bytes())?;
        } else {
            self.0.write_all(line)?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Text with such characters as `\u202e`: what JSON reads, so that lines of JSON stay JSON.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(is_bidi_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_bidi_control(c) {
            // Writing to a text cannot fail.
            true => _ = write!(out, "\\u{:04x}", u32::from(c)),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_turn_text_are_shown_and_others_are_left() {
        for (line, written) in [
            ("pad notes\n", "pad notes\n"),
            ("pad مذكرات – 😀\n", "pad مذكرات – 😀\n"),
            ("pad a\u{202e}b\u{61c}\n", "pad a\\u202eb\\u061c\n"),
        ] {
            let mut writer = Escaped(Vec::new());
            assert_eq!(writer.write(line.as_bytes()).unwrap(), line.len());
            assert_eq!(String::from_utf8(writer.0).unwrap(), written);
        }
    }
}
