//! Numbers of the service by the hour. What they count is the caller's; here they are text.

use crate::Store;
use crate::engine::Turn;
use crate::error::Error;
use crate::sql::{Failure, Row, Tx};

impl Store {
    /// Writes this node's numbers of an hour (since 1970) in place of what it wrote before, and
    /// removes all hours before `keep_from`.
    pub async fn put_series_hour(
        &self,
        hour: i64,
        totals: &str,
        keep_from: i64,
    ) -> Result<(), Error> {
        let (node, totals) = (self.series_node(), totals.to_owned());
        let write = move |tx: &mut dyn Tx| {
            tx.execute(
                "INSERT INTO series_hours (hour, node, totals) VALUES ($1, $2, $3)
                 ON CONFLICT (hour, node) DO UPDATE SET totals = excluded.totals",
                &[hour.into(), node.into(), totals.as_str().into()],
            )?;
            let sql = "DELETE FROM series_hours WHERE hour < $1";
            tx.execute(sql, &[keep_from.into()]).map(drop)
        };
        self.engine.write(Turn::named("series"), write).await
    }

    /// The numbers of all nodes from an hour on, by hour. The flag says which are this node's.
    pub async fn series_hours(&self, from: i64) -> Result<Vec<(i64, bool, String)>, Error> {
        let own = self.series_node();
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT hour, node, totals FROM series_hours WHERE hour >= $1
                 ORDER BY hour, node",
                &[from.into()],
            )?;
            let hour = |mut row: Row| Ok((row.int(0)?, row.int(1)? == own, row.text(2)?));
            rows.into_iter().map(hour).collect::<Result<_, Failure>>()
        };
        self.engine.read(read).await
    }

    fn series_node(&self) -> i64 {
        self.node.map_or(0, crate::NodeId::number)
    }
}
