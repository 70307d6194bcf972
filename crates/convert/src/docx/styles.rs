//! The named styles of a DOCX file, as far as they say what a pad can hold.

use std::collections::HashMap;
use std::io::BufRead;

use super::xml::{Item, Tag, Xml};
use crate::Error;
use crate::block::{Align, Heading};
use crate::declared::{Declared, Kind, Set};
use crate::parts::HEADING_STYLES;
use crate::style::{CODE, STYLES};

/// Styles are based on one another. A chain longer than this is a mistake, or a circle.
const CHAIN: usize = 16;

/// What is said about a paragraph or a run, by a style or in place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub styles: [Option<bool>; STYLES.len()],
    pub heading: Option<Heading>,
    pub align: Option<Align>,
    /// The list and the level in it, from 0.
    pub list: Option<u64>,
    pub level: Option<u64>,
    /// In twips.
    pub indent: Option<i64>,
    pub is_hidden: Option<bool>,
    pub is_quote: Option<bool>,
    /// Whether a line is drawn below it.
    pub has_rule: Option<bool>,
    /// Attributes that extensions declared: those of lines by paragraphs, others by runs.
    pub declared: Set,
}

impl Look {
    /// Takes what a property says.
    pub(super) fn read(&mut self, tag: &Tag) {
        let name = if tag.name == "dstrike" {
            "strike"
        } else {
            &tag.name
        };
        for (style, value) in STYLES.iter().zip(&mut self.styles) {
            match style.word {
                // One property for several styles, of which one holds.
                Some(("vertAlign", word)) if name == "vertAlign" => {
                    *value = Some(tag.value() == Some(word));
                }
                Some((word, _)) if word == name => *value = Some(tag.is_on()),
                _ => {}
            }
        }
        match name {
            // Of the borders of a paragraph.
            "bottom" => self.has_rule = Some(tag.is_on()),
            "vanish" => self.is_hidden = Some(tag.is_on()),
            "outlineLvl" => {
                let level = tag.number("val").and_then(|level| u8::try_from(level).ok());
                self.heading = level.filter(|&level| level < 9).map(heading_level);
            }
            "jc" => self.align = tag.value().and_then(align),
            "numId" => self.list = tag.number("val").and_then(|id| u64::try_from(id).ok()),
            "ilvl" => self.level = tag.number("val").and_then(|n| u64::try_from(n).ok()),
            "ind" => self.indent = tag.number("left").or(tag.number("start")).or(self.indent),
            _ => {}
        }
    }

    fn set(&mut self, key: &str) {
        for (style, value) in STYLES.iter().zip(&mut self.styles) {
            if style.key == key {
                *value = Some(true);
            }
        }
    }

    /// This, and for what it does not say, another.
    pub(super) fn or(&self, other: &Look) -> Look {
        let mut styles = self.styles;
        for (style, other) in styles.iter_mut().zip(other.styles) {
            *style = style.or(other);
        }
        Look {
            styles,
            heading: self.heading.or(other.heading),
            align: self.align.or(other.align),
            list: self.list.or(other.list),
            level: self.level.or(other.level),
            indent: self.indent.or(other.indent),
            is_hidden: self.is_hidden.or(other.is_hidden),
            is_quote: self.is_quote.or(other.is_quote),
            has_rule: self.has_rule.or(other.has_rule),
            declared: match self.declared.is_empty() {
                true => other.declared.clone(),
                false => self.declared.clone(),
            },
        }
    }
}

const QUOTE_STYLES: [&str; 4] = ["quote", "intense quote", "block text", "quotations"];

/// Names of styles for code in a line, those of other programs among them.
const CODE_STYLES: [&str; 5] = [
    "verbatim char",
    "inline code",
    "code char",
    "html code",
    "source text",
];

fn heading_level(outline: u8) -> Heading {
    Heading::Level((outline + 1).min(6))
}

/// Left is what a line without alignment is.
fn align(word: &str) -> Option<Align> {
    match word {
        "end" => Some(Align::Right),
        _ => Align::of_word(word).filter(|align| *align != Align::Left),
    }
}

/// The font that a run or a style names.
pub(super) fn font_of(tag: &Tag) -> Option<&str> {
    let mut scripts = ["ascii", "hAnsi", "cs"].iter();
    scripts.find_map(|script| tag.attribute(script))
}

