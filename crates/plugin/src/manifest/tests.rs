//! Manifests and what is said about them, as data.

use serde_json::{Value, json};

use super::*;

fn good() -> Value {
    json!({
        "$schema": "https://example.org/plugin.schema.json",
        "name": "pad-feed",
        "version": "1.2.3",
        "interface": "1.0",
        "title": "Atom feed",
        "description": "A feed of a pad's changes.",
        "permissions": ["routes", "pads:read", "http:fetch(a.example.org)"],
        "hooks": ["request", "padChanged", "apiCall"],
        "budgets": {"request": 500},
        "settings": {
            "entries": {"type": "integer", "title": "Entries", "default": 20, "minimum": 1},
        },
        "attributes": [
            {"key": "spoiler", "kind": "inline", "values": ["true"], "element": "span"},
        ],
        "api": {"feedUrl": "The address of a pad's feed"},
    })
}

fn parse(value: &Value) -> Result<Manifest, String> {
    Manifest::parse(value.to_string().as_bytes()).map_err(|error| error.to_string())
}

/// The manifest with members replaced; `null` removes one.
fn with(changes: &Value) -> Value {
    let mut value = good();
    let object = value.as_object_mut().unwrap();
    for (key, change) in changes.as_object().unwrap() {
        object.insert(key.clone(), change.clone());
        if change.is_null() {
            object.remove(key);
        }
    }
    value
}

#[test]
fn a_manifest_is_read() {
    let manifest = parse(&good()).unwrap();
    assert_eq!(manifest.name.as_str(), "pad-feed");
    assert_eq!(manifest.version, Version::new(1, 2, 3));
    assert!(manifest.fits_interface());
    let permissions: Vec<String> = manifest
        .permissions
        .iter()
        .map(|it| it.to_string())
        .collect();
    assert_eq!(
        permissions,
        ["pads:read", "http:fetch(a.example.org)", "routes"]
    );
    assert_eq!(manifest.hooks[&Hook::Request], Some(500));
    assert_eq!(manifest.hooks[&Hook::ApiCall], Some(2_000));
    assert_eq!(manifest.hooks[&Hook::PadChanged], None);
}

#[test]
fn a_hook_that_decides_may_refuse_without_an_answer() {
    let permissions = json!(["chat", "authors:names", "routes"]);
    let manifest = parse(&with(&json!({
        "permissions": permissions,
        "hooks": ["chatMessage", "memberNamed", "request", "apiCall"],
        "onFailure": {"chatMessage": "refuse", "memberNamed": "allow"},
    })));
    let refusing: Vec<Hook> = manifest.unwrap().refusing.into_iter().collect();
    assert_eq!(refusing, [Hook::ChatMessage]);
    assert!(parse(&good()).unwrap().refusing.is_empty());
}

#[test]
fn little_is_required() {
    let manifest = parse(&json!({
        "name": "goal", "version": "0.1.0-beta.1", "interface": "^1", "title": "Goal",
        "description": "Counts.",
    }));
    assert!(manifest.unwrap().hooks.is_empty());
}

#[test]
fn mistakes_are_named_with_their_place() {
    let mistakes = include_str!("../../../../fixtures/plugin/manifest-mistakes.json");
    let mut mistakes: Vec<(Value, String)> = serde_json::from_str(mistakes).unwrap();
    assert!(mistakes.len() > 25);
    mistakes.extend([
        (
            json!({"version": format!("1.2.3-{}", "a".repeat(50))}),
            "is no version".into(),
        ),
        (
            json!({"description": "x".repeat(501)}),
            "description has 1 to 500".into(),
        ),
        (
            json!({"license": "x".repeat(201)}),
            "license has 1 to 200 characters".into(),
        ),
        (
            json!({"permissions": vec!["chat"; 31]}),
            "permissions: there are more than 30".into(),
        ),
    ]);
    for (changes, part) in mistakes {
        let error = parse(&with(&changes)).unwrap_err();
        assert!(error.contains(&part), "{error}\nnot: {part}");
    }
}

#[test]
fn size_and_nesting_are_bounded() {
    let long = Manifest::parse(&vec![b' '; BYTES + 1]).unwrap_err();
    assert!(matches!(long, ManifestError::TooLong));
    let deep = format!("{{\"name\":{}", "[".repeat(BYTES / 2));
    assert!(matches!(
        Manifest::parse(deep.as_bytes()),
        Err(ManifestError::Json(_))
    ));
    // What an error quotes is short, however long the name is.
    let error = parse(&with(&json!({"hooks": ["x".repeat(10_000)]}))).unwrap_err();
    assert!(error.len() < 300, "{error}");
}

#[test]
fn an_upgrade_shows_what_is_new() {
    let old = parse(&good()).unwrap();
    let permissions = json!(["routes", "pads:read", "pads:write"]);
    let new = parse(&with(&json!({"permissions": permissions}))).unwrap();
    let added: Vec<String> = old
        .added_permissions(&new)
        .iter()
        .map(|it| it.to_string())
        .collect();
    assert_eq!(added, ["pads:write"]);
}
