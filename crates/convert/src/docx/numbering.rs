//! The lists of a DOCX file: what each level looks like, and which number comes next.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;

use super::xml::{Item, Tag, Xml};
use crate::Error;

#[derive(Default)]
pub(super) struct Numbering {
    definitions: HashMap<u64, BTreeMap<u64, Level>>,
    lists: HashMap<u64, List>,
    /// For each definition and level the number of the last item.
    counts: HashMap<u64, BTreeMap<u64, u64>>,
}

#[derive(Clone, Default)]
struct Level {
    /// The word of a list attribute.
    kind: Option<&'static str>,
    start: Option<u64>,
}

#[derive(Default)]
struct List {
    definition: u64,
    /// Levels that restart with the first item of this list.
    starts: BTreeMap<u64, u64>,
    was_seen: bool,
}

/// One item: the word of its list attribute, and its number if it has one.
pub(super) struct Numbered {
    pub kind: &'static str,
    pub number: Option<u64>,
}

impl Numbering {
    pub(super) fn read(mut xml: Xml<impl BufRead>) -> Result<Numbering, Error> {
        let mut numbering = Numbering::default();
        let mut place = Place::default();
        loop {
            match xml.next()? {
                Item::Start(tag) => numbering.start(&tag, &mut place),
                Item::End(name) if name == "abstractNum" => place.definition = None,
                Item::End(name) if name == "num" => place.list = None,
                Item::End(_) | Item::Text(_) => {}
                Item::Finish => return Ok(numbering),
            }
        }
    }

    fn start(&mut self, tag: &Tag, place: &mut Place) {
        let number = |name: &str| tag.number(name).and_then(|n| u64::try_from(n).ok());
        match &*tag.name {
            "abstractNum" => place.definition = number("abstractNumId"),
            "num" => place.list = number("numId"),
            "lvl" | "lvlOverride" => place.level = number("ilvl").unwrap_or_default(),
            "abstractNumId" => {
                if let (Some(list), Some(definition)) = (place.list, number("val")) {
                    self.lists.entry(list).or_default().definition = definition;
                }
            }
            "startOverride" => {
                if let (Some(list), Some(start)) = (place.list, number("val")) {
                    let list = self.lists.entry(list).or_default();
                    list.starts.insert(place.level, start);
                }
            }
            "start" | "numFmt" => {
                let Some(definition) = place.definition else {
                    return;
                };
                let levels = self.definitions.entry(definition).or_default();
                let level = levels.entry(place.level).or_default();
                match &*tag.name {
                    "start" => level.start = number("val"),
                    _ => level.kind = tag.value().map(kind),
                }
            }
            _ => {}
        }
    }

    /// Counts an item. `None` if there is no such list.
    pub(super) fn count(&mut self, list: u64, level: u64) -> Option<Numbered> {
        let list = self.lists.get_mut(&list)?;
        let levels = self.definitions.get(&list.definition);
        let look = levels.and_then(|levels| levels.get(&level)).cloned();
        let Level { kind, start } = look.unwrap_or_default();
        let kind = kind.unwrap_or("bullet");
        let counts = self.counts.entry(list.definition).or_default();
        if !std::mem::replace(&mut list.was_seen, true) {
            for level in list.starts.keys() {
                counts.remove(level);
            }
        }
        counts.split_off(&(level + 1));
        let first = list.starts.get(&level).copied().or(start).unwrap_or(1);
        let number = counts
            .get(&level)
            .map_or(first, |last| last.saturating_add(1));
        counts.insert(level, number);
        Some(Numbered {
            kind,
            number: (kind == "number").then_some(number),
        })
    }
}

/// Where the reader is.
#[derive(Default)]
struct Place {
    definition: Option<u64>,
    list: Option<u64>,
    level: u64,
}

fn kind(format: &str) -> &'static str {
    match format {
        "bullet" => "bullet",
        "none" => "indent",
        _ => "number",
    }
}
