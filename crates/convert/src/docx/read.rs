//! Reading a DOCX file: paragraphs become lines.

use std::collections::HashMap;
use std::io::BufRead;
use std::rc::Rc;

use super::archive::Archive;
use super::numbering::Numbering;
use super::paragraph::{continued, marker};
use super::styles::{Look, Styles, font_of};
use super::xml::{Item, Tag, Xml};
use crate::family;
use crate::links;
use crate::palette::{Colour, hex, highlight_of_file, highlight_of_word};
use crate::runs::{Content, Kind, Line, Marker, Run};
use crate::text_format::TextFormat;
use crate::values::nearest_size;
use crate::{Error, Limits};

/// The content of a file.
pub fn read(file: &[u8], limits: &Limits) -> Result<Vec<Run>, Error> {
    let mut archive = Archive::open(file, limits)?;
    let styles = archive.part("word/styles.xml")?;
    let styles = styles.map(|xml| Styles::read(xml, &limits.declared));
    let numbering = archive.part("word/numbering.xml")?.map(Numbering::read);
    let links = archive.part("word/_rels/document.xml.rels")?.map(addresses);
    let mut reader = Body {
        styles: styles.transpose()?.unwrap_or_default(),
        numbering: numbering.transpose()?.unwrap_or_default(),
        addresses: links.transpose()?.unwrap_or_default(),
        ..Body::new(limits)
    };
    let Some(mut document) = archive.document()? else {
        return Err(Error::NotDocx("it has no text"));
    };
    loop {
        match document.next()? {
            Item::Start(tag) => reader.start(&tag),
            Item::End(name) => reader.end(&name),
            Item::Text(text) => reader.text(&text),
            Item::Finish => break,
        }
        reader.content.check(&reader.line)?;
    }
    reader.content.whole_lines()
}

/// The addresses of links by their ids.
fn addresses(mut xml: Xml<impl BufRead>) -> Result<HashMap<String, String>, Error> {
    let mut addresses = HashMap::new();
    loop {
        match xml.next()? {
            Item::Start(tag) => {
                if let (Some(id), Some(target)) = (tag.attribute("Id"), tag.attribute("Target"))
                    && tag.attribute("TargetMode") == Some("External")
                {
                    addresses.insert(id.to_owned(), target.to_owned());
                }
            }
            Item::End(_) | Item::Text(_) => {}
            Item::Finish => return Ok(addresses),
        }
    }
}

struct Body<'a> {
    styles: Styles,
    numbering: Numbering,
    addresses: HashMap<String, String>,
    content: Content<'a>,
    line: Line,
    /// Elements around that nothing is read from.
    skipped: usize,
    properties: Properties,
    paragraph: Look,
    /// What the next line of the paragraph is, from its first character on.
    marker: Option<Marker>,
    run: Look,
    /// Whether the task whose box was read is done.
    task: Option<bool>,
    /// What only the run itself says: styles set the fonts and colours of whole documents, which
    /// pads leave to the page.
    own: TextFormat,
    in_text: bool,
    /// The address of the link around and where its text starts.
    link: Option<(Rc<str>, usize)>,
    /// Cells around: what is in a cell stays in its line.
    cells: usize,
    /// Whether a cell of the row has been read.
    row_has_cell: bool,
    /// Whether a paragraph of the cell has ended, to be told from the next.
    word_ended: bool,
}

/// What the properties around belong to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Properties {
    #[default]
    None,
    Paragraph,
    Run,
}

