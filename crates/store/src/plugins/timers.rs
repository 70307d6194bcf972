//! Timers of plugins: of several nodes, one fires each.
//!
//! They are due by the clock that all nodes share. A timer of a plugin that is disabled waits until
//! it is enabled.

use pad::Timestamp;

use super::{hold, turn};
use crate::Store;
use crate::cluster::clock;
use crate::engine::Turn;
use crate::error::Error;
use crate::limits::{PLUGIN_KEY_BYTES, PLUGIN_TIMERS};
use crate::sql::{Failure, Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginTimer {
    pub name: String,
    /// In how many milliseconds it is due.
    pub wait: i64,
    /// The milliseconds after which it is due again. `None`: it is due once.
    pub every: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginTimerWrite {
    Done,
    /// The plugin has as many timers as it may have, or the name is too long.
    TooMany,
    /// It was removed meanwhile.
    NotInstalled,
}

impl Store {
    /// Sets a timer in place of the one with that name.
    pub async fn put_plugin_timer(
        &self,
        plugin: &str,
        timer: &PluginTimer,
        now: Timestamp,
    ) -> Result<PluginTimerWrite, Error> {
        if timer.name.len() > PLUGIN_KEY_BYTES {
            return Ok(PluginTimerWrite::TooMany);
        }
        let turn = turn(plugin);
        let (plugin, timer) = (plugin.to_owned(), timer.clone());
        let write = move |tx: &mut dyn Tx| {
            if !hold(tx, &plugin)? {
                return Ok(PluginTimerWrite::NotInstalled);
            }
            let others = tx.row(
                "SELECT COUNT(*) FROM plugin_timers WHERE plugin = $1 AND name <> $2",
                &[plugin.as_str().into(), timer.name.as_str().into()],
            )?;
            if others.map_or(Ok(0), |mut row| row.count(0))? >= PLUGIN_TIMERS {
                return Ok(PluginTimerWrite::TooMany);
            }
            let due = clock(tx, now)?.saturating_add(timer.wait.max(1));
            tx.execute(
                "INSERT INTO plugin_timers (plugin, name, due, every) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (plugin, name)
                 DO UPDATE SET due = excluded.due, every = excluded.every",
                &[
                    plugin.as_str().into(),
                    timer.name.as_str().into(),
                    due.into(),
                    timer.every.map(|every| every.max(1)).into(),
                ],
            )?;
            Ok(PluginTimerWrite::Done)
        };
        self.engine.write(turn, write).await
    }

    /// False: there is no such timer.
    pub async fn cancel_plugin_timer(&self, plugin: &str, name: &str) -> Result<bool, Error> {
        let turn = turn(plugin);
        let (plugin, name) = (plugin.to_owned(), name.to_owned());
        let write = move |tx: &mut dyn Tx| {
            let sql = "DELETE FROM plugin_timers WHERE plugin = $1 AND name = $2";
            Ok(tx.execute(sql, &[plugin.as_str().into(), name.as_str().into()])? > 0)
        };
        self.engine.write(turn, write).await
    }

    /// The milliseconds until the next timer of a plugin that is enabled; 0: it is due.
    pub async fn next_plugin_timer(&self, now: Timestamp) -> Result<Option<u64>, Error> {
        let read = move |tx: &mut dyn Tx| {
            let row = tx.row(
                "SELECT MIN(due) FROM plugin_timers
                 WHERE plugin IN (SELECT name FROM plugins WHERE enabled = 1)",
                &[],
            )?;
            let due = row.map_or(Ok(None), |mut row| row.optional_int(0))?;
            let Some(due) = due else {
                return Ok(None);
            };
            let left = due.saturating_sub(clock(tx, now)?);
            Ok(Some(u64::try_from(left).unwrap_or(0)))
        };
        self.engine.read(read).await
    }

    /// Takes timers that are due, at most so many: plugin and name of each. No other call gets
    /// them. Those that repeat are due again later; times that have passed meanwhile are left out.
    pub async fn claim_plugin_timers(
        &self,
        limit: u64,
        now: Timestamp,
    ) -> Result<Vec<(String, String)>, Error> {
        let write = move |tx: &mut dyn Tx| {
            let time = clock(tx, now)?;
            let rows = tx.rows(
                "SELECT plugin, name, due, every FROM plugin_timers WHERE due <= $1
                 AND plugin IN (SELECT name FROM plugins WHERE enabled = 1)
                 ORDER BY due, plugin, name LIMIT $2",
                &[time.into(), limit.into()],
            )?;
            let mut claimed = Vec::new();
            for mut row in rows {
                let timer = (row.text(0)?, row.text(1)?);
                let (due, every) = (row.int(2)?, row.optional_int(3)?);
                if claim(tx, &timer, due, every, time)? {
                    claimed.push(timer);
                }
            }
            Ok(claimed)
        };
        self.engine.write(Turn::Alone, write).await
    }
}

/// False: another node was faster, or the timer was set again.
fn claim(
    tx: &mut dyn Tx,
    (plugin, name): &(String, String),
    due: i64,
    every: Option<i64>,
    time: i64,
) -> Result<bool, Failure> {
    let timer = [plugin.as_str().into(), name.as_str().into(), due.into()];
    let Some(every) = every else {
        let sql = "DELETE FROM plugin_timers WHERE plugin = $1 AND name = $2 AND due = $3";
        return Ok(tx.execute(sql, &timer)? > 0);
    };
    let next = match due.saturating_add(every) {
        next if next > time => next,
        _ => time.saturating_add(every),
    };
    let [plugin, name, due] = timer;
    let sql = "UPDATE plugin_timers SET due = $1 WHERE plugin = $2 AND name = $3 AND due = $4";
    Ok(tx.execute(sql, &[next.into(), plugin, name, due])? > 0)
}
