//! A document as pages: lines of a pad one after another, each in as many rows as it takes.

use std::ops::Range;

use changeset::Document;
use pdf_writer::types::TextRenderingMode;
use pdf_writer::{Name, Rect, Str, TextStr};

use super::drawing::Drawing;
use super::fonts::{Fonts, Variant};
use super::paragraph::{Glyph, Item, Look, Paragraph};
use super::rows::{rows, width_of};
use super::sheet::{MARGIN, Sheet, WIDTH};
use super::typesetter::{CODE, FontId, PAGE, Typesetter};
use crate::block::{Align, Heading, TASK};
use crate::declared::{Like, Meanings};
use crate::format::Exported;
use crate::lines::{Line, lines};
use crate::numbers::{Number, Numbers};
use crate::palette::{Colour, channels};
use crate::parts::{HEADING_STYLES, Part, heading_of, parts};
use crate::style;

/// The size of text, in points.
const SIZE: f32 = 11.0;

/// The sizes of headings, the largest first.
const HEADINGS: [f32; 6] = [20.0, 16.0, 14.0, 13.0, 12.0, 11.0];

/// Text above and below the line is so many times as large as beside it.
const SMALL: f32 = 0.65;

/// CSS has 96 pixels to an inch, PDF 72 points.
const POINTS_OF_PIXEL: f32 = 0.75;

const BLACK: u32 = 0;

const GREY: u32 = 0xbfbfbf;

/// Rows are so many times as high as their text.
const LEADING: f32 = 1.35;

/// How far each level of a list is indented.
const INDENT: f32 = 18.0;

/// Longer lines are laid out in pieces: the work for a row grows with the length of its line.
const PIECE: usize = 16_000;

/// The file of a document that has a title, and the characters that no font could show.
pub fn write<'a>(
    title: &str,
    document: &'a Document,
    pool: impl Into<Meanings<'a>>,
    fonts: &dyn Fonts,
) -> Exported {
    let meanings = pool.into();
    let mut layout = Layout {
        typesetter: Typesetter::new(fonts),
        sheet: Sheet::new(),
        numbers: Numbers::default(),
    };
    for mut line in lines(document, meanings) {
        let mut parts = parts(&line, meanings);
        // There are no names in a PDF: declared attributes are only what they look like.
        Like::of(line.declared.iter().copied()).dress_line(&mut line);
        for Part { format, .. } in &mut parts {
            meanings.like(&format.declared).dress(format);
        }
        layout.line(&line, &parts);
    }
    Exported {
        missing: layout.typesetter.missing(),
        file: layout.sheet.finish(title, &layout.typesetter),
    }
}

struct Layout<'a> {
    typesetter: Typesetter<'a>,
    sheet: Sheet,
    numbers: Numbers,
}

