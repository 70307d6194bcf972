//! Raw values of a settings file: placeholders for environment variables are not filled in.

use jsonc_parser::{CollectOptions, parse_to_ast};
use serde_json::Value as Json;

use crate::tree::OPTIONS;

/// The file as a value, if it can be read.
pub(crate) fn whole(text: &str) -> Option<Json> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = parse_to_ast(text, &CollectOptions::default(), &OPTIONS).ok()?;
    let value = Json::from(parsed.value?);
    value.is_object().then_some(value)
}

/// The value of a key in it.
pub(crate) fn value<'a>(whole: &'a Json, key: &str) -> Option<&'a Json> {
    let outer = key.split('.').next().and_then(|name| whole.get(name))?;
    if is_short_form(key, outer) {
        return Some(outer);
    }
    key.split('.')
        .try_fold(whole, |value, name| value.get(name))
}

/// Whether a value that stands for an object is, for short, the value of this key.
pub(crate) fn is_short_form(key: &str, outer: &Json) -> bool {
    match key {
        "sso.clients" => outer.is_array(),
        "dbSettings.connectionString" => outer.is_string(),
        _ => false,
    }
}
