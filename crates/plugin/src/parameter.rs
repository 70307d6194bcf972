//! Parameters of hooks and functions: name, kind with its bound, and meaning.
//!
//! One description serves the check of what comes in and docs/plugins.md.

use serde_json::Value;
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: Kind,
    /// Optional ones may be left out or `null`; the required ones come first.
    pub is_optional: bool,
    pub meaning: &'static str,
}

/// What a value may be. Lengths are UTF-16 units, as everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text {
        max: usize,
    },
    Integer {
        min: i64,
        max: i64,
    },
    Flag,
    /// A list of texts.
    Texts {
        count: usize,
        max: usize,
    },
    /// Any JSON that takes up to so many bytes.
    Json {
        bytes: usize,
    },
}

/// The longest id of a pad or author. Both are shorter; what is longer is no id of anything.
pub const ID: Kind = Kind::Text { max: 200 };
pub const REVISION: Kind = Kind::Integer {
    min: 0,
    max: 1 << 31,
};
/// A text that a pad takes.
pub const PAD_TEXT: Kind = Kind::Text { max: 1_000_000 };
/// Milliseconds since 1970.
pub const TIME: Kind = Kind::Integer {
    min: 0,
    max: 1 << 50,
};

pub(crate) const fn required(name: &'static str, kind: Kind, meaning: &'static str) -> Parameter {
    Parameter {
        name,
        kind,
        is_optional: false,
        meaning,
    }
}

pub(crate) const fn optional(name: &'static str, kind: Kind, meaning: &'static str) -> Parameter {
    Parameter {
        name,
        kind,
        is_optional: true,
        meaning,
    }
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ArgumentError {
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("{name} must be {expected}")]
    Wrong {
        name: &'static str,
        expected: String,
    },
    #[error("there are {given} arguments, at most {allowed} are taken")]
    TooMany { given: usize, allowed: usize },
    #[error("there is no {0}")]
    Unknown(String),
}

/// Checks positional arguments, those of a function. Afterwards there is one for each parameter:
/// what was left out is `null`.
pub fn check_list(
    parameters: &[Parameter],
    mut values: Vec<Value>,
) -> Result<Vec<Value>, ArgumentError> {
    if values.len() > parameters.len() {
        return Err(ArgumentError::TooMany {
            given: values.len(),
            allowed: parameters.len(),
        });
    }
    values.resize(parameters.len(), Value::Null);
    for (parameter, value) in parameters.iter().zip(&values) {
        parameter.check(value)?;
    }
    Ok(values)
}

/// Checks named arguments, those of a hook: every required one is there, and no other than the
/// described ones.
pub fn check_object(parameters: &[Parameter], value: &Value) -> Result<(), ArgumentError> {
    for parameter in parameters {
        parameter.check(value.get(parameter.name).unwrap_or(&Value::Null))?;
    }
    let keys = value
        .as_object()
        .into_iter()
        .flat_map(|object| object.keys());
    for key in keys {
        if !parameters.iter().any(|parameter| parameter.name == key) {
            return Err(ArgumentError::Unknown(key.clone()));
        }
    }
    Ok(())
}

impl Parameter {
    fn check(&self, value: &Value) -> Result<(), ArgumentError> {
        if value.is_null() && !matches!(self.kind, Kind::Json { .. }) {
            return if self.is_optional {
                Ok(())
            } else {
                Err(ArgumentError::Missing(self.name))
            };
        }
        if self.kind.fits(value) {
            Ok(())
        } else {
            Err(ArgumentError::Wrong {
                name: self.name,
                expected: self.kind.to_string(),
            })
        }
    }
}

