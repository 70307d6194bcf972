//! What a running Etherpad answered to hundreds of calls, asked again of this server.
//!
//! `fixtures/api/recorded.jsonl` has the calls in their order; `recorded-differences.txt` names
//! those that are answered otherwise, each with the reason. A call that is not listed has to be
//! answered the same, but for ids, tokens and times, and one that is listed has to differ.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use crate::client::{Request, form, multipart, multipart_type};
use crate::server::{Server, TempRoot};

/// What was recorded as an id or a token, and what it is here.
struct Known(HashMap<String, String>);

impl Known {
    fn translated(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (theirs, ours) in &self.0 {
            text = text.replace(theirs.as_str(), ours);
        }
        text
    }

    /// Whether an answer says the same as a recorded one. What is an id there is learnt.
    fn same(&mut self, theirs: &Value, ours: &Value) -> bool {
        match (theirs, ours) {
            (Value::Object(theirs), Value::Object(ours)) => {
                theirs.len() == ours.len()
                    && theirs.iter().all(|(key, value)| {
                        let key = self.translated(key);
                        ours.get(&key).is_some_and(|found| self.same(value, found))
                    })
            }
            (Value::Array(theirs), Value::Array(ours)) => {
                theirs.len() == ours.len() && theirs.iter().zip(ours).all(|(a, b)| self.same(a, b))
            }
            (Value::Number(a), Value::Number(b)) => a == b || is_time(a) && is_time(b),
            (Value::String(theirs), Value::String(ours)) => {
                if is_id(theirs) && !self.0.contains_key(theirs) {
                    self.0.insert(theirs.clone(), ours.clone());
                }
                self.translated(theirs) == *ours
            }
            _ => theirs == ours,
        }
    }
}

fn is_time(number: &serde_json::Number) -> bool {
    number
        .as_u64()
        .is_some_and(|number| number > 1_000_000_000_000)
}

fn is_id(text: &str) -> bool {
    let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric());
    let prefixed = text.split_once('.').is_some_and(|(kind, rest)| {
        matches!(kind, "g" | "a" | "s" | "r") && rest.len() >= 16 && is_plain(rest)
    });
    prefixed || text.len() == 64 && is_plain(text)
}

fn request(row: &Value, known: &Known, key: &str) -> Request {
    let method = row["method"].as_str().unwrap();
    let path = row["path"].as_str().unwrap();
    let path = known
        .translated(path)
        .replace("apikey=KEY", &format!("apikey={key}"));
    // In an address the `$` of a group's pad is escaped, its id is not.
    let request = Request::new(method, &path);
    if method != "POST" {
        return request;
    }
    let name = row["name"].as_str().unwrap().to_lowercase();
    let params = row["params"].as_object().cloned().unwrap_or_default();
    let mut params: Map<String, Value> = params
        .into_iter()
        .map(|(name, value)| match value {
            Value::String(text) => (name, known.translated(&text).into()),
            value => (name, value),
        })
        .collect();
    params.insert("apikey".to_owned(), key.into());
    let texts: Option<Vec<(&str, &str)>> = params
        .iter()
        .map(|(name, value)| Some((name.as_str(), value.as_str()?)))
        .collect();
    match texts {
        Some(texts) if name.contains("multipart") => {
            request.body(&multipart_type(), multipart(&texts))
        }
        Some(texts) if !name.contains("json") => request.form(form(&texts)),
        _ => request.body("application/json", Value::from(params).to_string()),
    }
}

/// Code, message and data.
fn parts(value: &Value) -> (u64, String, Value) {
    let code = value["code"].as_u64().unwrap_or(u64::MAX);
    let message = value["message"].as_str().unwrap_or_default().to_owned();
    (code, message, value["data"].clone())
}

fn fixture(name: &str) -> String {
    let path = format!("{}/../../fixtures/api/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// The listed calls, by name, with the reason why they are answered otherwise.
fn differences() -> BTreeMap<String, String> {
    let listed = fixture("recorded-differences.txt");
    let mut reason = String::new();
    let mut names = BTreeMap::new();
    for line in listed.lines() {
        match line.strip_prefix("  ") {
            Some(name) => drop(names.insert(name.to_owned(), reason.clone())),
            None => line.clone_into(&mut reason),
        }
    }
    names
}

fn replay(
    name: &str,
    settings: &str,
    rows: &[Value],
    listed: &BTreeMap<String, String>,
) -> Vec<String> {
    let root = TempRoot::with_settings(name, settings);
    let server = Server::start(&root);
    let system = ("a.etherpad-system".to_owned(), "a.padsvc-system".to_owned());
    let mut known = Known(HashMap::from([system]));
    let mut wrong = Vec::new();
    for row in rows {
        let name = row["name"].as_str().unwrap();
        let response = server.send(&request(row, &known, &server.key));
        let recorded: Value = serde_json::from_str(row["body"].as_str().unwrap()).unwrap();
        let found = response.json();
        let (their_code, their_message, theirs) = parts(&recorded);
        let (code, message, ours) = parts(&found);
        let same = their_code == code
            && their_message == message
            && known.same(&theirs, &ours)
            && row["status"] == response.status;
        match (same, listed.contains_key(name)) {
            (true, false) | (false, true) => {}
            (true, true) => wrong.push(format!("  {name}: is listed and does not differ")),
            (false, false) => wrong.push(format!("  {name}\n      {recorded}\n      {found}")),
        }
    }
    server.stop();
    std::fs::remove_dir_all(root.0).unwrap();
    wrong
}

#[test]
fn every_recorded_call_is_answered_as_it_was_or_is_listed() {
    let rows = fixture("recorded.jsonl");
    let rows = rows.lines().map(|line| serde_json::from_str(line).unwrap());
    let (variants, rows): (Vec<Value>, Vec<Value>) =
        rows.partition(|row: &Value| row["name"].as_str().unwrap().starts_with("[variant"));
    let listed = differences();
    let mut wrong = replay("recorded_api", "{}", &rows, &listed);
    let settings =
        r#"{ "cleanup": { "enabled": true }, "gdprAuthorErasure": { "enabled": true } }"#;
    wrong.extend(replay("recorded_variants", settings, &variants, &listed));
    assert!(
        wrong.is_empty(),
        "{} calls:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
