//! What all pads weigh, and which weigh most. It reads every row of the histories, so it takes
//! long where there are many.

use std::collections::HashMap;

use pad::PadId;

use crate::Store;
use crate::error::Error;
use crate::sql::{Failure, Tx, damaged};

/// Bytes of all pads, as they are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// Of the newest snapshot of each pad's text.
    pub texts: u64,
    /// Of everything that earlier revisions are read from.
    pub history: u64,
    pub chat: u64,
    /// The heaviest pads, the heaviest first.
    pub largest: Vec<(PadId, u64)>,
}

/// Bytes of each pad.
const PARTS: [&str; 4] = [
    "SELECT pad, SUM(LENGTH(text)) FROM chat GROUP BY pad",
    "SELECT pad, SUM(LENGTH(change)) FROM revisions GROUP BY pad",
    "SELECT pad, SUM(LENGTH(data)) FROM packs GROUP BY pad",
    "SELECT pad, SUM(LENGTH(data)) FROM snapshots GROUP BY pad",
];

impl Store {
    pub async fn weigh_pads(&self, largest: usize) -> Result<Weights, Error> {
        self.engine.read(move |tx| weigh(tx, largest)).await
    }
}

fn weigh(tx: &mut dyn Tx, largest: usize) -> Result<Weights, Failure> {
    let mut weights = Weights::default();
    let mut pads: HashMap<i64, u64> = HashMap::new();
    for (place, sql) in PARTS.into_iter().enumerate() {
        for mut row in tx.rows(sql, &[])? {
            let bytes = row.count(1)?;
            *pads.entry(row.int(0)?).or_default() += bytes;
            let part = if place == 0 {
                &mut weights.chat
            } else {
                &mut weights.history
            };
            *part += bytes;
        }
    }
    let texts = tx.row("SELECT CAST(SUM(snapshot_bytes) AS BIGINT) FROM pads", &[])?;
    let texts = texts.map_or(Ok(None), |mut row| row.optional_int(0))?;
    weights.texts = texts.map_or(0, i64::unsigned_abs).min(weights.history);
    weights.history -= weights.texts;
    let mut pads: Vec<(i64, u64)> = pads.into_iter().collect();
    pads.sort_unstable_by_key(|(key, bytes)| (std::cmp::Reverse(*bytes), *key));
    for (key, bytes) in pads {
        if weights.largest.len() == largest {
            break;
        }
        // Pads that are being removed have no name.
        let row = tx.row("SELECT name FROM pads WHERE key = $1", &[key.into()])?;
        let name = row.map_or(Ok(None), |mut row| row.optional_text(0))?;
        if let Some(name) = name {
            let id = PadId::from_string(name).ok_or_else(damaged)?;
            weights.largest.push((id, bytes));
        }
    }
    Ok(weights)
}
