//! A document as a DOCX file.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use changeset::Document;
use unicode_bidi::{Direction, get_base_direction};
use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

use super::declared_styles::DeclaredStyles;
use super::fixed_parts::{
    BULLETS, CODE_LINE_STYLE, CODE_STYLE, CONTENT_TYPES, DOCUMENT_RELATIONS, HEADING_STYLE,
    MAIN_NAMESPACE, PACKAGE_RELATIONS, QUOTE_STYLE, numbering, properties, styles,
};
use super::{INDENT, LEVELS};
use crate::block::{Heading, TASK};
use crate::declared::{Kind, Meanings};
use crate::family;
use crate::lines::{Line, List, lines};
use crate::numbers::Numbers;
use crate::parts::{HEADING_STYLES, Part, heading_of, parts};
use crate::style::{CODE, STYLES};

/// The file of a document that has a title.
pub fn write<'a>(title: &str, document: &'a Document, pool: impl Into<Meanings<'a>>) -> Vec<u8> {
    // Writing to memory fails only beyond four gigabytes, which no document comes near to.
    archive(title, document, pool.into()).unwrap_or_default()
}

/// XML is packed whenever there is so much of it.
const CHUNK: usize = 1 << 16;

fn archive(title: &str, document: &Document, meanings: Meanings<'_>) -> ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Every file of the same document is the same: none says when it was made.
    let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    let part = |name: &str, text: &str, zip: &mut ZipWriter<_>| -> ZipResult<()> {
        zip.start_file(name, options)?;
        Ok(zip.write_all(text.as_bytes())?)
    };
    part("[Content_Types].xml", CONTENT_TYPES, &mut zip)?;
    part("_rels/.rels", PACKAGE_RELATIONS, &mut zip)?;
    let mut escaped_title = String::new();
    push_escaped(&mut escaped_title, title);
    part("docProps/core.xml", &properties(&escaped_title), &mut zip)?;
    let entries = || meanings.pool.entries();
    let has = |key: &str| entries().any(|(_, attribute)| attribute.key == key);
    let has_declared = meanings.has(Kind::Inline) || meanings.has(Kind::Line);
    let fixed_styles = |declared: &str| styles(has(CODE), has("quote"), declared);
    if !has_declared {
        part("word/styles.xml", &fixed_styles(""), &mut zip)?;
    }

    zip.start_file("word/document.xml", options)?;
    let mut body = Body {
        xml: format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\
             <w:document {MAIN_NAMESPACE} xmlns:r=\"http://schemas.openxmlformats.org/\
             officeDocument/2006/relationships\"><w:body>"
        ),
        ..Body::new(meanings)
    };
    for line in lines(document, meanings) {
        body.paragraph(&line, &parts(&line, meanings));
        if body.xml.len() > CHUNK {
            zip.write_all(body.xml.as_bytes())?;
            body.xml.clear();
        }
    }
    body.xml.push_str(PAGE);
    zip.write_all(body.xml.as_bytes())?;

    // What is in the text is known only now.
    if has_declared {
        part("word/styles.xml", &fixed_styles(&body.styles.xml), &mut zip)?;
    }
    part("word/numbering.xml", &numbering(&body.starts), &mut zip)?;
    let relations = format!("{DOCUMENT_RELATIONS}{}</Relationships>", body.links);
    part("word/_rels/document.xml.rels", &relations, &mut zip)?;
    Ok(zip.finish()?.into_inner())
}

/// The border of an empty paragraph that is a line across the page.
const RULE: &str = "<w:pBdr><w:bottom w:val=\"single\" w:sz=\"6\" w:space=\"1\" \
    w:color=\"auto\"/></w:pBdr>";

/// A4 with margins of two centimetres.
const PAGE: &str = "<w:sectPr><w:pgSz w:w=\"11906\" w:h=\"16838\"/>\
    <w:pgMar w:top=\"1134\" w:right=\"1134\" w:bottom=\"1134\" w:left=\"1134\" w:header=\"567\" \
    w:footer=\"567\" w:gutter=\"0\"/></w:sectPr></w:body></w:document>";

