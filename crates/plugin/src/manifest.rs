//! The manifest of a plugin, plugin.json: read, checked, and every mistake named.
//!
//! What passes here is complete and consistent: hooks have the permissions they take, settings
//! have defaults that fit, and the interface is one that this program has. docs/plugin.schema.json
//! says the same to editors.

mod checks;
mod error;

use std::collections::{BTreeMap, BTreeSet};

use semver::{Version, VersionReq};
use serde::Deserialize;

use crate::attributes::AttributeDeclaration;
use crate::hooks::Hook;
use crate::name::Name;
use crate::permission::Permission;
use crate::settings::SettingsSchema;
pub use error::ManifestError;

/// The most bytes of a plugin.json.
pub const BYTES: usize = 64 * 1024;

pub(crate) const TITLE: usize = 60;
pub(crate) const DESCRIPTION: usize = 500;
pub(crate) const LINE: usize = 200;
pub(crate) const PERMISSIONS: usize = 30;
pub(crate) const API_FUNCTIONS: usize = 30;

#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    pub name: Name,
    pub version: Version,
    /// The versions of [`crate::INTERFACE`] that it works with.
    pub interface: VersionReq,
    pub title: String,
    pub description: String,
    pub author: Option<String>,
    /// The name of a licence, as SPDX has it.
    pub license: Option<String>,
    /// Where people read more: an address of the web.
    pub homepage: Option<String>,
    /// What it asks for. What it gets is what an operator grants.
    pub permissions: BTreeSet<Permission>,
    /// Each with the longest wait in milliseconds, `None` for those that are not waited for.
    pub hooks: BTreeMap<Hook, Option<u32>>,
    /// Of the hooks that decide: those without whose answer nothing passes.
    pub refusing: BTreeSet<Hook>,
    pub settings: SettingsSchema,
    pub attributes: Vec<AttributeDeclaration>,
    /// API functions of its own, with what they do.
    pub api: BTreeMap<String, String>,
}

impl Manifest {
    pub fn parse(json: &[u8]) -> Result<Manifest, ManifestError> {
        if json.len() > BYTES {
            return Err(ManifestError::TooLong);
        }
        let raw: RawManifest = serde_json::from_slice(json).map_err(ManifestError::Json)?;
        checks::check(raw)
    }

    /// Whether this program has the interface that the plugin is written for.
    pub fn fits_interface(&self) -> bool {
        self.interface.matches(&crate::INTERFACE)
    }

    /// How an upgrade to `newer` changes what is asked for: permissions that were not asked for
    /// before.
    pub fn added_permissions(&self, newer: &Manifest) -> Vec<Permission> {
        crate::permission::added(&self.permissions, &newer.permissions)
    }
}

/// What happens to what a hook decides about, if it gives no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum OnFailure {
    /// As if there were no plugin.
    Allow,
    Refuse,
}

/// The file as it is written. Only its form is known; `checks` makes a [`Manifest`] of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct RawManifest {
    /// Where editors find the schema. Not used.
    #[serde(rename = "$schema", default)]
    _schema: Option<String>,
    pub name: String,
    pub version: String,
    pub interface: String,
    pub title: String,
    pub description: String,
    #[serde(default)]
    pub author: Option<String>,
    #[serde(default)]
    pub license: Option<String>,
    #[serde(default)]
    pub homepage: Option<String>,
    #[serde(default)]
    pub permissions: Vec<String>,
    #[serde(default)]
    pub hooks: Vec<String>,
    #[serde(default)]
    pub budgets: BTreeMap<String, u32>,
    #[serde(default)]
    pub on_failure: BTreeMap<String, OnFailure>,
    #[serde(default)]
    pub settings: SettingsSchema,
    #[serde(default)]
    pub attributes: Vec<AttributeDeclaration>,
    #[serde(default)]
    pub api: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests;
