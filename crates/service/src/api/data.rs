//! The `data` of an answer.

use std::sync::Arc;

use serde_json::Value;

#[derive(Clone, Debug)]
pub enum Data {
    Value(Value),
    /// JSON that is kept as it is written, because it is long and the same every time.
    Written(Arc<str>),
}

impl Data {
    /// The data as a value, whichever form it has.
    pub fn into_value(self) -> Value {
        match self {
            Data::Value(value) => value,
            Data::Written(json) => serde_json::from_str(&json).unwrap_or_default(),
        }
    }

    /// Adds the data to a text as JSON.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            // Writing a value into memory cannot fail.
            Data::Value(value) => drop(serde_json::to_writer(out, value)),
            Data::Written(json) => out.extend_from_slice(json.as_bytes()),
        }
    }
}
