//! Other values for some keys, in the text of a settings file: comments, layout and all other
//! values stay as they are.
//!
//! Nothing is judged here but whether a key can be changed at all. Whether the new value is a good
//! one, the reader says of the new text.

mod layout;
pub(crate) mod raw_values;
mod text;

use serde_json::{Map, Value as Json};

use super::diagnostics::{HIDDEN, Problem, Report};
use super::table::{self, Field};
use super::tree;
use text::Text;

/// The text with these values; `null` is back to the default. All of the changes are made, or none.
pub fn edit(text: &str, changes: &Map<String, Json>) -> Result<String, Vec<Problem>> {
    let mut report = Report::default();
    tree::parse(text, &|_| None, &mut report);
    for key in changes.keys() {
        changeable(key, &mut report);
    }
    if !report.problems.is_empty() {
        return Err(report.problems);
    }
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(text) => ("\u{feff}", text),
        None => ("", text),
    };
    let mut text = Text::new(text);
    for (key, value) in changes {
        // An older name would count again, or be warned of.
        for older in older_names(key) {
            remove(&mut text, older);
        }
        match value {
            Json::Null => remove(&mut text, key),
            value => set(&mut text, key, value, &mut report),
        }
    }
    if report.problems.is_empty() {
        Ok(format!("{mark}{}", text.finish()))
    } else {
        Err(report.problems)
    }
}

fn changeable(key: &str, report: &mut Report) {
    let text = match table::find(key).map(|row| (&row.field, row.help)) {
        Some((Field::Any(_) | Field::Whole(..), _)) => return,
        Some((Field::OlderName(now), _)) => format!("{key} is an older name; change {now}"),
        Some((Field::Foreign, why)) => format!("{key} does not apply here. {why}"),
        None => match table::below(key).as_slice() {
            [] => format!("{key} cannot be changed: padsvc has no such setting"),
            names => format!("{key} is an object; change one of {}", names.join(", ")),
        },
    };
    report.fail(key, None, text);
}

fn older_names(key: &str) -> impl Iterator<Item = &'static str> {
    table::rows().filter_map(move |row| match row.field {
        Field::OlderName(now) if now == key => Some(row.key),
        _ => None,
    })
}

fn set(text: &mut Text, key: &str, value: &Json, report: &mut Report) {
    match open(text, key) {
        Ok(()) => merge(text, &path(key), value, report),
        Err(NotAnObject(closed)) => {
            let names = table::below(&closed).join(", ");
            let told = format!("{key} cannot be changed: {closed} is not an object with {names}");
            report.fail(key, None, told);
        }
    }
}

/// The key of a value that has to be an object, and is none.
struct NotAnObject(String);

/// Sees to it that what is on the way to a key is an object, or not there at all.
fn open(text: &mut Text, key: &str) -> Result<(), NotAnObject> {
    let names = path(key);
    for depth in 1..names.len() {
        let (outer, _) = names.split_at(depth);
        let name = outer.join(".");
        match text.value(outer) {
            None => break,
            Some(Json::Object(_)) => {}
            Some(Json::Null) => text.put(outer, &Json::Object(Map::new())),
            // Short forms, which stand for one of the members.
            Some(Json::Array(_)) if name == "sso" => text.wrap(outer, "clients"),
            Some(Json::String(_)) if name == "dbSettings" => {
                text.wrap(outer, "connectionString");
            }
            Some(_) => return Err(NotAnObject(name)),
        }
    }
    Ok(())
}

/// Objects are changed member by member, so that comments inside stay; and so do secrets that come
/// back as they were shown.
fn merge(text: &mut Text, path: &[&str], value: &Json, report: &mut Report) {
    match (text.value(path), value) {
        (Some(now), value) if now == *value || value == HIDDEN => {}
        (Some(Json::Object(now)), Json::Object(members)) if !members.is_empty() => {
            let inside = |name| [path, &[name]].concat();
            for name in now.keys().filter(|name| !members.contains_key(*name)) {
                text.remove(&inside(name));
            }
            for (name, value) in members {
                merge(text, &inside(name), value, report);
            }
        }
        (_, value) if hides(value) => {
            let key = path.join(".");
            let told = format!(
                "{key} has {HIDDEN} where no secret is kept; write the secret, or change it in \
                 the file itself"
            );
            report.fail(&key, None, told);
        }
        _ => text.put(path, value),
    }
}

fn hides(value: &Json) -> bool {
    match value {
        Json::String(text) => text == HIDDEN,
        Json::Array(items) => items.iter().any(hides),
        Json::Object(members) => members.values().any(hides),
        _ => false,
    }
}

/// Removes a key, and the objects around it that have nothing left in them.
fn remove(text: &mut Text, key: &str) {
    let mut names = path(key);
    let outer = text.value(names.get(..1).unwrap_or_default());
    if outer.is_some_and(|outer| raw_values::is_short_form(key, &outer)) {
        names.truncate(1);
    }
    text.remove(&names);
    names.pop();
    while !names.is_empty() && text.is_bare(&names) {
        text.remove(&names);
        names.pop();
    }
}

fn path(key: &str) -> Vec<&str> {
    key.split('.').collect()
}

#[cfg(test)]
mod tests;
