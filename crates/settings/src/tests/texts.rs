//! The form of the admin area says in every language what the table says in English.

use serde_json::{Map, Value as Json};

use super::*;

const TEXTS: &str = "web/src/admin/settings/texts";

fn texts(language: &str) -> Json {
    serde_json::from_str(&read(&project(TEXTS).join(language))).unwrap()
}

fn names(object: &Json) -> BTreeSet<&String> {
    object.as_object().into_iter().flat_map(Map::keys).collect()
}

/// What stays as it is in every language.
fn code(text: &Json) -> Vec<&str> {
    let mut code: Vec<_> = text
        .as_str()
        .unwrap()
        .split('`')
        .skip(1)
        .step_by(2)
        .collect();
    code.sort_unstable();
    code
}

#[test]
fn the_english_texts_of_the_form_are_those_of_the_table() {
    let english = texts("en.json");
    let sections = overview(&Settings::default(), None, &|_| None);
    let sections = sections.as_array().unwrap();
    let mut keys = BTreeSet::new();
    for section in sections {
        let title = section["title"].as_str().unwrap();
        assert_eq!(english["sections"][title], title);
        for row in section["rows"].as_array().unwrap() {
            let key = row["key"].as_str().unwrap();
            let text = &english["settings"][key];
            assert!(text["label"].is_string(), "{key} has no label in {TEXTS}");
            assert_eq!(text["help"], row["help"], "{key}");
            let shows_it = matches!(
                row["kind"].as_str(),
                Some("flag" | "choice" | "secret" | "whole")
            );
            if shows_it || row["allowed"] == "a text" {
                assert_eq!(text["allowed"], Json::Null, "{key}");
            } else {
                assert_eq!(text["allowed"], row["allowed"], "{key}");
            }
            keys.insert(key);
        }
    }
    let known: BTreeSet<_> = names(&english["settings"])
        .into_iter()
        .map(String::as_str)
        .collect();
    assert_eq!(known, keys);
    assert_eq!(names(&english["sections"]).len(), sections.len());
}

#[test]
fn the_form_has_the_same_texts_in_every_language() {
    let english = texts("en.json");
    let languages = fs::read_dir(project("web/src/admin/texts")).unwrap();
    for language in languages {
        let language = language.unwrap().file_name().into_string().unwrap();
        let own = texts(&language);
        assert_eq!(
            names(&own["sections"]),
            names(&english["sections"]),
            "{language}"
        );
        assert_eq!(
            names(&own["settings"]),
            names(&english["settings"]),
            "{language}"
        );
        for (key, text) in english["settings"].as_object().unwrap() {
            let own = &own["settings"][key];
            assert_eq!(names(own), names(text), "{language}: {key}");
            for (name, text) in text.as_object().unwrap() {
                let own = &own[name];
                assert_ne!(own.as_str().map(str::trim), Some(""), "{language}: {key}");
                assert_eq!(code(own), code(text), "{language}: {key}");
            }
        }
    }
}
