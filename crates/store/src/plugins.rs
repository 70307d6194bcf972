//! Plugins that are installed: their packages, what was granted and set.
//!
//! Every change of what is installed takes the row of the counter first, so that changes come one
//! after another on all nodes, and is one transaction: an upgrade that fails leaves the version
//! before. What a name, a permission or a setting may be is decided above; here they are text.

mod storage;

mod timers;

use std::fmt::Write;

use pad::Timestamp;
use sha2::{Digest, Sha256};

pub use storage::PluginValueWrite;
pub use timers::{PluginTimer, PluginTimerWrite};

use crate::Store;
use crate::engine::Turn;
use crate::error::Error;
use crate::limits::PLUGINS;
use crate::sql::{Dialect, Failure, Row, Tx, damaged};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginRecord {
    pub name: String,
    pub version: String,
    pub enabled: bool,
    /// A JSON list of permissions.
    pub granted: String,
    /// A JSON object.
    pub settings: String,
    /// A JSON list of patterns of the names of pads that it is switched on for.
    pub pads: String,
    /// Of the package, in hexadecimal digits.
    pub sha256: String,
    pub installed: Timestamp,
    /// The number of the change that made it what it is. 0: it is not stored yet.
    pub change: u64,
}

/// What is installed, without the packages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginList {
    /// Rises with every change.
    pub change: u64,
    /// By name.
    pub plugins: Vec<PluginRecord>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginWrite {
    /// With the number of the change.
    Done(u64),
    /// It is not what the caller knew: another change came first. Nothing is written.
    Changed,
    /// As many plugins are installed as there can be. Nothing is written.
    TooMany,
}

impl Store {
    pub async fn plugins(&self) -> Result<PluginList, Error> {
        let read = |tx: &mut dyn Tx| {
            let change = change(tx)?;
            let rows = tx.rows(
                "SELECT name, version, enabled, granted, settings, pads, sha256, installed, change
                 FROM plugins ORDER BY name",
                &[],
            )?;
            let plugins = rows.into_iter().map(record).collect::<Result<_, _>>()?;
            Ok(PluginList { change, plugins })
        };
        self.engine.read(read).await
    }

    /// How many changes of what is installed there were.
    pub async fn plugin_change(&self) -> Result<u64, Error> {
        self.engine.read(change).await
    }

    pub async fn plugin_package(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let name = name.to_owned();
        let read = move |tx: &mut dyn Tx| {
            let sql = "SELECT package FROM plugins WHERE name = $1";
            let row = tx.row(sql, &[name.as_str().into()])?;
            row.map(|mut row| row.blob(0)).transpose()
        };
        self.engine.read(read).await
    }

    /// Installs a plugin, or puts a version in the place of the one that is installed, if that is
    /// still the one whose `change` the record names. What the plugin has stored stays.
    pub async fn put_plugin(
        &self,
        plugin: &PluginRecord,
        package: &[u8],
    ) -> Result<PluginWrite, Error> {
        let (plugin, package) = (plugin.clone(), package.to_vec());
        let write = move |tx: &mut dyn Tx| {
            let change = next_change(tx)?;
            let count = tx.row("SELECT COUNT(*) FROM plugins", &[])?;
            let count = count.map_or(Ok(0), |mut row| row.count(0))?;
            if plugin.change == 0 && count >= PLUGINS {
                return Ok(PluginWrite::TooMany);
            }
            let written = put(tx, &plugin, &package, change)?;
            Ok(outcome(written, change))
        };
        self.engine.write(Turn::Alone, write).await
    }

    /// False: it is not installed.
    pub async fn set_plugin_enabled(&self, name: &str, enabled: bool) -> Result<bool, Error> {
        let name = name.to_owned();
        let write = move |tx: &mut dyn Tx| {
            let change = next_change(tx)?;
            let sql = "UPDATE plugins SET enabled = $1, change = $2 WHERE name = $3";
            let binds = [enabled.into(), change.into(), name.as_str().into()];
            Ok(tx.execute(sql, &binds)? > 0)
        };
        self.engine.write(Turn::Alone, write).await
    }

    /// Sets the settings, and where it is switched on, if the plugin is still what the caller has
    /// checked them against.
    pub async fn configure_plugin(
        &self,
        name: &str,
        known: u64,
        settings: &str,
        pads: &str,
    ) -> Result<PluginWrite, Error> {
        let (name, settings, pads) = (name.to_owned(), settings.to_owned(), pads.to_owned());
        let write = move |tx: &mut dyn Tx| {
            let change = next_change(tx)?;
            let written = tx.execute(
                "UPDATE plugins SET settings = $1, pads = $2, change = $3
                 WHERE name = $4 AND change = $5",
                &[
                    settings.as_str().into(),
                    pads.as_str().into(),
                    change.into(),
                    name.as_str().into(),
                    known.into(),
                ],
            )?;
            Ok(outcome(written, change))
        };
        self.engine.write(Turn::Alone, write).await
    }

