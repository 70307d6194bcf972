//! The cases are in `fixtures/settings/`, each with everything that comes of it. With
//! `UPDATE_EXPECT=1` the tests write what they found; read the difference before it is committed.

#![allow(clippy::disallowed_methods, reason = "variables say how to test")]

mod texts;

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares with what is committed, or commits what was found.
fn expect(path: &Path, found: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, found).unwrap();
        return;
    }
    let expected = read(path);
    for (number, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
        let line = number + 1;
        assert_eq!(
            found,
            expected,
            "{} line {line}; UPDATE_EXPECT=1 rewrites it",
            path.display()
        );
    }
    assert_eq!(found, expected, "{}", path.display());
}

fn nothing(_: &str) -> Option<String> {
    None
}

fn loaded(text: &str) -> (Settings, Vec<Warning>) {
    load(text, &nothing).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn problems(text: &str) -> Vec<Problem> {
    load(text, &nothing).err().unwrap_or_default()
}

#[test]
fn cases_come_out_as_written_down() {
    let mut count = 0;
    for entry in fs::read_dir(project("fixtures/settings")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "txt") {
            count += 1;
            let text = read(&path);
            let (head, cases) = text.split_once("== ").expect("a case");
            let mut found = head.to_owned();
            for case in cases.split("\n== ") {
                if found.len() > head.len() {
                    found.push('\n');
                }
                found.push_str(&run(case));
            }
            expect(&path, &found);
        }
    }
    assert!(count > 0, "no cases were found");
}

/// One case with what came of it: a name, variables, the file, `--`, the outcome.
fn run(case: &str) -> String {
    let (given, _) = case.split_once("\n--").expect("a line of -- in every case");
    let (name, mut text) = given.split_once('\n').expect("a name and a file");
    let mut variables = HashMap::new();
    while let Some((name, value, rest)) = variable(text) {
        variables.insert(name, value);
        text = rest;
    }
    let environment = |name: &str| variables.get(name).map(|value| (*value).to_owned());
    let mut lines = vec![
        format!("== {name}"),
        given[name.len() + 1..].to_owned(),
        "--".to_owned(),
    ];
    match load(text, &environment) {
        Err(problems) => lines.extend(problems.iter().map(|note| format!("problem {note}"))),
        Ok((settings, warnings)) => {
            lines.extend(warnings.iter().map(|note| format!("warning {note}")));
            lines.extend(changed(settings));
        }
    }
    lines.join("\n") + "\n"
}

fn variable(text: &str) -> Option<(&str, &str, &str)> {
    let (line, rest) = text.strip_prefix("$ ")?.split_once('\n')?;
    let (name, value) = line.split_once('=')?;
    Some((name, value, rest))
}

/// The values that are not the default, as `key = value`.
fn changed(mut settings: Settings) -> Vec<String> {
    let mut defaults = Settings::default();
    let shown = table::rows().filter_map(|row| {
        let mut value = row.json_value(&mut settings)?;
        // Whether members keep their order is decided by other crates in the same build.
        value.sort_all_objects();
        (row.json_value(&mut defaults) != Some(value.clone()))
            .then(|| format!("{} = {value}", row.key))
    });
    shown.collect()
}

#[test]
fn the_document_is_fresh() {
    expect(&project("docs/settings.md"), &document());
}

/// The compiler compares them with what the page does under these names.
#[test]
fn the_page_has_the_names_of_buttons_and_shortcuts() {
    let buttons = union("ButtonName", PadBars::NAMES);
    let history = union("HistoryButtonName", HistoryBar::NAMES);
    let made = format!("// Names of toolbar buttons. {MADE}\n\n{buttons}\n{history}");
    expect(&project("web/src/pad/buttonNames.ts"), &made);
    let made = union("ShortcutName", &Shortcuts::NAMES);
    let made = format!("// Names of shortcuts. {MADE}\n\n{made}");
    expect(&project("web/src/editor/shortcutNames.ts"), &made);
}

