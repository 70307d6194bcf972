//! One setting: its type, its bounds and its default.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::parameter::{has_units, is_plain};

/// The longest text a setting may hold, and what it is without a `maxLength`.
const MAX_LENGTH: usize = 10_000;
const USUAL_LENGTH: usize = 1_000;
const TITLE: usize = 100;
const DESCRIPTION: usize = 500;
const CHOICES: usize = 50;
const CHOICE: usize = 100;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Property {
    #[serde(rename = "type")]
    pub kind: PropertyType,
    /// What the form calls it. A text `settings.KEY` of the plugin's locale files goes before it.
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub default: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    /// The texts to choose from.
    #[serde(rename = "enum", default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// Not shown again after it was set, such as the key of another service.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PropertyType {
    String,
    Number,
    Integer,
    Boolean,
}

#[derive(Clone, Debug, Error, PartialEq)]
pub enum PropertyError {
    #[error("title has 1 to {TITLE} characters, all of them visible")]
    Title,
    #[error("description has at most {DESCRIPTION} characters, all of them visible")]
    Description,
    #[error("{0} is for settings of the type {1}")]
    NotForType(&'static str, &'static str),
    #[error("minimum is greater than maximum")]
    Range,
    #[error("maxLength is a number from 1 to {MAX_LENGTH}")]
    MaxLength,
    #[error("enum has 1 to {CHOICES} different texts of 1 to {CHOICE} visible characters")]
    Choices,
    #[error("default must be {0}")]
    Default(String),
}

impl Property {
    pub(super) fn validate(&self) -> Result<(), PropertyError> {
        let title = &self.title;
        if title.trim().is_empty() || !has_units(title, TITLE) || !is_plain(title) {
            return Err(PropertyError::Title);
        }
        let description = self.description.as_deref().unwrap_or_default();
        if !has_units(description, DESCRIPTION) || !is_plain(&description.replace('\n', " ")) {
            return Err(PropertyError::Description);
        }
        self.validate_bounds()?;
        if !self.fits(&self.default) {
            return Err(PropertyError::Default(self.expectation()));
        }
        Ok(())
    }

    fn validate_bounds(&self) -> Result<(), PropertyError> {
        use PropertyType::{Integer, Number, String};
        let numeric = matches!(self.kind, Number | Integer);
        let textual = self.kind == String;
        for (is_set, fits, name, types) in [
            (
                self.minimum.is_some(),
                numeric,
                "minimum",
                "number or integer",
            ),
            (
                self.maximum.is_some(),
                numeric,
                "maximum",
                "number or integer",
            ),
            (self.max_length.is_some(), textual, "maxLength", "string"),
            (self.choices.is_some(), textual, "enum", "string"),
            (self.secret, textual, "secret", "string"),
        ] {
            if is_set && !fits {
                return Err(PropertyError::NotForType(name, types));
            }
        }
        if self
            .minimum
            .zip(self.maximum)
            .is_some_and(|(min, max)| min > max)
        {
            return Err(PropertyError::Range);
        }
        if self
            .max_length
            .is_some_and(|max| !(1..=MAX_LENGTH).contains(&max))
        {
            return Err(PropertyError::MaxLength);
        }
        if self
            .choices
            .as_deref()
            .is_some_and(|list| !are_choices(list))
        {
            return Err(PropertyError::Choices);
        }
        Ok(())
    }

    pub(super) fn fits(&self, value: &Value) -> bool {
        match self.kind {
            PropertyType::Boolean => value.is_boolean(),
            PropertyType::Number => value.as_f64().is_some_and(|number| self.is_between(number)),
            PropertyType::Integer => value
                .as_f64()
                .is_some_and(|it| it.fract() == 0.0 && it.abs() < 9e15 && self.is_between(it)),
            PropertyType::String => value.as_str().is_some_and(|text| {
                let chosen = self.choices.as_ref();
                chosen.is_none_or(|list| list.iter().any(|choice| choice == text))
                    && has_units(text, self.max_length.unwrap_or(USUAL_LENGTH))
            }),
        }
    }

    fn is_between(&self, number: f64) -> bool {
        self.minimum.is_none_or(|min| number >= min) && self.maximum.is_none_or(|max| number <= max)
    }

    /// What a value must be, to be read after "must be".
    pub fn expectation(&self) -> String {
        if let Some(choices) = &self.choices {
            return format!("one of {}", choices.join(", "));
        }
        let kind = match self.kind {
            PropertyType::Boolean => return "true or false".to_owned(),
            PropertyType::String => {
                let max = self.max_length.unwrap_or(USUAL_LENGTH);
                return format!("a text of at most {max} characters");
            }
            PropertyType::Number => "a number",
            PropertyType::Integer => "a whole number",
        };
        match (self.minimum, self.maximum) {
            (Some(min), Some(max)) => format!("{kind} from {min} to {max}"),
            (Some(min), None) => format!("{kind} of at least {min}"),
            (None, Some(max)) => format!("{kind} of at most {max}"),
            (None, None) => kind.to_owned(),
        }
    }
}

fn are_choices(list: &[String]) -> bool {
    let different: std::collections::BTreeSet<&String> = list.iter().collect();
    (1..=CHOICES).contains(&list.len())
        && different.len() == list.len()
        && list
            .iter()
            .all(|choice| !choice.is_empty() && has_units(choice, CHOICE) && is_plain(choice))
}
