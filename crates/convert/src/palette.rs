//! The colours of text and of highlighting: their names in a pad, and their shades in files.
//!
//! A pad names its colours, so that each view can choose a shade that can be read. Files get the
//! shade for white paper. What is written to a file is made of six hexadecimal digits or of a name
//! in these tables, whatever the pad says.

/// A colour of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Named(&'static Shade),
    /// Any other, as pads with the plugin for it have them.
    Rgb(u32),
}

/// A named colour.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shade {
    pub name: &'static str,
    /// How files show it.
    pub rgb: u32,
    /// What CSS means by the name, which other programs write.
    css: u32,
}

const fn shade(name: &'static str, rgb: u32, css: u32) -> Shade {
    Shade { name, rgb, css }
}

/// Text: each has a contrast of at least 4.5 to white.
const TEXT: [Shade; 8] = [
    shade("black", 0x1a1a1a, 0x1a1a1a),
    shade("red", 0xc5221f, 0xff0000),
    shade("green", 0x137333, 0x008000),
    shade("blue", 0x1a56db, 0x0000ff),
    shade("yellow", 0x8a6100, 0xffff00),
    shade("orange", 0xb45309, 0xffa500),
    shade("purple", 0x7b1fa2, 0x800080),
    shade("gray", 0x5f6368, 0x808080),
];

/// Highlighting: dark text on each can be read.
const MARKS: [Shade; 6] = [
    shade("yellow", 0xfff3a3, 0xffff00),
    shade("green", 0xc8f0cd, 0x00ff00),
    shade("blue", 0xcfe4ff, 0x00ffff),
    shade("pink", 0xffd3e2, 0xff00ff),
    shade("orange", 0xffdfb8, 0xffa500),
    shade("purple", 0xe6d6ff, 0x800080),
];

impl Colour {
    /// The colour that an attribute's value is: a name, or `#rrggbb`.
    pub(crate) fn of_value(value: &str) -> Option<Colour> {
        let named = TEXT.iter().find(|shade| shade.name == value);
        named.map(Colour::Named).or_else(|| {
            let digits = value.strip_prefix('#').filter(|digits| digits.len() == 6)?;
            hex(digits).map(Colour::Rgb)
        })
    }

    pub(crate) fn value(self) -> String {
        match self {
            Colour::Named(shade) => shade.name.to_owned(),
            Colour::Rgb(rgb) => format!("#{rgb:06x}"),
        }
    }

    /// The colour that a file of another program shows. Greys are what text looks like that has no
    /// colour, and links have one of their own; there only our own shades count.
    pub(crate) fn of_file(rgb: u32, in_link: bool) -> Option<Colour> {
        let is_it = |shade: &&Shade| shade.rgb == rgb || (shade.css == rgb && !in_link);
        let named = TEXT.iter().find(is_it).map(Colour::Named);
        named.or((!in_link && spread(rgb) >= GREY).then_some(Colour::Rgb(rgb)))
    }

    pub(crate) fn rgb(self) -> u32 {
        match self {
            Colour::Named(shade) => shade.rgb,
            Colour::Rgb(rgb) => rgb,
        }
    }
}

/// The colour behind text.
pub(crate) type Highlight = &'static Shade;

pub(crate) fn highlight_of_value(value: &str) -> Option<Highlight> {
    MARKS.iter().find(|shade| shade.name == value)
}

/// The highlighting nearest to a background. Greys, white and dark ones are none.
pub(crate) fn highlight_of_file(rgb: u32) -> Option<Highlight> {
    let exact = MARKS.iter().find(|shade| shade.rgb == rgb);
    exact.or_else(|| {
        let [red, green, blue] = channels(rgb);
        let largest = red.max(green).max(blue);
        if spread(rgb) < GREY || largest < 0x80 {
            return None;
        }
        highlight_of_value(match hue(rgb) {
            15..=42 => "orange",
            43..=70 => "yellow",
            71..=165 => "green",
            166..=250 => "blue",
            251..=290 => "purple",
            _ => "pink",
        })
    })
}

