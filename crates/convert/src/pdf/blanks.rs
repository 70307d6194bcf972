//! Characters without glyphs of their own: a font of blanks that stand for them.
//!
//! Text from right to left is drawn from left to right, and programs that extract it turn it
//! around. Some turn around the characters that one glyph stands for as well, so that a ligature
//! comes out the wrong way, and take marks above a letter for a line of their own. Here a letter
//! stands for one character, and blanks beside it for the others.

use std::collections::BTreeMap;

use pdf_writer::types::UnicodeCmap;
use pdf_writer::{Filter, Finish, Name, Pdf, Ref};

use super::embedded::IDENTITY;
use super::sheet::{deflated, next};

/// The name of the font on pages.
pub(super) const NAME: Name<'static> = Name(b"B");

/// How wide a blank is, in thousandths of the size: enough not to be taken for nothing.
pub(super) const WIDTH: f32 = 10.0;

#[derive(Default)]
pub(super) struct Blanks {
    codes: BTreeMap<char, u8>,
}

impl Blanks {
    /// The code of the blank for a character, unless there are too many.
    pub(super) fn code(&mut self, c: char) -> Option<u8> {
        if let Some(code) = self.codes.get(&c) {
            return Some(*code);
        }
        let code = u8::try_from(self.codes.len() + 1).ok()?;
        self.codes.insert(c, code);
        Some(code)
    }

    /// Writes the font, if it is in use.
    pub(super) fn write(&self, pdf: &mut Pdf, last: &mut Ref) -> Option<Ref> {
        let count = u8::try_from(self.codes.len())
            .ok()
            .filter(|&count| count > 0)?;
        let [id, to_unicode] = [(); 2].map(|()| next(last));
        let mut font = pdf.type1_font(id);
        font.base_font(Name(b"Helvetica"));
        let names = (0..count).map(|_| Name(b"space"));
        let mut encoding = font.encoding_custom();
        encoding.differences().consecutive(1, names);
        encoding.finish();
        font.first_char(1).last_char(count);
        font.widths((0..count).map(|_| WIDTH));
        font.to_unicode(to_unicode);
        font.finish();
        let mut texts = UnicodeCmap::<u8>::new(Name(b"Custom"), IDENTITY);
        for (&c, &code) in &self.codes {
            texts.pair(code, c);
        }
        let packed = deflated(&texts.finish());
        pdf.stream(to_unicode, &packed).filter(Filter::FlateDecode);
        Some(id)
    }
}