impl Layout<'_> {
    fn line(&mut self, line: &Line<'_>, parts: &[Part]) {
        let number = self.numbers.next(line.list);
        let heading = heading_of(line, parts);
        let mut text = String::new();
        let mut looks = Vec::new();
        for part in parts {
            let look = self.look(part, heading);
            push_shown(&mut text, &part.text);
            looks.push((text.len(), look));
        }
        let addresses: Vec<String> = addresses(parts);
        let is_heading = matches!(heading, Some(Heading::Level(_)));
        if is_heading {
            self.sheet.leave(SIZE / 2.0);
        }
        if line.is_rule {
            self.rule();
            if text.is_empty() {
                return;
            }
        }
        let mut start = 0;
        let mut marker = line.list.and_then(|list| marker(list.kind, number));
        let mut task = line.task;
        loop {
            let end = end_of_piece(&text, start);
            let piece = text.get(start..end).unwrap_or_default();
            let looks: Vec<(usize, Look)> = looks
                .iter()
                .map(|(look_end, look)| (look_end.saturating_sub(start), *look))
                .filter(|(look_end, _)| *look_end > 0)
                .collect();
            let marks = (marker.take(), task.take());
            self.piece(line, piece, &looks, &addresses, marks);
            start = end;
            if start >= text.len() {
                break;
            }
        }
        if is_heading {
            self.sheet.leave(SIZE / 4.0);
        }
    }

    fn look(&mut self, part: &Part, heading: Option<Heading>) -> Look {
        let by_style = HEADING_STYLES
            .iter()
            .zip(1..)
            .find(|(key, _)| part.has(key));
        let level = match (heading, by_style) {
            (Some(Heading::Level(level)), _) | (_, Some((_, level))) => Some(level),
            _ => None,
        };
        let size = level.and_then(|level| HEADINGS.get(usize::from(level).saturating_sub(1)));
        let around = if heading == Some(Heading::Code) || part.has(style::CODE) {
            CODE
        } else {
            PAGE
        };
        let format = &part.format;
        let own_size = format
            .size
            .map(|pixels| f32::from(pixels) * POINTS_OF_PIXEL);
        let size = size.copied().or(own_size).unwrap_or(SIZE);
        let (small, rise) = match (part.has("sup"), part.has("sub")) {
            (true, _) => (SMALL, 0.35),
            (_, true) => (SMALL, -0.12),
            _ => (1.0, 0.0),
        };
        Look {
            variant: Variant {
                bold: part.has("bold") || level.is_some(),
                italic: part.has("italic"),
            },
            size: size * small,
            underline: part.has("underline") || part.link.is_some(),
            strike: part.has("strikethrough"),
            colour: format.colour.map(Colour::rgb),
            highlight: format.highlight.map(|shade| shade.rgb),
            rise: rise * size,
            typeface: self.typesetter.typeface(format.family.as_deref(), around),
            link: part.link.as_ref().map(|link| link.number),
        }
    }

    fn piece(
        &mut self,
        line: &Line<'_>,
        text: &str,
        looks: &[(usize, Look)],
        addresses: &[String],
        (mut marker, mut task): (Option<String>, Option<bool>),
    ) {
        let paragraph = Paragraph::new(text, looks, &mut self.typesetter);
        let quote = if line.is_quote { INDENT } else { 0.0 };
        let indent = quote + line.list.map_or(0.0, |list| INDENT * list.level as f32);
        let room = WIDTH - 2.0 * MARGIN - indent;
        for row in rows(&paragraph, room) {
            let size = size_of(&paragraph, &row);
            let top = self.sheet.take(size * LEADING);
            if line.is_quote {
                let x = if paragraph.is_rtl {
                    WIDTH - MARGIN - 3.0
                } else {
                    MARGIN
                };
                self.bar(x, top - size * LEADING, 3.0, size * LEADING);
            }
            let baseline = top - size;
            let free = room - width_of(&paragraph, &row);
            let shift = match (line.align, paragraph.is_rtl) {
                (Some(Align::Centre), _) => free / 2.0,
                (Some(Align::Right), _) | (None | Some(Align::Justify), true) => free,
                (Some(Align::Left), _) | (None | Some(Align::Justify), false) => 0.0,
            };
            let left = MARGIN + if paragraph.is_rtl { 0.0 } else { indent };
            if let Some(is_done) = task.take() {
                self.checkbox(is_done, paragraph.is_rtl, indent, baseline);
            }
            if let Some(marker) = marker.take() {
                self.marker(&marker, paragraph.is_rtl, indent, baseline);
            }
            self.row(&paragraph, row, left + shift, baseline, addresses);
        }
    }

    /// Draws a line across the page.
    fn rule(&mut self) {
        let top = self.sheet.take(SIZE * LEADING);
        let y = top - SIZE * LEADING / 2.0;
        self.bar(MARGIN, y, WIDTH - 2.0 * MARGIN, 0.75);
    }

    fn bar(&mut self, x: f32, y: f32, width: f32, height: f32) {
        self.fill(Some(GREY));
        self.sheet.content.rect(x, y, width, height).fill_nonzero();
        self.fill(Some(BLACK));
    }

    /// Draws the box of a task, with a tick in it if it is done. What is copied says it in
    /// characters.
    fn checkbox(&mut self, is_done: bool, is_rtl: bool, indent: f32, baseline: f32) {
        let side = 0.75 * SIZE;
        let x = if is_rtl {
            WIDTH - MARGIN - indent + SIZE / 2.0
        } else {
            MARGIN + indent - SIZE / 2.0 - side
        };
        let content = &mut self.sheet.content;
        content.set_line_width(0.8);
        content.rect(x, baseline, side, side).stroke();
        if is_done {
            content.move_to(x + 0.2 * side, baseline + 0.5 * side);
            content.line_to(x + 0.42 * side, baseline + 0.22 * side);
            content.line_to(x + 0.82 * side, baseline + 0.8 * side);
            content.stroke();
        }
        content.set_text_rendering_mode(TextRenderingMode::Invisible);
        let text = if is_done { "[x]" } else { "[ ]" };
        self.marker(text, is_rtl, indent, baseline);
        let content = &mut self.sheet.content;
        content.set_text_rendering_mode(TextRenderingMode::Fill);
    }

    /// Draws a bullet or number beside the text that is indented behind it.
    fn marker(&mut self, marker: &str, is_rtl: bool, indent: f32, baseline: f32) {
        let look = Look {
            variant: Variant::default(),
            size: SIZE,
            underline: false,
            strike: false,
            colour: None,
            highlight: None,
            rise: 0.0,
            typeface: PAGE,
            link: None,
        };
        let paragraph = Paragraph::new(marker, &[(marker.len(), look)], &mut self.typesetter);
        let all = 0..marker.len();
        let gap = SIZE / 2.0;
        let x = if is_rtl {
            WIDTH - MARGIN - indent + gap
        } else {
            MARGIN + indent - gap - width_of(&paragraph, &all)
        };
        self.row(&paragraph, all, x, baseline, &[]);
    }

    fn row(
        &mut self,
        paragraph: &Paragraph<'_>,
        row: Range<usize>,
        mut x: f32,
        baseline: f32,
        addresses: &[String],
    ) {
        for (run, is_rtl) in paragraph.visual_runs(row) {
            let mut items: Vec<&Item> = paragraph
                .items
                .iter()
                .filter(|item| item.range.start < run.end && run.start < item.range.end)
                .collect();
            if is_rtl {
                items.reverse();
            }
            for item in items {
                let in_run = |glyph: &&Glyph| run.contains(&glyph.cluster);
                let glyphs: Vec<&Glyph> = item.glyphs.iter().filter(in_run).collect();
                let width: f32 = glyphs.iter().map(|glyph| glyph.advance).sum();
                if glyphs.is_empty() {
                    continue;
                }
                let baseline = baseline + item.look.rise;
                self.highlight(&item.look, x, width, baseline);
                let colour = item.look.colour;
                self.fill(colour);
                self.show(paragraph, item, &glyphs, is_rtl, (x, baseline));
                self.decorate(&item.look, x, width, baseline, addresses);
                self.fill(colour.map(|_| BLACK));
                x += width;
            }
        }
    }

    fn show(
        &mut self,
        paragraph: &Paragraph<'_>,
        item: &Item,
        glyphs: &[&Glyph],
        is_rtl: bool,
        (x, baseline): (f32, f32),
    ) {
        let name = self.sheet.font(item.font);
        let size = item.look.size;
        let content = &mut self.sheet.content;
        content.begin_text().set_font(Name(&name), size);
        let FontId::Embedded(index) = item.font else {
            let codes: Vec<u8> = glyphs.iter().map(|glyph| glyph.id as u8).collect();
            content.set_text_matrix([1.0, 0.0, 0.0, 1.0, x, baseline]);
            match item.font {
                // Copied, it is the character itself.
                FontId::Missing(_) => {
                    let text = paragraph.text.get(item.range.clone()).unwrap_or_default();
                    let mut mark = content.begin_marked_content_with_properties(Name(b"Span"));
                    mark.properties().actual_text(TextStr(text));
                    drop(mark);
                    content.show(Str(&codes)).end_marked_content();
                }
                _ => {
                    content.show(Str(&codes));
                }
            }
            content.end_text();
            return;
        };
        let Some(embedded) = self.typesetter.embedded.get_mut(index) else {
            content.end_text();
            return;
        };
        // A font without the variant is slanted, and drawn thicker.
        let variant = item.look.variant;
        let is_slanted = variant.italic && !embedded.font.is_italic();
        let is_thickened = variant.bold && !embedded.font.is_bold();
        if is_thickened {
            content.set_line_width(size / 30.0);
            content.set_text_rendering_mode(TextRenderingMode::FillStroke);
        }
        let mut drawing = Drawing {
            content,
            blanks: &mut self.sheet.blanks,
            font: Name(&name),
            size,
            slant: if is_slanted { 0.2 } else { 0.0 },
            is_rtl,
            pending: Vec::new(),
            start: x,
            baseline,
        };
        let mut pen = x;
        for cluster in glyphs.chunk_by(|a, b| a.cluster == b.cluster) {
            let range = cluster.first().map(|glyph| item.cluster(glyph.cluster));
            let text = range.and_then(|range| paragraph.text.get(range));
            drawing.cluster(embedded, cluster, text.unwrap_or_default(), &mut pen);
        }
        drawing.flush(pen);
        if is_thickened {
            content.set_text_rendering_mode(TextRenderingMode::Fill);
        }
        content.end_text();
    }

    /// Draws what comes next in a colour.
    fn fill(&mut self, colour: Option<u32>) {
        if let Some(rgb) = colour {
            let [red, green, blue] = channels(rgb).map(|channel| channel as f32 / 255.0);
            let content = &mut self.sheet.content;
            content.set_fill_rgb(red, green, blue);
            // Text that is drawn thicker has an outline.
            content.set_stroke_rgb(red, green, blue);
        }
    }

    fn highlight(&mut self, look: &Look, x: f32, width: f32, baseline: f32) {
        if let Some(shade) = look.highlight {
            self.fill(Some(shade));
            let (y, height) = (baseline - 0.22 * look.size, 1.12 * look.size);
            self.sheet.content.rect(x, y, width, height).fill_nonzero();
            self.fill(Some(BLACK));
        }
    }

    /// Draws the lines through and under text, and makes links of it.
    fn decorate(&mut self, look: &Look, x: f32, width: f32, baseline: f32, addresses: &[String]) {
        let size = look.size;
        let thickness = size / 16.0;
        let content = &mut self.sheet.content;
        for (is_drawn, y) in [(look.underline, -0.12), (look.strike, 0.28)] {
            if is_drawn {
                let y = baseline + y * size;
                content.rect(x, y, width, thickness).fill_nonzero();
            }
        }
        let address = look.link.and_then(|link| addresses.get(link));
        if let Some(address) = address.filter(|address| !address.is_empty()) {
            let area = Rect::new(x, baseline - 0.2 * size, x + width, baseline + 0.8 * size);
            self.sheet.link(area, address.clone());
        }
    }
}

