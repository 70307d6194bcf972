//! What a paragraph of a DOCX file is in a pad.

use super::numbering::Numbering;
use super::styles::Look;
use super::{INDENT, LEVELS};
use crate::lines::MAX_LEVEL;
use crate::runs::{Marker, list_value};

/// The marker of a paragraph that looks so. Counts it if it is an item of a list.
pub(super) fn marker(look: &Look, numbering: &mut Numbering) -> Marker {
    let depth = look.level.unwrap_or_default();
    let item = look.list.filter(|&list| list > 0);
    let item = item.and_then(|list| numbering.count(list, depth));
    // Outlines without numbers are what some programs make of headings.
    let item = item.filter(|item| item.kind != "indent" || look.heading.is_none());
    let indented = levels_of(look.indent.unwrap_or_default());
    let (list, start) = match item {
        Some(item) => {
            let depth = usize::try_from(depth).unwrap_or(MAX_LEVEL).min(MAX_LEVEL);
            // Deeper levels than a word processor has differ by the indentation.
            let level = match depth + 1 {
                level if level >= LEVELS => level.max(indented),
                level => level,
            };
            (Some(list_value(item.kind, level)), item.number)
        }
        None if indented > 0 => (Some(list_value("indent", indented)), None),
        None => (None, None),
    };
    Marker {
        list,
        start,
        heading: look.heading,
        align: look.align,
        quote: look.is_quote == Some(true),
        declared: look.declared.clone(),
        ..Marker::default()
    }
}

/// For the second and further lines of a paragraph: as deep as the first, without its number.
pub(super) fn continued(marker: &Marker) -> Marker {
    Marker {
        list: marker.level().map(|level| list_value("indent", level)),
        start: None,
        task: None,
        ..marker.clone()
    }
}

/// Levels of a list that are indented by so many twips.
fn levels_of(twips: i64) -> usize {
    let twips = usize::try_from(twips).unwrap_or_default();
    (twips.saturating_add(INDENT / 2) / INDENT).min(MAX_LEVEL)
}
