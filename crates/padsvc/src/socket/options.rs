//! Options of a pad that its creator sets for everybody.
//!
//! What is stored is always whole: every option has a value of its type. Unknown names are left
//! out, except those of plugins, which are kept as they are within bounds.

use pad::limits::{
    OPTION_FONT, OPTION_LANGUAGE, PLUGIN_OPTION_BYTES, PLUGIN_OPTIONS_BYTES, cut, fits,
};
use serde_json::{Map, Value, json};

use crate::settings::Settings;

/// Stored options with everything that is missing filled in.
pub(super) fn complete(stored: Option<&str>, settings: &Settings) -> Value {
    let stored = stored.and_then(|text| serde_json::from_str(text).ok());
    normalised(&stored.unwrap_or(Value::Null), settings)
}

/// Options after a change by the pad's creator.
pub(super) fn merged(before: &Value, change: &Value, settings: &Settings) -> Value {
    let mut merged = before.clone();
    if let (Value::Object(merged), Value::Object(change)) = (&mut merged, change) {
        for (name, value) in change {
            match (name.as_str(), merged.get_mut(name), value) {
                ("view", Some(Value::Object(view)), Value::Object(change)) => {
                    view.extend(change.clone());
                }
                _ => {
                    merged.insert(name.clone(), value.clone());
                }
            }
        }
    }
    normalised(&merged, settings)
}

/// The values that hold after a change, of the options that it names. This is what others hear:
/// the client's own words would reach them unchecked.
pub(super) fn named_by(change: &Value, after: &Value) -> Value {
    let (Value::Object(change), Value::Object(after)) = (change, after) else {
        return json!({});
    };
    let named = after.iter().filter_map(|(name, value)| {
        let told = match (name.as_str(), change.get(name)?) {
            ("view", view @ Value::Object(_)) => named_by(view, value),
            _ => value.clone(),
        };
        Some((name.clone(), told))
    });
    Value::Object(named.collect())
}

fn normalised(options: &Value, settings: &Settings) -> Value {
    let defaults = &settings.pages.options;
    let flag = |options: &Value, name: &str, default: bool| {
        options
            .get(name)
            .and_then(Value::as_bool)
            .unwrap_or(default)
    };
    let view = options.get("view").unwrap_or(&Value::Null);
    let font = view
        .get("padFontFamily")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let language = options.get("lang").and_then(Value::as_str);
    let mut whole = json!({
        "enforceSettings": flag(options, "enforceSettings", false),
        "showChat": flag(options, "showChat", defaults.show_chat),
        "alwaysShowChat": flag(options, "alwaysShowChat", false),
        "chatAndUsers": flag(options, "chatAndUsers", false),
        "lang": language.filter(|language| fits(language, OPTION_LANGUAGE)),
        "view": {
            "showAuthorColors": flag(view, "showAuthorColors", true),
            "showLineNumbers": flag(view, "showLineNumbers", defaults.show_line_numbers),
            "rtlIsTrue": flag(view, "rtlIsTrue", false),
            "fadeInactiveAuthorColors":
                flag(view, "fadeInactiveAuthorColors", defaults.fade_inactive_authors),
            "padFontFamily": cut(font, OPTION_FONT),
        },
    });
    if settings.pads.plugin_options
        && let (Value::Object(whole), Value::Object(options)) = (&mut whole, options)
    {
        keep_plugins(whole, options);
    }
    whole
}

fn keep_plugins(whole: &mut Map<String, Value>, options: &Map<String, Value>) {
    let mut room = PLUGIN_OPTIONS_BYTES;
    for (name, value) in options.iter().filter(|(name, _)| is_plugin(name)) {
        let bytes = value.to_string().len();
        if bytes <= PLUGIN_OPTION_BYTES && bytes <= room {
            room -= bytes;
            whole.insert(name.clone(), value.clone());
        }
    }
}

fn is_plugin(name: &str) -> bool {
    let letters = name.strip_prefix("ep_").unwrap_or_default();
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !letters.is_empty() && letters.len() <= 100 && letters.bytes().all(allowed)
}
