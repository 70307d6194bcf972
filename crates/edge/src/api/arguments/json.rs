//! A JSON object as arguments. Numbers and truth values keep their type; `null` is not given.
//!
//! The object goes straight into the list of arguments: an ordinary map would keep the last of a
//! repeated name, and the first counts. Half a surrogate pair, which the usual reader refuses, is
//! part of some texts.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use service::api::Argument;
use wtf_json::Json;

use super::{Fields, Unreadable};

/// Some programs put it before every text they write.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) fn read(body: &[u8], fields: &mut Fields) -> Result<(), Unreadable> {
    let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    let is_space = |byte: &u8| b" \t\r\n".contains(byte);
    if body.iter().find(|byte| !is_space(byte)) != Some(&b'{') {
        // Anything that begins like another value is one, or nothing.
        let valid = serde_json::from_slice::<IgnoredAny>(body);
        return Err(valid.map_or_else(broken, |_| Unreadable::NotAnObject));
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let whole = Object(fields).deserialize(&mut json);
    match whole.and_then(|()| json.end()) {
        Err(_) if fields.is_over_full() => Err(Unreadable::TooManyFields),
        Err(error) if has_surrogate(body) => {
            *fields = Fields::default();
            read_units(body, fields).unwrap_or_else(|| Err(broken(error)))
        }
        other => other.map_err(broken),
    }
}

/// Whether an escape says a half of a surrogate pair.
fn has_surrogate(body: &[u8]) -> bool {
    let is_half = |escape: &[u8]| {
        matches!(
            escape,
            [
                b'\\',
                b'u',
                b'd' | b'D',
                b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F',
            ]
        )
    };
    body.windows(4).any(is_half)
}

/// Reads texts unit by unit. `None`: that cannot be read either.
fn read_units(body: &[u8], fields: &mut Fields) -> Option<Result<(), Unreadable>> {
    for member in wtf_json::entries(body).ok()? {
        let (name, value) = member.ok()?;
        let value = match value {
            Json::Null => continue,
            Json::Bool(value) => Argument::Boolean(value),
            Json::Number(number) => Argument::Number(number.as_f64()?),
            Json::String(text) => match text.to_utf8() {
                Some(text) => Argument::Text(text),
                None => Argument::Units(text),
            },
            Json::Array(_) | Json::Object(_) => Argument::Other,
        };
        if let Err(reason) = fields.push(name.to_string_lossy(), value) {
            return Some(Err(reason));
        }
    }
    Some(Ok(()))
}

fn broken(error: serde_json::Error) -> Unreadable {
    Unreadable::Json(error.to_string())
}

struct Object<'a>(&'a mut Fields);

impl<'de> DeserializeSeed<'de> for Object<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value_seed(Value)?;
            if let Some(value) = value {
                let pushed = self.0.push(name, value);
                pushed.map_err(A::Error::custom)?;
            }
        }
        Ok(())
    }
}

struct Value;

impl<'de> DeserializeSeed<'de> for Value {
    type Value = Option<Argument>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value {
    type Value = Option<Argument>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Some(Argument::Boolean(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Some(Argument::Number(value as f64)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Some(Argument::Number(value as f64)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Some(Argument::Number(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Some(Argument::Text(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Some(Argument::Other))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Some(Argument::Other))
    }
}
