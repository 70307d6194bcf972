//! Settings of a plugin: the part of JSON Schema that describes them, and the check of values.
//!
//! Every setting has a default, so that a plugin always gets a value for each of them, whatever
//! an operator has set.

mod property;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

pub use property::{Property, PropertyError, PropertyType};

/// How many settings a plugin may have.
pub const PROPERTIES: usize = 50;

/// The settings by their keys: `properties` of an object in JSON Schema.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SettingsSchema(BTreeMap<String, Property>);

/// What is wrong with a schema; the text begins with the key.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SchemaError {
    #[error("there are more than {PROPERTIES} settings")]
    TooMany,
    #[error("{0}: a key is a letter and then up to 39 letters and digits")]
    Key(String),
    #[error("{0}: {1}")]
    Property(String, PropertyError),
}

/// What is wrong with a value, and which.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ValueError {
    #[error("the settings are not an object")]
    NoObject,
    #[error("there is no setting called {0}")]
    Unknown(String),
    #[error("{0} must be {1}")]
    Wrong(String, String),
}

impl SettingsSchema {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The settings in the order of their keys.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &Property)> {
        self.0
            .iter()
            .map(|(key, property)| (key.as_str(), property))
    }

    pub(crate) fn validate(&self) -> Result<(), SchemaError> {
        if self.0.len() > PROPERTIES {
            return Err(SchemaError::TooMany);
        }
        for (key, property) in &self.0 {
            if !is_key(key) {
                return Err(SchemaError::Key(crate::permission::excerpt(key)));
            }
            let wrong = |error| SchemaError::Property(key.clone(), error);
            property.validate().map_err(wrong)?;
        }
        Ok(())
    }

    /// Checks values that an operator has set. Afterwards there is one for every setting: the
    /// default where nothing was set. All that is wrong is in the answer, for a form to show.
    pub fn check(&self, values: &Value) -> Result<Map<String, Value>, Vec<ValueError>> {
        let Some(values) = values.as_object() else {
            return Err(vec![ValueError::NoObject]);
        };
        let unknown = values.keys().filter(|key| !self.0.contains_key(*key));
        let mut errors: Vec<ValueError> = unknown
            .map(|key| ValueError::Unknown(crate::permission::excerpt(key)))
            .collect();
        let mut checked = Map::new();
        for (key, property) in &self.0 {
            let value = values.get(key).unwrap_or(&property.default);
            if property.fits(value) {
                checked.insert(key.clone(), value.clone());
            } else {
                errors.push(ValueError::Wrong(key.clone(), property.expectation()));
            }
        }
        if errors.is_empty() {
            Ok(checked)
        } else {
            Err(errors)
        }
    }

    /// The values that are not as the plugin has them.
    pub fn differing(&self, mut values: Map<String, Value>) -> Map<String, Value> {
        let default = |key: &String| self.0.get(key).map(|property| &property.default);
        values.retain(|key, value| default(key) != Some(value));
        values
    }

    /// What stays of values that another version of the plugin had: those that fit.
    pub fn carry_over(&self, values: &Value) -> Map<String, Value> {
        let value = |(key, property): (&String, &Property)| {
            let kept = values.get(key).filter(|value| property.fits(value));
            (key.clone(), kept.unwrap_or(&property.default).clone())
        };
        self.0.iter().map(value).collect()
    }
}

/// A name that JavaScript can write behind a dot.
pub(crate) fn is_key(text: &str) -> bool {
    (1..=40).contains(&text.len())
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests;
