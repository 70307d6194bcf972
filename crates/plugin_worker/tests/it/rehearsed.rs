//! Tests of plugins: the skeleton passes its own, and what fails says why.

use std::process::Command;

use plugin::scenario::{Scenario, scenarios};
use plugin::{Package, skeleton};
use plugin_worker::rehearse;
use serde_json::{Value, json};

fn worker() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plugin-worker"));
    command.env_clear();
    command
}

fn package(script: Option<&str>) -> Package {
    let mut files = skeleton::files(&"my-own".parse().unwrap());
    if let Some(script) = script {
        files.insert("server.js".into(), script.into());
    }
    Package::from_files(files).unwrap()
}

#[test]
fn skeleton_passes_its_own_tests() {
    let package = package(None);
    for scenario in scenarios(&package).unwrap() {
        let name = &scenario.name;
        rehearse(&mut worker(), &package, &scenario)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn failing_tests_say_why() {
    // The handler, the calls and the outcome that the test expects, and what is said of it.
    let rows = include_str!("../../../../fixtures/plugin/rehearsals.json");
    let rows: Vec<(String, Value, Value, String)> = serde_json::from_str(rows).unwrap();
    assert!(rows.len() > 10);
    for (handler, calls, expected, part) in rows {
        let mut value: Value = json!({
            "name": "t", "hook": "chatMessage", "args": {"padId": "p", "text": "x"},
            "calls": calls,
        });
        let object = value.as_object_mut().unwrap();
        object.extend(expected.as_object().unwrap().clone());
        let scenario: Scenario = serde_json::from_value(value).unwrap();
        let package = package(Some(&format!("padsvc.on('chatMessage', {handler})")));
        let outcome = rehearse(&mut worker(), &package, &scenario);
        let error = outcome.map_or_else(|error| error.to_string(), |()| String::new());
        assert!(error.contains(&part), "{handler}: {error}");
        assert_eq!(error.is_empty(), part.is_empty(), "{handler}: {error}");
    }
}

#[test]
fn scripts_without_handlers_and_with_mistakes_fail() {
    let skeleton = package(None);
    let scenario = scenarios(&skeleton).unwrap().remove(0);
    for (script, part) in [
        (
            "1",
            "server.js has no handler for chatMessage, which plugin.json lists",
        ),
        ("this is wrong", "server.js: SyntaxError"),
    ] {
        let error = rehearse(&mut worker(), &package(Some(script)), &scenario).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
}
