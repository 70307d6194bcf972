//! Glyphs of an embedded font on their way to the page.

use pdf_writer::{Content, Name, Str, TextStr};

use super::blanks::{self, Blanks};
use super::embedded::Embedded;
use super::paragraph::Glyph;

pub(super) struct Drawing<'a> {
    pub content: &'a mut Content,
    pub blanks: &'a mut Blanks,
    /// The name of the font on pages.
    pub font: Name<'a>,
    pub size: f32,
    pub slant: f32,
    pub is_rtl: bool,
    /// Numbers of glyphs that follow each other as the font has it, and where they start.
    pub pending: Vec<u8>,
    pub start: f32,
    pub baseline: f32,
}

impl Drawing<'_> {
    /// Draws the glyphs that stand for some text together.
    pub(super) fn cluster(
        &mut self,
        embedded: &mut Embedded,
        glyphs: &[&Glyph],
        text: &str,
        pen: &mut f32,
    ) {
        let numbers: Vec<(u16, f32)> = glyphs
            .iter()
            .map(|glyph| embedded.glyph(glyph.id))
            .collect();
        let is_several = self.is_rtl && text.chars().nth(1).is_some();
        if is_several && self.one_by_one(embedded, glyphs, &numbers, text, pen) {
            return;
        }
        if let ([glyph], [(number, width)]) = (glyphs, &*numbers)
            && embedded.stands_for(*number, text)
        {
            let is_moved = glyph.x != 0.0 || glyph.y != 0.0;
            if is_moved {
                self.flush(*pen);
                self.show_at(*number, *pen + glyph.x, glyph.y);
            } else {
                self.pending.extend(number.to_be_bytes());
            }
            *pen += glyph.advance;
            let natural = width * self.size / 1000.0;
            if is_moved || (natural - glyph.advance).abs() > 0.01 {
                self.flush(*pen);
            }
            return;
        }
        self.flush(*pen);
        let mut mark = self
            .content
            .begin_marked_content_with_properties(Name(b"Span"));
        mark.properties().actual_text(TextStr(text));
        drop(mark);
        self.show_all(glyphs, &numbers, pen);
        self.content.end_marked_content();
    }

    /// Draws a cluster that runs from right to left so that its one letter stands for the first
    /// character, marks on it for nothing, and blanks on its left for the others. Whether that is
    /// possible.
    fn one_by_one(
        &mut self,
        embedded: &mut Embedded,
        glyphs: &[&Glyph],
        numbers: &[(u16, f32)],
        text: &str,
        pen: &mut f32,
    ) -> bool {
        let mut chars = text.chars();
        let first = chars.next().map(String::from).unwrap_or_default();
        let letters = glyphs.iter().zip(numbers);
        let mut letters = letters.filter(|(glyph, _)| glyph.advance > 0.0);
        let (Some((_, (letter, _))), None) = (letters.next(), letters.next()) else {
            return false;
        };
        let codes: Option<Vec<u8>> = chars.rev().map(|c| self.blanks.code(c)).collect();
        let Some(codes) = codes.filter(|_| embedded.stands_for(*letter, &first)) else {
            return false;
        };
        self.flush(*pen);
        self.content.set_font(blanks::NAME, self.size);
        let matrix = [1.0, 0.0, 0.0, 1.0, *pen, self.baseline];
        self.content.set_text_matrix(matrix);
        self.content.show(Str(&codes));
        self.content.set_font(self.font, self.size);
        self.show_all(glyphs, numbers, pen);
        true
    }

    fn show_all(&mut self, glyphs: &[&Glyph], numbers: &[(u16, f32)], pen: &mut f32) {
        for (glyph, (number, _)) in glyphs.iter().zip(numbers) {
            self.show_at(*number, *pen + glyph.x, glyph.y);
            *pen += glyph.advance;
        }
        self.flush(*pen);
    }

    fn show_at(&mut self, number: u16, x: f32, y: f32) {
        let matrix = [1.0, 0.0, self.slant, 1.0, x, self.baseline + y];
        self.content.set_text_matrix(matrix);
        self.content.show(Str(&number.to_be_bytes()));
    }

    /// Draws what is pending; what comes next starts at `pen`.
    pub(super) fn flush(&mut self, pen: f32) {
        if !self.pending.is_empty() {
            let matrix = [1.0, 0.0, self.slant, 1.0, self.start, self.baseline];
            self.content.set_text_matrix(matrix);
            self.content.show(Str(&self.pending));
            self.pending.clear();
        }
        self.start = pen;
    }
}
