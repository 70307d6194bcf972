//! The JSON Schema of plugin.json, for editors and authors: docs/plugin.schema.json.
//!
//! Made from the tables and bounds that the manifest is checked by, so that they cannot disagree.
//! A schema cannot say everything: what passes it can still be refused, with a reason.

use serde_json::{Value, json};

use crate::attributes;
use crate::hooks::{HOOKS, Wait};
use crate::manifest::{API_FUNCTIONS, DESCRIPTION, LINE, PERMISSIONS, TITLE};
use crate::permission::KINDS;
use crate::settings::PROPERTIES;

/// The schema as the file has it.
pub fn manifest_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "plugin.json of a plugin for padsvc",
        "type": "object",
        "additionalProperties": false,
        "required": ["name", "version", "interface", "title", "description"],
        "properties": {
            "$schema": {"type": "string"},
            "name": name(),
            "version": version(),
            "interface": {
                "type": "string",
                "maxLength": 40,
                "description": "The version of the interface it is written for, such as 1.0",
            },
            "title": text(TITLE, "What the admin area calls it"),
            "description": text(DESCRIPTION, "What it does"),
            "author": text(LINE, "Who made it"),
            "license": text(LINE, "The name of its licence, as SPDX has it"),
            "homepage": {
                "type": "string",
                "pattern": "^https?://",
                "maxLength": LINE,
                "description": "Where people read more",
            },
            "permissions": {
                "type": "array",
                "maxItems": PERMISSIONS,
                "uniqueItems": true,
                "items": {"anyOf": permissions()},
                "description": "What it asks for",
            },
            "hooks": {
                "type": "array",
                "uniqueItems": true,
                "items": {"anyOf": hooks()},
                "description": "When it is called",
            },
            "budgets": {
                "type": "object",
                "additionalProperties": false,
                "properties": budgets(),
                "description": "How long the service waits for hooks, in milliseconds",
            },
            "onFailure": on_failure(),
            "settings": {
                "type": "object",
                "maxProperties": PROPERTIES,
                "propertyNames": {"pattern": KEY},
                "additionalProperties": {"$ref": "#/$defs/setting"},
                "description": "What an operator sets",
            },
            "attributes": {
                "type": "array",
                "maxItems": attributes::DECLARATIONS,
                "items": {"$ref": "#/$defs/attribute"},
                "description": "Attributes it adds, and what they mean in files",
            },
            "api": {
                "type": "object",
                "maxProperties": API_FUNCTIONS,
                "propertyNames": {"pattern": KEY},
                "additionalProperties": text(LINE, "What the function does"),
                "description": "API functions of its own",
            },
        },
        "$defs": {"setting": setting(), "attribute": attribute()},
    })
}

fn name() -> Value {
    json!({
        "type": "string",
        "pattern": "^[a-z][a-z0-9-]{1,39}$",
        "description": "The name, part of addresses",
    })
}

fn version() -> Value {
    json!({
        "type": "string",
        "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+",
        "maxLength": 40,
        "description": "Three numbers, as Semantic Versioning has them",
    })
}

const KEY: &str = "^[A-Za-z][A-Za-z0-9]{0,39}$";

fn text(max: usize, description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": max, "description": description})
}

fn permissions() -> Vec<Value> {
    let permission = |(_, name, meaning): &(_, &str, &str)| match name.strip_suffix("(HOST)") {
        Some(start) => json!({
            "type": "string",
            "pattern": format!("^{start}\\(.+\\)$"),
            "description": meaning,
        }),
        None => json!({"const": name, "description": meaning}),
    };
    KINDS.iter().map(permission).collect()
}

fn hooks() -> Vec<Value> {
    let hook = |row: &crate::hooks::HookRow| {
        let needs = row
            .permission
            .map(|kind| format!(" Takes {}.", kind.name()));
        let description = format!("{}{}", row.meaning, needs.unwrap_or_default());
        json!({"const": row.name, "description": description})
    };
    HOOKS.iter().map(hook).collect()
}

fn budgets() -> Value {
    let mut budgets = serde_json::Map::new();
    for row in HOOKS {
        if let Wait::Budget { default_ms, max_ms } = row.wait {
            let budget = json!({
                "type": "integer", "minimum": 1, "maximum": max_ms, "default": default_ms,
            });
            budgets.insert(row.name.to_owned(), budget);
        }
    }
    budgets.into()
}

fn on_failure() -> Value {
    let deciding = HOOKS.iter().filter(|row| row.decides);
    let outcome = json!({"enum": ["allow", "refuse"], "default": "allow"});
    let outcomes = deciding.map(|row| (row.name.to_owned(), outcome.clone()));
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": Value::Object(outcomes.collect()),
        "description": "What happens if a hook that decides gives no answer",
    })
}

fn setting() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["type", "title", "default"],
        "properties": {
            "type": {"enum": ["string", "number", "integer", "boolean"]},
            "title": text(100, "What the form calls it"),
            "description": {"type": "string", "maxLength": 500},
            "default": {"type": ["string", "number", "boolean"]},
            "minimum": {"type": "number"},
            "maximum": {"type": "number"},
            "maxLength": {"type": "integer", "minimum": 1, "maximum": 10_000},
            "enum": {
                "type": "array",
                "minItems": 1,
                "maxItems": 50,
                "uniqueItems": true,
                "items": {"type": "string", "minLength": 1, "maxLength": 100},
            },
            "secret": {"type": "boolean", "description": "Not shown again after it was set"},
        },
    })
}

fn attribute() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["key", "kind", "values", "element"],
        "properties": {
            "key": {"type": "string", "pattern": "^[a-z][a-z0-9-]{1,39}$"},
            "kind": {"enum": ["inline", "line"]},
            "values": {
                "type": "array",
                "minItems": 1,
                "maxItems": 50,
                "uniqueItems": true,
                "items": {"type": "string", "pattern": "^[A-Za-z0-9-]{1,100}$"},
            },
            "element": {"enum": attributes::elements()},
            "like": {
                "type": "object",
                "additionalProperties": false,
                "properties": attributes::like_schema(),
                "description": "Attributes of the core that it looks like in DOCX and PDF",
            },
        },
    })
}

#[cfg(test)]
mod tests;
