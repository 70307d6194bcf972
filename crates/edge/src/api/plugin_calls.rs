//! API functions of plugins: `/api/VERSION/NAME.FUNCTION`, with the credential of any other
//! function. The credential itself is not passed on.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::Method;
use plugins::{Failure, Plugins};
use serde_json::{Map, Value};
use service::Error;
use service::api::{Argument, Arguments, Caller, Data, Version};

use super::ApiState;
use super::arguments::{self, BudgetedArguments};
use super::envelope::Refusal;
use crate::origin;
use crate::plugin_routes::is_credential;

/// A function that a request names, and the plugin it belongs to.
pub(super) struct PluginFunction {
    plugins: Arc<Plugins>,
    plugin: String,
    function: String,
}

impl PluginFunction {
    /// `None`: the request names none of a plugin's.
    pub(super) fn of(state: &ApiState, request: &Request) -> Option<PluginFunction> {
        if !matches!(*request.method(), Method::GET | Method::POST) {
            return None;
        }
        let path = request.uri().path().strip_prefix('/')?;
        let (version, name) = path.strip_suffix('/').unwrap_or(path).split_once('/')?;
        let _: Version = version.parse().ok()?;
        let (plugin, function) = name.split_once('.')?;
        Some(PluginFunction {
            plugins: Arc::clone(state.plugins.as_ref()?),
            plugin: plugin.to_owned(),
            function: function.to_owned(),
        })
    }

    pub(super) async fn answer(self, state: &ApiState, request: Request) -> Result<Data, Refusal> {
        let (head, body) = request.into_parts();
        let read = arguments::read(&head, body, &state.budget).await?;
        let BudgetedArguments { arguments, permit } = read;
        let asked = origin::asked(&state.settings, &head.uri, &head.headers);
        let credentials = &state.credentials;
        let caller = credentials.caller(&head.headers, &arguments, &asked).await;
        if caller != Caller::Trusted {
            return Err(Error::Credential.into());
        }
        let given = passed_on(&arguments);
        drop((arguments, permit));
        let plugins = self.plugins;
        match plugins.api_call(&self.plugin, &self.function, given).await {
            Ok(value) => Ok(Data::Value(value)),
            Err(Failure::NoHook) => Err(Error::NoSuchFunction.into()),
            Err(_) => Err(Error::Internal.into()),
        }
    }
}

/// The arguments as texts, without the credential.
fn passed_on(arguments: &Arguments) -> Map<String, Value> {
    let mut given = Map::new();
    for (name, argument) in arguments.iter() {
        let text = match argument {
            Argument::Text(text) => text.clone(),
            Argument::Units(text) => text.to_string_lossy(),
            Argument::Number(number) => number.to_string(),
            Argument::Boolean(boolean) => boolean.to_string(),
            Argument::Other => continue,
        };
        if !is_credential(name) && !given.contains_key(name) {
            given.insert(name.clone(), text.into());
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn credentials_stay_here() {
        let mut arguments = Arguments::new();
        for (name, value) in [("apikey", "k"), ("API_KEY", "k"), ("n", "1"), ("n", "2")] {
            arguments.push(name, Argument::Text(value.to_owned()));
        }
        arguments.push("flag", Argument::Boolean(true));
        arguments.push("list", Argument::Other);
        let given = Value::from(passed_on(&arguments));
        assert_eq!(given, json!({ "n": "1", "flag": "true" }));
    }
}
