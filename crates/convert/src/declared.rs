//! Attributes beside those of the core, and what they mean in files: a table that the caller has.
//!
//! Extensions declare them, so that none of their code runs while a file is written or read. An
//! attribute is an element with the class `key:value` in HTML and Markdown, in both directions. In
//! DOCX and PDF it looks like attributes of the core, and DOCX has a style of that name for the way
//! back. Everything that reaches a file is checked here when it enters the table: elements are
//! fixed words, keys and values have no characters that mean anything in a format. With an empty
//! table, files are what they are without this module.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use changeset::{Attribs, Attribute, Pool};
use thiserror::Error;

use crate::block::{Align, Heading, LINE_KEYS};
use crate::family;
use crate::lines::Line;
use crate::palette::{Colour, Highlight};
use crate::style::{STYLES, Style};
use crate::text_format::{Styles, TextFormat};
use crate::values::Value;

mod set;

pub(crate) use set::Set;

/// How many attributes the table may hold, values of one, and units of a key and a value.
const DECLARATIONS: usize = 400;
const VALUES: usize = 50;
const KEY: usize = 40;
const VALUE: usize = 100;

/// What an attribute means, as an extension says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub key: String,
    pub kind: Kind,
    /// The values it may have. Others stay in the pad and mean nothing in files.
    pub values: Vec<String>,
    /// The element around it in HTML and Markdown.
    pub element: String,
    /// Attributes of the core that it looks like in DOCX and PDF.
    pub like: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Of characters.
    Inline,
    /// Of lines: an attribute of the marker character.
    Line,
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DeclarationError {
    #[error("no more than {DECLARATIONS} attributes can be declared")]
    TooMany,
    #[error("the attribute is declared already")]
    Declared,
    #[error("the key is not one, or has a meaning of its own")]
    Key,
    #[error("the values are none, too many, or not letters, digits and hyphens")]
    Values,
    #[error("the element cannot stand around such an attribute")]
    Element,
    #[error("like: {0} is not an attribute of the core with such a value")]
    Like(String),
}

/// The declared attributes, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    by_key: BTreeMap<String, Entry>,
}

static NONE: Declared = Declared {
    by_key: BTreeMap::new(),
};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    kind: Kind,
    values: BTreeSet<String>,
    element: &'static str,
    like: Like,
}

/// What a declared attribute looks like where there are no elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Like {
    pub styles: Styles,
    pub colour: Option<Colour>,
    pub highlight: Option<Highlight>,
    pub heading: Option<Heading>,
    pub align: Option<Align>,
    pub is_quote: bool,
}

/// A declared attribute that something has.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pub attribute: &'a Attribute,
    entry: &'a Entry,
}

/// The pool of a document and the table: all that attributes can mean. A pool alone is one with the
/// empty table.
#[derive(Clone, Copy)]
pub struct Meanings<'a> {
    pub pool: &'a Pool,
    pub declared: &'a Declared,
}

impl<'a> From<&'a Pool> for Meanings<'a> {
    fn from(pool: &'a Pool) -> Meanings<'a> {
        Meanings {
            pool,
            declared: &NONE,
        }
    }
}

impl<'a> From<&'a Arc<Pool>> for Meanings<'a> {
    fn from(pool: &'a Arc<Pool>) -> Meanings<'a> {
        Meanings::from(&**pool)
    }
}

/// The order is that of nesting in HTML but for `p`, in which no other can stand.
const LINE_ELEMENTS: [&str; 4] = ["div", "aside", "section", "p"];

const INLINE_ELEMENTS: [&str; 12] = [
    "span", "mark", "small", "abbr", "cite", "dfn", "kbd", "samp", "var", "ins", "del", "q",
];

/// Keys of pads that are not in the tables of this crate, or not with every value.
const TAKEN: [&str; 16] = [
    "author",
    "color",
    "colors",
    "comment",
    "font-size",
    "highlight",
    "hyperlink",
    "insertorder",
    "lang",
    "lmkr",
    "mention",
    "removed",
    "size",
    "sizes",
    "start",
    "url",
];