struct Body<'a> {
    meanings: Meanings<'a>,
    xml: String,
    styles: DeclaredStyles,
    numbers: Numbers,
    /// For each numbered list its level from 0 and its first number.
    starts: Vec<(usize, u32)>,
    /// For each level from 1 the numbering of the list that is under way there.
    under_way: Vec<usize>,
    /// Relations to the addresses of links.
    links: String,
    link_count: usize,
}

impl<'a> Body<'a> {
    fn new(meanings: Meanings<'a>) -> Body<'a> {
        Body {
            meanings,
            xml: String::new(),
            styles: DeclaredStyles::default(),
            numbers: Numbers::default(),
            starts: Vec::new(),
            under_way: Vec::new(),
            links: String::new(),
            link_count: 0,
        }
    }

    fn paragraph(&mut self, line: &Line<'_>, parts: &[Part]) {
        let text: String = parts.iter().map(|part| &*part.text).collect();
        let is_rtl = get_base_direction(&*text) == Direction::Rtl;
        let heading = heading_of(line, parts);
        self.xml.push_str("<w:p><w:pPr>");
        let style = match heading {
            Some(Heading::Code) => CODE_LINE_STYLE.to_owned(),
            Some(Heading::Level(level)) => format!("{HEADING_STYLE}{level}"),
            None if line.is_quote => QUOTE_STYLE.to_owned(),
            None if line.list.is_some() => "ListParagraph".to_owned(),
            None => String::new(),
        };
        let style = self.styles.of_line(line, style);
        if !style.is_empty() {
            self.property("w:pStyle", &style);
        }
        let indent = self.list(line.list);
        if line.is_rule {
            self.xml.push_str(RULE);
        }
        if is_rtl {
            self.xml.push_str("<w:bidi/>");
        }
        self.xml.push_str(&indent);
        if let Some(align) = line.align {
            self.property("w:jc", align.word());
        }
        self.xml.push_str("</w:pPr>");
        if let Some(is_done) = line.task {
            self.checkbox(is_done);
        }
        for linked in parts.chunk_by(|a, b| a.link == b.link) {
            let link = linked.first().and_then(|part| part.link.as_ref());
            if let Some(link) = link {
                self.link_count += 1;
                let id = self.link_count;
                let _ = write!(self.xml, "<w:hyperlink r:id=\"link{id}\">");
                self.add_link(&link.url());
            }
            for part in linked {
                self.run(part, heading.is_some());
            }
            if link.is_some() {
                self.xml.push_str("</w:hyperlink>");
            }
        }
        self.xml.push_str("</w:p>");
    }

    /// Writes a box that can be ticked, and a blank.
    fn checkbox(&mut self, is_done: bool) {
        let (value, symbol) = if is_done {
            (1, "\u{2612}")
        } else {
            (0, "\u{2610}")
        };
        let _ = write!(
            self.xml,
            "<w:sdt><w:sdtPr><w14:checkbox \
             xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\">\
             <w14:checked w14:val=\"{value}\"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r>\
             <w:t>{symbol}</w:t></w:r></w:sdtContent></w:sdt>\
             <w:r><w:t xml:space=\"preserve\"> </w:t></w:r>"
        );
    }

    fn property(&mut self, name: &str, value: &str) {
        let _ = write!(self.xml, "<{name} w:val=\"{value}\"/>");
    }

    /// Writes which list a line is in, and returns how far it is indented if the list does not
    /// say it.
    fn list(&mut self, list: Option<List<'_>>) -> String {
        let number = self.numbers.next(list);
        let Some(List { kind, level, .. }) = list else {
            self.under_way.clear();
            return String::new();
        };
        let depth = (level - 1).min(LEVELS - 1);
        self.under_way.resize(level, 0);
        let id = match kind {
            "indent" | TASK => 0,
            "number" if number.is_first => {
                self.starts.push((depth, number.value));
                BULLETS + self.starts.len()
            }
            "number" => self.under_way.last().copied().unwrap_or_default(),
            _ => BULLETS,
        };
        if let Some(under_way) = self.under_way.last_mut() {
            *under_way = id;
        }
        if id > 0 {
            let _ = write!(
                self.xml,
                "<w:numPr><w:ilvl w:val=\"{depth}\"/><w:numId w:val=\"{id}\"/></w:numPr>"
            );
        }
        if id > 0 && level <= LEVELS {
            return String::new();
        }
        let hanging = if id > 0 || kind == TASK {
            " w:hanging=\"360\""
        } else {
            ""
        };
        format!("<w:ind w:left=\"{}\"{hanging}/>", INDENT * level)
    }

    fn add_link(&mut self, address: &str) {
        let _ = write!(
            self.links,
            "<Relationship Id=\"link{}\" TargetMode=\"External\" Type=\"http://schemas.\
             openxmlformats.org/officeDocument/2006/relationships/hyperlink\" Target=\"",
            self.link_count
        );
        push_escaped(&mut self.links, address);
        self.links.push_str("\"/>");
    }

    /// Writes those styles of a part that have one of these properties.
    fn run_styles(&mut self, part: &Part, is_rtl: bool, properties: &[&str]) {
        let styles = STYLES.iter().filter(|style| part.has(style.key));
        for (name, value) in styles.filter_map(|style| style.word) {
            if !properties.contains(&name) {
                continue;
            }
            match (name, value) {
                // Text that runs from right to left has its own switches.
                ("b" | "i", _) if is_rtl => {
                    let _ = write!(self.xml, "<w:{name}/><w:{name}Cs/>");
                }
                (_, "") => {
                    let _ = write!(self.xml, "<w:{name}/>");
                }
                _ => self.property(&format!("w:{name}"), value),
            }
        }
    }

    fn run(&mut self, part: &Part, in_heading: bool) {
        let is_rtl = get_base_direction(&*part.text) == Direction::Rtl;
        self.xml.push_str("<w:r><w:rPr>");
        let headings = HEADING_STYLES.into_iter().zip(1..);
        let heading = headings.into_iter().find(|(key, _)| part.has(key));
        let style = match heading.filter(|_| !in_heading) {
            Some((_, level)) => format!("Heading{level}Char"),
            None if part.has(CODE) => CODE_STYLE.to_owned(),
            None if part.link.is_some() => "Hyperlink".to_owned(),
            None => String::new(),
        };
        let style = self.styles.of_run(&part.format, self.meanings, style);
        if !style.is_empty() {
            self.property("w:rStyle", &style);
        }
        if let Some(family) = part.format.family.as_deref().and_then(family::word_font) {
            self.xml.push_str("<w:rFonts");
            for script in ["ascii", "hAnsi", "cs"] {
                let _ = write!(self.xml, " w:{script}=\"");
                push_escaped(&mut self.xml, family);
                self.xml.push('"');
            }
            self.xml.push_str("/>");
        }
        // The order of properties is part of the format.
        self.run_styles(part, is_rtl, &["b", "i", "strike"]);
        if let Some(colour) = part.format.colour {
            self.property("w:color", &format!("{:06X}", colour.rgb()));
        }
        if let Some(size) = part.format.size {
            let half_points = half_points(size).to_string();
            self.property("w:sz", &half_points);
            self.property("w:szCs", &half_points);
        }
        self.run_styles(part, is_rtl, &["u"]);
        if let Some(shade) = part.format.highlight {
            let _ = write!(
                self.xml,
                "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"{:06X}\"/>",
                shade.rgb
            );
        }
        self.run_styles(part, is_rtl, &["vertAlign"]);
        self.xml.push_str(if is_rtl {
            "<w:rtl/></w:rPr>"
        } else {
            "</w:rPr>"
        });
        for (index, text) in part.text.split('\t').enumerate() {
            if index > 0 {
                self.xml.push_str("<w:tab/>");
            }
            if !text.is_empty() {
                self.xml.push_str("<w:t xml:space=\"preserve\">");
                push_escaped(&mut self.xml, text);
                self.xml.push_str("</w:t>");
            }
        }
        self.xml.push_str("</w:r>");
    }
}

/// Half points, of which the format counts sizes, in pixels of CSS.
fn half_points(pixels: u8) -> u32 {
    (u32::from(pixels) * 3).div_ceil(2)
}

/// Writes text, in an element or an attribute. What XML cannot say is replaced.
fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}' => {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            _ => out.push(c),
        }
    }
}
