//! Schemas and values, as data.

use serde_json::json;

use super::*;

fn schema(properties: Value) -> Result<SettingsSchema, String> {
    let schema: SettingsSchema =
        serde_json::from_value(properties).map_err(|error| error.to_string())?;
    schema.validate().map_err(|error| error.to_string())?;
    Ok(schema)
}

fn good() -> SettingsSchema {
    schema(json!({
        "days": {"type": "integer", "title": "Days", "default": 30, "minimum": 1, "maximum": 99},
        "factor": {"type": "number", "title": "Factor", "default": 0.5},
        "mode": {"type": "string", "title": "Mode", "default": "a", "enum": ["a", "b"]},
        "on": {"type": "boolean", "title": "On", "default": false},
        "word": {"type": "string", "title": "Word", "default": "", "maxLength": 3, "secret": true},
    }))
    .unwrap()
}

#[test]
fn wrong_schemas_are_named() {
    let title = json!({"a": {"type": "boolean", "title": "x".repeat(101), "default": true}});
    let long = json!({"a": {
        "type": "boolean", "title": "T", "default": true, "description": "x".repeat(501),
    }});
    let mistakes = include_str!("../../../../fixtures/plugin/settings-mistakes.json");
    let mut mistakes: Vec<(Value, String)> = serde_json::from_str(mistakes).unwrap();
    assert!(mistakes.len() > 15);
    mistakes.extend([
        (title, "a: title has 1 to 100".into()),
        (long, "a: description has at most 500".into()),
    ]);
    for (properties, part) in mistakes {
        let error = schema(properties).unwrap_err();
        assert!(error.contains(&part), "{error}, not {part}");
    }
    let many: Map<String, Value> = (0..=PROPERTIES)
        .map(|number| {
            let property = json!({"type": "boolean", "title": "T", "default": true});
            (format!("a{number}"), property)
        })
        .collect();
    assert_eq!(
        schema(many.into()).unwrap_err(),
        "there are more than 50 settings"
    );
}

#[test]
fn defaults_fill_what_is_not_set() {
    let values = good().check(&json!({"days": 7.0, "mode": "b"})).unwrap();
    assert_eq!(
        Value::from(values),
        json!({"days": 7.0, "factor": 0.5, "mode": "b", "on": false, "word": ""})
    );
}

#[test]
fn all_wrong_values_are_named_at_once() {
    let errors = good()
        .check(&json!({"days": 0, "mode": "c", "on": 1, "word": "four", "x": 1}))
        .unwrap_err();
    let errors: Vec<String> = errors.iter().map(ValueError::to_string).collect();
    assert_eq!(
        errors,
        [
            "there is no setting called x",
            "days must be a whole number from 1 to 99",
            "mode must be one of a, b",
            "on must be true or false",
            "word must be a text of at most 3 characters",
        ]
    );
    assert_eq!(good().check(&json!([])), Err(vec![ValueError::NoObject]));
}

#[test]
fn an_upgrade_keeps_what_still_fits() {
    let old = json!({"days": 500, "factor": 2, "mode": "b", "gone": 1});
    assert_eq!(
        Value::from(good().carry_over(&old)),
        json!({"days": 30, "factor": 2, "mode": "b", "on": false, "word": ""})
    );
    assert_eq!(good().carry_over(&json!(null)).len(), 5);
}

#[test]
fn schema_is_written_as_it_was_read() {
    let json = serde_json::to_value(good()).unwrap();
    assert_eq!(schema(json).unwrap(), good());
}
