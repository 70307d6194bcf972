//! Inline styles: which attribute is which tag. Attributes with other values are in `values.rs`.
//!
//! The one table between the attributes of characters and the words of the file formats. A style is
//! on when its attribute has the value `true`, and only then.

/// A style of characters.
pub(crate) struct Style {
    /// The key of the attribute.
    pub key: &'static str,
    /// The tag that writes it.
    pub tag: &'static str,
    /// The tags that are read as it.
    pub tags_read: &'static [&'static str],
    /// The CSS property and value that are read as it.
    pub css: Option<(&'static str, &'static str)>,
    /// The property of a DOCX run that is it, and its value if it needs one.
    pub word: Option<(&'static str, &'static str)>,
    /// What stands on both sides of it in Markdown.
    pub markdown: Option<&'static str>,
}

/// The value that turns a style on.
pub(crate) const ON: &str = "true";

/// The key of text as a computer shows it.
pub(crate) const CODE: &str = "code";

/// By key, so that styles found one after another are in the order of an attribute list.
pub(crate) const STYLES: [Style; 9] = [
    Style {
        key: "bold",
        tag: "strong",
        tags_read: &["b", "strong"],
        css: Some(("font-weight", "bold")),
        word: Some(("b", "")),
        markdown: Some("**"),
    },
    // A run of DOCX is code by its style (`CODE_STYLE`). In Markdown, backticks are not like other
    // signs: nothing between them means anything.
    Style {
        key: CODE,
        tag: "code",
        tags_read: &["code", "tt", "kbd", "samp"],
        css: None,
        word: None,
        markdown: None,
    },
    // Nothing is read as these two: a heading is a whole line (`block.rs`). Text that has them was
    // written by programs that know headings as styles of characters.
    Style {
        key: "heading1",
        tag: "h1",
        tags_read: &[],
        css: None,
        word: None,
        markdown: None,
    },
    Style {
        key: "heading2",
        tag: "h2",
        tags_read: &[],
        css: None,
        word: None,
        markdown: None,
    },
    Style {
        key: "italic",
        tag: "em",
        tags_read: &["i", "em"],
        css: Some(("font-style", "italic")),
        word: Some(("i", "")),
        markdown: Some("*"),
    },
    Style {
        key: "strikethrough",
        tag: "s",
        tags_read: &["s", "del"],
        css: Some(("text-decoration", "line-through")),
        word: Some(("strike", "")),
        markdown: Some("~~"),
    },
    Style {
        key: "sub",
        tag: "sub",
        tags_read: &["sub"],
        css: Some(("vertical-align", "sub")),
        word: Some(("vertAlign", "subscript")),
        markdown: None,
    },
    Style {
        key: "sup",
        tag: "sup",
        tags_read: &["sup"],
        css: Some(("vertical-align", "super")),
        word: Some(("vertAlign", "superscript")),
        markdown: None,
    },
    Style {
        key: "underline",
        tag: "u",
        tags_read: &["u", "ins"],
        css: Some(("text-decoration", "underline")),
        word: Some(("u", "single")),
        markdown: None,
    },
];

impl Style {
    /// The style of an attribute, if it turns one on.
    pub(crate) fn of_attribute(key: &str, value: &str) -> Option<&'static Style> {
        STYLES.iter().find(|style| style.key == key && value == ON)
    }

    /// Whether an element of this name and with this `style` attribute turns the style on.
    pub(crate) fn is_read_from(&self, tag: &str, css: &str) -> bool {
        self.tags_read.contains(&tag)
            || self
                .css
                .is_some_and(|(property, value)| declares(css, property, value))
    }
}

/// Whether `property: value` occurs in a list of CSS declarations, as whole words.
pub(crate) fn declares(css: &str, property: &str, value: &str) -> bool {
    let css = css.to_ascii_lowercase();
    css.match_indices(property).any(|(at, _)| {
        let (before, after) = css.split_at(at);
        let Some(rest) = after
            .strip_prefix(property)
            .and_then(|rest| rest.strip_prefix(':'))
            .and_then(|rest| rest.trim_ascii_start().strip_prefix(value))
        else {
            return false;
        };
        !before.ends_with(is_word) && !rest.starts_with(is_word)
    })
}

/// The value of a property in a list of CSS declarations: the last one holds.
pub(crate) fn declared<'a>(css: &'a str, property: &str) -> Option<&'a str> {
    css.split(';').rev().find_map(|declaration| {
        let (name, value) = declaration.split_once(':')?;
        let is_it = name.trim().eq_ignore_ascii_case(property);
        is_it.then_some(value.trim())
    })
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
