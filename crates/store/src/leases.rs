//! Leases: what one node does for all of them.

use pad::Timestamp;

use crate::Store;
use crate::cluster::clock;
use crate::engine::Turn;
use crate::error::Error;
use crate::sql::Tx;

impl Store {
    /// Takes a lease for so many milliseconds, or extends it. False: another node has it. Where
    /// there are no nodes, the process has every lease.
    pub async fn lease(
        &self,
        name: &'static str,
        millis: i64,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let Some(node) = self.node else {
            return Ok(true);
        };
        let write = move |tx: &mut dyn Tx| {
            let time = clock(tx, now)?;
            let count = tx.execute(
                "INSERT INTO leases (name, node, expires) VALUES ($1, $2, $3)
                 ON CONFLICT (name) DO UPDATE SET node = excluded.node, expires = excluded.expires
                 WHERE leases.node = excluded.node OR leases.expires <= $4",
                &[
                    name.into(),
                    node.stored().into(),
                    time.saturating_add(millis).into(),
                    time.into(),
                ],
            )?;
            Ok(count > 0)
        };
        self.engine.write(Turn::named(name), write).await
    }

    /// Gives a lease back, so that another node need not wait for its end.
    pub async fn end_lease(&self, name: &'static str) -> Result<(), Error> {
        let Some(node) = self.node else {
            return Ok(());
        };
        let write = move |tx: &mut dyn Tx| {
            let sql = "DELETE FROM leases WHERE name = $1 AND node = $2";
            tx.execute(sql, &[name.into(), node.stored().into()])
                .map(drop)
        };
        self.engine.write(Turn::named(name), write).await
    }
}
