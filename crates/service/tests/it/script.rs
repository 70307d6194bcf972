//! Scripts of API calls (`fixtures/api`), run against anything that can be called.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

/// One call and what it must answer.
pub(crate) struct Step {
    pub line: usize,
    pub anonymous: bool,
    /// A version that holds in every run.
    pub version: Option<String>,
    pub function: String,
    arguments: String,
    expected: String,
}

impl Step {
    /// The code and the rest of what is expected.
    pub(crate) fn outcome(&self) -> (&str, &str) {
        self.expected
            .split_once(' ')
            .unwrap_or((&self.expected, ""))
    }
}

pub(crate) struct Script {
    pub name: String,
    /// Settings of the file's first lines.
    pub config: BTreeMap<String, String>,
    pub steps: Vec<Step>,
}

/// What a call answered.
pub(crate) struct Answer {
    pub code: u8,
    pub message: String,
    pub data: Value,
}

/// All scripts, by name.
pub(crate) fn all() -> Vec<Script> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/api");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "script")
    });
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().map(read).collect()
}

fn read(path: &PathBuf) -> Script {
    let mut script = Script {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        config: BTreeMap::new(),
        steps: Vec::new(),
    };
    for (index, line) in std::fs::read_to_string(path).unwrap().lines().enumerate() {
        let line = line.trim();
        if let Some(setting) = line.strip_prefix("config ") {
            let (name, value) = setting.split_once('=').unwrap();
            script.config.insert(name.to_owned(), value.to_owned());
        } else if let Some(expected) = line.strip_prefix("> ") {
            script.steps.last_mut().unwrap().expected = expected.to_owned();
        } else if !line.is_empty() && !line.starts_with('#') {
            script.steps.push(step(line, index + 1));
        }
    }
    let unanswered = script.steps.iter().find(|step| step.expected.is_empty());
    assert!(
        unanswered.is_none(),
        "{} line {}",
        script.name,
        unanswered.unwrap().line
    );
    script
}

fn step(text: &str, line: usize) -> Step {
    let mut rest = text;
    let mut step = Step {
        line,
        anonymous: false,
        version: None,
        function: String::new(),
        arguments: String::new(),
        expected: String::new(),
    };
    loop {
        let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = after;
        if word == "anonymous" {
            step.anonymous = true;
        } else if let Some(version) = word.strip_prefix('@') {
            step.version = Some(version.to_owned());
        } else {
            step.function = word.to_owned();
            step.arguments = rest.to_owned();
            return step;
        }
    }
}

/// What names stand for while a script runs.
pub(crate) struct Names(BTreeMap<String, String>);

impl Names {
    pub(crate) fn new(now_seconds: i64) -> Names {
        let names = [("future", now_seconds + 3600), ("past", 12_345)];
        Names(
            names
                .map(|(name, value)| (name.to_owned(), value.to_string()))
                .into(),
        )
    }

    /// Replaces every known `$name`.
    fn fill(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let (before, after) = rest.split_at(at);
            out.push_str(before);
            let word: String = after
                .chars()
                .skip(1)
                .take_while(|c| c.is_ascii_alphanumeric())
                .collect();
            match self.0.get(&word) {
                Some(value) => out.push_str(value),
                None => {
                    out.push('$');
                    out.push_str(&word);
                }
            }
            rest = &after[1 + word.len()..];
        }
        out + rest
    }

    /// The arguments of a step, as JSON values.
    pub(crate) fn arguments(&self, step: &Step) -> Vec<(String, Value)> {
        let text = self.fill(&step.arguments);
        let mut arguments = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (name, after) = rest.split_once('=').expect("an argument is name=value");
            let (name, is_json) = match name.strip_suffix(':') {
                Some(name) => (name, true),
                None => (name, false),
            };
            let end = end_of_value(after);
            let value = &after[..end];
            rest = after[end..].trim_start();
            let value = if is_json || value.starts_with('"') {
                serde_json::from_str(value).expect("a JSON value")
            } else {
                json!(value)
            };
            arguments.push((name.to_owned(), value));
        }
        arguments
    }

    /// Compares an answer with what the step expects, and remembers new names.
    pub(crate) fn check(&mut self, step: &Step, answer: &Answer) -> Result<(), String> {
        let (code, rest) = step.outcome();
        let rest = self.fill(rest);
        let found = format!("{} {} {}", answer.code, answer.message, answer.data);
        if code != answer.code.to_string() {
            return Err(found);
        }
        if code != "0" {
            let refused = answer.message == rest && answer.data.is_null();
            return if refused { Ok(()) } else { Err(found) };
        }
        let rest = rest.replace(": $_", ": \"$_\"");
        let expected: Value = serde_json::from_str(&rest).expect("an answer is JSON");
        if answer.message == "ok" && self.matches(&expected, &answer.data) {
            Ok(())
        } else {
            Err(found)
        }
    }

    fn matches(&mut self, expected: &Value, found: &Value) -> bool {
        match (expected, found) {
            (Value::String(name), _) if name == "$_" => true,
            (Value::String(name), Value::String(value)) if name.starts_with('$') => {
                self.0.insert(name[1..].to_owned(), value.clone());
                true
            }
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.matches(a, b))
            }
            (Value::Object(a), Value::Object(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .all(|(key, a)| b.get(key).is_some_and(|b| self.matches(a, b)))
            }
            _ => expected == found,
        }
    }
}

fn end_of_value(text: &str) -> usize {
    if !text.starts_with(['"', '[', '{']) {
        return text.find(' ').unwrap_or(text.len());
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next().expect("a JSON value").expect("a JSON value");
    values.byte_offset()
}
