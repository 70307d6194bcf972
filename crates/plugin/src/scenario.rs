//! Tests that a plugin brings along: tests.json, run by `padsvc plugins test`.
//!
//! A scenario is one call of a hook, the calls that the plugin makes meanwhile with what they are
//! answered, and what must come out.

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::functions::Function;
use crate::hooks::Hook;
use crate::package::Package;
use crate::parameter::check_object;
use crate::reason::Reason;

const SCENARIOS: usize = 200;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scenario {
    pub name: String,
    /// Instead of the defaults.
    #[serde(default)]
    pub settings: Map<String, Value>,
    pub hook: Hook,
    #[serde(default)]
    pub args: Map<String, Value>,
    /// What time it is, in milliseconds since 1970.
    #[serde(default)]
    pub now: u64,
    /// The calls that the plugin must make, in this order.
    #[serde(default)]
    pub calls: Vec<ExpectedCall>,
    /// What the hook must answer; `null` if nothing is written.
    #[serde(default)]
    pub answer: Value,
    /// A part of the error that the hook must end with instead.
    #[serde(default)]
    pub error: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ExpectedCall {
    pub function: Function,
    #[serde(default)]
    pub args: Vec<Value>,
    /// What the call is answered.
    #[serde(default)]
    pub answer: Value,
    /// The call fails with this text instead.
    #[serde(default)]
    pub error: Option<String>,
}

#[derive(Debug, Error)]
pub enum ScenarioError {
    #[error("tests.json is missing")]
    Missing,
    #[error("tests.json: {0}")]
    Json(#[from] serde_json::Error),
    #[error("tests.json: there are more than {SCENARIOS} tests")]
    TooMany,
    #[error("{0}: {1}")]
    Wrong(String, String),
}

/// The tests of a package, each checked against the tables and the settings of the plugin.
pub fn scenarios(package: &Package) -> Result<Vec<Scenario>, ScenarioError> {
    let json = package.file("tests.json").ok_or(ScenarioError::Missing)?;
    let scenarios: Vec<Scenario> = serde_json::from_slice(json)?;
    if scenarios.len() > SCENARIOS {
        return Err(ScenarioError::TooMany);
    }
    for scenario in &scenarios {
        let wrong =
            |reason: Reason| ScenarioError::Wrong(scenario.name.clone(), reason.to_string());
        check(package, scenario).map_err(wrong)?;
    }
    Ok(scenarios)
}

fn check(package: &Package, scenario: &Scenario) -> Result<(), Reason> {
    let manifest = package.manifest();
    if !manifest.hooks.contains_key(&scenario.hook) {
        return Err(format!("plugin.json does not list {}", scenario.hook).into());
    }
    let arguments = Value::from(scenario.args.clone());
    check_object(scenario.hook.row().arguments, &arguments)
        .map_err(|error| format!("{}: {error}", scenario.hook))?;
    let settings = manifest.settings.check(&scenario.settings.clone().into());
    settings.map_err(|errors| errors.first().map_or_else(String::new, ToString::to_string))?;
    for call in &scenario.calls {
        let checked = call
            .function
            .check(&manifest.permissions, call.args.clone());
        checked.map_err(Reason::of)?;
    }
    Ok(())
}
