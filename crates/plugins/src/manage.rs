//! What operators do to plugins: review, install, upgrade, enable, disable, configure, remove.
//!
//! Nothing is installed that an operator has not agreed to: every permission the plugin asks for,
//! and apart from them that its code runs in browsers; of an upgrade, what comes on top of the
//! version before. Consent names the package that was shown, so another one is refused, whatever
//! became of the file or the catalogue meanwhile.

mod error;

use std::collections::BTreeSet;
use std::sync::Arc;

use pad::Timestamp;
use plugin::catalogue::PublicKey;
use plugin::package::{ARCHIVE, sha256};
use plugin::settings::ValueError;
use plugin::{Catalogue, Manifest, Name, Package, PackageError, PadPatterns, Permission};
use semver::Version;
use serde_json::Value;
use store::{PluginRecord, PluginWrite};
use tracing::info;

pub use error::{ManageError, Missing};

use crate::catalogue::CatalogueSource;
use crate::registry::{Installed, Registry};

/// What an operator sees before agreeing.
#[derive(Debug)]
pub struct Review {
    pub manifest: Manifest,
    pub sha256: String,
    /// The version that is installed.
    pub installed: Option<Version>,
    /// What it asks for beyond what is granted to the installed version.
    pub added: Vec<Permission>,
    /// Its code runs in browsers, with the rights of those who have a pad open.
    pub runs_in_browsers: bool,
    /// And that of the installed version does not.
    pub browsers_added: bool,
}

/// What an operator has agreed to. What the installed version has been granted need not be named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consent {
    /// Of the package that was shown, in hexadecimal digits.
    pub sha256: String,
    pub granted: BTreeSet<Permission>,
    /// That its code runs in browsers.
    pub browsers: bool,
}

pub struct Manager {
    registry: Arc<Registry>,
    source: CatalogueSource,
}

impl Manager {
    pub fn new(registry: Arc<Registry>, source: CatalogueSource) -> Manager {
        Manager { registry, source }
    }

    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    pub fn keys(&self) -> &[PublicKey] {
        &self.source.keys
    }

    /// What the catalogue offers.
    pub async fn catalogue(&self) -> Result<Catalogue, ManageError> {
        Ok(self.source.list().await?)
    }

    /// The archive of a plugin from the catalogue; of the newest version, if none is named.
    pub async fn fetch(
        &self,
        name: &Name,
        version: Option<&Version>,
    ) -> Result<Vec<u8>, ManageError> {
        Ok(self.source.archive(name, version).await?)
    }

    /// Says what an operator has to agree to. Changes nothing.
    pub fn review(&self, archive: &[u8]) -> Result<Review, ManageError> {
        let package = open(archive)?;
        let manifest = package.manifest().clone();
        let snapshot = self.registry.current();
        let installed = snapshot.plugins.get(&manifest.name);
        let added = added(&package, installed.map(Arc::as_ref));
        Ok(Review {
            sha256: sha256(archive),
            installed: installed.map(|installed| installed.manifest().version.clone()),
            added: added.permissions,
            runs_in_browsers: package.runs_in_browsers(),
            browsers_added: added.browsers,
            manifest,
        })
    }

    /// Installs a plugin, or puts this version in the place of the installed one: settings that
    /// still fit and everything it has stored stay. A new one is enabled.
    pub async fn install(
        &self,
        archive: &[u8],
        consent: &Consent,
        now: Timestamp,
    ) -> Result<Arc<Installed>, ManageError> {
        let sha256 = sha256(archive);
        if sha256 != consent.sha256 {
            return Err(ManageError::NotAsShown);
        }
        let package = open(archive)?;
        let manifest = package.manifest();
        self.registry.reload().await?;
        let snapshot = self.registry.current();
        let installed = snapshot.plugins.get(&manifest.name);
        check_consent(&package, installed.map(Arc::as_ref), consent)?;
        let known = self.record(&manifest.name).await?;
        // What is granted already is that of the record which this one takes the place of.
        let change = known.as_ref().map(|known| known.change);
        if installed.is_some_and(|installed| Some(installed.record.change) != change) {
            return Err(ManageError::Changed);
        }
        let values = known.as_ref().map(|known| known.settings.as_str());
        let values = values.and_then(|json| serde_json::from_str::<Value>(json).ok());
        let settings = manifest.settings.carry_over(&values.unwrap_or(Value::Null));
        let settings = manifest.settings.differing(settings);
        let everywhere = || serde_json::to_string(&PadPatterns::default());
        let pads = known.as_ref().map(|known| Ok(known.pads.clone()));
        let record = PluginRecord {
            name: manifest.name.to_string(),
            version: manifest.version.to_string(),
            enabled: known.as_ref().is_none_or(|known| known.enabled),
            granted: serde_json::to_string(&manifest.permissions)?,
            settings: serde_json::to_string(&settings)?,
            pads: pads.unwrap_or_else(everywhere)?,
            sha256,
            installed: now,
            change: change.unwrap_or(0),
        };
        let store = self.registry.store();
        self.finish(store.put_plugin(&record, archive).await?)
            .await?;
        let verb = match known {
            None => "installed",
            Some(_) => "upgraded",
        };
        info!("the plugin {} {} is {verb}", record.name, record.version);
        let snapshot = self.registry.current();
        let installed = snapshot.plugins.get(&manifest.name);
        installed.cloned().ok_or(ManageError::Changed)
    }

