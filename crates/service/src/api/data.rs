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
            Data::Value(value) => {
                out.reserve(length_of_texts(value));
                // Writing a value into memory cannot fail.
                let _ = serde_json::to_writer(out, value);
            }
            Data::Written(json) => out.extend_from_slice(json.as_bytes()),
        }
    }
}

/// How much there is to write at least, so that a long text is not moved again and again while it
/// is written.
fn length_of_texts(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Object(members) => members.values().map(length_of_texts).sum(),
        _ => 0,
    }
}
