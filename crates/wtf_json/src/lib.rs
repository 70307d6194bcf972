//! JSON whose strings are UTF-16 units, half a surrogate pair included.
//!
//! JavaScript writes half of a pair as `"\ud83d"`, and pads hold such text, so it has to be read
//! and written unchanged; the usual libraries refuse it. Everything else is plain JSON: what is
//! parsed and printed again has the same members in the same order and the same strings. Nesting is
//! bounded ([`MAX_DEPTH`]), so neither parsing, printing nor dropping a value can exhaust the
//! stack.

mod parse;

mod print;

use changeset::Text;
pub use serde_json::Number;

pub use parse::{Entries, entries, parse};
pub use print::{push_json, push_string};

/// How many arrays and objects may be inside one another.
pub const MAX_DEPTH: usize = 128;

/// How many values may be in one, or in one member of a file that is read member by member. A value
/// takes many times the memory of the two bytes it is written with.
pub const MAX_VALUES: usize = 1_000_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Json {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    String(Text),
    Array(Vec<Json>),
    Object(Object),
}

/// The members of an object, in their order. Of several with one name the last counts.
pub type Object = Vec<(Text, Json)>;

impl Json {
    /// A member of an object; `None` for any other value.
    pub fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else {
            return None;
        };
        let is_named = |text: &Text| text.iter().copied().eq(name.encode_utf16());
        let member = members.iter().rev().find(|(key, _)| is_named(key));
        member.map(|(_, value)| value)
    }

    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// A string, halves of surrogate pairs replaced by U+FFFD. For names and ids; text of a pad is
    /// taken with [`Json::as_text`].
    pub fn to_str(&self) -> Option<String> {
        self.as_text().map(Text::to_string_lossy)
    }

    /// A number that is neither negative nor a fraction, however it is written.
    pub fn as_u64(&self) -> Option<u64> {
        let Json::Number(number) = self else {
            return None;
        };
        let whole = |float: f64| {
            let fits = float >= 0.0 && float < 2f64.powi(63) && float.fract() == 0.0;
            fits.then_some(float as u64)
        };
        number.as_u64().or_else(|| number.as_f64().and_then(whole))
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&[Json]> {
        match self {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    pub fn is_null(&self) -> bool {
        *self == Json::Null
    }

    /// The value for code that wants the usual type. Halves of surrogate pairs are replaced by
    /// U+FFFD.
    pub fn to_value(&self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => Value::Number(number.clone()),
            Json::String(text) => Value::String(text.to_string_lossy()),
            Json::Array(items) => items.iter().map(Json::to_value).collect(),
            Json::Object(members) => members
                .iter()
                .map(|(name, value)| (name.to_string_lossy(), value.to_value()))
                .collect(),
        }
    }
}

impl From<&serde_json::Value> for Json {
    fn from(value: &serde_json::Value) -> Json {
        use serde_json::Value;
        match value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(number) => Json::Number(number.clone()),
            Value::String(text) => Json::from(&**text),
            Value::Array(items) => Json::Array(items.iter().map(Json::from).collect()),
            Value::Object(members) => Json::Object(
                members
                    .iter()
                    .map(|(name, value)| (Text::from(&**name), Json::from(value)))
                    .collect(),
            ),
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::String(Text::from(text))
    }
}

impl From<Text> for Json {
    fn from(text: Text) -> Json {
        Json::String(text)
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Json {
        Json::Number(number.into())
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

/// `None` is `null`.
impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

/// An object with members whose names are known.
pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    let members = members.into_iter();
    Json::Object(
        members
            .map(|(name, value)| (Text::from(name), value))
            .collect(),
    )
}

/// A syntax error or an exceeded bound, and the byte at which it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at byte {at}")]
pub struct Error {
    pub kind: ErrorKind,
    pub at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    #[error("not UTF-8")]
    NotUtf8,
    /// The text ends in the middle.
    #[error("unexpected end")]
    UnexpectedEnd,
    #[error("unexpected character")]
    UnexpectedByte,
    #[error("invalid number")]
    InvalidNumber,
    #[error("invalid escape")]
    InvalidEscape,
    /// A control character stands in a string without being escaped.
    #[error("control character in a string")]
    ControlCharacter,
    #[error("nested too deep")]
    TooDeep,
    #[error("too many values")]
    TooManyValues,
    /// More than white space follows the value.
    #[error("something follows the value")]
    TrailingData,
    /// Something else than an object, where one is needed.
    #[error("not an object")]
    NotAnObject,
}