    pub async fn set_enabled(&self, name: &str, enabled: bool) -> Result<(), ManageError> {
        let store = self.registry.store();
        if !store.set_plugin_enabled(name, enabled).await? {
            return Err(ManageError::not_installed(name));
        }
        let state = if enabled { "enabled" } else { "disabled" };
        info!("the plugin {name} is {state}");
        Ok(self.registry.reload().await?)
    }

    /// Sets what is named, and leaves the rest as it is: a form need not send secrets back. What is
    /// as the plugin has it is not stored, so that an upgrade can bring another default.
    pub async fn configure(
        &self,
        name: &str,
        values: &Value,
        pads: Option<&PadPatterns>,
    ) -> Result<(), ManageError> {
        self.registry.reload().await?;
        let snapshot = self.registry.current();
        let installed = snapshot.get(name);
        let installed = installed.ok_or_else(|| ManageError::not_installed(name))?;
        let Some(changed) = values.as_object() else {
            return Err(ManageError::Settings(vec![ValueError::NoObject]));
        };
        let mut merged = installed.settings.clone();
        merged.extend(changed.clone());
        let schema = &installed.manifest().settings;
        let checked = schema.check(&merged.into());
        let checked = checked.map_err(ManageError::Settings)?;
        let json = serde_json::to_string(&schema.differing(checked))?;
        let pads = serde_json::to_string(pads.unwrap_or(&installed.pads))?;
        let (store, known) = (self.registry.store(), installed.record.change);
        let written = store.configure_plugin(name, known, &json, &pads).await?;
        self.finish(written).await
    }

    /// Removes a plugin with everything that it has stored; also one that cannot be used.
    pub async fn remove(&self, name: &str) -> Result<(), ManageError> {
        if !self.registry.store().remove_plugin(name).await? {
            return Err(ManageError::not_installed(name));
        }
        info!("the plugin {name} is removed");
        Ok(self.registry.reload().await?)
    }

    /// The record, also of a plugin that cannot be used: an upgrade may be the remedy.
    async fn record(&self, name: &Name) -> Result<Option<PluginRecord>, ManageError> {
        let list = self.registry.store().plugins().await?;
        let mut plugins = list.plugins.into_iter();
        Ok(plugins.find(|plugin| plugin.name == name.as_str()))
    }

    async fn finish(&self, written: PluginWrite) -> Result<(), ManageError> {
        match written {
            PluginWrite::Done(_) => Ok(self.registry.reload().await?),
            PluginWrite::Changed => Err(ManageError::Changed),
            PluginWrite::TooMany => Err(ManageError::TooMany),
        }
    }
}

fn open(archive: &[u8]) -> Result<Package, ManageError> {
    if archive.len() > ARCHIVE {
        return Err(PackageError::ArchiveTooLong.into());
    }
    Ok(Package::unpack(archive)?)
}

/// What a package asks for beyond what the installed version has.
fn added(package: &Package, installed: Option<&Installed>) -> Missing {
    let nothing = BTreeSet::new();
    let granted = installed.map_or(&nothing, |installed| &installed.granted);
    let has_browsers = installed.is_some_and(|installed| installed.package.runs_in_browsers());
    Missing {
        permissions: plugin::permission::added(granted, &package.manifest().permissions),
        browsers: package.runs_in_browsers() && !has_browsers,
    }
}

fn check_consent(
    package: &Package,
    installed: Option<&Installed>,
    consent: &Consent,
) -> Result<(), ManageError> {
    let asked = &package.manifest().permissions;
    let surplus = plugin::permission::added(asked, &consent.granted);
    if !surplus.is_empty() {
        return Err(ManageError::NotAsked(surplus));
    }
    let mut missing = added(package, installed);
    missing
        .permissions
        .retain(|permission| !consent.granted.contains(permission));
    missing.browsers &= !consent.browsers;
    if missing.is_nothing() {
        Ok(())
    } else {
        Err(ManageError::Consent(missing))
    }
}

#[cfg(test)]
mod tests;
