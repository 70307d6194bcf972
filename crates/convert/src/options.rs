//! Options of a pad as JSON: how they are stored, and how Etherpad's clients write them.
//!
//! Reading never fails. A value of the wrong type stands for the default, and what is not an option
//! is left out.

use std::str::FromStr;

use pad::{OptionRules, OptionsPatch, PadOptions, Patch, PluginName, ViewPatch};
use serde_json::{Map, Value};

/// The options that an object names.
pub fn from_json(json: &Value) -> OptionsPatch {
    let Value::Object(members) = json else {
        return OptionsPatch::default();
    };
    let plugins = members.iter().filter_map(|(name, value)| {
        let name = PluginName::parse(name)?;
        Some((name, value.to_string()))
    });
    OptionsPatch {
        enforce_settings: flag(members, "enforceSettings"),
        show_chat: flag(members, "showChat"),
        always_show_chat: flag(members, "alwaysShowChat"),
        chat_and_users: flag(members, "chatAndUsers"),
        language: patch(members, "lang", |value| {
            Some(Some(value.as_str()?.to_owned()))
        }),
        view: members.get("view").map(|view| match view {
            Value::Object(members) => view_from_json(members),
            _ => ViewPatch::reset(),
        }),
        plugins: plugins.collect(),
    }
}

fn view_from_json(members: &Map<String, Value>) -> ViewPatch {
    ViewPatch {
        show_author_colours: flag(members, "showAuthorColors"),
        show_line_numbers: flag(members, "showLineNumbers"),
        right_to_left: flag(members, "rtlIsTrue"),
        fade_inactive_authors: flag(members, "fadeInactiveAuthorColors"),
        font: patch(members, "padFontFamily", |value| {
            Some(value.as_str()?.to_owned())
        }),
    }
}

fn flag(members: &Map<String, Value>, name: &str) -> Patch<bool> {
    patch(members, name, Value::as_bool)
}

fn patch<T>(
    members: &Map<String, Value>,
    name: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Patch<T> {
    match members.get(name) {
        None => Patch::Keep,
        Some(value) => read(value).map_or(Patch::Reset, Patch::Set),
    }
}

/// The object that names the same options.
pub fn to_json(options: &OptionsPatch) -> Value {
    let mut members = Map::new();
    put(&mut members, "enforceSettings", &options.enforce_settings);
    put(&mut members, "showChat", &options.show_chat);
    put(&mut members, "alwaysShowChat", &options.always_show_chat);
    put(&mut members, "chatAndUsers", &options.chat_and_users);
    put(&mut members, "lang", &options.language);
    if let Some(view) = &options.view {
        members.insert("view".to_owned(), view_to_json(view));
    }
    for (name, value) in &options.plugins {
        let value = Value::from_str(value).unwrap_or_default();
        members.insert(name.as_str().to_owned(), value);
    }
    Value::Object(members)
}

fn view_to_json(view: &ViewPatch) -> Value {
    let mut members = Map::new();
    put(&mut members, "showAuthorColors", &view.show_author_colours);
    put(&mut members, "showLineNumbers", &view.show_line_numbers);
    put(&mut members, "rtlIsTrue", &view.right_to_left);
    put(
        &mut members,
        "fadeInactiveAuthorColors",
        &view.fade_inactive_authors,
    );
    put(&mut members, "padFontFamily", &view.font);
    Value::Object(members)
}

fn put<T: Clone + Into<Value>>(members: &mut Map<String, Value>, name: &str, patch: &Patch<T>) {
    let value = match patch {
        Patch::Keep => return,
        Patch::Reset => Value::Null,
        Patch::Set(value) => value.clone().into(),
    };
    members.insert(name.to_owned(), value);
}

/// Options as they are stored, with everything that is missing filled in.
pub fn from_stored(stored: Option<&str>, rules: &OptionRules) -> PadOptions {
    let stored = stored.and_then(|text| Value::from_str(text).ok());
    let patch = from_json(&stored.unwrap_or_default());
    rules.defaults().apply(&patch, rules)
}

pub fn to_stored(options: &PadOptions) -> String {
    to_json(&options.to_patch()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_options_are_read_and_written_in_etherpads_form() {
        let rules = OptionRules::default();
        let stored = concat!(
            r#"{"enforceSettings":true,"showChat":false,"alwaysShowChat":true,"#,
            r#""chatAndUsers":true,"lang":"de","view":{"showAuthorColors":false,"#,
            r#""showLineNumbers":false,"rtlIsTrue":true,"fadeInactiveAuthorColors":false,"#,
            r#""padFontFamily":"serif"},"ep_notes":{"enabled":true}}"#,
        );
        assert_eq!(to_stored(&from_stored(Some(stored), &rules)), stored);
        for odd in [
            None,
            Some(""),
            Some("[1]"),
            Some(r#"{"showChat":"no","lang":7,"view":["x"],"evil":1,"ep_":2}"#),
            Some(r#"{"view":{"rtlIsTrue":1,"padFontFamily":null,"evil":1}}"#),
        ] {
            assert_eq!(from_stored(odd, &rules), rules.defaults(), "{odd:?}");
        }
    }
}