/// The addresses of a line's links by their numbers.
fn addresses(parts: &[Part]) -> Vec<String> {
    let mut addresses = Vec::new();
    for link in parts.iter().filter_map(|part| part.link.as_ref()) {
        addresses.resize(link.number.max(addresses.len()), String::new());
        if addresses.len() == link.number {
            addresses.push(link.url().to_string());
        }
    }
    addresses
}

fn marker(kind: &str, number: Number) -> Option<String> {
    match kind {
        "indent" | TASK => None,
        "number" => Some(format!("{}.", number.value)),
        _ => Some("\u{2022}".to_owned()),
    }
}

/// The size of the largest text in a row.
fn size_of(paragraph: &Paragraph<'_>, row: &Range<usize>) -> f32 {
    let items = paragraph.items.iter();
    let items = items.filter(|item| item.range.start < row.end && row.start < item.range.end);
    let largest = items.map(|item| item.look.size).reduce(f32::max);
    largest.unwrap_or(SIZE)
}

/// Adds text as it is shown: tabs are four blanks, and what would break a line does not.
fn push_shown(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push(' '),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
}

/// Where a piece ends that starts at a place: behind a blank, if there is one.
fn end_of_piece(text: &str, start: usize) -> usize {
    let end = text.floor_char_boundary(start.saturating_add(PIECE));
    if end >= text.len() {
        return text.len();
    }
    let piece = text.get(start..end).unwrap_or_default();
    let blank = piece.rfind(' ').map(|blank| start + blank + 1);
    blank.unwrap_or(end)
}
