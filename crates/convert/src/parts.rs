//! A line in parts that look the same, with its links: what formats other than HTML write.

use std::ops::Range;

use changeset::{Attribs, Pool, Text};

use crate::block::Heading;
use crate::family;
use crate::html::find_urls;
use crate::lines::Line;
use crate::runs::Styles;
use crate::style::{ON, STYLES};

/// Text that looks the same and leads to the same address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    /// Halves of surrogate pairs are replaced: no format but ours can say them.
    pub text: String,
    pub styles: Styles,
    /// The font family, as CSS names it.
    pub family: Option<&'a str>,
    pub link: Option<Link>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub address: String,
    /// Tells it from the other links of its line: one link may be several parts.
    pub number: usize,
}

pub(crate) fn parts<'a>(line: &Line<'a>, pool: &'a Pool) -> Vec<Part<'a>> {
    let urls = find_urls(&line.text);
    let mut urls = urls.iter().enumerate().peekable();
    // The units of each part become its text at the end: authors may share a surrogate pair.
    let mut parts: Vec<(Text, Part)> = Vec::new();
    let mut at = 0;
    for run in &line.runs {
        let run_end = at + run.chars;
        let (styles, family) = look(run.attribs, pool);
        while at < run_end {
            while urls.next_if(|(_, url)| url.end <= at).is_some() {}
            let url = urls.peek().copied();
            let inside = url.filter(|(_, url)| url.start <= at);
            let border = match (inside, url) {
                (Some((_, inside)), _) => inside.end,
                (None, Some((_, next))) => next.start,
                (None, None) => run_end,
            };
            let end = run_end.min(border);
            let part = Part {
                text: String::new(),
                styles,
                family,
                link: inside.map(|(number, url)| Link {
                    address: Text::from(units(line, url.clone())).to_string_lossy(),
                    number,
                }),
            };
            match parts.last_mut() {
                Some((text, last)) if *last == part => text.push_units(units(line, at..end)),
                _ => parts.push((Text::from(units(line, at..end)), part)),
            }
            at = end;
        }
    }
    let with_text = |(text, part): (Text, Part<'a>)| Part {
        text: text.to_string_lossy(),
        ..part
    };
    parts.into_iter().map(with_text).collect()
}

fn units<'a>(line: &'a Line<'_>, range: Range<usize>) -> &'a [u16] {
    line.text.get(range).unwrap_or_default()
}

/// What a line is: by its marker, or because all of its text says so.
pub(crate) fn heading_of(line: &Line<'_>, parts: &[Part<'_>]) -> Option<Heading> {
    let levels = HEADING_STYLES.into_iter().zip([1, 2]);
    let mut all_text = levels.filter(|(key, _)| {
        let is_on = |part: &Part<'_>| part.has(key);
        !parts.is_empty() && parts.iter().all(is_on)
    });
    let by_text = all_text.next().map(|(_, level)| Heading::Level(level));
    line.heading.or(by_text)
}

/// The keys of headings that are styles of characters, the first one that of level 1.
pub(crate) const HEADING_STYLES: [&str; 2] = ["heading1", "heading2"];

impl Part<'_> {
    pub(crate) fn has(&self, key: &str) -> bool {
        STYLES
            .iter()
            .zip(self.styles)
            .any(|(style, on)| on && style.key == key)
    }
}

fn look<'a>(attribs: &Attribs, pool: &'a Pool) -> (Styles, Option<&'a str>) {
    let is_on = |key: &str| pool.value_of(attribs, key) == Some(ON);
    (
        STYLES.each_ref().map(|style| is_on(style.key)),
        family::of_attributes(attribs, pool),
    )
}
