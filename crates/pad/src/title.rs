//! Title of a pad: what people call it, apart from its address.
//!
//! A title is one line. A pad without one is shown by its address, made readable.

use percent_encoding::percent_decode_str;

use crate::ids::is_bidi_control;
use crate::limits::{TITLE, cut, fits};

/// A title that somebody has set: not empty, without control characters, at most
/// [`TITLE`] units.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Title(String);

/// The title is longer than [`TITLE`] units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a title has at most {TITLE} characters")]
pub struct TitleTooLong;

impl Title {
    /// The title that a text makes, as one line. `None`: the pad has no title then.
    pub fn parse(text: &str) -> Result<Option<Title>, TitleTooLong> {
        // What blanks and control characters take is little; a long text is not copied first.
        if !fits(text, 8 * TITLE) {
            return Err(TitleTooLong);
        }
        let line = one_line(text);
        if fits(&line, TITLE) {
            Ok(Title::of(line))
        } else {
            Err(TitleTooLong)
        }
    }

    /// The same for imports and what is stored: a longer title is cut.
    pub fn cut(text: &str) -> Option<Title> {
        let line = one_line(cut(text, 8 * TITLE));
        Title::of(cut(&line, TITLE).trim_end().to_owned())
    }

    fn of(line: String) -> Option<Title> {
        (!line.is_empty()).then_some(Title(line))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What a pad is shown as: its title, or the address by which a visitor knows it, made
    /// readable. A reader who came through a read-only id learns no other address that way.
    pub fn shown(title: Option<&Title>, address: &str) -> String {
        title.map_or_else(|| readable(address), |title| title.0.clone())
    }
}

/// An address as people read it: percent-encoding decoded, `_` and `-` blanks, the group left out.
pub fn readable(address: &str) -> String {
    let name = match address.split_once('$') {
        Some((group, name)) if group.starts_with("g.") => name,
        _ => address,
    };
    // What is no text once decoded stays as it is.
    let decoded = percent_decode_str(name).decode_utf8();
    let decoded = decoded.as_deref().unwrap_or(name);
    let line = one_line(&decoded.replace(['_', '-'], " "));
    if line.is_empty() {
        name.to_owned()
    } else {
        line
    }
}

/// A text as one line: white space becomes single blanks, and what a line cannot show is left out:
/// control characters, and those that turn the direction of text.
pub fn one_line(text: &str) -> String {
    let is_odd = |c: char| (c.is_control() && !c.is_whitespace()) || is_bidi_control(c);
    let text = text.replace(is_odd, "");
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
