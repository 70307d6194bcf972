//! What characters look like: the one view of their attributes that readers fill and writers ask.

use std::rc::Rc;

use changeset::{Attribs, Attribute};

use crate::declared::{Kind, Meanings, Set};
use crate::family;
use crate::palette::{Colour, Highlight};
use crate::style::{ON, STYLES};
use crate::values::{self, Value, is_older};

/// Those of [`STYLES`] that are true.
pub(crate) type Styles = [bool; STYLES.len()];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextFormat {
    pub styles: Styles,
    /// The font family, as CSS names it.
    pub family: Option<Rc<str>>,
    /// Where it leads. The URL is safe.
    pub link: Option<Rc<str>>,
    pub colour: Option<Colour>,
    pub highlight: Option<Highlight>,
    /// In pixels of CSS.
    pub size: Option<u8>,
    /// The id of an author.
    pub mention: Option<Rc<str>>,
    /// Attributes that extensions declared.
    pub declared: Set,
}

impl TextFormat {
    pub(crate) const PLAIN: TextFormat = TextFormat {
        styles: [false; STYLES.len()],
        family: None,
        link: None,
        colour: None,
        highlight: None,
        size: None,
        mention: None,
        declared: Set::EMPTY,
    };

    pub(crate) fn of_attribs(attribs: &Attribs, meanings: Meanings<'_>) -> TextFormat {
        let pool = meanings.pool;
        let declared = meanings.declared_in(Kind::Inline, attribs).into_iter();
        let mut format = TextFormat {
            family: family::of_attributes(attribs, pool).map(Rc::from),
            declared: Set::of(declared.map(|found| found.attribute.clone())),
            ..TextFormat::PLAIN
        };
        for attribute in attribs.iter().filter_map(|number| pool.get(number)) {
            format.take(&attribute.key, &attribute.value);
        }
        format
    }

    fn take(&mut self, key: &str, value: &str) {
        for (style, is_on) in STYLES.iter().zip(&mut self.styles) {
            *is_on |= style.key == key && value == ON;
        }
        let Some(value) = Value::of_attribute(key, value) else {
            return;
        };
        let gives_way = is_older(key);
        match value {
            Value::Link(url) if !(gives_way && self.link.is_some()) => {
                self.link = Some(Rc::from(url));
            }
            Value::Colour(colour) if !(gives_way && self.colour.is_some()) => {
                self.colour = Some(colour);
            }
            Value::Size(size) if !(gives_way && self.size.is_some()) => self.size = Some(size),
            Value::Highlight(highlight) => self.highlight = Some(highlight),
            Value::Mention(author) => self.mention = Some(Rc::from(author)),
            Value::Link(_) | Value::Colour(_) | Value::Size(_) => {}
        }
    }

    /// Switches the style of a key.
    pub(crate) fn set(&mut self, key: &str, on: bool) {
        for (style, is_on) in STYLES.iter().zip(&mut self.styles) {
            if style.key == key {
                *is_on = on;
            }
        }
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        let mut styles = STYLES.iter().zip(self.styles);
        styles.any(|(style, on)| on && style.key == key)
    }

    /// In the order of an attribute list, which is by key.
    pub(crate) fn attributes(&self) -> Vec<Attribute> {
        let styles = STYLES.iter().zip(self.styles).filter(|(_, on)| *on);
        let styles = styles.map(|(style, _)| Attribute::new(style.key, ON));
        let family = self.family.as_deref().map(family::attribute);
        let values = [
            (values::COLOUR, self.colour.map(Colour::value)),
            (values::HIGHLIGHT, self.highlight.map(|h| h.name.to_owned())),
            (values::LINK, self.link.as_deref().map(str::to_owned)),
            (values::MENTION, self.mention.as_deref().map(str::to_owned)),
            (values::SIZE, self.size.map(|size| size.to_string())),
        ];
        let values = values
            .into_iter()
            .filter_map(|(key, value)| Some(Attribute::new(key, value?)));
        let mut attributes: Vec<Attribute> = styles.chain(family).chain(values).collect();
        attributes.extend(self.declared.iter().cloned());
        attributes.sort_by(|a, b| a.key.cmp(&b.key));
        attributes
    }
}
