//! A line in parts that look the same, with its links: what formats other than HTML write.

use std::ops::Range;
use std::rc::Rc;

use changeset::Text;

use crate::block::Heading;
use crate::declared::Meanings;
use crate::lines::Line;
use crate::links;
use crate::text_format::TextFormat;

/// Text that looks the same and leads to the same address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Halves of surrogate pairs are replaced: no format but ours can say them.
    pub text: String,
    /// Its link is the next field's.
    pub format: TextFormat,
    pub link: Option<Link>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub address: Rc<str>,
    /// Tells it from the other links of its line: one link may be several parts.
    pub number: usize,
    /// Whether its text is something else than the address.
    pub is_named: bool,
}

impl Link {
    /// Whether its text does not say where it leads.
    pub(crate) fn needs_address(&self) -> bool {
        self.is_named || !links::missing_scheme(&self.address).is_empty()
    }

    /// The address with a scheme: people leave it out of addresses in text.
    pub(crate) fn url(&self) -> Rc<str> {
        match links::missing_scheme(&self.address) {
            "" => Rc::clone(&self.address),
            scheme => Rc::from(format!("{scheme}{}", self.address)),
        }
    }
}

pub(crate) fn parts(line: &Line<'_>, meanings: Meanings<'_>) -> Vec<Part> {
    let formats = line.runs.iter();
    let formats: Vec<(usize, TextFormat)> = formats
        .map(|run| (run.chars, TextFormat::of_attribs(run.attribs, meanings)))
        .collect();
    let addresses = formats
        .iter()
        .map(|(chars, format)| (*chars, format.link.clone()));
    let links = links::in_line(&line.text, links::named(addresses));
    let mut links = links.iter().enumerate().peekable();
    // The units of each part become its text at the end: authors may share a surrogate pair.
    let mut parts: Vec<(Text, Part)> = Vec::new();
    let mut at = 0;
    for (chars, mut format) in formats {
        let run_end = at + chars;
        format.link = None;
        while at < run_end {
            while links.next_if(|(_, link)| link.range.end <= at).is_some() {}
            let next = links.peek().copied();
            let inside = next.filter(|(_, link)| link.range.start <= at);
            let border = match (inside, next) {
                (Some((_, inside)), _) => inside.range.end,
                (None, Some((_, next))) => next.range.start,
                (None, None) => run_end,
            };
            let end = run_end.min(border);
            let part = Part {
                text: String::new(),
                format: format.clone(),
                link: inside.map(|(number, link)| part_link(line, link, number)),
            };
            match parts.last_mut() {
                Some((text, last)) if *last == part => text.push_units(units(line, at..end)),
                _ => parts.push((Text::from(units(line, at..end)), part)),
            }
            at = end;
        }
    }
    let with_text = |(text, part): (Text, Part)| Part {
        text: text.to_string_lossy(),
        ..part
    };
    parts.into_iter().map(with_text).collect()
}

fn part_link(line: &Line<'_>, link: &links::Link, number: usize) -> Link {
    let written = || Text::from(units(line, link.range.clone())).to_string_lossy();
    Link {
        address: link.address.clone().unwrap_or_else(|| Rc::from(written())),
        number,
        is_named: link.address.is_some(),
    }
}

fn units<'a>(line: &'a Line<'_>, range: Range<usize>) -> &'a [u16] {
    line.text.get(range).unwrap_or_default()
}

/// What a line is: by its marker, or because all of its text says so.
pub(crate) fn heading_of(line: &Line<'_>, parts: &[Part]) -> Option<Heading> {
    let levels = HEADING_STYLES.into_iter().zip([1, 2]);
    let mut all_text = levels.filter(|(key, _)| {
        let is_on = |part: &Part| part.has(key);
        !parts.is_empty() && parts.iter().all(is_on)
    });
    let by_text = all_text.next().map(|(_, level)| Heading::Level(level));
    line.heading.or(by_text)
}

/// The keys of headings that are styles of characters, the first one that of level 1.
pub(crate) const HEADING_STYLES: [&str; 2] = ["heading1", "heading2"];

impl Part {
    pub(crate) fn has(&self, key: &str) -> bool {
        self.format.has(key)
    }
}
