//! Fonts in the file: the glyphs in use, how wide they are, and what they stand for.

use std::collections::BTreeMap;
use std::sync::Arc;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;
use ttf_parser::{Face, GlyphId, RawFace, Tag, name_id};

use super::fonts::Font;
use super::sheet::{deflated, next};

pub(super) struct Embedded<'a> {
    pub font: &'a Arc<Font>,
    /// What shapes text. Reading it takes milliseconds for a font of thousands of characters, so it
    /// is kept.
    pub face: rustybuzz::Face<'a>,
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

impl<'a> Embedded<'a> {
    /// `None` if the font cannot be read, which it could when it was made.
    pub fn new(font: &'a Arc<Font>) -> Option<Embedded<'a>> {
        Some(Embedded {
            font,
            face: rustybuzz::Face::from_slice(font.data(), font.index())?,
            remapper: GlyphRemapper::new(),
            widths: BTreeMap::new(),
            texts: BTreeMap::new(),
        })
    }

    /// The number of a glyph in the file, and its width there.
    pub fn glyph(&mut self, id: u16) -> (u16, f32) {
        let number = self.remapper.remap(id);
        let width = *self.widths.entry(number).or_insert_with(|| {
            let face: &Face<'_> = &self.face;
            let advance = face.glyph_hor_advance(GlyphId(id)).unwrap_or_default();
            f32::from(advance) * 1000.0 / f32::from(face.units_per_em())
        });
        (number, width)
    }

    /// Notes what a glyph stands for. Whether it stands for that everywhere.
    pub fn stands_for(&mut self, number: u16, text: &str) -> bool {
        let known = self.texts.entry(number);
        known.or_insert_with(|| text.to_owned()) == text
    }

    /// Writes the font as an object, with all that belongs to it.
    pub fn write(&self, id: Ref, number: usize, pdf: &mut Pdf, last: &mut Ref) {
        let face: &Face<'_> = &self.face;
        let Ok(subset) = subsetter::subset(self.font.data(), self.font.index(), &self.remapper)
        else {
            return;
        };
        let cff = RawFace::parse(&subset, 0).ok();
        let cff = cff.and_then(|raw| raw.table(Tag::from_bytes(b"CFF ")));
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

        let scale = 1000.0 / f32::from(face.units_per_em());
        let scaled = |value: i16| f32::from(value) * scale;
        let bounds = face.global_bounding_box();
        let mut flags = FontFlags::SYMBOLIC;
        flags.set(FontFlags::ITALIC, face.is_italic());
        let mut entries = pdf.font_descriptor(descriptor);
        entries
            .name(name)
            .flags(flags)
            .bbox(Rect::new(
                scaled(bounds.x_min),
                scaled(bounds.y_min),
                scaled(bounds.x_max),
                scaled(bounds.y_max),
            ))
            .italic_angle(face.italic_angle())
            .ascent(scaled(face.ascender()))
            .descent(scaled(face.descender()))
            .cap_height(scaled(face.capital_height().unwrap_or(face.ascender())))
            .stem_v(80.0);
        match cff {
            Some(_) => entries.font_file3(file),
            None => entries.font_file2(file),
        };
        entries.finish();

        let packed = deflated(cff.unwrap_or(&subset));
        let mut stream = pdf.stream(file, &packed);
        stream.filter(Filter::FlateDecode);
        if cff.is_some() {
            stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
        }
        stream.finish();
        self.write_texts(to_unicode, pdf);
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

/// Six letters that are not those of another subset, and the name of the font.
fn subset_name(face: &Face<'_>, number: usize) -> String {
    let names = face.names().into_iter();
    let mut names = names.filter(|name| name.name_id == name_id::POST_SCRIPT_NAME);
    let name = names.find_map(|name| name.to_string()).unwrap_or_default();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let name: String = name.chars().filter(is_plain).take(60).collect();
    let letters = (0..6).rev().map(|place| {
        let digit = number / 26_usize.pow(place) % 26;
        char::from(b'A' + u8::try_from(digit).unwrap_or_default())
    });
    format!("{}+{name}", letters.collect::<String>())
}