/// The highlighting of a word that DOCX has for it.
pub(crate) fn highlight_of_word(word: &str) -> Option<Highlight> {
    highlight_of_value(match word {
        "yellow" | "darkYellow" => "yellow",
        "green" | "darkGreen" => "green",
        "blue" | "cyan" | "darkBlue" | "darkCyan" => "blue",
        "magenta" | "red" | "darkRed" => "pink",
        "darkMagenta" => "purple",
        _ => return None,
    })
}

/// A colour as CSS writes it: a name, `#rgb`, `#rrggbb` or `rgb()`.
pub(crate) fn css_colour(value: &str) -> Option<u32> {
    let value = value.trim();
    if let Some(digits) = value.strip_prefix('#') {
        return match digits.len() {
            3 => {
                let twice: String = digits.chars().flat_map(|digit| [digit, digit]).collect();
                hex(&twice)
            }
            6 => hex(digits),
            _ => None,
        };
    }
    let lower = value.to_ascii_lowercase();
    if let Some(numbers) = lower
        .strip_prefix("rgb(")
        .or_else(|| lower.strip_prefix("rgba("))
    {
        let mut numbers = numbers.trim_end_matches(')').split([',', ' ', '/']);
        let mut channel = || {
            let number = numbers.by_ref().find(|number| !number.is_empty())?;
            number.parse::<u8>().ok().map(u32::from)
        };
        let rgb = (channel()? << 16) | (channel()? << 8) | channel()?;
        let opacity = numbers.find(|number| !number.is_empty());
        return (opacity != Some("0")).then_some(rgb);
    }
    let mut shades = TEXT.iter().skip(1).chain(&MARKS);
    shades
        .find(|shade| shade.name == lower)
        .map(|shade| shade.css)
}

/// Six hexadecimal digits.
pub(crate) fn hex(digits: &str) -> Option<u32> {
    let is_hex = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex
        .then(|| u32::from_str_radix(digits, 16).ok())
        .flatten()
}

/// Channels that differ by less look grey.
const GREY: u32 = 0x14;

pub(crate) fn channels(rgb: u32) -> [u32; 3] {
    [rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff]
}

fn spread(rgb: u32) -> u32 {
    let [red, green, blue] = channels(rgb);
    red.max(green).max(blue) - red.min(green).min(blue)
}

/// In degrees. The colour is not grey.
fn hue(rgb: u32) -> i64 {
    let [red, green, blue] = channels(rgb).map(i64::from);
    let largest = red.max(green).max(blue);
    let spread = (largest - red.min(green).min(blue)).max(1);
    let sixth = |first: i64, second: i64, from: i64| from + 60 * (first - second) / spread;
    let hue = if largest == red {
        sixth(green, blue, 0)
    } else if largest == green {
        sixth(blue, red, 120)
    } else {
        sixth(red, green, 240)
    };
    hue.rem_euclid(360)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_files_have_names_or_numbers() {
        for (css, in_link, value) in [
            ("red", false, Some("red")),
            ("#F00", false, Some("red")),
            ("#c5221f", true, Some("red")),
            ("rgb(18, 52, 86)", false, Some("#123456")),
            ("#1155cc", true, None),
            ("#000", false, None),
            ("black", false, None),
            ("#333", false, None),
            ("white", false, None),
            ("expression(alert(1))", false, None),
            ("#12345g", false, None),
        ] {
            let colour = css_colour(css).and_then(|rgb| Colour::of_file(rgb, in_link));
            assert_eq!(colour.map(Colour::value).as_deref(), value, "{css}");
        }
    }

    #[test]
    fn backgrounds_are_the_nearest_highlighting() {
        for (css, name) in [
            ("yellow", Some("yellow")),
            ("#ffff00", Some("yellow")),
            ("#fff3a3", Some("yellow")),
            ("#00ff00", Some("green")),
            ("#00ffff", Some("blue")),
            ("#f4cccc", Some("pink")),
            ("#ffa500", Some("orange")),
            ("#d9d2e9", Some("purple")),
            ("#fff", None),
            ("transparent", None),
            ("rgba(255,255,0,0)", None),
            ("#1e1e2e", None),
        ] {
            let found = css_colour(css).and_then(highlight_of_file);
            assert_eq!(found.map(|shade| shade.name), name, "{css}");
        }
    }
}
