//! Fonts in the file: the glyphs in use, how wide they are, and what they stand for.

use std::collections::BTreeMap;
use std::sync::Arc;

use harfrust::GlyphId;
use harfrust::font::name::{Localized, NameId};
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use read_fonts::FontRef;
use read_fonts::types::F48Dot16;
use subsetter::GlyphRemapper;

use super::fonts::{CFF, Font};
use super::sheet::{deflated, next};

pub(super) struct Embedded {
    pub font: Arc<Font>,
    /// Numbers the glyphs in the order of their use: the numbers they have in the file.
    remapper: GlyphRemapper,
    /// In thousandths of the size.
    widths: BTreeMap<u16, f32>,
    texts: BTreeMap<u16, String>,
}

pub(super) const IDENTITY: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

impl Embedded {
    pub(super) fn new(font: Arc<Font>) -> Embedded {
        Embedded {
            font,
            remapper: GlyphRemapper::new(),
            widths: BTreeMap::new(),
            texts: BTreeMap::new(),
        }
    }

    /// The number of a glyph in the file, and its width there.
    pub(super) fn glyph(&mut self, id: u16) -> (u16, f32) {
        let number = self.remapper.remap(id);
        let width = *self.widths.entry(number).or_insert_with(|| {
            let face = self.font.face();
            let advance = face.glyph_metrics().h_advance(GlyphId::from(id));
            advance * 1000.0 / f32::from(face.units_per_em())
        });
        (number, width)
    }

    /// Notes what a glyph stands for. Whether it stands for that everywhere.
    pub(super) fn stands_for(&mut self, number: u16, text: &str) -> bool {
        let known = self.texts.entry(number);
        known.or_insert_with(|| text.to_owned()) == text
    }

    /// Writes the font as an object, with all that belongs to it.
    pub(super) fn write(&self, id: Ref, number: usize, pdf: &mut Pdf, last: &mut Ref) {
        let face = self.font.face();
        let Ok(subset) = subsetter::subset(self.font.data(), self.font.index(), &self.remapper)
        else {
            return;
        };
        let cff = FontRef::new(&subset).ok();
        let cff = cff.and_then(|font| font.table_data(CFF));
        let cff = cff.as_ref().map(|table| table.as_bytes());
        let name = subset_name(face, number);
        let name = Name(name.as_bytes());
        let [descendant, descriptor, file, to_unicode] = [(); 4].map(|()| next(last));

        pdf.type0_font(id)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(descendant)
            .to_unicode(to_unicode);

        let mut cid_font = pdf.cid_font(descendant);
        cid_font.subtype(match cff {
            Some(_) => CidFontType::Type0,
            None => CidFontType::Type2,
        });
        cid_font
            .base_font(name)
            .system_info(IDENTITY)
            .font_descriptor(descriptor)
            .default_width(0.0);
        if cff.is_none() {
            cid_font.cid_to_gid_map_predefined(Name(b"Identity"));
        }
        let mut widths = cid_font.widths();
        for (&number, &width) in &self.widths {
            widths.same(number, number, width);
        }
        widths.finish();
        cid_font.finish();

        self.write_descriptor(descriptor, name, file, cff.is_some(), pdf);
        let packed = deflated(cff.unwrap_or(&subset));
        let mut stream = pdf.stream(file, &packed);
        stream.filter(Filter::FlateDecode);
        if cff.is_some() {
            stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
        }
        stream.finish();
        self.write_texts(to_unicode, pdf);
    }

    fn write_descriptor(&self, id: Ref, name: Name<'_>, file: Ref, is_cff: bool, pdf: &mut Pdf) {
        let face = self.font.face();
        let scale = 1000.0 / f32::from(face.units_per_em());
        let metrics = face.metrics();
        let scaled = |value: F48Dot16| value.to_f64() as f32 * scale;
        let bounds = metrics.bounds;
        let line = metrics.hhea_line.or(metrics.typo_line).unwrap_or_default();
        let italic_angle = face.style_metrics().italic_angle.unwrap_or_default();
        let mut flags = FontFlags::SYMBOLIC;
        flags.set(FontFlags::ITALIC, self.font.is_italic());
        let mut entries = pdf.font_descriptor(id);
        entries
            .name(name)
            .flags(flags)
            .bbox(Rect::new(
                scaled(bounds.x_min),
                scaled(bounds.y_min),
                scaled(bounds.x_max),
                scaled(bounds.y_max),
            ))
            .italic_angle(italic_angle.to_f32())
            .ascent(scaled(line.ascender))
            .descent(scaled(line.descender))
            .cap_height(scaled(metrics.cap_height.unwrap_or(line.ascender)))
            .stem_v(80.0);
        if is_cff {
            entries.font_file3(file);
        } else {
            entries.font_file2(file);
        }
        entries.finish();
    }

    fn write_texts(&self, id: Ref, pdf: &mut Pdf) {
        let mut texts = UnicodeCmap::new(Name(b"Custom"), IDENTITY);
        for (&number, text) in &self.texts {
            texts.pair_with_multiple(number, text.chars());
        }
        let packed = deflated(&texts.finish());
        pdf.stream(id, &packed).filter(Filter::FlateDecode);
    }
}

fn is_plain(c: &char) -> bool {
    c.is_ascii_alphanumeric() || *c == '-'
}

/// Six letters that are not those of another subset, and the name of the font.
fn subset_name(face: &harfrust::Font, number: usize) -> String {
    let name = face.names().get(NameId::POSTSCRIPT_NAME);
    let name = name.and_then(|name| name.english_or_first());
    let letters_of = |name: Localized<'_>| name.name().chars().filter(is_plain).take(60).collect();
    let name: String = name.map(letters_of).unwrap_or_default();
    let letters = (0..6).rev().map(|place| {
        let digit = number / 26_usize.pow(place) % 26;
        char::from(b'A' + u8::try_from(digit).unwrap_or_default())
    });
    format!("{}+{name}", letters.collect::<String>())
}