impl<'a> Body<'a> {
    fn new(limits: &'a Limits) -> Body<'a> {
        Body {
            styles: Styles::default(),
            numbering: Numbering::default(),
            addresses: HashMap::new(),
            content: Content::new(limits),
            line: Line::default(),
            skipped: 0,
            properties: Properties::None,
            paragraph: Look::default(),
            marker: None,
            run: Look::default(),
            task: None,
            own: TextFormat::PLAIN,
            in_text: false,
            link: None,
            cells: 0,
            row_has_cell: false,
            word_ended: false,
        }
    }

    fn start(&mut self, tag: &Tag) {
        if self.skipped > 0 || self.is_skipped(&tag.name) {
            self.skipped += 1;
            return;
        }
        match self.properties {
            Properties::Paragraph => return self.paragraph_property(tag),
            Properties::Run => return self.run_property(tag),
            Properties::None => {}
        }
        match &*tag.name {
            "p" => {
                self.paragraph = Look::default();
                self.marker = None;
            }
            "pPr" => self.properties = Properties::Paragraph,
            "r" => {
                self.run = Look::default();
                self.own = TextFormat::PLAIN;
            }
            "rPr" => self.properties = Properties::Run,
            "t" => self.in_text = true,
            "tab" | "ptab" => self.push("\t"),
            "br" if matches!(tag.attribute("type"), Some("page" | "column")) => {}
            "br" | "cr" => self.break_line(),
            "noBreakHyphen" => self.push("\u{2011}"),
            "softHyphen" => self.push("\u{ad}"),
            "hyperlink" => {
                let address = tag.attribute("id").and_then(|id| self.addresses.get(id));
                let address = address.and_then(|address| links::of_file(address));
                self.link = address.map(|address| (address, self.line.text.len()));
            }
            "tr" if self.cells == 0 => self.row_has_cell = false,
            "tc" => {
                if self.cells == 0 && std::mem::replace(&mut self.row_has_cell, true) {
                    self.push("\t");
                }
                self.cells += 1;
                self.word_ended = self.cells > 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        match name {
            "pPr" | "rPr" => self.properties = Properties::None,
            "t" => self.in_text = false,
            "hyperlink" => self.end_link(),
            "p" if self.cells > 0 => self.word_ended = true,
            "p" => self.end_line(),
            "tc" => {
                self.cells = self.cells.saturating_sub(1);
                self.word_ended = self.cells > 0;
            }
            "tr" if self.cells == 0 => {
                self.paragraph = Look::default();
                self.marker = None;
                self.end_line();
            }
            _ => {}
        }
    }

    /// Pictures and what is drawn, what was deleted, what fields are made from, what stands for
    /// something else, and what paragraph marks look like.
    fn is_skipped(&self, name: &str) -> bool {
        let is_paragraph = self.properties == Properties::Paragraph;
        matches!(
            name,
            "drawing" | "pict" | "object" | "del" | "moveFrom" | "delText" | "instrText"
        ) || matches!(
            name,
            "Fallback" | "sectPr" | "tblPr" | "tblGrid" | "trPr" | "tcPr"
        ) || matches!(name, "pPrChange" | "rPrChange" | "sdtPr" | "fldData")
            || (is_paragraph && matches!(name, "rPr" | "tabs"))
    }

    fn paragraph_property(&mut self, tag: &Tag) {
        match &*tag.name {
            "pStyle" => {
                let style = self.styles.look(tag.value().unwrap_or_default());
                self.paragraph = self.paragraph.or(&style);
            }
            // What is said in place comes behind the style and wins over it.
            _ => self.paragraph.read(tag),
        }
    }

    fn run_property(&mut self, tag: &Tag) {
        match &*tag.name {
            "rStyle" => {
                let style = self.styles.look(tag.value().unwrap_or_default());
                self.run = self.run.or(&style);
            }
            "rFonts" => {
                let name = font_of(tag);
                let name = name.filter(|name| self.styles.usual_font.as_deref() != Some(*name));
                self.own.family = name.and_then(family::of_word_font).map(Rc::from);
            }
            "color" => {
                let rgb = tag.value().and_then(hex);
                let in_link = self.link.is_some();
                self.own.colour = rgb.and_then(|rgb| Colour::of_file(rgb, in_link));
            }
            "highlight" => self.own.highlight = tag.value().and_then(highlight_of_word),
            "shd" => {
                let shade = tag.attribute("fill").and_then(hex);
                self.own.highlight = shade.and_then(highlight_of_file).or(self.own.highlight);
            }
            "sz" => {
                let size = tag.number("val").filter(|_| !self.is_usual_size(tag));
                self.own.size = size.and_then(pixels);
            }
            _ => self.run.read(tag),
        }
    }

    fn is_usual_size(&self, tag: &Tag) -> bool {
        self.styles.usual_size.is_some() && self.styles.usual_size == tag.number("val")
    }

    fn text(&mut self, text: &str) {
        if self.in_text && self.skipped == 0 {
            // Line breaks have an element of their own; these are only white space.
            self.push(&text.replace(['\n', '\r'], " "));
        }
    }

    fn push(&mut self, text: &str) {
        let look = self.run.or(&self.paragraph);
        if look.is_hidden == Some(true) {
            return;
        }
        let text = self.without_box(text);
        if text.is_empty() {
            return;
        }
        self.push_marker();
        let kind = Kind::Text(TextFormat {
            styles: look.styles.map(|style| style == Some(true)),
            link: self.link.as_ref().map(|(address, _)| Rc::clone(address)),
            declared: self.run.declared.clone(),
            ..self.own.clone()
        });
        if std::mem::take(&mut self.word_ended) {
            let last = self.line.text.last();
            if last.is_some_and(|&last| last != u16::from(b'\t')) {
                self.line.push(" ", Kind::PLAIN);
            }
        }
        self.line.push(text, kind);
    }

    /// The text of a line behind the box that makes a task of it.
    fn without_box<'t>(&mut self, text: &'t str) -> &'t str {
        if !self.line.text.is_empty() || self.cells > 0 {
            return text;
        }
        let symbol = text.chars().next().filter(|_| self.task.is_none());
        self.task = match symbol {
            Some('\u{2610}') => Some(false),
            Some('\u{2611}' | '\u{2612}') => Some(true),
            _ => self.task,
        };
        if self.task.is_some() {
            text.trim_start_matches(['\u{2610}', '\u{2611}', '\u{2612}', ' '])
        } else {
            text
        }
    }

    fn push_marker(&mut self) {
        if !self.line.text.is_empty() || self.cells > 0 {
            return;
        }
        let marker = match self.marker.take() {
            Some(marker) => marker,
            None => marker(&self.paragraph, &mut self.numbering),
        };
        let marker = Marker {
            task: self.task.take(),
            ..marker
        };
        self.marker = Some(continued(&marker));
        self.line.push_marker(marker);
    }

    fn break_line(&mut self) {
        if self.cells > 0 {
            self.word_ended = true;
        } else {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        if self.line.text.is_empty() && self.paragraph.has_rule == Some(true) {
            self.marker = Some(Marker {
                rule: true,
                quote: self.paragraph.is_quote == Some(true),
                declared: self.paragraph.declared.clone(),
                ..Marker::default()
            });
        }
        self.push_marker();
        self.content.push_line(&std::mem::take(&mut self.line));
        if let Some((_, start)) = &mut self.link {
            *start = 0;
        }
    }

    fn end_link(&mut self) {
        let Some((address, start)) = self.link.take() else {
            return;
        };
        if self.line.end_link(start, &address) {
            self.push(&address);
        }
    }
}

/// A size in pixels of CSS.
fn pixels(half_points: i64) -> Option<u8> {
    let half_points = u16::try_from(half_points).ok()?;
    nearest_size(f32::from(half_points) / 1.5)
}
