//! The documents are fresh, refer to nothing that is missing, and hold what the table holds.

use std::collections::BTreeSet;

use super::super::generated;
use super::*;

#[test]
fn the_committed_documents_are_fresh() {
    for version in Version::all() {
        let text = readable(&document(version), 0) + "\n";
        assert_eq!(
            serde_json::from_str::<Value>(&text).unwrap(),
            document(version)
        );
        generated::check(&format!("fixtures/openapi/{version}.json"), &text);
    }
}

/// JSON for people who read differences: what fits into a line stays in it. One member to a line
/// would make three times as many lines.
fn readable(value: &Value, indent: usize) -> String {
    let line = value.to_string();
    let inner = indent + 1;
    let (open, parts, close) = match value {
        _ if line.len() + indent <= 90 => return line,
        Value::Array(items) => {
            let items = items.iter().map(|item| readable(item, inner)).collect();
            ("[", items, "]")
        }
        Value::Object(members) => {
            let member = |(name, value)| format!("{name:?}: {}", readable(value, inner));
            (
                "{",
                members.iter().map(member).collect::<Vec<String>>(),
                "}",
            )
        }
        _ => return line,
    };
    let parts = parts.join(&format!(",\n{:inner$}", ""));
    format!("{open}\n{:inner$}{parts}\n{:indent$}{close}", "", "")
}

#[test]
fn each_version_has_its_own_functions_and_parameters() {
    for version in Version::all() {
        let document = document(version);
        let paths = document["paths"].as_object().unwrap();
        assert_eq!(paths.len(), functions_of(version).count());
        for function in functions_of(version) {
            let path = &paths[&format!("/{}", function.name)];
            let count = path["get"]["parameters"].as_array().map_or(0, Vec::len);
            assert_eq!(count, schemas::params(function, version).count());
            assert_eq!(path["post"]["requestBody"].is_null(), count == 0);
        }
    }
}

/// Calls `visit` with every object in a document.
fn walk(value: &Value, visit: &mut dyn FnMut(&Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            members.values().for_each(|member| walk(member, visit));
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, visit)),
        _ => {}
    }
}

#[test]
fn references_lead_somewhere_and_nothing_is_left_over() {
    for version in Version::all() {
        let document = document(version);
        let mut used = BTreeSet::new();
        walk(&document, &mut |object| {
            if let Some(Value::String(target)) = object.get("$ref") {
                let found = document.pointer(target.trim_start_matches('#'));
                assert!(found.is_some(), "{version}: {target}");
                used.insert(target.clone());
            }
        });
        for kind in ["responses", "schemas"] {
            for name in document["components"][kind].as_object().unwrap().keys() {
                let target = format!("#/components/{kind}/{name}");
                assert!(used.contains(&target), "{version}: {target}");
            }
        }
    }
}

#[test]
fn operations_have_names_of_their_own() {
    let mut names = BTreeSet::new();
    walk(&document(Version::LATEST), &mut |object| {
        if let Some(name) = object.get("operationId") {
            assert!(names.insert(name.to_string()), "{name}");
        }
    });
    assert_eq!(names.len(), 2 * functions().count());
}

#[test]
fn only_a_function_that_authorizes_itself_goes_without_a_credential() {
    let document = document(Version::LATEST);
    for function in functions() {
        let security = &document["paths"][format!("/{}", function.name)]["post"]["security"];
        let none_needed = security.as_array().is_some_and(|l| l.contains(&json!({})));
        assert_eq!(
            none_needed,
            function.name == "deletePad",
            "{}",
            function.name
        );
    }
}