    /// Removes a plugin with everything that it has stored. False: it is not installed.
    pub async fn remove_plugin(&self, name: &str) -> Result<bool, Error> {
        let name = name.to_owned();
        let write = move |tx: &mut dyn Tx| {
            next_change(tx)?;
            let name = [name.as_str().into()];
            let removed = tx.execute("DELETE FROM plugins WHERE name = $1", &name)?;
            tx.execute("DELETE FROM plugin_storage WHERE plugin = $1", &name)?;
            tx.execute("DELETE FROM plugin_timers WHERE plugin = $1", &name)?;
            Ok(removed > 0)
        };
        self.engine.write(Turn::Alone, write).await
    }

    /// The plugins whose package is not the one that was stored.
    pub(crate) async fn damaged_packages(&self) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        for plugin in self.plugins().await?.plugins {
            let package = self.plugin_package(&plugin.name).await?;
            if package.is_some_and(|package| hexadecimal(&package) != plugin.sha256) {
                found.push(plugin.name);
            }
        }
        Ok(found)
    }
}

fn outcome(written: u64, change: u64) -> PluginWrite {
    match written {
        0 => PluginWrite::Changed,
        _ => PluginWrite::Done(change),
    }
}

fn change(tx: &mut dyn Tx) -> Result<u64, Failure> {
    let row = tx.row("SELECT number FROM plugin_changes WHERE row = 1", &[])?;
    row.map_or(Ok(0), |mut row| row.count(0))
}

/// Counts a change, and lets no other one happen until this transaction ends. One that is refused
/// afterwards may be counted too: others then look, and find nothing new.
fn next_change(tx: &mut dyn Tx) -> Result<u64, Failure> {
    tx.execute(
        "INSERT INTO plugin_changes (row, number) VALUES (1, 1)
         ON CONFLICT (row) DO UPDATE SET number = plugin_changes.number + 1",
        &[],
    )?;
    change(tx)
}

/// Says how many rows were written: one, or none if it is not the plugin that the caller knew.
fn put(
    tx: &mut dyn Tx,
    plugin: &PluginRecord,
    package: &[u8],
    change: u64,
) -> Result<u64, Failure> {
    let values = [
        plugin.version.as_str().into(),
        plugin.enabled.into(),
        plugin.granted.as_str().into(),
        plugin.settings.as_str().into(),
        plugin.pads.as_str().into(),
        plugin.sha256.as_str().into(),
        plugin.installed.millis().into(),
        change.into(),
        package.into(),
        plugin.name.as_str().into(),
    ];
    if plugin.change == 0 {
        return tx.execute(
            "INSERT INTO plugins
             (version, enabled, granted, settings, pads, sha256, installed, change, package, name)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (name) DO NOTHING",
            &values,
        );
    }
    let binds: Vec<_> = values.into_iter().chain([plugin.change.into()]).collect();
    tx.execute(
        "UPDATE plugins SET version = $1, enabled = $2, granted = $3, settings = $4, pads = $5,
             sha256 = $6, installed = $7, change = $8, package = $9
         WHERE name = $10 AND change = $11",
        &binds,
    )
}

/// Whether a plugin is installed. Nobody removes or changes it until this transaction ends.
fn hold(tx: &mut dyn Tx, plugin: &str) -> Result<bool, Failure> {
    let sql = match tx.dialect() {
        Dialect::Sqlite => "SELECT name FROM plugins WHERE name = $1",
        Dialect::Postgres => "SELECT name FROM plugins WHERE name = $1 FOR UPDATE",
    };
    Ok(tx.row(sql, &[plugin.into()])?.is_some())
}

/// The turn of what a plugin stores.
fn turn(plugin: &str) -> Turn {
    Turn::named(&format!("plugin {plugin}"))
}

fn record(mut row: Row) -> Result<PluginRecord, Failure> {
    Ok(PluginRecord {
        name: row.text(0)?,
        version: row.text(1)?,
        enabled: row.flag(2)?,
        granted: row.text(3)?,
        settings: row.text(4)?,
        pads: row.text(5)?,
        sha256: row.text(6)?,
        installed: Timestamp(row.int(7)?),
        change: row.count(8)?,
    })
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn key(bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|_| damaged())
}