const MADE: &str = "Made from the settings: `UPDATE_EXPECT=1 cargo test -p settings` writes it.";

fn union(name: &str, members: &[&str]) -> String {
    format!(
        "export type {name} =\n  | '{}';\n",
        members.join("'\n  | '")
    )
}

/// `every-key.jsonc` holds every key of Etherpad's template and every key of ours, none with its
/// default.
#[test]
fn every_key_is_honoured_or_warned_of() {
    let text = read(&project("fixtures/settings/every-key.jsonc"));
    let (settings, warnings) = loaded(&text);
    let warned: BTreeSet<&str> = warnings.iter().map(|note| note.key.as_str()).collect();
    let (mut settings, mut defaults) = (settings, Settings::default());
    for row in table::rows() {
        let has_warning = warned.contains(row.key);
        match row.json_value(&mut settings) {
            // There is only one value, so far.
            Some(_) if ["updates.source", "updates.channel"].contains(&row.key) => {}
            Some(value) => {
                assert_ne!(
                    Some(value),
                    row.json_value(&mut defaults),
                    "{} was dropped",
                    row.key
                );
                assert!(!has_warning, "{}: a warning", row.key);
            }
            None => assert!(has_warning, "{}: a warning if it does not apply", row.key),
        }
    }
    let strangers = warnings
        .iter()
        .filter(|note| note.text.contains("no such setting"));
    assert_eq!(strangers.collect::<Vec<_>>(), Vec::<&Warning>::new());
}

#[test]
fn rows_are_well_formed() {
    let mut keys = BTreeSet::new();
    let mut defaults = Settings::default();
    for row in table::rows() {
        assert!(keys.insert(row.key), "{} is there twice", row.key);
        assert!(row.help.ends_with('.'), "{}: a whole sentence", row.key);
        let is_group = table::rows().any(|other| other.key.starts_with(&format!("{}.", row.key)));
        assert!(!is_group, "{} is a value and a group", row.key);
        if let Field::Whole(bounds, field) = row.field {
            let default = field(&mut defaults).get();
            assert!(
                (bounds.least..=bounds.most).contains(&default),
                "{}",
                row.key
            );
            for bound in [bounds.least, bounds.most] {
                field(&mut defaults).put(bound);
                assert_eq!(
                    field(&mut defaults).get(),
                    bound,
                    "{}: too narrow a type",
                    row.key
                );
            }
        }
    }
}

/// A file with one value in it.
fn nested(key: &str, value: &str) -> String {
    let inside = |text, name| format!("{{{name:?}: {text}}}");
    key.rsplit('.').fold(value.to_owned(), inside)
}

/// Whatever is wrong with a value, of any row, is reported with its key and without its secret.
#[test]
fn a_wrong_value_of_any_key_is_a_problem_with_its_name() {
    const CANARY: &str = "hunter2";
    for row in table::rows() {
        let (Field::Any(_) | Field::Whole(..)) = row.field else {
            continue;
        };
        for wrong in [r#"{"wrong": ["hunter2"]}"#, r#"[[{"a": "hunter2"}]]"#] {
            let text = nested(row.key, wrong);
            let told = match load(&text, &nothing) {
                Ok((_, warnings)) => warnings,
                Err(problems) => problems,
            };
            assert!(!told.is_empty(), "nothing is said of {text}");
            for note in told {
                let key = &note.key;
                assert!(key.starts_with(row.key), "{key} instead of {}", row.key);
                assert!(note.text.contains(key.as_str()), "{note}");
                assert!(note.place.is_some(), "{note}");
                assert!(!note.text.contains(CANARY), "{note}");
            }
        }
    }
}

