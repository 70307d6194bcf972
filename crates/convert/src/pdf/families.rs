//! From the font families that CSS names to the fonts of an export.

use super::fonts::{Family, Fonts, Standard, same_family};

/// The fonts that text is shown in: those that are set for its family, and the standard one behind
/// them.
#[derive(Clone, Default)]
pub(super) struct Typeface {
    pub family: Option<Family>,
    pub standard: Standard,
}

/// The typeface for a list of families, the first that is set or known. `None` leaves text in the
/// font around it.
pub(super) fn typeface(families: &str, fonts: &dyn Fonts) -> Option<Typeface> {
    let names = families.split(',');
    let mut names = names.map(|name| name.trim().trim_matches(['"', '\'']));
    names.find_map(|name| {
        let known = standard(name);
        match fonts.family(name) {
            Some(family) => Some(Typeface {
                standard: family.fallback.or(known).unwrap_or_default(),
                family: Some(family),
            }),
            None => known.map(|standard| Typeface {
                family: None,
                standard,
            }),
        }
    })
}

/// The standard family that is closest to one.
fn standard(name: &str) -> Option<Standard> {
    let is_one_of = |names: &[&str]| names.iter().any(|known| same_family(known, name));
    if is_one_of(&SANS_SERIF) {
        Some(Standard::Helvetica)
    } else if is_one_of(&SERIF) {
        Some(Standard::Times)
    } else if is_one_of(&MONOSPACE) {
        Some(Standard::Courier)
    } else {
        None
    }
}

const SANS_SERIF: [&str; 22] = [
    "sans-serif",
    "helvetica",
    "helvetica neue",
    "arial",
    "arial black",
    "arial narrow",
    "verdana",
    "tahoma",
    "trebuchet ms",
    "calibri",
    "segoe ui",
    "lucida grande",
    "lucida sans unicode",
    "gill sans",
    "open sans",
    "noto sans",
    "roboto",
    "ubuntu",
    "dejavu sans",
    "liberation sans",
    "system-ui",
    "ui-sans-serif",
];

const SERIF: [&str; 15] = [
    "serif",
    "times",
    "times new roman",
    "georgia",
    "garamond",
    "cambria",
    "palatino",
    "palatino linotype",
    "book antiqua",
    "baskerville",
    "bodoni mt",
    "noto serif",
    "dejavu serif",
    "liberation serif",
    "ui-serif",
];

const MONOSPACE: [&str; 13] = [
    "monospace",
    "courier",
    "courier new",
    "consolas",
    "menlo",
    "monaco",
    "lucida console",
    "andale mono",
    "dejavu sans mono",
    "liberation mono",
    "noto sans mono",
    "roboto mono",
    "ui-monospace",
];
