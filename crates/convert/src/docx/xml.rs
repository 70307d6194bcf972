//! XML as a stream of starts, ends and texts, within bounds.
//!
//! Names come without their prefixes: which ones a program writes is its own choice. A document
//! type is refused, so that there are no entities but the five of XML.

use std::cell::Cell;
use std::io::{BufRead, ErrorKind};
use std::rc::Rc;

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::{Error, Limits};

/// Attributes of one tag that are looked at. Those that mean something are among the first.
const ATTRIBUTES: usize = 32;

pub(super) struct Xml<R> {
    reader: Reader<R>,
    buffer: Vec<u8>,
    depth: usize,
    depth_limit: usize,
    elements_left: usize,
    /// What the source may still give for the next item, and what it may give for any.
    left_at_once: Rc<Cell<usize>>,
    at_once: usize,
}

pub(super) enum Item {
    Start(Tag),
    End(String),
    Text(String),
    /// The end of the part.
    Finish,
}

pub(super) struct Tag {
    pub name: String,
    attributes: Vec<(String, String)>,
}

impl Tag {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The attribute `val`, which holds what most elements have to say.
    pub(super) fn value(&self) -> Option<&str> {
        self.attribute("val")
    }

    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.attribute(name)?.trim().parse().ok()
    }

    /// Whether an element that switches something on does so.
    pub(super) fn is_on(&self) -> bool {
        let value = self.value().unwrap_or("true");
        !matches!(value, "0" | "false" | "off" | "none")
    }
}

impl<R: BufRead> Xml<R> {
    pub(super) fn new(
        source: R,
        left_at_once: Rc<Cell<usize>>,
        elements: usize,
        limits: &Limits,
    ) -> Xml<R> {
        let mut reader = Reader::from_reader(source);
        reader.config_mut().expand_empty_elements = true;
        Xml {
            reader,
            buffer: Vec::new(),
            depth: 0,
            depth_limit: limits.depth,
            elements_left: elements,
            left_at_once,
            // What the source reads ahead counts too.
            at_once: limits.bytes_of_text().saturating_add(1 << 16),
        }
    }

    pub(super) fn next(&mut self) -> Result<Item, Error> {
        loop {
            self.buffer.clear();
            self.left_at_once.set(self.at_once);
            let event = self.reader.read_event_into(&mut self.buffer);
            let event = event.map_err(|error| match error {
                quick_xml::Error::Io(error) if error.kind() == ErrorKind::FileTooLarge => {
                    Error::TooLarge
                }
                _ => Error::NotDocx("a part of it is damaged"),
            })?;
            let item = match event {
                Event::Start(tag) => {
                    self.depth += 1;
                    if self.depth > self.depth_limit {
                        return Err(Error::TooDeep);
                    }
                    let left = self.elements_left.checked_sub(1);
                    self.elements_left = left.ok_or(Error::TooComplex)?;
                    Item::Start(tag_of(&tag)?)
                }
                Event::End(tag) => {
                    self.depth = self.depth.saturating_sub(1);
                    Item::End(text_of(tag.local_name().as_ref())?)
                }
                Event::Text(text) => Item::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Item::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(reference) => Item::Text(referenced(&reference)?.to_string()),
                Event::DocType(_) => return Err(Error::NotDocx("it declares a document type")),
                Event::Eof => Item::Finish,
                Event::Empty(_) | Event::Decl(_) | Event::PI(_) | Event::Comment(_) => continue,
            };
            return Ok(item);
        }
    }
}

fn tag_of(tag: &BytesStart<'_>) -> Result<Tag, Error> {
    let mut attributes = Vec::new();
    // Checking for duplicates would compare each attribute with all before it.
    for attribute in tag.attributes().with_checks(false).take(ATTRIBUTES) {
        let attribute = attribute.map_err(|_| Error::NotDocx("a part of it is damaged"))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|_| Error::NotDocx("a part of it is damaged"))?;
        attributes.push((
            text_of(attribute.key.local_name().as_ref())?,
            value.into_owned(),
        ));
    }
    Ok(Tag {
        name: text_of(tag.local_name().as_ref())?,
        attributes,
    })
}

fn text_of(name: impl AsRef<[u8]>) -> Result<String, Error> {
    let name = std::str::from_utf8(name.as_ref());
    Ok(name
        .map_err(|_| Error::NotDocx("a part of it is not UTF-8"))?
        .to_owned())
}

fn referenced(reference: &BytesRef<'_>) -> Result<char, Error> {
    let unknown = Error::NotDocx("it uses an entity that XML does not have");
    Ok(match &**reference {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => match reference.resolve_char_ref() {
            Ok(Some(c)) => c,
            _ => return Err(unknown),
        },
    })
}