#[test]
fn secrets_are_nowhere_to_be_seen() {
    let text = r#"{
        "users": {"ann": {"password": "hunter2"}},
        "sso": [{"client_id": "a", "client_secret": "hunter2"}],
        "mail": {"auth": {"user": "ann", "pass": "hunter2"}},
        "dbType": "postgres",
        "dbSettings": {"user": "a", "database": "b", "password": "hunter2",
                       "connectionString": "postgres://a:hunter2@host/b"},
    }"#;
    let (settings, warnings) = loaded(text);
    assert_eq!(settings.mail.password, Some(Secret("hunter2".to_owned())));
    for shown in [
        format!("{settings:?}"),
        format!("{warnings:?}"),
        effective(&settings).to_string(),
    ] {
        assert!(!shown.contains("hunter2"), "{shown}");
    }
    assert_eq!(effective(&settings)["mail"]["auth"]["pass"], "(hidden)");
    assert_eq!(effective(&settings)["users"]["ann"]["password"], "(hidden)");
}

#[test]
fn the_effective_values_are_settings_again() {
    let (mut settings, _) = loaded(&read(&project("fixtures/settings/every-key.jsonc")));
    // Fonts come back as objects with all members, which is another way to write the same.
    let shown = effective(&settings).to_string();
    let (mut again, _) = loaded(&shown);
    for row in table::rows() {
        assert_eq!(
            row.json_value(&mut again),
            row.json_value(&mut settings),
            "{}",
            row.key
        );
    }
}

#[test]
fn connections_are_quoted() {
    let text = r#"{"dbType": "postgres", "dbSettings": {
        "host": "db", "port": 6432, "user": "o'neil", "password": "a\\b c", "database": "pads"}}"#;
    let (settings, _) = loaded(text);
    assert_eq!(
        settings.database.connection().0,
        r"host='db' port='6432' user='o\'neil' password='a\\b c' dbname='pads'"
    );
    let (settings, _) = loaded(r#"{"dbType": "postgres", "dbSettings": "postgres://u@h/d"}"#);
    assert_eq!(settings.database.connection().0, "postgres://u@h/d");
    assert_eq!(
        settings.database.file_in(Path::new("/srv/pads")),
        Path::new("/srv/pads/var/padsvc.db")
    );
}

#[test]
fn the_depth_of_a_file_is_bounded() {
    for brackets in ["[", "{\"a\":"] {
        let deep = format!("{{\"users\": {}", brackets.repeat(100_000));
        assert_eq!(problems(&deep).len(), 1);
    }
}

/// Pieces that make a file go wrong in interesting ways.
const PIECES: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "//",
    "/*",
    "*/",
    "null",
    "true",
    "-",
    "1e999",
    "0.5",
    "\"${A}\"",
    "\"${A:b}\"",
    "\"\\ud800\"",
    "\u{feff}",
    "ä",
    "\n",
    "\0",
    "\"sso\": ",
];

fn cases() -> ProptestConfig {
    let factor = std::env::var("PADSVC_SOAK").map_or(1, |factor| factor.parse().unwrap());
    ProptestConfig::with_cases(256 * factor)
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_text_is_answered(
        text in ".{0,200}",
        value in proptest::option::of(".{0,20}"),
        row in prop::sample::select(table::rows().map(|row| row.key).collect::<Vec<_>>()),
    ) {
        let _ = load(&text, &|_| value.clone());
        let quoted = serde_json::Value::from(text.as_str());
        let _ = load(&nested(row, &quoted.to_string()), &|_| value.clone());
    }

    #[test]
    fn any_change_to_a_file_is_answered(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0..PIECES.len()), 1..8),
        lengths in proptest::collection::vec(0_usize..12, 8),
        value in proptest::option::of("[a-z0-9.:-]{0,6}"),
    ) {
        let text = read(&project("fixtures/settings/every-key.jsonc"));
        let mut characters: Vec<char> = text.chars().collect();
        for ((at, piece), length) in changes.iter().zip(lengths) {
            let start = at.index(characters.len());
            let end = (start + length).min(characters.len());
            characters.splice(start..end, PIECES[*piece].chars());
        }
        let text: String = characters.into_iter().collect();
        match load(&text, &|name| value.clone().filter(|_| !name.starts_with("EP__"))) {
            Ok((settings, _)) => drop(effective(&settings)),
            Err(problems) => prop_assert!(!problems.is_empty()),
        }
    }
}
