//! Every API script against the running server, over HTTP.
//!
//! Each step sends its arguments in another way: as a query, a form, a multipart form, a JSON
//! object. A script is run as often as there are ways, so that each step is sent in each of them.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use service::api::functions;

use crate::client::{self, Request, form, multipart, multipart_type};
use crate::script::{self, Answer, Names, Script, Step};
use crate::server::{Server, TempRoot};

#[derive(Clone, Copy, Debug)]
enum Way {
    Query,
    Form,
    Multipart,
    Json,
}

const WAYS: [Way; 4] = [Way::Query, Way::Form, Way::Multipart, Way::Json];

#[test]
fn in_the_newest_version() {
    for start in 0..WAYS.len() {
        run_all("newest", start, |_| "2.0.0");
    }
}

#[test]
fn in_the_oldest_version_of_each_function() {
    for start in 0..WAYS.len() {
        run_all("oldest", start, |name| {
            let function = functions().find(|function| function.name == name);
            function.unwrap().since.as_str()
        });
    }
}

fn run_all(run: &str, start: usize, version_of: impl Fn(&str) -> &'static str) {
    for script in script::all() {
        let name = format!("script_{run}_{start}_{}", script.name);
        let root = TempRoot::with_settings(&name, &settings(&script.config));
        let server = Server::start(&root);
        run_script(&server, &script, start, &version_of);
        server.stop();
        std::fs::remove_dir_all(root.0).unwrap();
    }
}

pub(crate) fn run_script(
    server: &Server,
    script: &Script,
    start: usize,
    version_of: &impl Fn(&str) -> &'static str,
) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let mut names = Names::new(now.as_secs() as i64);
    for (index, step) in script.steps.iter().enumerate() {
        let version = step.version.as_deref();
        let version = version.unwrap_or_else(|| version_of(&step.function));
        let way = WAYS[(start + index) % WAYS.len()];
        let answer = call(server, step, &names, version, way);
        if let Err(found) = names.check(step, &answer) {
            panic!(
                "{} line {}: {} as {way:?} answered {found}",
                script.name, step.line, step.function
            );
        }
    }
}

fn call(server: &Server, step: &Step, names: &Names, version: &str, way: Way) -> Answer {
    let arguments = names.arguments(step);
    let path = format!("/api/{version}/{}", step.function);
    let mut request = request(&path, &arguments, way);
    if !step.anonymous {
        request = request.header("apikey", &server.key);
    }
    let response = client::send(&server.address, &request);
    let envelope = response.json();
    let code = envelope["code"].as_u64().unwrap();
    let message = envelope["message"].as_str().unwrap();
    let status = match code {
        1 if message.starts_with("anonymizeAuthor is disabled") => 404,
        0 | 1 => 200,
        3 => 404,
        4 => 401,
        _ => panic!("{request:?} was answered {envelope}"),
    };
    assert_eq!(response.status, status, "{envelope}");
    Answer {
        code: code as u8,
        message: message.to_owned(),
        data: envelope["data"].clone(),
    }
}

fn request(path: &str, arguments: &[(String, Value)], way: Way) -> Request {
    let texts: Option<Vec<(&str, &str)>> = arguments
        .iter()
        .map(|(name, value)| Some((name.as_str(), value.as_str()?)))
        .collect();
    // Only JSON can carry anything but texts.
    match (texts, way) {
        (Some(texts), Way::Query) => Request::get(&format!("{path}?{}", form(&texts))),
        (Some(texts), Way::Form) => Request::post(path).form(form(&texts)),
        (Some(texts), Way::Multipart) => {
            Request::post(path).body(&multipart_type(), multipart(&texts))
        }
        _ => {
            let object: Map<String, Value> = arguments.iter().cloned().collect();
            Request::post(path).body("application/json", Value::from(object).to_string())
        }
    }
}

/// The settings file that says what a script's own settings say.
pub(crate) fn settings(config: &BTreeMap<String, String>) -> String {
    let mut settings = Map::new();
    for (name, value) in config {
        let value: Value = serde_json::from_str(value).unwrap();
        let (key, value) = match name.as_str() {
            "erasure" => ("gdprAuthorErasure", json!({ "enabled": value })),
            "compaction" => ("cleanup", json!({ "enabled": value })),
            "deletion_by_all" => ("allowPadDeletionByAllUsers", value),
            "max_text" => ("maxTextLength", value),
            other => panic!("unknown setting {other}"),
        };
        settings.insert(key.to_owned(), value);
    }
    Value::from(settings).to_string()
}