impl Kind {
    pub fn fits(self, value: &Value) -> bool {
        match self {
            Kind::Text { max } => value.as_str().is_some_and(|text| has_units(text, max)),
            Kind::Integer { min, max } => integer(value).is_some_and(|n| (min..=max).contains(&n)),
            Kind::Flag => value.is_boolean(),
            Kind::Texts { count, max } => value.as_array().is_some_and(|list| {
                list.len() <= count && list.iter().all(|it| Kind::Text { max }.fits(it))
            }),
            Kind::Json { bytes } => json_len(value) <= bytes,
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Text { max } => write!(f, "a text of at most {max} characters"),
            Kind::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Kind::Flag => write!(f, "true or false"),
            Kind::Texts { count, max } => {
                write!(f, "a list of at most {count} texts of {max} characters")
            }
            Kind::Json { bytes } => write!(f, "JSON of at most {bytes} bytes"),
        }
    }
}

/// JavaScript has one kind of number: 3.0 is 3 there.
fn integer(value: &Value) -> Option<i64> {
    let whole = |number: f64| {
        let is_exact = number.fract() == 0.0 && number.abs() < 9e15;
        // Exact below 2^53.
        #[expect(clippy::cast_possible_truncation, reason = "checked above")]
        is_exact.then_some(number as i64)
    };
    value.as_i64().or_else(|| value.as_f64().and_then(whole))
}

/// Whether a text has at most so many UTF-16 units, without counting a long one to its end.
pub(crate) fn has_units(text: &str, max: usize) -> bool {
    text.len() <= max || text.encode_utf16().take(max + 1).count() <= max
}

/// Whether a text looks like what it is. Characters that turn its direction or that nobody sees
/// could make it, and what stands beside it, read as something else; so could those that a
/// terminal obeys.
pub(crate) fn is_plain(text: &str) -> bool {
    !text.chars().any(|char| {
        let turns = matches!(
            char,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
        );
        let is_unseen = matches!(
            char,
            '\u{ad}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}'
                | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
        );
        turns || is_unseen || char.is_control()
    })
}

fn json_len(value: &Value) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // A value can always be written.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PARAMETERS: &[Parameter] = &[
        required("padId", Kind::Text { max: 4 }, ""),
        optional("count", Kind::Integer { min: 1, max: 9 }, ""),
        optional("data", Kind::Json { bytes: 5 }, ""),
    ];

    fn list(values: &Value) -> String {
        let values = values.as_array().unwrap().clone();
        match check_list(PARAMETERS, values) {
            Ok(values) => Value::from(values).to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn positional_arguments_are_checked() {
        for (given, outcome) in [
            (json!(["a"]), r#"["a",null,null]"#),
            (json!(["a", 3.0, [1]]), r#"["a",3.0,[1]]"#),
            (json!(["😀😀", null]), r#"["😀😀",null,null]"#),
            (json!([]), "padId is missing"),
            (json!([null]), "padId is missing"),
            (
                json!(["😀😀a"]),
                "padId must be a text of at most 4 characters",
            ),
            (json!([7]), "padId must be a text of at most 4 characters"),
            (json!(["a", 0]), "count must be a whole number from 1 to 9"),
            (
                json!(["a", 1.5]),
                "count must be a whole number from 1 to 9",
            ),
            (
                json!(["a", 1e300]),
                "count must be a whole number from 1 to 9",
            ),
            (
                json!(["a", "1"]),
                "count must be a whole number from 1 to 9",
            ),
            (
                json!(["a", 1, "long"]),
                "data must be JSON of at most 5 bytes",
            ),
            (
                json!(["a", 1, 1, 1]),
                "there are 4 arguments, at most 3 are taken",
            ),
        ] {
            assert_eq!(list(&given), outcome, "{given}");
        }
    }

    #[test]
    fn named_arguments_are_checked() {
        let check = |value| check_object(PARAMETERS, &value).map_err(|error| error.to_string());
        assert_eq!(check(json!({"padId": "a", "count": 2})), Ok(()));
        assert_eq!(check(json!({})), Err("padId is missing".into()));
        assert_eq!(
            check(json!({"padId": "a", "ip": "::1"})),
            Err("there is no ip".into())
        );
    }
}
