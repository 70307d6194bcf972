//! Plain text, as people expect it in a file.
//!
//! Only list items differ from the document: the marker gives way to tabs and a bullet or number.

use std::collections::BTreeMap;

use changeset::{Document, NEWLINE, Pool, Text};

use crate::lines::{List, lines};

pub fn write(document: &Document, pool: &Pool) -> Text {
    if !pool.entries().any(|(_, attribute)| attribute.key == "list") {
        return without_lists(document);
    }
    let mut out = Text::with_capacity(document.len());
    let mut numbering = Numbering::default();
    for line in lines(document, pool) {
        numbering.advance(line.list);
        if let Some(list) = line.list {
            out.push_str(&"\t".repeat(list.level));
            match list.kind {
                "bullet" => out.push_str("* "),
                "number" => numbering.push_number(list.level, &mut out),
                _ => {}
            }
        }
        out.push_units(&line.text);
        out.push(NEWLINE);
    }
    out
}

/// A document without lists is its text. Most are, and a large one is not taken apart for nothing.
fn without_lists(document: &Document) -> Text {
    let mut text = document.text();
    if text.last().is_some_and(|&last| last != NEWLINE) {
        text.push(NEWLINE);
    }
    text
}

/// Counts numbered items: `1.`, `1.1.`, `1.2.`, `2.` The stored number of an item is not looked
/// at: it is right only in the editor that wrote it.
#[derive(Default)]
struct Numbering {
    /// Level to the number of its last item.
    counts: BTreeMap<usize, usize>,
    level: usize,
}

impl Numbering {
    fn advance(&mut self, list: Option<List<'_>>) {
        match list {
            Some(list) if list.kind == "number" => {
                if list.level < self.level {
                    self.counts.remove(&self.level);
                }
                self.level = list.level;
                *self.counts.entry(list.level).or_default() += 1;
            }
            _ => self.counts.clear(),
        }
    }

    fn push_number(&self, level: usize, out: &mut Text) {
        for level in 1..=level {
            let count = self.counts.get(&level).copied().unwrap_or_default();
            out.push_str(&format!("{count}."));
        }
        out.push_str(" ");
    }
}
