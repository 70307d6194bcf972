//! Table of all keys.
//!
//! A row says what the key is called in the file, where its value goes, and what it does. Loading,
//! `docs/settings.md` and the view of the effective values all come from these rows; types,
//! defaults and allowed values come from the field that a row points at. A key of Etherpad's
//! template that has no meaning here has a row too, with the reason.

mod access;
mod alerts;
mod foreign;
mod pads;
mod pages;
mod plugins;
mod server;
mod updates;

use serde_json::Value as Json;

use super::diagnostics::Report;
use super::model::Settings;
use super::tree::Node;
use super::value::{Kind, Number, Setting};

pub(crate) struct Section {
    pub title: &'static str,
    pub rows: &'static [Row],
}

pub(crate) const SECTIONS: &[Section] = &[
    server::LISTENING,
    server::LOG,
    server::DATA,
    pads::PADS,
    pads::FILES,
    pads::SOCKETS,
    access::ACCESS,
    access::LOGINS,
    pages::PAGES,
    pages::EDITOR,
    pages::PRIVACY,
    plugins::PLUGINS,
    updates::UPDATES,
    updates::MAIL,
    alerts::ALERTS,
    foreign::FOREIGN,
];

pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    SECTIONS.iter().flat_map(|section| section.rows)
}

pub(crate) fn find(key: &str) -> Option<&'static Row> {
    rows().find(|row| row.key == key)
}

/// The names of the keys below this one; empty if it is not the beginning of any.
pub(crate) fn below(key: &str) -> Vec<&'static str> {
    let mut names: Vec<&str> = rows()
        .filter(|row| matches!(row.field, Field::Any(_) | Field::Whole(..)))
        .filter_map(|row| row.key.strip_prefix(key)?.strip_prefix('.'))
        .filter_map(|rest| rest.split('.').next())
        .collect();
    names.dedup();
    names
}

pub(crate) struct Row {
    /// The path in the file, such as `mail.port`.
    pub key: &'static str,
    pub field: Field,
    /// What it does; for a key that does not apply, why not.
    pub help: &'static str,
    /// Whether a wrong value is a warning and the default, instead of a reason not to start.
    pub lenient: bool,
    /// Whether an empty text is a value. Other keys without a default take it for "not given",
    /// because that is what a variable that is set to nothing means.
    pub may_be_empty: bool,
    /// An environment variable that wins over the file.
    pub variable: Option<&'static str>,
}

pub(crate) enum Field {
    Any(fn(&mut Settings) -> &mut dyn Setting),
    Whole(Bounds, fn(&mut Settings) -> &mut dyn Number),
    /// Another name for the key given, which is resolved before the table is asked.
    OlderName(&'static str),
    /// A key of Etherpad without a meaning here.
    Foreign,
}

#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub least: u64,
    pub most: u64,
    /// Whether a number outside of the bounds counts as the nearest one inside.
    pub clamped: bool,
}

impl Row {
    /// What may be written, to follow "must be".
    pub(crate) fn allowed(&self, defaults: &mut Settings) -> String {
        match self.field {
            Field::Any(field) => field(defaults).allowed(),
            Field::Whole(bounds, _) => bounds.allowed(),
            Field::OlderName(_) | Field::Foreign => String::new(),
        }
    }

    /// What sort of value it has, and the members of it that are secrets; `None` for a whole number
    /// and for a row without a value of its own.
    pub(crate) fn kind(&self, defaults: &mut Settings) -> Option<(Kind, Vec<&'static str>)> {
        match self.field {
            Field::Any(field) => {
                let field = field(defaults);
                Some((field.kind(), field.secrets()))
            }
            Field::Whole(..) | Field::OlderName(_) | Field::Foreign => None,
        }
    }

    /// Takes the value over into the settings, or tells the report why not.
    pub(crate) fn read(&self, settings: &mut Settings, node: &Node, report: &mut Report) {
        let kept = report.problems.len();
        match self.field {
            Field::Any(field) => field(settings).read(self.key, node, report),
            Field::Whole(bounds, field) => bounds.read(self.key, field(settings), node, report),
            Field::OlderName(_) | Field::Foreign => {}
        }
        if self.lenient {
            let value = self.json_value(settings).unwrap_or_default();
            report.soften(kept, &format!("; it counts as {value}"));
        }
    }

    /// The value in the settings, secrets hidden; `None` if the row has no value of its own.
    pub(crate) fn json_value(&self, settings: &mut Settings) -> Option<Json> {
        match self.field {
            Field::Any(field) => Some(field(settings).to_json()),
            Field::Whole(_, field) => Some(field(settings).get().into()),
            Field::OlderName(_) | Field::Foreign => None,
        }
    }

    const fn lenient(self) -> Row {
        Row {
            lenient: true,
            ..self
        }
    }

    const fn may_be_empty(self) -> Row {
        Row {
            may_be_empty: true,
            ..self
        }
    }

    const fn clamped(self) -> Row {
        match self.field {
            Field::Whole(bounds, field) => {
                let bounds = Bounds {
                    clamped: true,
                    ..bounds
                };
                let field = Field::Whole(bounds, field);
                Row { field, ..self }
            }
            _ => self,
        }
    }

    const fn variable(self, name: &'static str) -> Row {
        Row {
            variable: Some(name),
            ..self
        }
    }
}

impl Bounds {
    fn allowed(self) -> String {
        format!("a whole number from {} to {}", self.least, self.most)
    }

    fn read(self, key: &str, field: &mut dyn Number, node: &Node, report: &mut Report) {
        let Some(number) = node.number().filter(|number| number.fract() == 0.0) else {
            return report.refuse(key, node, &self.allowed());
        };
        // Every bound in the table is far below what a float holds exactly.
        let inside = number.clamp(self.least as f64, self.most as f64);
        if inside != number {
            let kept = report.problems.len();
            report.refuse(key, node, &self.allowed());
            if !self.clamped {
                return;
            }
            report.soften(kept, &format!("; it counts as {inside}"));
        }
        field.put(inside as u64);
    }
}

const fn row(key: &'static str, field: Field, help: &'static str) -> Row {
    Row {
        key,
        field,
        help,
        lenient: false,
        may_be_empty: false,
        variable: None,
    }
}

/// A key whose field knows what it may be.
const fn any(
    key: &'static str,
    field: fn(&mut Settings) -> &mut dyn Setting,
    help: &'static str,
) -> Row {
    row(key, Field::Any(field), help)
}

/// A key whose value is a whole number from `least` to `most`.
const fn whole(
    key: &'static str,
    (least, most): (u64, u64),
    field: fn(&mut Settings) -> &mut dyn Number,
    help: &'static str,
) -> Row {
    let bounds = Bounds {
        least,
        most,
        clamped: false,
    };
    row(key, Field::Whole(bounds, field), help)
}

const fn older(key: &'static str, now: &'static str, help: &'static str) -> Row {
    row(key, Field::OlderName(now), help)
}

const fn foreign(key: &'static str, why: &'static str) -> Row {
    row(key, Field::Foreign, why)
}