impl Declared {
    /// Adds an attribute, if it is one that can be declared.
    pub fn add(&mut self, declaration: Declaration) -> Result<(), DeclarationError> {
        let Declaration {
            key,
            kind,
            values,
            element,
            like,
        } = declaration;
        if self.by_key.contains_key(&key) {
            return Err(DeclarationError::Declared);
        }
        if self.by_key.len() >= DECLARATIONS {
            return Err(DeclarationError::TooMany);
        }
        let is_value = |value: &String| is_word(value, VALUE, |byte| byte.is_ascii_alphanumeric());
        if !(1..=VALUES).contains(&values.len()) || !values.iter().all(is_value) {
            return Err(DeclarationError::Values);
        }
        if !is_free(&key, &values) {
            return Err(DeclarationError::Key);
        }
        let elements: &[&str] = match kind {
            Kind::Inline => &INLINE_ELEMENTS,
            Kind::Line => &LINE_ELEMENTS,
        };
        let mut elements = elements.iter().copied();
        let found = elements.find(|known| *known == element);
        let element = found.ok_or(DeclarationError::Element)?;
        let mut looks = Like::default();
        for (key, value) in like {
            if !looks.take(kind, &key, &value) {
                return Err(DeclarationError::Like(key));
            }
        }
        let entry = Entry {
            kind,
            values: values.into_iter().collect(),
            element,
            like: looks,
        };
        self.by_key.insert(key, entry);
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// What an attribute is, if it is declared with that value.
    pub(crate) fn find<'a>(&'a self, kind: Kind, attribute: &'a Attribute) -> Option<Found<'a>> {
        let entry = self.entry(kind, &attribute.key, &attribute.value)?;
        Some(Found { attribute, entry })
    }

    fn entry(&self, kind: Kind, key: &str, value: &str) -> Option<&Entry> {
        let entry = self.by_key.get(key)?;
        (entry.kind == kind && entry.values.contains(value)).then_some(entry)
    }

    /// The attributes that a class says, or the name of a style.
    pub(crate) fn of_class(&self, kind: Kind, class: &str) -> Vec<Attribute> {
        if self.is_empty() {
            return Vec::new();
        }
        let attribute = |word: &str| {
            let (key, value) = word.split_once(':')?;
            self.entry(kind, key, value)?;
            Some(Attribute::new(key, value))
        };
        let words = class.split_ascii_whitespace();
        words.filter_map(attribute).collect()
    }

    /// Whether an element is there for one of these attributes, and says nothing else by its name.
    pub(crate) fn is_element_of(&self, element: &str, attributes: &[Attribute]) -> bool {
        let mut entries = attributes.iter().map(|a| self.by_key.get(&a.key));
        entries.any(|entry| entry.is_some_and(|entry| entry.element == element))
    }
}

impl<'a> Meanings<'a> {
    pub fn new(pool: &'a Pool, declared: &'a Declared) -> Meanings<'a> {
        Meanings { pool, declared }
    }

    /// The declared attributes in a list, by key.
    pub(crate) fn declared_in(self, kind: Kind, attribs: &Attribs) -> Vec<Found<'a>> {
        if self.declared.is_empty() {
            return Vec::new();
        }
        let attributes = attribs.iter().filter_map(|number| self.pool.get(number));
        let found = attributes.filter_map(|attribute| self.declared.find(kind, attribute));
        let mut found: Vec<Found<'a>> = found.collect();
        found.sort_by(|a, b| a.attribute.key.cmp(&b.attribute.key));
        found.dedup_by(|a, b| a.attribute.key == b.attribute.key);
        found
    }

    /// Whether the pool has a declared attribute of a kind: most have none.
    pub(crate) fn has(self, kind: Kind) -> bool {
        let mut entries = self.pool.entries();
        !self.declared.is_empty()
            && entries.any(|(_, attribute)| self.declared.find(kind, attribute).is_some())
    }

    /// What characters look like by their declared attributes.
    pub(crate) fn like(self, set: &Set) -> Like {
        let found = set.iter();
        let found = found.filter_map(|attribute| self.declared.find(Kind::Inline, attribute));
        Like::of(found)
    }
}

