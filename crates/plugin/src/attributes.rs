//! Attributes that a plugin adds, and what they mean in files.
//!
//! A declaration, so that no code of a plugin runs while a file is read or written. In HTML and
//! Markdown an attribute is an element with a class, in both directions; in DOCX and PDF it looks
//! like attributes that the core has (`like`), and DOCX has a style of its name for the way back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How many attributes a plugin may declare, and values of one.
pub const DECLARATIONS: usize = 20;
const VALUES: usize = 50;
const VALUE: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AttributeDeclaration {
    pub key: String,
    pub kind: AttributeKind,
    /// The values it may have. Others are kept in the pad and mean nothing in files.
    pub values: Vec<String>,
    /// The element around it in HTML and Markdown.
    pub element: String,
    /// Attributes of the core that it looks like where there are no elements.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub like: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AttributeKind {
    /// Of characters.
    Inline,
    /// Of whole lines.
    Line,
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AttributeError {
    #[error("key has 2 to 40 lower-case letters, digits and hyphens, and begins with a letter")]
    Key,
    #[error("{0} is an attribute of the core")]
    Taken(String),
    #[error("values has 1 to {VALUES} different texts of 1 to {VALUE} letters, digits and hyphens")]
    Values,
    #[error("element must be one of {0}")]
    Element(String),
    #[error("like: {0} is not an attribute of the core that means something in files")]
    UnknownLike(String),
    #[error("like: {0} cannot be {1}")]
    LikeValue(String, String),
}

/// What an attribute of the core may be, and whether it is one of lines.
const CORE: &[(&str, AttributeKind, &[&str])] = &[
    ("bold", AttributeKind::Inline, &["true"]),
    ("italic", AttributeKind::Inline, &["true"]),
    ("underline", AttributeKind::Inline, &["true"]),
    ("strikethrough", AttributeKind::Inline, &["true"]),
    ("code", AttributeKind::Inline, &["true"]),
    ("sub", AttributeKind::Inline, &["true"]),
    ("sup", AttributeKind::Inline, &["true"]),
    (
        "color",
        AttributeKind::Inline,
        &[
            "black", "red", "green", "blue", "yellow", "orange", "purple", "gray",
        ],
    ),
    (
        "highlight",
        AttributeKind::Inline,
        &["yellow", "green", "blue", "pink", "orange", "purple"],
    ),
    (
        "heading",
        AttributeKind::Line,
        &["h1", "h2", "h3", "h4", "h5", "h6", "code"],
    ),
    ("quote", AttributeKind::Line, &["true"]),
    (
        "align",
        AttributeKind::Line,
        &["left", "center", "right", "justify"],
    ),
];

/// Other keys that pads have, some from Etherpad's plugins: never a new meaning for them.
const TAKEN: &[&str] = &[
    "author",
    "removed",
    "insertorder",
    "lmkr",
    "start",
    "list",
    "url",
    "hyperlink",
    "font-size",
    "font-family",
    "mention",
    "lang",
    "hr",
    "size",
    "sizes",
    "colors",
    "tasklist-done",
    "tasklist-not-done",
    "checklist-done",
    "checklist-not-done",
    "comment",
    "heading1",
    "heading2",
];

/// Whether pads have another meaning for a key; `fs14` is a size of Etherpad's plugins.
fn is_taken(key: &str) -> bool {
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_size = key.strip_prefix("fs").is_some_and(is_number);
    TAKEN.contains(&key) || key.starts_with("font") || is_size
}

const INLINE_ELEMENTS: &[&str] = &[
    "span", "mark", "small", "abbr", "cite", "dfn", "kbd", "samp", "var", "ins", "del", "q",
];
const LINE_ELEMENTS: &[&str] = &["div", "aside", "section", "p"];

/// All elements there are, for the schema.
pub(crate) fn elements() -> Vec<&'static str> {
    [INLINE_ELEMENTS, LINE_ELEMENTS].concat()
}

