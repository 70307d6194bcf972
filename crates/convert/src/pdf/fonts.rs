//! Fonts as the PDF writer sees them: bytes, and which characters they can show.

use std::fmt;
use std::sync::Arc;

use harfrust::font::attribute::{Style, Weight};
use read_fonts::tables::cmap::CmapIterLimits;
use read_fonts::types::Tag;
use read_fonts::{FontRef, TableProvider};

/// Where the fonts of an export come from. What it answers decides how the file looks, so the same
/// answers give the same file.
pub trait Fonts {
    /// The fonts that are set for a family, by the name CSS has for it. Names are compared as
    /// [`same_family`] does.
    fn family(&self, name: &str) -> Option<Family>;

    /// Any font that can show a character which the fonts of its family cannot.
    fn font_for(&self, c: char, variant: Variant) -> Option<Arc<Font>>;
}

/// No fonts but the standard ones, which every reader of PDF has.
pub struct NoFonts;

impl Fonts for NoFonts {
    fn family(&self, _name: &str) -> Option<Family> {
        None
    }

    fn font_for(&self, _c: char, _variant: Variant) -> Option<Arc<Font>> {
        None
    }
}

/// The fonts of a family. A variant without a font is shown in `fallback`.
#[derive(Clone, Debug)]
pub struct Family {
    pub regular: Option<Arc<Font>>,
    pub bold: Option<Arc<Font>>,
    pub italic: Option<Arc<Font>>,
    pub bold_italic: Option<Arc<Font>>,
    pub fallback: Option<Standard>,
}

impl Family {
    pub(super) fn font(&self, variant: Variant) -> Option<&Arc<Font>> {
        match (variant.bold, variant.italic) {
            (false, false) => self.regular.as_ref(),
            (true, false) => self.bold.as_ref(),
            (false, true) => self.italic.as_ref(),
            (true, true) => self.bold_italic.as_ref(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    pub bold: bool,
    pub italic: bool,
}

/// The families that every reader of PDF has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Standard {
    #[default]
    Helvetica,
    Times,
    Courier,
}

impl Standard {
    /// By the word that settings have for it.
    pub fn of_word(word: &str) -> Option<Standard> {
        match &*word.to_ascii_lowercase() {
            "helvetica" => Some(Standard::Helvetica),
            "times" => Some(Standard::Times),
            "courier" => Some(Standard::Courier),
            _ => None,
        }
    }
}

/// A font file that can be embedded.
pub struct Font {
    /// Shares the bytes of the file.
    face: harfrust::Font,
    data: Arc<Vec<u8>>,
    index: u32,
    /// The code points it has glyphs for, as ranges in order.
    coverage: Vec<(u32, u32)>,
    is_bold: bool,
    is_italic: bool,
}

impl Font {
    /// The font of a file, `index` of a collection. `None` if it cannot be read, or has no outlines
    /// (fonts of coloured pictures have none).
    pub fn new(data: Vec<u8>, index: u32) -> Option<Font> {
        let coverage = coverage(&FontRef::from_index(&data, index).ok()?)?;
        let data = Arc::new(data);
        let shared: Arc<dyn AsRef<[u8]> + Send + Sync> = data.clone();
        let face = harfrust::Font::new(shared, index)?;
        let attributes = face.default_attributes();
        Some(Font {
            is_bold: attributes.weight >= Weight::SEMI_BOLD,
            is_italic: attributes.style != Style::Normal,
            coverage,
            face,
            data,
            index,
        })
    }

    pub(super) fn face(&self) -> &harfrust::Font {
        &self.face
    }

    pub fn covers(&self, c: char) -> bool {
        is_in(&self.coverage, c)
    }

    pub(super) fn data(&self) -> &[u8] {
        &self.data
    }

    pub(super) fn index(&self) -> u32 {
        self.index
    }

    pub(super) fn is_bold(&self) -> bool {
        self.is_bold
    }

    pub(super) fn is_italic(&self) -> bool {
        self.is_italic
    }
}

impl fmt::Debug for Font {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Font")
            .field("bytes", &self.data.len())
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

/// Whether a character is in ranges that are in order.
pub(crate) fn is_in(coverage: &[(u32, u32)], c: char) -> bool {
    let c = u32::from(c);
    let after = coverage.partition_point(|&(start, _)| start <= c);
    let range = after.checked_sub(1).and_then(|index| coverage.get(index));
    range.is_some_and(|&(_, end)| c <= end)
}

/// The code points that a font has glyphs for, if these are outlines.
pub(crate) fn coverage(font: &FontRef<'_>) -> Option<Vec<(u32, u32)>> {
    if font.table_data(GLYF).is_none() && font.table_data(CFF).is_none() {
        return None;
    }
    let (_, _, subtable) = font.cmap().ok()?.best_subtable()?;
    let mappings = subtable.iter_with_limits(CmapIterLimits::default_for_font(font));
    // Tables may list code points that have no glyph after all.
    let with_glyph = mappings.filter(|(_, glyph)| glyph.to_u32() != 0);
    let mut points: Vec<u32> = with_glyph.map(|(point, _)| point).collect();
    points.sort_unstable();
    points.dedup();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for point in points {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == point => *end = point,
            _ => ranges.push((point, point)),
        }
    }
    (!ranges.is_empty()).then_some(ranges)
}

const GLYF: Tag = Tag::new(b"glyf");
/// PostScript outlines.
pub(super) const CFF: Tag = Tag::new(b"CFF ");

/// Whether two names mean the same family: case does not matter, and `-`, `_` and blanks are alike.
pub fn same_family(a: &str, b: &str) -> bool {
    normal(a).eq(normal(b))
}

fn normal(name: &str) -> impl Iterator<Item = char> {
    name.trim().chars().map(|c| match c {
        '-' | '_' => ' ',
        c => c.to_ascii_lowercase(),
    })
}