impl<'a> Found<'a> {
    pub(crate) fn element(&self) -> &'static str {
        self.entry.element
    }

    /// Of characters that mean nothing in any format.
    pub(crate) fn class(&self) -> String {
        format!("{}:{}", self.attribute.key, self.attribute.value)
    }
}

impl PartialEq for Found<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.attribute == other.attribute
    }
}

/// The element of lines that can hold no other.
pub(crate) const PARAGRAPH: &str = "p";

/// Whether an element can stand around lines.
pub(crate) fn is_line_element(name: &str) -> bool {
    LINE_ELEMENTS.contains(&name)
}

/// Whether no attribute of the core has this key, with any of the values.
fn is_free(key: &str, values: &[String]) -> bool {
    let is_key = is_word(key, KEY, |byte| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit()
    });
    let is_style = STYLES.iter().any(|style| style.key == key);
    let is_core = |value: &String| {
        Value::of_attribute(key, value).is_some() || family::of_attribute(key, value).is_some()
    };
    is_key
        && key.starts_with(|c: char| c.is_ascii_lowercase())
        && !is_style
        && !key.starts_with("font")
        && !TAKEN.contains(&key)
        && !LINE_KEYS.contains(&key)
        && !values.iter().any(is_core)
}

/// Whether a text can be part of a class and of the name of a style.
fn is_word(text: &str, longest: usize, is_letter: impl Fn(u8) -> bool) -> bool {
    let is_it = |byte: u8| byte == b'-' || is_letter(byte);
    (1..=longest).contains(&text.len()) && text.bytes().all(is_it)
}

impl Like {
    /// Takes an attribute of the core. Whether it is one that can be looked like.
    fn take(&mut self, kind: Kind, key: &str, value: &str) -> bool {
        match (kind, key) {
            (Kind::Line, "heading") => {
                self.heading = Heading::of_value(value);
                self.heading.is_some()
            }
            (Kind::Line, "align") => {
                self.align = Align::of_value(value);
                self.align.is_some()
            }
            (Kind::Line, "quote") => {
                self.is_quote = value == crate::style::ON;
                self.is_quote
            }
            (Kind::Line, _) => false,
            (Kind::Inline, _) => self.take_inline(key, value),
        }
    }

    fn take_inline(&mut self, key: &str, value: &str) -> bool {
        if let Some(style) = Style::of_attribute(key, value) {
            // Those that no file is read as are headings in the text.
            let is_style = !style.tags_read.is_empty();
            for (known, is_on) in STYLES.iter().zip(&mut self.styles) {
                *is_on |= is_style && known.key == style.key;
            }
            return is_style;
        }
        match Value::of_attribute(key, value) {
            Some(Value::Colour(colour)) => self.colour = Some(colour),
            Some(Value::Highlight(highlight)) => self.highlight = Some(highlight),
            _ => return false,
        }
        true
    }

    /// What several attributes look like together; where they differ, the first counts.
    pub(crate) fn of<'a>(found: impl IntoIterator<Item = Found<'a>>) -> Like {
        let mut all = Like::default();
        for Found { entry, .. } in found {
            let like = &entry.like;
            for (is_on, other) in all.styles.iter_mut().zip(like.styles) {
                *is_on |= other;
            }
            all.colour = all.colour.or(like.colour);
            all.highlight = all.highlight.or(like.highlight);
            all.heading = all.heading.or(like.heading);
            all.align = all.align.or(like.align);
            all.is_quote |= like.is_quote;
        }
        all
    }

    /// Gives characters this look as far as they have none of their own.
    pub(crate) fn dress(&self, format: &mut TextFormat) {
        for (is_on, like) in format.styles.iter_mut().zip(self.styles) {
            *is_on |= like;
        }
        format.colour = format.colour.or(self.colour);
        format.highlight = format.highlight.or(self.highlight);
    }

    /// The same for a line.
    pub(crate) fn dress_line(&self, line: &mut Line<'_>) {
        line.heading = line.heading.or(self.heading);
        line.align = line.align.or(self.align);
        line.is_quote |= self.is_quote;
    }
}
