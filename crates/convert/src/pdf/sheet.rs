//! The pages of a file: what is drawn goes onto the last one until it is full.

use std::collections::HashMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{ActionType, AnnotationType};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::blanks::{self, Blanks};
use super::typesetter::{FontId, Typesetter};

/// A4, in points.
pub(super) const WIDTH: f32 = 595.0;

const HEIGHT: f32 = 842.0;

pub(super) const MARGIN: f32 = 56.0;

pub(super) struct Sheet {
    pdf: Pdf,
    last: Ref,
    catalog: Ref,
    tree: Ref,
    resources: Ref,
    pages: Vec<Ref>,
    pub content: Content,
    pub blanks: Blanks,
    links: Vec<(Rect, String)>,
    /// The fonts in use, with the names that pages have for them.
    fonts: HashMap<FontId, (String, Ref)>,
    /// How far down the page is full, from above.
    full: f32,
    is_new: bool,
}

impl Sheet {
    pub(super) fn new() -> Sheet {
        let mut last = Ref::new(1);
        Sheet {
            pdf: Pdf::new(),
            catalog: last,
            tree: next(&mut last),
            resources: next(&mut last),
            pages: Vec::new(),
            content: Content::new(),
            blanks: Blanks::default(),
            links: Vec::new(),
            fonts: HashMap::new(),
            full: MARGIN,
            is_new: true,
            last,
        }
    }

    /// Takes room for a row and returns its upper edge, from below. What does not fit starts a new
    /// page.
    pub(super) fn take(&mut self, height: f32) -> f32 {
        if self.full + height > HEIGHT - MARGIN && !self.is_new {
            self.end_page();
        }
        let top = HEIGHT - self.full;
        self.full += height;
        self.is_new = false;
        top
    }

    /// Leaves room, unless at the start of a page.
    pub(super) fn leave(&mut self, height: f32) {
        if !self.is_new {
            self.full += height;
        }
    }

    pub(super) fn link(&mut self, area: Rect, address: String) {
        self.links.push((area, address));
    }

    /// The name of a font on pages.
    pub(super) fn font(&mut self, font: FontId) -> Vec<u8> {
        let font = match font {
            FontId::Missing(font) => FontId::Standard(font),
            font => font,
        };
        let count = self.fonts.len();
        let (name, _) = self
            .fonts
            .entry(font)
            .or_insert_with(|| (format!("F{count}"), next(&mut self.last)));
        name.clone().into_bytes()
    }

    fn end_page(&mut self) {
        let [page, content] = [(); 2].map(|()| next(&mut self.last));
        let drawn = std::mem::replace(&mut self.content, Content::new()).finish();
        let packed = deflated(&drawn);
        self.pdf
            .stream(content, &packed)
            .filter(Filter::FlateDecode);
        let links = std::mem::take(&mut self.links);
        let annotations: Vec<Ref> = links
            .iter()
            .map(|(area, address)| self.annotation(*area, address))
            .collect();
        let mut entries = self.pdf.page(page);
        entries
            .parent(self.tree)
            .media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT))
            .contents(content)
            .pair(Name(b"Resources"), self.resources);
        if !annotations.is_empty() {
            entries.annotations(annotations);
        }
        entries.finish();
        self.pages.push(page);
        self.full = MARGIN;
        self.is_new = true;
    }

    fn annotation(&mut self, area: Rect, address: &str) -> Ref {
        let id = next(&mut self.last);
        let mut entries = self.pdf.annotation(id);
        entries.subtype(AnnotationType::Link).rect(area);
        entries.border(0.0, 0.0, 0.0, None);
        let mut action = entries.action();
        // An address is ASCII by rule; what is not is written as it is and left to the reader.
        action
            .action_type(ActionType::Uri)
            .uri(Str(address.as_bytes()));
        action.finish();
        entries.finish();
        id
    }

    /// The whole file.
    pub(super) fn finish(mut self, title: &str, typesetter: &Typesetter<'_>) -> Vec<u8> {
        self.end_page();
        let mut fonts: Vec<(FontId, (String, Ref))> = self.fonts.drain().collect();
        fonts.sort_by_key(|(_, (_, id))| *id);
        for (font, (_, id)) in &fonts {
            match font {
                FontId::Embedded(index) => {
                    if let Some(embedded) = typesetter.embedded.get(*index) {
                        embedded.write(*id, *index, &mut self.pdf, &mut self.last);
                    }
                }
                FontId::Standard(font) | FontId::Missing(font) => {
                    self.pdf
                        .type1_font(*id)
                        .base_font(Name(font.name().as_bytes()))
                        .encoding_predefined(Name(b"WinAnsiEncoding"));
                }
            }
        }
        let blanks = self.blanks.write(&mut self.pdf, &mut self.last);
        let mut resources = self.pdf.indirect(self.resources).dict();
        let mut names = resources.insert(Name(b"Font")).dict();
        for (_, (name, id)) in &fonts {
            names.pair(Name(name.as_bytes()), *id);
        }
        if let Some(blanks) = blanks {
            names.pair(blanks::NAME, blanks);
        }
        names.finish();
        resources.finish();
        let count = i32::try_from(self.pages.len()).unwrap_or(i32::MAX);
        self.pdf
            .pages(self.tree)
            .kids(self.pages.iter().copied())
            .count(count);
        self.pdf.catalog(self.catalog).pages(self.tree);
        let information = next(&mut self.last);
        self.pdf
            .document_info(information)
            .title(TextStr(title))
            .producer(TextStr("padsvc"));
        self.pdf.finish()
    }
}

/// The next number for an object.
pub(super) fn next(last: &mut Ref) -> Ref {
    *last = Ref::new(last.get() + 1);
    *last
}

pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}
