//! The plugins of this repository: each is complete and passes its own tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use plugin::Package;
use plugin::scenario::scenarios;
use plugin_worker::rehearse;

const LANGUAGES: [&str; 6] = ["ar", "de", "en", "es", "fr", "ja"];

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn read(folder: &Path, below: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            read(&path, &format!("{below}{name}/"), files);
        } else {
            files.insert(format!("{below}{name}"), std::fs::read(&path).unwrap());
        }
    }
}

fn packages() -> Vec<Package> {
    let root = folder("plugins");
    let package = |name: &String| {
        let mut files = BTreeMap::new();
        read(&root.join(name), "", &mut files);
        let package = Package::from_files(files).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(package.manifest().name.as_str(), name);
        package
    };
    names(&root).iter().map(package).collect()
}

#[test]
fn they_pass_their_own_tests() {
    let mut count = 0;
    for package in packages() {
        let name = &package.manifest().name;
        let tests = scenarios(&package).unwrap_or_else(|error| panic!("{name}: {error}"));
        for scenario in &tests {
            let mut worker = Command::new(env!("CARGO_BIN_EXE_plugin-worker"));
            rehearse(worker.env_clear(), &package, scenario)
                .unwrap_or_else(|error| panic!("{name}: {}: {error}", scenario.name));
        }
        // Each hook is called by one of them, but for those without anything to see.
        for hook in package.manifest().hooks.keys() {
            let is_tested = tests.iter().any(|scenario| scenario.hook == *hook);
            assert!(is_tested, "{name}: no test calls {hook}");
        }
        count += tests.len();
    }
    assert!(count >= 50, "{count}");
}

#[test]
fn they_are_complete_in_all_languages() {
    for package in packages() {
        let manifest = package.manifest();
        let name = &manifest.name;
        for file in ["README.md", "LICENSE", "tests.json"] {
            assert!(package.file(file).is_some(), "{name} has no {file}");
        }
        let languages: Vec<&str> = package.texts().keys().map(String::as_str).collect();
        assert_eq!(languages, LANGUAGES, "{name}");
        let english = &package.texts()["en"];
        for (language, texts) in package.texts() {
            let place = format!("{name}: {language}");
            assert!(texts.keys().eq(english.keys()), "{place}: other keys");
            for (key, text) in texts {
                assert!(!text.trim().is_empty(), "{place}: {key}");
                assert_eq!(arguments(text), arguments(&english[key]), "{place}: {key}");
            }
        }
        let page = folder(&format!("docs/plugins/{name}.md"));
        let page = std::fs::read_to_string(&page).unwrap_or_default();
        for permission in &manifest.permissions {
            assert!(page.contains(&format!("`{permission}` (")), "{permission}");
        }
        for (key, property) in manifest.settings.properties() {
            let row = format!("| `{key}` | {} |", shown(&property.default));
            assert!(page.contains(&row.replace("|  |", "| |")), "{name}: {row}");
            let text = english.get(&format!("settings.{key}"));
            assert_eq!(text, Some(&property.title), "{name}: {key}");
        }
    }
}

/// The default of a setting, as a page has it.
fn shown(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
        serde_json::Value::String(text) if text.is_empty() => String::new(),
        serde_json::Value::String(text) => format!("`{text}`"),
        other => other.to_string(),
    }
}

/// The names of the places that a text has.
fn arguments(text: &str) -> BTreeSet<&str> {
    let places = text.split('{').skip(1);
    let names = places.filter_map(|rest| rest.split([',', '}']).next());
    let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphabetic());
    names
        .filter(is_name)
        .filter(|name| !name.is_empty())
        .filter(|name| {
            text.contains(&format!("{{{name}}}")) || text.contains(&format!("{{{name},"))
        })
        .collect()
}
