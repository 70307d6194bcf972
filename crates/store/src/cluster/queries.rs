//! Questions of a node about all of its pads at once.

use std::fmt::Write;

use pad::{PadId, SessionId};

use super::{NodeId, damaged};
use crate::Store;
use crate::error::Error;
use crate::people::digest;
use crate::record::PadKey;
use crate::sql::{Row, Tx};

impl Store {
    /// The members that are stored for this node.
    pub async fn own_seats(&self) -> Result<Vec<(PadKey, u64)>, Error> {
        let own = self.node.map_or(-1, NodeId::number);
        let read = move |tx: &mut dyn Tx| {
            let sql = "SELECT pad, member FROM presence WHERE node = $1 ORDER BY pad, member";
            let seat = |mut row: Row| Ok((PadKey(row.int(0)?), row.count(1)?));
            tx.rows(sql, &[own.into()])?.into_iter().map(seat).collect()
        };
        self.engine.read(read).await
    }

    /// The pads that somebody is in on any node, with the number of members.
    pub async fn occupied(&self) -> Result<Vec<(PadId, u64)>, Error> {
        let read = |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT pads.name, COUNT(*) FROM presence JOIN pads ON pads.key = presence.pad
                 WHERE pads.name IS NOT NULL GROUP BY pads.name ORDER BY pads.name",
                &[],
            )?;
            let pad = |mut row: Row| {
                let name = PadId::parse(&row.text(0)?).ok_or_else(damaged)?;
                Ok((name, row.count(1)?))
            };
            rows.into_iter().map(pad).collect()
        };
        self.engine.read(read).await
    }
}

/// What a note calls a session.
pub fn session_hash(session: &SessionId) -> String {
    digest(session.as_str())
        .iter()
        .fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}
