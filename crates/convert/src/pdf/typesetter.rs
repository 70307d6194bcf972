//! Which font shows a character, and what a stretch of text becomes in it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use harfrust::{Buffer, Direction, ShapeOptions, ShapePlan, ShaperFont, Tag};
use unicode_script::{Script, UnicodeScript};

use super::Missing;
use super::embedded::Embedded;
use super::families::{Typeface, typeface};
use super::fonts::{Font, Fonts, Variant};
use super::paragraph::{Glyph, Look};
use super::standard::{StandardFont, encode, mirrored};

/// More missing characters than this are not told one by one.
const MISSING: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum FontId {
    Standard(StandardFont),
    /// An index into [`Typesetter::embedded`].
    Embedded(usize),
    /// No font has the character: it is written as its number in this one.
    Missing(StandardFont),
}

pub(super) struct Typesetter<'a> {
    fonts: &'a dyn Fonts,
    /// Those that text is set in; the first is that of the page.
    typefaces: Vec<Typeface>,
    by_family: HashMap<String, Option<usize>>,
    pub embedded: Vec<Embedded>,
    found: HashMap<(char, Variant), Option<usize>>,
    plans: HashMap<(usize, Script, bool), ShapePlan>,
    missing: BTreeMap<char, usize>,
}

/// The typeface of the page.
pub(super) const PAGE: usize = 0;

/// That of lines as a computer shows them.
pub(super) const CODE: usize = 1;

