//! The settings file: what an operator decides.
//!
//! [`load`] turns the text of the file and the environment into [`Settings`], whole or not at all:
//! every problem is reported, and one is enough to keep the service from starting. What can be
//! lived with comes back as warnings for the caller to log. Nothing here is global; code that needs
//! a piece of the settings is handed it.
//!
//! Read in this order: `table` (every key there is), `model` (where the values go), `value` (how
//! each type is read), `tree` (the file itself), `older` (other ways to write the same).

pub mod configuration;
mod diagnostics;
#[cfg(test)]
mod document;
mod edit;
mod locked;
mod mask;
mod model;
mod options;
mod overview;
mod renamed_keys;
mod sanity;
mod table;
mod tree;
mod value;

use serde_json::{Map, Value as Json};

pub use configuration::{Configuration, environment};
pub use diagnostics::{Problem, Warning};
#[cfg(test)]
pub use document::document;
pub use edit::edit;
pub use locked::changed as changed_locked;
pub use mask::{mask, restore};
pub use model::*;
pub use options::Options;
pub use overview::overview;
pub use tree::Environment;
pub use value::{Secret, Setting, WebAddress};

use diagnostics::Report;
use table::{Field, Row};
use tree::{Members, Node, Value};

/// Reads settings. A missing file is the same as the text `{}`.
pub fn load(
    text: &str,
    environment: Environment,
) -> Result<(Settings, Vec<Warning>), Vec<Problem>> {
    let mut report = Report::default();
    let Some(mut members) = tree::parse(text, environment, &mut report) else {
        return Err(report.problems);
    };
    renamed_keys::rewrite(&mut members, &mut report);
    let mut loading = Loading {
        settings: Settings::default(),
        defaults: Settings::default(),
        report,
    };
    loading.object("", &members);
    loading.overrides(environment);
    let Loading {
        settings,
        mut report,
        ..
    } = loading;
    sanity::check(&settings, &mut report);
    if report.problems.is_empty() {
        Ok((settings, report.warnings))
    } else {
        Err(report.problems)
    }
}

/// Every value in force, in the form of the file, with secrets hidden.
pub fn effective(settings: &Settings) -> Json {
    let mut settings = settings.clone();
    let mut whole = Map::new();
    for row in table::rows() {
        if let Some(value) = row.json_value(&mut settings) {
            insert(&mut whole, row.key, value);
        }
    }
    Json::Object(whole)
}

/// What a key does.
pub fn help(key: &str) -> Option<&'static str> {
    table::find(key).map(|row| row.help)
}

/// The name of the variable that counts instead of what the file says of a key.
pub fn variable_over(key: &str, environment: Environment) -> Option<String> {
    let set = variables(table::find(key)?, environment);
    set.last().map(|(name, _)| name)
}

/// Those that are set, the one that counts last.
fn variables(row: &Row, environment: Environment) -> impl Iterator<Item = (String, String)> {
    let general = format!("EP__{}", row.key.replace('.', "__"));
    let names = [general].into_iter().chain(row.variable.map(str::to_owned));
    names.filter_map(move |name| {
        let text = environment(&name).filter(|text| !text.is_empty())?;
        Some((name, text))
    })
}

fn insert(object: &mut Map<String, Json>, key: &str, value: Json) {
    match key.split_once('.') {
        None => {
            object.insert(key.to_owned(), value);
        }
        Some((name, rest)) => {
            let inner = object.entry(name).or_insert_with(|| Map::new().into());
            if let Json::Object(inner) = inner {
                insert(inner, rest, value);
            }
        }
    }
}

struct Loading {
    settings: Settings,
    defaults: Settings,
    report: Report,
}

impl Loading {
    fn object(&mut self, key: &str, members: &Members) {
        for (name, node) in members {
            let path = tree::join(key, name);
            // A name with a dot in it is not a path: `"mail.port"` is no key of ours.
            let row = table::find(&path).filter(|_| !name.contains('.'));
            let below = table::below(&path);
            match (row, &node.value) {
                (Some(row), _) => self.row(row, node),
                (None, _) if below.is_empty() || name.contains('.') => self.unknown(&path, node),
                (None, Value::Object(members)) => self.object(&path, members),
                (None, Value::Null) => {}
                (None, _) => {
                    let allowed = format!("an object with {}", below.join(", "));
                    self.report.refuse_kind(&path, node, &allowed);
                }
            }
        }
    }

    fn row(&mut self, row: &'static Row, node: &Node) {
        let default = row.json_value(&mut self.defaults).unwrap_or_default();
        if node.is_null() {
            self.null(row, node, &default);
        } else if let Field::Foreign = row.field {
            let text = format!(
                "{} is ignored: it does not apply here. {}",
                row.key, row.help
            );
            self.report.warn(row.key, node.place, text);
        } else if node.text() != Some("") || !default.is_null() || row.may_be_empty {
            row.read(&mut self.settings, node, &mut self.report);
        }
    }

    /// `null` is "not given" for every key. Where Etherpad means something else by it, somebody who
    /// wrote it should know.
    fn null(&mut self, row: &Row, node: &Node, default: &Json) {
        if !default.is_null() && node.variable.is_none() {
            let text = format!(
                "{} is null, which stands for the default, {default}",
                row.key
            );
            self.report.warn(row.key, node.place, text);
        }
    }

    fn unknown(&mut self, path: &str, node: &Node) {
        let alike = table::rows().find(|row| row.key.eq_ignore_ascii_case(path));
        let hint = match alike {
            Some(row) if row.key == path => "; a dot in a name does not lead into an object".into(),
            Some(row) => format!("; is {} meant?", row.key),
            None if path.starts_with("ep_") => "; it belongs to a plugin of Etherpad".into(),
            None => String::new(),
        };
        let text = value::unknown(path) + &hint;
        self.report.warn(path, node.place, text);
    }

    /// Variables that count without being named in the file: some rows have one of their own, and
    /// `EP__mail__port` is `mail.port`. An empty one is not set: container files are full of those.
    fn overrides(&mut self, environment: Environment) {
        for row in table::rows() {
            if let Field::Foreign | Field::OlderName(_) = row.field {
                continue;
            }
            for (name, text) in variables(row, environment) {
                self.row(row, &Node::from_variable(&name, text));
            }
        }
    }
}

#[cfg(test)]
mod tests;
