//! The `data` of an answer.

use std::sync::Arc;

use serde_json::Value;
use wtf_json::Json;

#[derive(Clone, Debug)]
pub enum Data {
    Value(Value),
    /// JSON as it is written: a list that is long and the same every time, or text that may hold
    /// half a surrogate pair, which a value cannot.
    Written(Arc<str>),
}

/// For data with text of pads.
impl From<Json> for Data {
    fn from(json: Json) -> Data {
        Data::Written(json.to_string().into())
    }
}

impl From<Value> for Data {
    fn from(value: Value) -> Data {
        Data::Value(value)
    }
}

impl Data {
    /// The data as JSON, which costs nothing to give out again.
    pub fn into_written(self) -> Arc<str> {
        match self {
            Data::Value(value) => serde_json::to_string(&value).unwrap_or_default().into(),
            Data::Written(json) => json,
        }
    }

    /// The data as a value, whichever form it has. Half a surrogate pair becomes U+FFFD.
    pub fn into_value(self) -> Value {
        match self {
            Data::Value(value) => value,
            Data::Written(json) => wtf_json::parse(json.as_bytes())
                .map(|json| json.to_value())
                .unwrap_or_default(),
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