impl<'a> Typesetter<'a> {
    pub(super) fn new(fonts: &'a dyn Fonts) -> Typesetter<'a> {
        let face = |family: &str| typeface(family, fonts).unwrap_or_default();
        Typesetter {
            typefaces: vec![face("sans-serif"), face("monospace")],
            fonts,
            by_family: HashMap::new(),
            embedded: Vec::new(),
            found: HashMap::new(),
            plans: HashMap::new(),
            missing: BTreeMap::new(),
        }
    }

    /// The typeface for families of CSS, or else the one around.
    pub(super) fn typeface(&mut self, families: Option<&str>, around: usize) -> usize {
        let Some(families) = families else {
            return around;
        };
        if let Some(known) = self.by_family.get(families) {
            return known.unwrap_or(around);
        }
        let index = typeface(families, self.fonts).map(|typeface| {
            self.typefaces.push(typeface);
            self.typefaces.len() - 1
        });
        self.by_family.insert(families.to_owned(), index);
        index.unwrap_or(around)
    }

    pub(super) fn missing(&self) -> Vec<Missing> {
        let missing = |(&character, &count): (&char, &usize)| Missing { character, count };
        self.missing.iter().map(missing).collect()
    }

    /// The font for a character that comes after one in `last`.
    pub(super) fn choose(&mut self, c: char, look: &Look, last: Option<FontId>) -> FontId {
        let variant = look.variant;
        let typeface = self.typefaces.get(look.typeface);
        let standard = StandardFont {
            family: typeface
                .map(|typeface| typeface.standard)
                .unwrap_or_default(),
            variant,
        };
        // What is not shown, or belongs to the character before, does not change the font.
        let is_mark = |last: FontId| c.script() == Script::Inherited && self.covers(last, c);
        match last {
            Some(FontId::Missing(_)) | None => {}
            Some(last) if is_ignored(c) || is_mark(last) => return last,
            Some(_) => {}
        }
        let own = typeface.and_then(|typeface| typeface.family.as_ref());
        let own = own.and_then(|family| family.font(variant));
        if let Some(font) = own.filter(|font| font.covers(c)).cloned() {
            return FontId::Embedded(self.embed(font));
        }
        if encode(c).is_some() || is_ignored(c) {
            return FontId::Standard(standard);
        }
        match last {
            Some(FontId::Embedded(_)) if last.is_some_and(|last| self.covers(last, c)) => {
                last.unwrap_or(FontId::Standard(standard))
            }
            _ => match self.find(c, variant) {
                Some(index) => FontId::Embedded(index),
                None => {
                    if self.missing.len() < MISSING || self.missing.contains_key(&c) {
                        *self.missing.entry(c).or_default() += 1;
                    }
                    FontId::Missing(standard)
                }
            },
        }
    }

    fn covers(&self, font: FontId, c: char) -> bool {
        match font {
            FontId::Standard(_) => encode(c).is_some(),
            FontId::Embedded(index) => {
                let embedded = self.embedded.get(index);
                embedded.is_some_and(|embedded| embedded.font.covers(c))
            }
            FontId::Missing(_) => false,
        }
    }

    fn find(&mut self, c: char, variant: Variant) -> Option<usize> {
        if let Some(found) = self.found.get(&(c, variant)) {
            return *found;
        }
        let font = self.fonts.font_for(c, variant);
        let found = font
            .filter(|font| font.covers(c))
            .map(|font| self.embed(font));
        self.found.insert((c, variant), found);
        found
    }

    fn embed(&mut self, font: Arc<Font>) -> usize {
        let is_it = |embedded: &Embedded| Arc::ptr_eq(&embedded.font, &font);
        if let Some(index) = self.embedded.iter().position(is_it) {
            return index;
        }
        self.embedded.push(Embedded::new(font));
        self.embedded.len() - 1
    }

    /// The glyphs of text that is all in one font, script and direction, from left to right. Where
    /// it starts is `start`.
    pub(super) fn glyphs(
        &mut self,
        text: &str,
        start: usize,
        font: FontId,
        look: &Look,
        script: Script,
        is_rtl: bool,
    ) -> Vec<Glyph> {
        match font {
            FontId::Standard(font) => {
                let chars = text.char_indices();
                let codes = chars.filter_map(|(at, c)| Some((start + at, encode(c)?)));
                let glyph = |(cluster, code): (usize, u8)| {
                    let code = if is_rtl { mirrored(code) } else { code };
                    standard_glyph(font, code, cluster, look.size)
                };
                let mut glyphs: Vec<Glyph> = codes.map(glyph).collect();
                if is_rtl {
                    glyphs.reverse();
                }
                glyphs
            }
            FontId::Missing(font) => text
                .chars()
                .flat_map(|c| format!("[U+{:04X}]", u32::from(c)).into_bytes())
                .map(|code| standard_glyph(font, code, start, look.size))
                .collect(),
            FontId::Embedded(index) => self.shape(text, start, index, look.size, script, is_rtl),
        }
    }

    fn shape(
        &mut self,
        text: &str,
        start: usize,
        index: usize,
        size: f32,
        script: Script,
        is_rtl: bool,
    ) -> Vec<Glyph> {
        let Some(Embedded { font, .. }) = self.embedded.get(index) else {
            return Vec::new();
        };
        // Cheap: the font keeps what it has read of its tables.
        let face = ShaperFont::new(font.face());
        let direction = if is_rtl {
            Direction::RightToLeft
        } else {
            Direction::LeftToRight
        };
        let tag = script.short_name().as_bytes().first_chunk::<4>();
        let shaped_script = tag.and_then(|tag| harfrust::Script::from_iso15924_tag(Tag::new(tag)));
        let plan = self
            .plans
            .entry((index, script, is_rtl))
            .or_insert_with(|| ShapePlan::new(&face, direction, shaped_script, None, &[]));
        let mut buffer = Buffer::new();
        for (at, c) in text.char_indices() {
            // A line of a pad is laid out in pieces far shorter than this counts.
            buffer.push(u32::from(c), u32::try_from(start + at).unwrap_or(u32::MAX));
        }
        buffer.set_direction(direction);
        buffer.set_script(shaped_script);
        let options = ShapeOptions::new().plan(Some(plan));
        if harfrust::shape(&face, &mut buffer, options).is_err() {
            // Only a plan of another direction or script is refused; this one is for both.
            return Vec::new();
        }
        let scale = size / f32::from(face.units_per_em());
        let glyphs = buffer.glyph_infos().iter().zip(buffer.glyph_positions());
        glyphs
            .map(|(info, position)| Glyph {
                id: u16::try_from(info.glyph_id).unwrap_or_default(),
                cluster: info.cluster as usize,
                advance: position.x_advance as f32 * scale,
                x: position.x_offset as f32 * scale,
                y: position.y_offset as f32 * scale,
            })
            .collect()
    }
}

fn standard_glyph(font: StandardFont, code: u8, cluster: usize, size: f32) -> Glyph {
    Glyph {
        id: u16::from(code),
        cluster,
        advance: f32::from(font.width(code)) * size / 1000.0,
        x: 0.0,
        y: 0.0,
    }
}

/// Characters that only say something about their neighbours, or nothing that can be shown.
pub(super) fn is_ignored(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}')
}
