//! The settings file as a tree of values that know where they stand.
//!
//! The file is JSON with comments and trailing commas. A text that is exactly `${NAME}` or
//! `${NAME:default}` is replaced from the environment here, at any depth. What comes from the
//! environment has no type yet: whether `0123` is a number or a password is up to the setting that
//! reads it.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::diagnostics::{Place, Report};

/// How the environment is asked for a variable.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The members of an object, in the order of the file. No name occurs twice.
pub(crate) type Members = Vec<(String, Node)>;

#[derive(Clone, Debug)]
pub struct Node {
    pub value: Value,
    /// `None` if the value is not from the file.
    pub place: Option<Place>,
    /// The environment variable that was asked for the value.
    pub variable: Option<String>,
}

#[derive(Clone, Debug)]
pub enum Value {
    Null,
    Flag(bool),
    /// As it is written.
    Number(String),
    Text(String),
    /// From the environment: a text, a number or a flag, as the reader likes.
    Loose(String),
    List(Vec<Node>),
    Object(Members),
}

/// Reads the file. What is wrong with it is in the report, and then there is no tree.
pub(crate) fn parse(text: &str, environment: Environment, report: &mut Report) -> Option<Members> {
    // Some editors begin files with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = match parse_to_ast(text, &CollectOptions::default(), &OPTIONS) {
        Ok(parsed) => parsed,
        Err(error) => {
            let place = Place {
                line: error.line_display(),
                column: error.column_display(),
            };
            let text = format!("this is not valid JSON ({})", error.kind());
            report.fail("", Some(place), text);
            return None;
        }
    };
    let mut builder = Builder {
        lines: Lines::of(text),
        environment,
        report,
    };
    match parsed.value {
        Some(ast::Value::Object(object)) => Some(builder.members("", &object)),
        Some(other) => {
            let place = builder.lines.place(other.start());
            report.fail("", place, "the settings must be one object: { … }");
            None
        }
        // Nothing at all is more likely a write that was cut off than the wish for defaults.
        None => {
            report.fail("", None, "the file is empty; for the defaults, write {}");
            None
        }
    }
}

/// Comments and trailing commas, and no other liberties: what we accept, other tools read too.
pub(crate) const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

struct Builder<'a> {
    lines: Lines<'a>,
    environment: Environment<'a>,
    report: &'a mut Report,
}

impl Builder<'_> {
    fn members(&mut self, key: &str, object: &ast::Object) -> Members {
        let mut members = Members::new();
        for property in &object.properties {
            let name = property.name.as_str();
            let path = join(key, name);
            let node = self.node(&path, &property.value);
            match members.iter_mut().find(|(known, _)| known == name) {
                Some((_, earlier)) => {
                    let text = format!("{path} is given more than once; the last one counts");
                    self.report.warn(&path, node.place, text);
                    *earlier = node;
                }
                None => members.push((name.to_owned(), node)),
            }
        }
        members
    }

    fn node(&mut self, key: &str, value: &ast::Value) -> Node {
        let place = self.lines.place(value.start());
        let value = match value {
            ast::Value::NullKeyword(_) => Value::Null,
            ast::Value::BooleanLit(flag) => Value::Flag(flag.value),
            ast::Value::NumberLit(number) => Value::Number(number.value.to_owned()),
            ast::Value::StringLit(text) => return self.text(key, &text.value, place),
            ast::Value::Object(object) => Value::Object(self.members(key, object)),
            ast::Value::Array(array) => {
                let items = array.elements.iter().enumerate();
                let item = |(at, item)| self.node(&format!("{key}[{at}]"), item);
                Value::List(items.map(item).collect())
            }
        };
        Node {
            value,
            place,
            variable: None,
        }
    }

    fn text(&mut self, key: &str, text: &str, place: Option<Place>) -> Node {
        let Some((name, default)) = reference(text) else {
            return Node {
                value: Value::Text(text.to_owned()),
                place,
                variable: None,
            };
        };
        let value = match (self.environment)(name).or_else(|| default.map(str::to_owned)) {
            Some(text) => loose(text),
            None => {
                let text = format!(
                    "{key} counts as not given: the environment variable {name} is not set, \
                     and there is no default for it (write \"${{{name}:default}}\")"
                );
                self.report.warn(key, place, text);
                Value::Null
            }
        };
        Node {
            value,
            place,
            variable: Some(name.to_owned()),
        }
    }
}

/// The name and the default of `${NAME:default}`. There is no replacing inside of a longer text.
pub(crate) fn reference(text: &str) -> Option<(&str, Option<&str>)> {
    let inside = text.strip_prefix("${")?.strip_suffix('}')?;
    let (name, default) = match inside.split_once(':') {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(plain)).then_some((name, default))
}

fn loose(text: String) -> Value {
    match text.as_str() {
        "null" | "undefined" => Value::Null,
        _ => Value::Loose(text),
    }
}

/// The full path of a member.
pub(crate) fn join(key: &str, name: &str) -> String {
    match key {
        "" => name.to_owned(),
        _ => format!("{key}.{name}"),
    }
}

impl Node {
    /// A value that is not in the file at all.
    pub fn from_variable(name: &str, text: String) -> Node {
        Node {
            value: loose(text),
            place: None,
            variable: Some(name.to_owned()),
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    pub fn flag(&self) -> Option<bool> {
        match &self.value {
            Value::Flag(flag) => Some(*flag),
            Value::Loose(text) => text.parse().ok(),
            _ => None,
        }
    }

    pub fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(text) => text.parse().ok(),
            Value::Loose(text) => text.parse().ok().filter(|n: &f64| n.is_finite()),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Loose(text) => Some(text),
            _ => None,
        }
    }

    /// The value as a message shows it. Lists and objects are only named: they may hold secrets.
    pub fn describe(&self) -> String {
        match &self.value {
            Value::Null => "null".to_owned(),
            Value::Flag(flag) => flag.to_string(),
            Value::Number(text) => shortened(text),
            Value::Text(text) | Value::Loose(text) => format!("{:?}", shortened(text)),
            _ => self.kind().to_owned(),
        }
    }

    /// What sort of value it is, for messages that must not repeat it.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Flag(true) => "true",
            Value::Flag(false) => "false",
            Value::Number(_) => "a number",
            Value::Text(_) | Value::Loose(_) => "a text",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
        }
    }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Where the lines of a text begin, so that finding a place does not read the text again.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Lines {
            text,
            starts: std::iter::once(0).chain(after_breaks).collect(),
        }
    }

    fn place(&self, offset: usize) -> Option<Place> {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = *self.starts.get(line.checked_sub(1)?)?;
        Some(Place {
            line,
            column: self.text.get(start..offset)?.chars().count() + 1,
        })
    }
}
