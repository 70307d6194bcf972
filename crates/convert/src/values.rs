//! Attributes of characters that have a value: links, colours, highlighting, sizes, mentions.
//!
//! Reads every spelling that pads bring from an Etherpad's plugins and writes one. What is not a
//! value we know stays in the pad and changes nothing in a file.

use pad::AuthorId;

use crate::links;
use crate::palette::{Colour, Highlight, highlight_of_value};
use crate::style::ON;

/// The keys that are written.
pub(crate) const LINK: &str = "url";
pub(crate) const COLOUR: &str = "color";
pub(crate) const HIGHLIGHT: &str = "highlight";
pub(crate) const SIZE: &str = "font-size";
pub(crate) const MENTION: &str = "mention";

/// The sizes of text, in pixels of CSS.
const SIZES: [u8; 23] = [
    8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 24, 26, 28, 30, 35, 40, 45, 50, 60,
];

/// The sizes that the page offers, by the words of CSS that are nearest.
const NAMED_SIZES: [(&str, u8); 4] = [
    ("small", 12),
    ("large", 20),
    ("x-large", 28),
    ("xx-large", 40),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Link(&'a str),
    Colour(Colour),
    Highlight(Highlight),
    /// In pixels of CSS, one of [`SIZES`].
    Size(u8),
    /// The id of the author who is mentioned.
    Mention(&'a str),
}

impl<'a> Value<'a> {
    pub(crate) fn of_attribute(key: &str, value: &'a str) -> Option<Value<'a>> {
        match key {
            LINK | "hyperlink" => links::of_value(value).map(Value::Link),
            COLOUR | "colors" => Colour::of_value(value).map(Value::Colour),
            HIGHLIGHT => highlight_of_value(value).map(Value::Highlight),
            MENTION => AuthorId::parse(value).map(|_| Value::Mention(value)),
            SIZE | "size" | "sizes" => size(value.strip_prefix("fs").unwrap_or(value)),
            _ if value == ON => {
                let rest = |prefix: &str| key.strip_prefix(prefix);
                if let Some(name) = rest("color:").or_else(|| rest("color_")) {
                    return Colour::of_value(name).map(Value::Colour);
                }
                let number = rest("fs").or_else(|| rest("size:"));
                size(number.or_else(|| rest("font-size:"))?)
            }
            _ => None,
        }
    }
}

/// Whether an attribute has a spelling that gives way to today's.
pub(crate) fn is_older(key: &str) -> bool {
    !matches!(key, LINK | COLOUR | HIGHLIGHT | SIZE | MENTION)
}

fn size<'a>(number: &str) -> Option<Value<'a>> {
    let number = number.parse().ok().filter(|size| SIZES.contains(size));
    number.map(Value::Size)
}

/// Whether the page offers a size.
pub(crate) fn is_offered_size(size: u8) -> bool {
    NAMED_SIZES.iter().any(|(_, offered)| *offered == size)
}

/// The size nearest to a number of pixels.
pub(crate) fn nearest_size(pixels: f32) -> Option<u8> {
    let distance = |size: &u8| (f32::from(*size) - pixels).abs();
    let nearest = |a: &u8, b: &u8| distance(a).total_cmp(&distance(b));
    let is_size = pixels.is_finite() && pixels > 1.0;
    SIZES
        .into_iter()
        .filter(|_| is_size)
        .min_by(|a, b| nearest(a, b))
}

/// The size that CSS sets. Those that most pages have for all of their text are none.
pub(crate) fn css_size(value: &str) -> Option<u8> {
    let value = value.trim().to_ascii_lowercase();
    if let Some((_, size)) = NAMED_SIZES.iter().find(|(name, _)| *name == value) {
        return Some(*size);
    }
    let digits = value.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = value.split_at(digits);
    let number: f32 = number.parse().ok()?;
    let pixels = match unit.trim() {
        "px" => number,
        "pt" => number / 0.75,
        "em" | "rem" => number * 16.0,
        _ => return None,
    };
    let is_usual = (14.5..=16.5).contains(&pixels);
    nearest_size(pixels).filter(|_| !is_usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_the_plugins_is_read() {
        let red = Colour::of_value("red").map(Value::Colour);
        let address = Some(Value::Link("https://a.b/c"));
        for (key, value, expected) in [
            ("url", "https://a.b/c", address),
            ("url", "url-https://a.b/c", address),
            ("url", "url-https://a.b/c,https://a.b/c", address),
            ("hyperlink", "https://a.b/c", address),
            ("url", "javascript:alert(1)", None),
            ("color", "red", red),
            ("colors", "red", red),
            ("color:red", "true", red),
            ("color_red", "true", red),
            ("color_red", "", None),
            (
                "color",
                "#123456",
                Some(Value::Colour(Colour::Rgb(0x12_3456))),
            ),
            ("color", "red;x:url(//a)", None),
            ("color", "#12345", None),
            ("font-size", "14", Some(Value::Size(14))),
            ("fs14", "true", Some(Value::Size(14))),
            ("size", "14", Some(Value::Size(14))),
            ("size", "fs14", Some(Value::Size(14))),
            ("size:14", "true", Some(Value::Size(14))),
            ("font-size:14", "true", Some(Value::Size(14))),
            ("sizes", "14", Some(Value::Size(14))),
            ("font-size", "14px", None),
            ("font-size", "99999999999", None),
            (
                "highlight",
                "pink",
                highlight_of_value("pink").map(Value::Highlight),
            ),
            ("highlight", "\"><script>", None),
            ("mention", "a.Zx1", Some(Value::Mention("a.Zx1"))),
            ("mention", "a.\"><script>", None),
            ("mention", "Ada", None),
        ] {
            assert_eq!(Value::of_attribute(key, value), expected, "{key}={value}");
        }
    }

    #[test]
    fn sizes_of_css_are_moved_to_the_nearest() {
        for (css, size) in [
            ("14px", Some(14)),
            ("18pt", Some(24)),
            ("2em", Some(30)),
            ("400px", Some(60)),
            ("16px", None),
            ("11pt", None),
            ("12pt", None),
            ("Large", Some(20)),
            ("larger", None),
            ("1e99px", None),
            ("-3px", None),
        ] {
            assert_eq!(css_size(css), size, "{css}");
        }
    }
}
