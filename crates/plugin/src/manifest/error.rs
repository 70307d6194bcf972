//! What can be wrong with a plugin.json. A text begins with the place, and says what to write.

use thiserror::Error;

use super::{API_FUNCTIONS, BYTES, DESCRIPTION, LINE, PERMISSIONS, TITLE};
use crate::attributes::{AttributeError, DECLARATIONS};
use crate::name::NameError;
use crate::permission::PermissionError;
use crate::settings::SchemaError;

#[derive(Debug, Error)]
pub enum ManifestError {
    #[error("plugin.json has more than {BYTES} bytes")]
    TooLong,
    #[error("plugin.json: {0}")]
    Json(serde_json::Error),
    #[error("name: {0}")]
    Name(NameError),
    #[error("version: {0} is no version; write three numbers, such as 1.2.3")]
    Version(String),
    #[error("interface: {0} is no requirement; write a version such as 1.0")]
    InterfaceForm(String),
    #[error("interface: it is for {wanted}, this program has {}", crate::INTERFACE)]
    Interface { wanted: String },
    #[error("title has 1 to {TITLE} characters in one line, all of them visible")]
    Title,
    #[error("description has 1 to {DESCRIPTION} characters, all of them visible")]
    Description,
    #[error("{0} has 1 to {LINE} characters in one line, all of them visible")]
    Line(&'static str),
    #[error("homepage must begin with https:// or http://")]
    Homepage,
    #[error("permissions: there are more than {PERMISSIONS}")]
    TooManyPermissions,
    #[error("permissions[{0}]: {1}")]
    Permission(usize, PermissionError),
    #[error("permissions[{0}]: {1} is there twice")]
    RepeatedPermission(usize, String),
    #[error("hooks[{0}]: there is no hook called {1}")]
    UnknownHook(usize, String),
    #[error("hooks[{0}]: {1} is there twice")]
    RepeatedHook(usize, String),
    #[error("hooks[{index}]: {hook} takes the permission {permission}; add it to permissions")]
    HookWithoutPermission {
        index: usize,
        hook: &'static str,
        permission: &'static str,
    },
    #[error("budgets.{0}: hooks does not list it")]
    BudgetWithoutHook(String),
    #[error("budgets.{0}: the service does not wait for this hook")]
    BudgetWithoutWait(&'static str),
    #[error("budgets.{hook}: a number from 1 to {max} milliseconds")]
    Budget { hook: &'static str, max: u32 },
    #[error("onFailure.{0}: hooks does not list it")]
    FailureWithoutHook(String),
    #[error("onFailure.{0}: this hook decides nothing")]
    FailureWithoutDecision(&'static str),
    #[error("settings: {0}")]
    Settings(SchemaError),
    #[error("attributes: there are more than {DECLARATIONS}")]
    TooManyAttributes,
    #[error("attributes[{0}]: {1}")]
    Attribute(usize, AttributeError),
    #[error("attributes[{0}]: {1} is there twice")]
    RepeatedAttribute(usize, String),
    #[error("api: there are more than {API_FUNCTIONS} functions")]
    TooManyApiFunctions,
    #[error("api: {0} is no name; write a letter and then up to 39 letters and digits")]
    ApiName(String),
    #[error("api.{0}: say in 1 to {LINE} visible characters what it does")]
    ApiDescription(String),
    #[error("api: functions are answered by the hook apiCall; add it to hooks")]
    ApiWithoutHook,
    #[error("hooks: apiCall is called for the functions in api, and there are none")]
    HookWithoutApi,
}
