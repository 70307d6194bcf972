//! The schema's file is the schema, and the schema agrees with what reads manifests.

use std::collections::BTreeSet;

use super::*;
use crate::Manifest;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/plugin.schema.json");

#[test]
#[expect(clippy::disallowed_methods, reason = "UPDATE_EXPECT writes the file")]
fn file_in_docs_is_the_schema() {
    let schema = serde_json::to_string_pretty(&manifest_schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(PATH, &schema).unwrap();
    }
    let file = std::fs::read_to_string(PATH).unwrap_or_default();
    assert!(
        file == schema,
        "run the tests of plugin with UPDATE_EXPECT=1"
    );
}

/// The names in an error such as "unknown field `x`, expected one of `a`, `b`".
fn expected_names(error: &str) -> BTreeSet<String> {
    let (_, names) = error.split_once("expected").unwrap();
    let names = names.split('`').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

#[test]
fn schema_has_the_fields_that_are_read() {
    let schema = manifest_schema();
    let base = json!({
        "name": "ab", "version": "1.0.0", "interface": "1", "title": "T", "description": "D",
    });
    for (path, extra) in [
        ("/properties", json!({"?": 1})),
        (
            "/$defs/setting/properties",
            json!({"settings": {"a": {"?": 1}}}),
        ),
        (
            "/$defs/attribute/properties",
            json!({"attributes": [{"?": 1}]}),
        ),
    ] {
        let mut manifest = base.clone();
        let object = manifest.as_object_mut().unwrap();
        object.extend(extra.as_object().unwrap().clone());
        let error = Manifest::parse(manifest.to_string().as_bytes()).unwrap_err();
        let error = error.to_string();
        assert_eq!(
            keys(schema.pointer(path).unwrap()),
            expected_names(&error),
            "{path}"
        );
    }
    // What is required, is: without it there is an error that names it.
    for field in schema["required"].as_array().unwrap() {
        let mut manifest = base.clone();
        let field = field.as_str().unwrap();
        manifest.as_object_mut().unwrap().remove(field);
        let error = Manifest::parse(manifest.to_string().as_bytes()).unwrap_err();
        assert!(
            error
                .to_string()
                .contains(&format!("missing field `{field}`"))
        );
    }
    assert!(Manifest::parse(base.to_string().as_bytes()).is_ok());
}
