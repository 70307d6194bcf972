//! Font families of characters: the attributes that set one, and how CSS names it.
//!
//! A family is the value of `font-family`: one of the three that the page offers ([`OFFERED`]), or
//! a list of plain names, the preferred one first, without the quotes of CSS. Pads of an Etherpad
//! with its font plugin have an attribute for each of ten fonts. They are read, and nine of them
//! are written, so that such pads can go back; the tenth is one of our three.

use std::rc::Rc;

use changeset::{Attribs, Attribute, Pool};

use crate::style::{ON, declared};

/// The key of any family that has no key of its own.
const KEY: &str = "font-family";

/// An older key of the plugin for the same.
const OLDER_KEY: &str = "FontFamily";

/// The families that the page offers, as CSS names them, and a font that every word processor has
/// for each.
const OFFERED: [(&str, &str); 3] = [
    ("sans-serif", "Arial"),
    ("serif", "Times New Roman"),
    ("monospace", "Courier New"),
];

/// The keys of the plugin, and what CSS calls their families. In order, as attribute lists are.
const FAMILIES: [(&str, &str); 10] = [
    ("fontarial", "Arial"),
    ("fontavant-garde", "Avant Garde"),
    ("fontbookman", "Bookman"),
    ("fontcalibri", "Calibri"),
    ("fontcourier", "Courier"),
    ("fontgaramond", "Garamond"),
    ("fonthelvetica", "Helvetica"),
    ("fontmonospace", "monospace"),
    ("fontpalatino", "Palatino"),
    ("fonttimes-new-roman", "Times New Roman"),
];

/// Longer names are no names of fonts.
const LONGEST: usize = 64;

/// As many of a list are kept.
const MOST: usize = 4;

/// The family that a list of attributes sets.
pub(crate) fn of_attributes<'a>(attribs: &Attribs, pool: &'a Pool) -> Option<&'a str> {
    let by_value = |key| of_attribute(key, pool.value_of(attribs, key)?);
    let mut by_key = FAMILIES.iter().filter_map(|(key, _)| by_value(key));
    by_value(KEY)
        .or_else(|| by_value(OLDER_KEY))
        .or_else(|| by_key.next())
}

/// The family that an attribute sets by itself.
pub(crate) fn of_attribute<'a>(key: &str, value: &'a str) -> Option<&'a str> {
    if matches!(key, KEY | OLDER_KEY) {
        return first_name(value).map(|_| value);
    }
    let mut known = FAMILIES.iter().filter(|_| value == ON);
    known
        .find(|(known, _)| *known == key)
        .map(|(_, name)| *name)
}

/// The attribute that sets a family.
pub(crate) fn attribute(family: &str) -> Attribute {
    if let Some(name) = offered(family) {
        return Attribute::new(KEY, name);
    }
    let first = first_name(family).unwrap_or_default();
    let key = format!("font{}", first.to_ascii_lowercase().replace(' ', "-"));
    match FAMILIES.iter().find(|(known, _)| *known == key) {
        Some((key, _)) => Attribute::new(*key, ON),
        None => Attribute::new(KEY, family),
    }
}

/// The family that an element of HTML sets: by its style, as a `font`, or as the plugin shows it.
pub(crate) fn of_element(tag: &str, css: &str, face: Option<&str>) -> Option<Rc<str>> {
    let listed = declared(css, KEY).or(face.filter(|_| tag == "font"));
    let family = match listed.filter(|list| first_name(list).is_some()) {
        Some(list) => names(list).collect::<Vec<_>>().join(", "),
        None => of_attribute(tag, ON)?.to_owned(),
    };
    Some(Rc::from(family))
}

/// The preferred one of a list of families.
pub(crate) fn first_name(list: &str) -> Option<&str> {
    names(list.split(',').next()?).next()
}

/// The family that the page offers, if the preferred one of a list is that.
pub(crate) fn offered(list: &str) -> Option<&'static str> {
    let first = first_name(list)?;
    let mut names = OFFERED.iter().map(|(name, _)| *name);
    names.find(|name| first.eq_ignore_ascii_case(name))
}

/// The font of a word processor for a list of families.
pub(crate) fn word_font(list: &str) -> Option<&str> {
    let font = |offered| OFFERED.iter().find(|(name, _)| *name == offered);
    let font = offered(list).and_then(font).map(|(_, font)| *font);
    font.or_else(|| first_name(list))
}

/// The family of a word processor's font.
pub(crate) fn of_word_font(font: &str) -> Option<&str> {
    let name = first_name(font)?;
    let offered = OFFERED.iter().find(|(_, font)| *font == name);
    Some(offered.map_or(name, |(family, _)| family))
}

/// A list of families as CSS writes it. Generic families are words, all others are quoted.
pub(crate) fn css(list: &str) -> String {
    const GENERIC: [&str; 5] = ["serif", "sans-serif", "monospace", "cursive", "fantasy"];
    let quoted = names(list).map(|name| {
        let is_generic = GENERIC.iter().any(|word| name.eq_ignore_ascii_case(word));
        if is_generic {
            name.to_owned()
        } else {
            format!("'{name}'")
        }
    });
    quoted.collect::<Vec<_>>().join(",")
}

/// The plain names in a list. Words of CSS that take a family from elsewhere are none.
fn names(list: &str) -> impl Iterator<Item = &str> {
    const ELSEWHERE: [&str; 5] = ["inherit", "initial", "unset", "revert", "revert-layer"];
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.');
    let names = list
        .split(',')
        .map(|name| name.trim().trim_matches(['"', '\'']).trim());
    let is_name = move |name: &&str| {
        !name.is_empty()
            && name.len() <= LONGEST
            && name.chars().all(is_plain)
            && !ELSEWHERE.iter().any(|word| name.eq_ignore_ascii_case(word))
    };
    names.filter(is_name).take(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_name_families_in_several_ways() {
        for (tag, css, face, family) in [
            ("span", "font-family:Georgia", None, Some("Georgia")),
            (
                "p",
                "color: red; Font-Family : \"Times New Roman\", serif",
                None,
                Some("Times New Roman, serif"),
            ),
            ("span", "font-family: a; font-family: b", None, Some("b")),
            (
                "font",
                "",
                Some("Arial, Helvetica"),
                Some("Arial, Helvetica"),
            ),
            ("span", "", Some("Arial"), None),
            ("fonttimes-new-roman", "", None, Some("Times New Roman")),
            ("span", "font-family: inherit", None, None),
            ("span", "font-family: url(x)", None, None),
            ("span", "x-font-family: Georgia", None, None),
        ] {
            assert_eq!(of_element(tag, css, face).as_deref(), family, "{tag} {css}");
        }
    }

    #[test]
    fn one_spelling_is_written() {
        for (name, key, value) in [
            ("Times New Roman", "fonttimes-new-roman", "true"),
            ("Arial, sans-serif", "fontarial", "true"),
            ("times-new-roman", "fonttimes-new-roman", "true"),
            ("monospace", "font-family", "monospace"),
            ("Sans-Serif, Arial", "font-family", "sans-serif"),
            ("Corporate Sans", "font-family", "Corporate Sans"),
        ] {
            assert_eq!(attribute(name), Attribute::new(key, value));
        }
    }
}