/// What `like` can hold, for the schema.
pub(crate) fn like_schema() -> serde_json::Value {
    let property = |(key, _, values): &(&str, AttributeKind, &[&str])| {
        ((*key).to_owned(), serde_json::json!({"enum": values}))
    };
    let properties: serde_json::Map<_, _> = CORE.iter().map(property).collect();
    properties.into()
}

impl AttributeDeclaration {
    pub(crate) fn validate(&self) -> Result<(), AttributeError> {
        if self.key.parse::<crate::Name>().is_err() {
            return Err(AttributeError::Key);
        }
        let is_core = CORE.iter().any(|(key, ..)| *key == self.key);
        if is_core || is_taken(&self.key) {
            return Err(AttributeError::Taken(self.key.clone()));
        }
        if !are_values(&self.values) {
            return Err(AttributeError::Values);
        }
        let elements = match self.kind {
            AttributeKind::Inline => INLINE_ELEMENTS,
            AttributeKind::Line => LINE_ELEMENTS,
        };
        if !elements.contains(&self.element.as_str()) {
            return Err(AttributeError::Element(elements.join(", ")));
        }
        self.validate_like()
    }

    fn validate_like(&self) -> Result<(), AttributeError> {
        for (key, value) in &self.like {
            let found = CORE
                .iter()
                .find(|(name, kind, _)| name == key && *kind == self.kind);
            let Some((_, _, values)) = found else {
                return Err(AttributeError::UnknownLike(crate::permission::excerpt(key)));
            };
            if !values.contains(&value.as_str()) {
                let value = crate::permission::excerpt(value);
                return Err(AttributeError::LikeValue(key.clone(), value));
            }
        }
        Ok(())
    }

    /// The class of its element for a value, and the name of its style.
    pub fn class(&self, value: &str) -> String {
        format!("{}:{value}", self.key)
    }
}

/// They become classes and names of styles, and so have no space and no punctuation.
fn are_values(values: &[String]) -> bool {
    let is_value = |value: &String| {
        (1..=VALUE).contains(&value.len())
            && value
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let different: std::collections::BTreeSet<&String> = values.iter().collect();
    (1..=VALUES).contains(&values.len())
        && different.len() == values.len()
        && values.iter().all(is_value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn outcome(changes: Value) -> String {
        let mut value = json!({
            "key": "spoiler", "kind": "inline", "values": ["true"], "element": "span",
            "like": {"highlight": "yellow"},
        });
        let object = value.as_object_mut().unwrap();
        object.extend(changes.as_object().unwrap().clone());
        match serde_json::from_value::<AttributeDeclaration>(value) {
            Ok(declaration) => match declaration.validate() {
                Ok(()) => String::new(),
                Err(error) => error.to_string(),
            },
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn declarations_are_checked() {
        for (changes, part) in [
            (json!({}), ""),
            (
                json!({"kind": "line", "element": "aside", "like": {"quote": "true"}}),
                "",
            ),
            (json!({"key": "a b"}), "key has 2 to 40"),
            (json!({"key": "bold"}), "bold is an attribute of the core"),
            (
                json!({"key": "author"}),
                "author is an attribute of the core",
            ),
            (json!({"key": "fontarial"}), "is an attribute of the core"),
            (json!({"key": "fs14"}), "is an attribute of the core"),
            (json!({"key": "heading1"}), "is an attribute of the core"),
            (json!({"values": []}), "values has 1 to 50"),
            (json!({"values": ["a", "a"]}), "values has 1 to 50"),
            (json!({"values": ["\"><script>"]}), "values has 1 to 50"),
            (json!({"element": "script"}), "element must be one of span"),
            (json!({"element": "div"}), "element must be one of span"),
            (json!({"like": {"author": "a.1"}}), "like: author is not"),
            (json!({"like": {"quote": "true"}}), "like: quote is not"),
            (
                json!({"like": {"color": "red;x"}}),
                "like: color cannot be red;x",
            ),
            (json!({"onclick": 1}), "unknown field `onclick`"),
        ] {
            let outcome = outcome(changes);
            assert!(outcome.contains(part), "{outcome}, not {part}");
            assert_eq!(outcome.is_empty(), part.is_empty(), "{outcome}");
        }
    }
}