#[derive(Default)]
pub(super) struct Styles {
    by_id: HashMap<String, Style>,
    /// Half points: the size of all text that says nothing else.
    pub usual_size: Option<i64>,
    /// Its font.
    pub usual_font: Option<String>,
}

#[derive(Default)]
struct Style {
    look: Look,
    based_on: Option<String>,
    /// The attributes that it is named after.
    declared: Set,
}

impl Styles {
    pub(super) fn read(mut xml: Xml<impl BufRead>, declared: &Declared) -> Result<Styles, Error> {
        let mut styles = Styles::default();
        let mut kind = Kind::Line;
        let mut id = String::new();
        let mut style = Style::default();
        // Before the first style stand the defaults of the document.
        let mut is_usual = true;
        loop {
            match xml.next()? {
                Item::Start(tag) => match &*tag.name {
                    "style" => {
                        style = Style::default();
                        id = tag.attribute("styleId").unwrap_or_default().to_owned();
                        kind = match tag.attribute("type") {
                            Some("character") => Kind::Inline,
                            _ => Kind::Line,
                        };
                        is_usual = tag.attribute("default").is_some()
                            && tag.attribute("type") == Some("paragraph");
                    }
                    "sz" if is_usual => styles.usual_size = tag.number("val"),
                    "rFonts" if is_usual => {
                        let font = font_of(&tag).map(str::to_owned);
                        styles.usual_font = font.or(styles.usual_font);
                    }
                    "basedOn" => style.based_on = tag.value().map(str::to_owned),
                    "name" => {
                        let name = tag.value().unwrap_or_default();
                        style.name(name);
                        style.declared.enter(declared.of_class(kind, name));
                    }
                    _ => style.look.read(&tag),
                },
                Item::End(name) if name == "style" => {
                    let style = std::mem::take(&mut style);
                    styles.by_id.insert(std::mem::take(&mut id), style);
                }
                Item::End(_) | Item::Text(_) => {}
                Item::Finish => return Ok(styles),
            }
        }
    }

    /// What a style says, with all that it is based on.
    pub(super) fn look(&self, id: &str) -> Look {
        if let Some(look) = look_of_known(id) {
            return look;
        }
        let mut look = Look::default();
        let mut next = Some(id);
        for _ in 0..CHAIN {
            let Some((style, id)) = next.and_then(|id| Some((self.by_id.get(id)?, id))) else {
                break;
            };
            if let Some(known) = look_of_known(id).filter(|_| !look.declared.is_empty()) {
                look = look.or(&known);
                break;
            }
            if style.declared.is_empty() {
                look = look.or(&style.look);
            } else {
                // It only shows what the attribute looks like; what it is based on is the text's.
                let declared = style.declared.clone();
                look = look.or(&Look {
                    declared,
                    ..Look::default()
                });
            }
            next = style.based_on.as_deref();
        }
        // A heading is bold because it is one. Text in it may say so itself.
        if look.heading.is_some() {
            look.styles = Default::default();
        }
        look
    }
}

/// What styles mean that say it only by looking so: part of a line as a heading, and links, which
/// are underlined because they are links.
fn look_of_known(id: &str) -> Option<Look> {
    let mut look = Look::default();
    if matches!(id, "Hyperlink" | "InternetLink") {
        return Some(look);
    }
    let headings = HEADING_STYLES.iter().zip(1..);
    let mut headings = headings.filter(|(_, level)| id == format!("Heading{level}Char"));
    let (key, _) = headings.next()?;
    look.set(key);
    Some(look)
}

impl Style {
    /// Some styles are known by their names, which are English in every file.
    fn name(&mut self, name: &str) {
        let name = name.to_ascii_lowercase();
        let level = name.strip_prefix("heading ").and_then(|n| n.parse().ok());
        let level = level.filter(|level| (1..=9).contains(level));
        if CODE_STYLES.contains(&&*name) {
            self.look.set(CODE);
        }
        if QUOTE_STYLES.contains(&&*name) {
            self.look.is_quote = Some(true);
        }
        self.look.heading = match &*name {
            "title" => Some(Heading::Level(1)),
            "subtitle" => Some(Heading::Level(2)),
            "code" | "source code" | "html preformatted" | "preformatted text" | "plain text" => {
                Some(Heading::Code)
            }
            _ => level.map(|level: u8| heading_level(level - 1)),
        };
    }
}
