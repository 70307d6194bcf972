//! Overview of all settings: each value and its source, and what a form needs to change it.
//!
//! Invariant: no secret is in it, neither from the file nor from the environment.

use serde_json::{Map, Value as Json, json};

use super::diagnostics::HIDDEN;
use super::edit::raw_values;
use super::locked::is_locked;
use super::mask::has_userinfo;
use super::model::Settings;
use super::table::{self, Field, Row};
use super::tree::{Environment, reference};
use super::value::Kind;
use super::{load, variable_over};

/// By section. `text` is the settings file as it is now, which is not always what is in force.
pub fn overview(settings: &Settings, text: Option<&str>, environment: Environment) -> Json {
    let next = text.and_then(|text| load(text, environment).ok());
    let mut view = View {
        file: text.and_then(raw_values::whole),
        next: next.map(|(settings, _)| settings),
        now: settings.clone(),
        defaults: Settings::default(),
        environment,
    };
    let mut sections = Vec::new();
    for section in table::SECTIONS {
        let rows = section.rows.iter().filter_map(|row| view.row(row));
        let rows: Vec<Json> = rows.collect();
        if !rows.is_empty() {
            sections.push(json!({ "title": section.title, "rows": rows }));
        }
    }
    Json::Array(sections)
}

struct View<'a> {
    /// What is written in the file, if it can be read.
    file: Option<Json>,
    /// What would be in force after another start.
    next: Option<Settings>,
    now: Settings,
    defaults: Settings,
    environment: Environment<'a>,
}

impl View<'_> {
    /// `None` for a key without a value of its own.
    fn row(&mut self, row: &Row) -> Option<Json> {
        let (mut value, default) = (
            row.json_value(&mut self.now)?,
            row.json_value(&mut self.defaults)?,
        );
        hide(&mut value, &[]);
        let overruled = self.overruled(row.key);
        let next = self.next.as_mut().and_then(|next| row.json_value(next));
        let mut next = next.filter(|_| !self.now.commanded.contains(&row.key));
        next.iter_mut().for_each(|next| hide(next, &[]));
        let mut shown = json!({
            "key": row.key,
            "value": value,
            "next": next.unwrap_or_else(|| value.clone()),
            "default": default,
            "allowed": row.allowed(&mut self.defaults),
            "help": row.help,
            "variable": row.variable,
            "overruled": overruled,
            "locked": is_locked(row.key, &self.now.access.locked),
        });
        if let Some(shown) = shown.as_object_mut() {
            self.sort_of(row, shown);
        }
        Some(shown)
    }

    /// What sort of value it has, and what the file says of it.
    fn sort_of(&mut self, row: &Row, shown: &mut Map<String, Json>) {
        let mut tell = |name: &str, value: Json| shown.insert(name.to_owned(), value);
        let mut secrets = Vec::new();
        let kind = match row.kind(&mut self.defaults) {
            None => {
                if let Field::Whole(bounds, _) = row.field {
                    tell("least", bounds.least.into());
                    tell("most", bounds.most.into());
                }
                "whole"
            }
            Some((kind, members)) => {
                secrets = members;
                match kind {
                    Kind::Flag => "flag",
                    Kind::Text => "text",
                    Kind::Secret => "secret",
                    Kind::Choice(options) => {
                        tell("options", options.into());
                        "choice"
                    }
                    Kind::List => "list",
                    Kind::Object => "object",
                }
            }
        };
        tell("kind", kind.into());
        let file = self.file.as_ref();
        let written = file.and_then(|file| raw_values::value(file, row.key));
        let written = written.filter(|written| !written.is_null());
        tell("given", written.is_some().into());
        let name = written.and_then(Json::as_str).and_then(reference);
        tell("placeholder", name.map(|(name, _)| name).into());
        let mut written = written.cloned().unwrap_or_default();
        // In what cannot be read a secret may be anywhere.
        let is_obscure = self.next.is_none() && !secrets.is_empty();
        if kind == "secret" || is_obscure {
            written = Json::Null
        } else {
            hide(&mut written, &secrets)
        }
        tell("written", written);
    }

    /// What has another say than the file.
    fn overruled(&self, key: &str) -> Option<String> {
        match self
            .now
            .commanded
            .iter()
            .find(|commanded| **commanded == key)
        {
            Some(key) => Some(format!("--{key}")),
            None => variable_over(key, self.environment),
        }
    }
}

/// Hides the members of these names, and addresses with a password in them, wherever they are.
fn hide(value: &mut Json, secrets: &[&str]) {
    match value {
        Json::Array(items) => items.iter_mut().for_each(|item| hide(item, secrets)),
        Json::Object(members) => {
            for (name, value) in members {
                if secrets.contains(&name.as_str()) {
                    *value = HIDDEN.into()
                } else {
                    hide(value, secrets)
                }
            }
        }
        Json::String(text) if has_userinfo(text) => *value = HIDDEN.into(),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
