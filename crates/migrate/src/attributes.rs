//! The attributes that popular extensions of Etherpad put on text. They are kept as they are;
//! counting them lets an operator see that they have arrived.

use std::collections::BTreeMap;

use changeset::Document;
use convert::native;

use crate::report::{Report, Uses};

/// A feature, and whether its extensions use a key or have used it.
type Feature = (&'static str, fn(&str) -> bool);

const FEATURES: &[Feature] = &[
    ("alignment", |key| key == "align"),
    ("comments", |key| key == "comment"),
    ("font colour", |key| {
        matches!(key, "color" | "colors") || key.starts_with("color:") || key.starts_with("color_")
    }),
    ("font family", |key| {
        key == "FontFamily"
            || FONTS
                .iter()
                .any(|font| key.strip_prefix("font") == Some(font))
    }),
    ("font size", |key| {
        let numbered = key.strip_prefix("fs");
        matches!(key, "font-size" | "size" | "sizes")
            || key.starts_with("font-size:")
            || key.starts_with("size:")
            || numbered.is_some_and(|rest| rest.parse::<u16>().is_ok())
    }),
    ("headings", |key| key == "heading"),
    ("images", |key| matches!(key, "img" | "image")),
    ("line height", |key| {
        matches!(key, "lineHeights" | "lineHeight")
    }),
    ("links", |key| matches!(key, "url" | "hyperlink" | "link")),
    ("page breaks", |key| key == "pageBreak"),
    ("sub- and superscript", |key| matches!(key, "sub" | "sup")),
    ("tables", |key| matches!(key, "tbljson" | "tblProp")),
    ("tasks", |key| {
        key.starts_with("tasklist-") || key.starts_with("checklist-")
    }),
];

const FONTS: [&str; 10] = [
    "arial",
    "avant-garde",
    "bookman",
    "calibri",
    "courier",
    "garamond",
    "helvetica",
    "monospace",
    "palatino",
    "times-new-roman",
];

/// Counts those on the text of a pad.
pub(crate) fn count(head: &native::Head, report: &mut Report) {
    let numbers: BTreeMap<u32, &'static str> = head
        .pool
        .entries()
        .filter(|(_, attribute)| !attribute.value.is_empty())
        .filter_map(|(number, attribute)| Some((number, feature(&attribute.key)?)))
        .collect();
    if numbers.is_empty() {
        return;
    }
    for (feature, spans) in spans(&head.document, &numbers) {
        let uses: &mut Uses = report.attributes.entry(feature).or_default();
        uses.pads += 1;
        uses.spans += spans;
    }
}

fn feature(key: &str) -> Option<&'static str> {
    let found = FEATURES.iter().find(|(_, is_key)| is_key(key));
    found.map(|(name, _)| *name)
}

fn spans(
    document: &Document,
    numbers: &BTreeMap<u32, &'static str>,
) -> BTreeMap<&'static str, u64> {
    let mut spans = BTreeMap::new();
    for op in document.attribution() {
        for number in op.attribs.iter() {
            if let Some(feature) = numbers.get(&number) {
                *spans.entry(*feature).or_default() += 1;
            }
        }
    }
    spans
}
