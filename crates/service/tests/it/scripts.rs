//! Every API script against the library.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use service::api::{Argument, Arguments, Caller, Version, functions};
use service::{Code, Config, Service};

use crate::script::{self, Answer, Names, Script, Step};
use crate::world::{self, START};

#[tokio::test]
async fn in_the_newest_version() {
    run_all(|_| Version::LATEST).await;
}

#[tokio::test]
async fn in_the_oldest_version_of_each_function() {
    run_all(|name| functions().find(|f| f.name == name).unwrap().since).await;
}

/// Every function succeeds somewhere, and every documented refusal is seen.
#[test]
fn scripts_cover_the_contract() {
    let mut successes = BTreeSet::new();
    let mut messages = BTreeSet::new();
    for script in script::all() {
        for step in &script.steps {
            match step.outcome() {
                ("0", _) => successes.insert(step.function.clone()),
                (_, message) => messages.insert(message.to_owned()),
            };
        }
    }
    let missing: Vec<_> = functions()
        .filter(|f| !successes.contains(f.name))
        .collect();
    assert!(
        missing.is_empty(),
        "{:?}",
        missing.iter().map(|f| f.name).collect::<Vec<_>>()
    );
    assert_eq!(functions().count(), 52);
    for documented in [
        "groupID does not exist",
        "groupID doesn't exist",
        "authorID doesn't exist",
        "validUntil is in the past",
        "authorID does not exist",
        "sessionID does not exist",
        "padName does already exist",
        "padID does not exist",
        "text too long",
        "padID does already exist",
        "malformed padID: Remove special characters",
        "You can only get/set the publicStatus of pads that belong to a group",
        "rev is higher than the head revision of the pad",
        "start is higher or equal to the current chatHead",
        "text is no string",
        "invalid deletionToken",
        "keepRevisions must be a non-negative integer",
        "compactPad requires cleanup.enabled = true in settings.json",
        "authorID is required",
        "no or wrong API Key",
        "destinationID already exists",
        "groupID does not exist for destinationID",
    ] {
        assert!(
            messages.contains(documented),
            "no script is answered {documented:?}"
        );
    }
}

#[tokio::test]
async fn a_function_is_unknown_before_its_first_version() {
    let service = world::service(Config::default()).await;
    for function in functions() {
        for version in Version::all().filter(|version| *version < function.since) {
            let answer = service
                .call(version, function.name, Arguments::new(), Caller::Trusted)
                .await;
            assert_eq!(
                answer.unwrap_err().code(),
                Code::NoSuchFunction,
                "{}",
                function.name
            );
        }
    }
    let answer = service
        .call(
            Version::LATEST,
            "noSuchFn",
            Arguments::new(),
            Caller::Anonymous,
        )
        .await;
    assert_eq!(answer.unwrap_err().to_string(), "no such function");
    service.stop().await;
}

async fn run_all(version_of: impl Fn(&str) -> Version) {
    for script in script::all() {
        let service = world::service(config(&script.config)).await;
        run(&service, &script, &version_of).await;
        service.stop().await;
    }
}

async fn run(service: &Service, script: &Script, version_of: &impl Fn(&str) -> Version) {
    let mut names = Names::new(START / 1000);
    for step in &script.steps {
        let version = match &step.version {
            Some(version) => version.parse().unwrap(),
            None => version_of(&step.function),
        };
        let answer = call(service, step, &names, version).await;
        if let Err(found) = names.check(step, &answer) {
            panic!(
                "{} line {}: {} answered {found}",
                script.name, step.line, step.function
            );
        }
    }
}

async fn call(service: &Service, step: &Step, names: &Names, version: Version) -> Answer {
    let mut arguments = Arguments::new();
    for (name, value) in names.arguments(step) {
        arguments.push(name, argument(value));
    }
    let caller = if step.anonymous {
        Caller::Anonymous
    } else {
        Caller::Trusted
    };
    match service
        .call(version, &step.function, arguments, caller)
        .await
    {
        Ok(data) => Answer {
            code: 0,
            message: "ok".to_owned(),
            data: data.into_value(),
        },
        Err(error) => Answer {
            code: error.code() as u8,
            message: error.to_string(),
            data: Value::Null,
        },
    }
}

fn argument(value: Value) -> Argument {
    match value {
        Value::String(text) => Argument::Text(text),
        Value::Number(number) => Argument::Number(number.as_f64().unwrap()),
        Value::Bool(value) => Argument::Boolean(value),
        _ => Argument::Other,
    }
}

fn config(settings: &BTreeMap<String, String>) -> Config {
    let mut config = Config::default();
    for (name, value) in settings {
        match name.as_str() {
            "erasure" => config.erasure = value == "true",
            "compaction" => config.compaction = value == "true",
            "deletion_by_all" => config.deletion_by_all = value == "true",
            "max_text" => config.max_text = value.parse().unwrap(),
            other => panic!("unknown setting {other}"),
        }
    }
    config
}
