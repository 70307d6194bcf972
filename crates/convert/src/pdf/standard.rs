//! The standard fonts: their names, their characters, and how wide these are.

use super::fonts::{Standard, Variant};
use super::widths::{
    COURIER, HELVETICA, HELVETICA_BOLD, TIMES, TIMES_BOLD, TIMES_BOLD_ITALIC, TIMES_ITALIC,
};
use crate::text::windows_1252;

/// One of the twelve standard fonts for text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StandardFont {
    pub family: Standard,
    pub variant: Variant,
}

impl StandardFont {
    pub(super) fn name(self) -> &'static str {
        let Variant { bold, italic } = self.variant;
        match (self.family, bold, italic) {
            (Standard::Helvetica, false, false) => "Helvetica",
            (Standard::Helvetica, true, false) => "Helvetica-Bold",
            (Standard::Helvetica, false, true) => "Helvetica-Oblique",
            (Standard::Helvetica, true, true) => "Helvetica-BoldOblique",
            (Standard::Times, false, false) => "Times-Roman",
            (Standard::Times, true, false) => "Times-Bold",
            (Standard::Times, false, true) => "Times-Italic",
            (Standard::Times, true, true) => "Times-BoldItalic",
            (Standard::Courier, false, false) => "Courier",
            (Standard::Courier, true, false) => "Courier-Bold",
            (Standard::Courier, false, true) => "Courier-Oblique",
            (Standard::Courier, true, true) => "Courier-BoldOblique",
        }
    }

    /// The width of a character of WinAnsi, in thousandths of the size.
    pub(super) fn width(self, code: u8) -> u16 {
        let Variant { bold, italic } = self.variant;
        let widths = match (self.family, bold, italic) {
            (Standard::Courier, _, _) => return COURIER,
            (Standard::Helvetica, false, _) => &HELVETICA,
            (Standard::Helvetica, true, _) => &HELVETICA_BOLD,
            (Standard::Times, false, false) => &TIMES,
            (Standard::Times, true, false) => &TIMES_BOLD,
            (Standard::Times, false, true) => &TIMES_ITALIC,
            (Standard::Times, true, true) => &TIMES_BOLD_ITALIC,
        };
        let index = usize::from(code).checked_sub(0x20);
        let width = index.and_then(|index| widths.get(index));
        width.copied().unwrap_or_default()
    }
}

/// The code of a character in WinAnsi, if it has one.
pub(super) fn encode(c: char) -> Option<u8> {
    match c {
        ' '..='~' | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{ff}' => u8::try_from(u32::from(c)).ok(),
        _ if c <= '\u{ff}' => None,
        _ => (0x80..=0x9f).find(|&code| windows_1252(code) == c),
    }
}

/// The character that stands for one in text from right to left.
pub(super) fn mirrored(code: u8) -> u8 {
    match code {
        b'(' => b')',
        b')' => b'(',
        b'[' => b']',
        b']' => b'[',
        b'{' => b'}',
        b'}' => b'{',
        b'<' => b'>',
        b'>' => b'<',
        0xab => 0xbb,
        0xbb => 0xab,
        0x8b => 0x9b,
        0x9b => 0x8b,
        code => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_their_codes_and_widths() {
        for (c, code) in [
            ('A', Some(0x41)),
            ('é', Some(0xe9)),
            ('€', Some(0x80)),
            ('•', Some(0x95)),
        ] {
            assert_eq!(encode(c), code, "{c}");
        }
        for c in ['Ω', 'я', '漢', '\u{81}', '\u{ad}', '\t', '\u{7f}'] {
            assert_eq!(encode(c), None, "{c:?}");
        }
        let width = |family, bold, code| {
            let variant = Variant {
                bold,
                italic: false,
            };
            StandardFont { family, variant }.width(code)
        };
        assert_eq!(width(Standard::Helvetica, false, b'A'), 667);
        assert_eq!(width(Standard::Helvetica, true, b'i'), 278);
        assert_eq!(width(Standard::Times, false, b'M'), 889);
        assert_eq!(width(Standard::Times, true, 0xff), 500);
        assert_eq!(width(Standard::Courier, true, b'i'), 600);
    }
}
