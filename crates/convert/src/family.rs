//! Font families of characters: the attributes that set one, and how CSS names it.
//!
//! Pads of an Etherpad with its font plugin have an attribute for each of ten fonts. They are read
//! and written, so that such pads can go back; any other family is the value of `font-family`: a
//! list of plain names, the preferred one first, without the quotes of CSS.

use std::rc::Rc;

use changeset::{Attribs, Attribute, Pool};

use crate::style::{ON, declared};

/// The key of any family that has no key of its own.
const KEY: &str = "font-family";

/// An older key of the plugin for the same.
const OLDER_KEY: &str = "FontFamily";

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
    fn fonts_of_the_plugin_are_written_as_it_does() {
        for (name, key, value) in [
            ("Times New Roman", "fonttimes-new-roman", "true"),
            ("Arial, sans-serif", "fontarial", "true"),
            ("times-new-roman", "fonttimes-new-roman", "true"),
            ("monospace", "fontmonospace", "true"),
            ("Corporate Sans", "font-family", "Corporate Sans"),
        ] {
            assert_eq!(attribute(name), Attribute::new(key, value));
        }
    }
}
