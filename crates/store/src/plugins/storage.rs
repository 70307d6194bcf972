//! What plugins store: values by their keys, within bounds that no plugin can pass.
//!
//! The bounds are checked while the plugin's row is held, so that two nodes together store no more
//! than one could.

use super::{hold, key, turn};
use crate::Store;
use crate::error::Error;
use crate::limits::{PLUGIN_BYTES, PLUGIN_KEY_BYTES, PLUGIN_KEYS, PLUGIN_VALUE_BYTES};
use crate::sql::{Failure, Row, Tx};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginValueWrite {
    Done,
    /// The plugin has as many values, or as many bytes, as it may have.
    Full,
    /// The key or the value is too long.
    TooLong,
    /// It was removed meanwhile.
    NotInstalled,
}

impl Store {
    pub async fn plugin_value(&self, plugin: &str, key: &str) -> Result<Option<Vec<u8>>, Error> {
        let (plugin, key) = (plugin.to_owned(), key.to_owned());
        let read = move |tx: &mut dyn Tx| {
            let row = tx.row(
                "SELECT value FROM plugin_storage WHERE plugin = $1 AND key = $2",
                &[plugin.as_str().into(), key.as_bytes().into()],
            )?;
            row.map(|mut row| row.blob(0)).transpose()
        };
        self.engine.read(read).await
    }

    /// Stores a value in place of what is there.
    pub async fn put_plugin_value(
        &self,
        plugin: &str,
        key: &str,
        value: &[u8],
    ) -> Result<PluginValueWrite, Error> {
        if key.len() > PLUGIN_KEY_BYTES || value.len() > PLUGIN_VALUE_BYTES {
            return Ok(PluginValueWrite::TooLong);
        }
        let turn = turn(plugin);
        let (plugin, key, value) = (plugin.to_owned(), key.to_owned(), value.to_vec());
        let write = move |tx: &mut dyn Tx| {
            if !hold(tx, &plugin)? {
                return Ok(PluginValueWrite::NotInstalled);
            }
            let (count, bytes) = besides(tx, &plugin, &key)?;
            let added = (key.len() + value.len()) as u64;
            if count >= PLUGIN_KEYS || bytes + added > PLUGIN_BYTES {
                return Ok(PluginValueWrite::Full);
            }
            tx.execute(
                "INSERT INTO plugin_storage (plugin, key, value) VALUES ($1, $2, $3)
                 ON CONFLICT (plugin, key) DO UPDATE SET value = excluded.value",
                &[
                    plugin.as_str().into(),
                    key.as_bytes().into(),
                    value.as_slice().into(),
                ],
            )?;
            Ok(PluginValueWrite::Done)
        };
        self.engine.write(turn, write).await
    }

    /// False: there is no such value.
    pub async fn remove_plugin_value(&self, plugin: &str, key: &str) -> Result<bool, Error> {
        let turn = turn(plugin);
        let (plugin, key) = (plugin.to_owned(), key.to_owned());
        let write = move |tx: &mut dyn Tx| {
            let sql = "DELETE FROM plugin_storage WHERE plugin = $1 AND key = $2";
            let binds = [plugin.as_str().into(), key.as_bytes().into()];
            Ok(tx.execute(sql, &binds)? > 0)
        };
        self.engine.write(turn, write).await
    }

    /// The keys that begin with the prefix, in order, after the key `after`; at most so many.
    pub async fn plugin_keys(
        &self,
        plugin: &str,
        prefix: &str,
        after: Option<&str>,
        limit: u64,
    ) -> Result<Vec<String>, Error> {
        let (plugin, prefix) = (plugin.to_owned(), prefix.to_owned());
        let after = after.filter(|after| *after >= prefix.as_str());
        let after = after.map(str::to_owned);
        let read = move |tx: &mut dyn Tx| {
            // Keys that begin alike lie together, and the prefix itself is the first of them.
            let sql = match after {
                Some(_) => {
                    "SELECT key FROM plugin_storage WHERE plugin = $1 AND key > $2
                     ORDER BY key LIMIT $3"
                }
                None => {
                    "SELECT key FROM plugin_storage WHERE plugin = $1 AND key >= $2
                     ORDER BY key LIMIT $3"
                }
            };
            let start = after.as_ref().unwrap_or(&prefix);
            let binds = [
                plugin.as_str().into(),
                start.as_bytes().into(),
                limit.into(),
            ];
            let rows = tx.rows(sql, &binds)?;
            let keys = rows.into_iter().map(|mut row: Row| key(row.blob(0)?));
            let mut keys = keys.collect::<Result<Vec<String>, Failure>>()?;
            keys.retain(|key| key.starts_with(&prefix));
            Ok(keys)
        };
        self.engine.read(read).await
    }
}

/// How many other values a plugin has, and how many bytes they take.
fn besides(tx: &mut dyn Tx, plugin: &str, key: &str) -> Result<(u64, u64), Failure> {
    let row = tx.row(
        "SELECT COUNT(*), COALESCE(SUM(LENGTH(key) + LENGTH(value)), 0) FROM plugin_storage
         WHERE plugin = $1 AND key <> $2",
        &[plugin.into(), key.as_bytes().into()],
    )?;
    row.map_or(Ok((0, 0)), |mut row| Ok((row.count(0)?, row.count(1)?)))
}
