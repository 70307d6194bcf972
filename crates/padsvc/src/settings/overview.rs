//! Every setting with its value, for whoever wants to see what is in force and why.

use serde_json::{Value as Json, json};

use super::model::Settings;
use super::table::{self, Row};

/// By section; secrets are hidden.
pub fn overview(settings: &Settings) -> Json {
    let (mut settings, mut defaults) = (settings.clone(), Settings::default());
    let mut sections = Vec::new();
    for section in table::SECTIONS {
        let rows: Vec<Json> = section
            .rows
            .iter()
            .filter_map(|row| shown(row, &mut settings, &mut defaults))
            .collect();
        if !rows.is_empty() {
            sections.push(json!({ "title": section.title, "rows": rows }));
        }
    }
    Json::Array(sections)
}

/// `None` for a key without a value of its own.
fn shown(row: &Row, settings: &mut Settings, defaults: &mut Settings) -> Option<Json> {
    let (value, default) = (row.show(settings)?, row.show(defaults)?);
    Some(json!({
        "key": row.key,
        "value": value,
        "default": default,
        "allowed": row.allowed(defaults),
        "help": row.help,
        "variable": row.variable,
        "used": row.used,
    }))
}
