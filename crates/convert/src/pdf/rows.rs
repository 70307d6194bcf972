//! Breaking a paragraph into rows.

use std::ops::Range;

use unicode_linebreak::linebreaks;
use unicode_script::{Script, UnicodeScript};

use super::paragraph::Paragraph;

/// The rows of a paragraph, none wider than `room` unless a single character is. White space at the
/// end of a row may stand out.
pub(super) fn rows(paragraph: &Paragraph<'_>, room: f32) -> Vec<Range<usize>> {
    let text = paragraph.text;
    let mut breaker = Breaker {
        rows: Vec::new(),
        start: 0,
        width: 0.0,
        room,
    };
    let widths = widths(paragraph);
    let mut at = 0;
    for (end, _) in linebreaks(text) {
        breaker.word(text, at..end, &widths);
        at = end;
    }
    breaker.rows.push(breaker.start..text.len());
    breaker.rows
}

/// How wide a range of a row is, without the white space at its end.
pub(super) fn width_of(paragraph: &Paragraph<'_>, row: &Range<usize>) -> f32 {
    let text = paragraph.text.get(row.clone()).unwrap_or_default();
    let end = row.start + text.trim_end().len();
    let shown = row.start..end;
    let glyphs = paragraph
        .items
        .iter()
        .filter(|item| item.range.start < shown.end && shown.start < item.range.end);
    let glyphs = glyphs.flat_map(|item| &item.glyphs);
    let glyphs = glyphs.filter(|glyph| shown.contains(&glyph.cluster));
    glyphs.map(|glyph| glyph.advance).sum()
}

/// The width of what starts at each byte.
fn widths(paragraph: &Paragraph<'_>) -> Vec<f32> {
    let mut widths = vec![0.0; paragraph.text.len()];
    for glyph in paragraph.items.iter().flat_map(|item| &item.glyphs) {
        if let Some(width) = widths.get_mut(glyph.cluster) {
            *width += glyph.advance;
        }
    }
    widths
}

struct Breaker {
    rows: Vec<Range<usize>>,
    /// Where the row starts, and how wide it is so far.
    start: usize,
    width: f32,
    room: f32,
}

impl Breaker {
    /// Adds a word with the blanks behind it.
    fn word(&mut self, text: &str, word: Range<usize>, widths: &[f32]) {
        let sum =
            |range: Range<usize>| -> f32 { widths.get(range).unwrap_or_default().iter().sum() };
        let shown = text.get(word.clone()).unwrap_or_default().trim_end().len();
        let width = sum(word.start..word.start + shown);
        if self.width + width > self.room && self.width > 0.0 {
            self.break_at(word.start);
        }
        if width <= self.room {
            self.width += sum(word);
            return;
        }
        // No row is wide enough: it is broken between characters.
        let chars = text.get(word.clone()).unwrap_or_default().char_indices();
        for (offset, c) in chars {
            let at = word.start + offset;
            let width = sum(at..at + c.len_utf8());
            let is_joined = width == 0.0 || c.script() == Script::Inherited;
            if self.width + width > self.room && self.width > 0.0 && !is_joined {
                self.break_at(at);
            }
            self.width += width;
        }
    }

    fn break_at(&mut self, at: usize) {
        self.rows.push(self.start..at);
        self.start = at;
        self.width = 0.0;
    }
}
