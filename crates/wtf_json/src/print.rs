//! Writing JSON, as JavaScript writes it: no white space, and half of a surrogate pair as an
//! escape.

use std::fmt::{self, Write};

use super::Json;

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        push_json(&mut out, self);
        f.write_str(&out)
    }
}

/// Writes a value behind what is in a string already.
pub fn push_json(out: &mut String, json: &Json) {
    match json {
        Json::Null => out.push_str("null"),
        Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        // Writing into a string cannot fail, here and below.
        Json::Number(number) => {
            let _ = write!(out, "{number}");
        }
        Json::String(text) => push_string(out, text),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                push_comma(out, index);
                push_json(out, item);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (index, (name, value)) in members.iter().enumerate() {
                push_comma(out, index);
                push_string(out, name);
                out.push(':');
                push_json(out, value);
            }
            out.push('}');
        }
    }
}

fn push_comma(out: &mut String, index: usize) {
    if index > 0 {
        out.push(',');
    }
}

/// Writes units as a JSON string, with its quotes.
pub fn push_string(out: &mut String, units: &[u16]) {
    out.push('"');
    for c in char::decode_utf16(units.iter().copied()) {
        match c {
            Ok('"') => out.push_str("\\\""),
            Ok('\\') => out.push_str("\\\\"),
            Ok('\n') => out.push_str("\\n"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\t') => out.push_str("\\t"),
            Ok('\u{8}') => out.push_str("\\b"),
            Ok('\u{c}') => out.push_str("\\f"),
            Ok(c) if c < ' ' => push_escape(out, c as u16),
            Ok(c) => out.push(c),
            Err(half) => push_escape(out, half.unpaired_surrogate()),
        }
    }
    out.push('"');
}

fn push_escape(out: &mut String, unit: u16) {
    let _ = write!(out, "\\u{unit:04x}");
}
