//! Which nodes there are.

use pad::Timestamp;

use super::{NodeId, clock, notes};
use crate::engine::{Driver, Postgres, Purpose, Turn};
use crate::error::Error;
use crate::limits::{NODE_SILENCE_MILLIS, NOTES_MILLIS};
use crate::sql::{Dialect, Failure, Tx};
use crate::{Location, Store};

/// What a node says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeReport {
    pub version: String,
    /// Where other nodes reach it.
    pub address: String,
    /// It accepts nobody new and will leave.
    pub draining: bool,
    /// Open sockets, of people in pads and others.
    pub connections: u64,
    pub members: u64,
    pub pads: u64,
    /// Batches stored since the start, and how many of them had to be planned again because another
    /// node was faster.
    pub commits: u64,
    pub replans: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRecord {
    pub id: NodeId,
    /// By the database's clock.
    pub started: Timestamp,
    /// How long ago it gave a sign of life.
    pub silent_millis: i64,
    pub report: NodeReport,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// The others did not know this node, or took it for dead: its members must be stored again.
    pub is_new: bool,
    /// All nodes that are alive, this one included.
    pub nodes: Vec<NodeRecord>,
}

impl Store {
    /// Gives a sign of life, and removes nodes that have given none for a while, their members with
    /// them. An embedded store has no nodes.
    pub async fn beat(&self, report: &NodeReport, now: Timestamp) -> Result<Beat, Error> {
        let Some(node) = self.node else {
            let (is_new, nodes) = (false, Vec::new());
            return Ok(Beat { is_new, nodes });
        };
        let report = report.clone();
        let write = move |tx: &mut dyn Tx| {
            let time = clock(tx, now)?;
            let is_new = !renew(tx, node, &report, time)?;
            if is_new {
                register(tx, node, &report, time)?;
            }
            Ok((is_new, all(tx, time)?))
        };
        let (is_new, mut nodes) = self.engine.write(Turn::Alone, write).await?;
        let is_dead = |node: &NodeRecord| node.silent_millis > NODE_SILENCE_MILLIS;
        if nodes.iter().any(is_dead) {
            let bury = self.noting(move |tx| {
                let time = clock(tx, now)?;
                let mut dead = all(tx, time)?.into_iter().filter(is_dead);
                dead.try_for_each(|dead| remove(tx, dead.id, node, time))
            });
            self.engine.write(Turn::Alone, bury).await?;
        }
        nodes.retain(|node| !is_dead(node));
        Ok(Beat { is_new, nodes })
    }

    /// The nodes that are alive.
    pub async fn nodes(&self, now: Timestamp) -> Result<Vec<NodeRecord>, Error> {
        let read = move |tx: &mut dyn Tx| {
            let time = clock(tx, now)?;
            all(tx, time)
        };
        let mut nodes = self.engine.read(read).await?;
        nodes.retain(|node| node.silent_millis <= NODE_SILENCE_MILLIS);
        Ok(nodes)
    }

    /// The address that the database server sees this process come from. `None` over a socket of
    /// the same machine, and with an embedded database.
    pub async fn address_seen(&self) -> Result<Option<String>, Error> {
        let read = |tx: &mut dyn Tx| match tx.dialect() {
            Dialect::Sqlite => Ok(None),
            Dialect::Postgres => {
                let sql = "SELECT COALESCE(host(inet_client_addr()), '')";
                let row = tx.row(sql, &[])?;
                let address = row.map(|mut row| row.text(0)).transpose()?;
                Ok(address.filter(|address| !address.is_empty()))
            }
        };
        self.engine.read(read).await
    }

    /// Takes this node and its members away.
    pub async fn leave_cluster(&self, now: Timestamp) -> Result<(), Error> {
        let Some(node) = self.node else {
            return Ok(());
        };
        let write = self.noting(move |tx| {
            let time = clock(tx, now)?;
            remove(tx, node, node, time)
        });
        self.engine.write(Turn::Alone, write).await
    }

    /// Removes members whose node was never registered: it ended before its first sign of life.
    /// True if there were any. A node that is only slow to register stores its members again.
    pub async fn remove_orphans(&self, now: Timestamp) -> Result<bool, Error> {
        let Some(node) = self.node else {
            return Ok(false);
        };
        let read = move |tx: &mut dyn Tx| orphans(tx, node);
        if self.engine.read(read).await?.is_empty() {
            return Ok(false);
        }
        let write = self.noting(move |tx| {
            let time = clock(tx, now)?;
            let mut unknown = orphans(tx, node)?.into_iter();
            unknown.try_for_each(|unknown| remove(tx, unknown, node, time))
        });
        self.engine.write(Turn::Alone, write).await?;
        Ok(true)
    }

    /// Removes notes that every node has read by now.
    pub async fn remove_old_notes(&self, now: Timestamp) -> Result<u64, Error> {
        let write = move |tx: &mut dyn Tx| {
            let before = clock(tx, now)? - NOTES_MILLIS;
            tx.execute("DELETE FROM notes WHERE time < $1", &[before.into()])
        };
        self.engine.write(Turn::Alone, write).await
    }
}

/// The nodes of a database, looked up beside them and without being one. Blocks. Only PostgreSQL
/// has nodes.
pub fn list_nodes(location: &Location, now: Timestamp) -> Result<Vec<NodeRecord>, Error> {
    let Location::Postgres(connection) = location else {
        return Ok(Vec::new());
    };
    let mut client = Postgres::new(connection, false)?.connect(Purpose::Read)?;
    client.begin()?;
    let tx: &mut dyn Tx = &mut *client;
    // A release that knew of no nodes may have made the database, or nobody yet.
    let known = tx.row(
        "SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass('nodes')",
        &[],
    )?;
    if known.map_or(Ok(0), |mut row| row.count(0))? == 0 {
        return Ok(Vec::new());
    }
    let time = clock(tx, now)?;
    let mut nodes = all(tx, time)?;
    nodes.retain(|node| node.silent_millis <= NODE_SILENCE_MILLIS);
    Ok(nodes)
}

/// False: the node is not registered.
fn renew(tx: &mut dyn Tx, node: NodeId, report: &NodeReport, time: i64) -> Result<bool, Failure> {
    let count = tx.execute(
        "UPDATE nodes SET version = $1, address = $2, draining = $3, members = $4, pads = $5,
             commits = $6, replans = $7, seen = $8, connections = $9 WHERE id = $10",
        &[
            report.version.as_str().into(),
            report.address.as_str().into(),
            report.draining.into(),
            report.members.into(),
            report.pads.into(),
            report.commits.into(),
            report.replans.into(),
            time.into(),
            report.connections.into(),
            node.number().into(),
        ],
    )?;
    Ok(count > 0)
}

fn register(tx: &mut dyn Tx, node: NodeId, report: &NodeReport, time: i64) -> Result<(), Failure> {
    tx.execute(
        "INSERT INTO nodes (id, version, address, draining, members, pads, commits, replans,
             started, seen, connections) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)",
        &[
            node.number().into(),
            report.version.as_str().into(),
            report.address.as_str().into(),
            report.draining.into(),
            report.members.into(),
            report.pads.into(),
            report.commits.into(),
            report.replans.into(),
            time.into(),
            report.connections.into(),
        ],
    )
    .map(drop)
}

/// Removes a node and its members, and leaves a note for each pad that they were in.
fn remove(tx: &mut dyn Tx, node: NodeId, by: NodeId, time: i64) -> Result<(), Failure> {
    tx.execute(
        "INSERT INTO notes (node, time, kind, pad)
         SELECT DISTINCT $1, $2, $3, pad FROM presence WHERE node = $4",
        &[
            by.number().into(),
            time.into(),
            notes::PRESENCE.into(),
            node.number().into(),
        ],
    )?;
    for sql in [
        "DELETE FROM presence WHERE node = $1",
        "DELETE FROM nodes WHERE id = $1",
    ] {
        tx.execute(sql, &[node.number().into()])?;
    }
    Ok(())
}

/// Nodes that have members and are not registered, besides the one that asks.
fn orphans(tx: &mut dyn Tx, by: NodeId) -> Result<Vec<NodeId>, Failure> {
    let rows = tx.rows(
        "SELECT DISTINCT node FROM presence
         WHERE node <> $1 AND node NOT IN (SELECT id FROM nodes)",
        &[by.number().into()],
    )?;
    let id = |mut row: crate::sql::Row| NodeId::from_stored(row.int(0)?);
    rows.into_iter().map(id).collect()
}

/// All that are registered, by start.
fn all(tx: &mut dyn Tx, time: i64) -> Result<Vec<NodeRecord>, Failure> {
    let rows = tx.rows(
        "SELECT id, version, address, draining, members, pads, commits, replans, started, seen,
             connections FROM nodes ORDER BY started, id",
        &[],
    )?;
    let record = |mut row: crate::sql::Row| {
        Ok(NodeRecord {
            id: NodeId::from_stored(row.int(0)?)?,
            report: NodeReport {
                version: row.text(1)?,
                address: row.text(2)?,
                draining: row.flag(3)?,
                members: row.count(4)?,
                pads: row.count(5)?,
                commits: row.count(6)?,
                replans: row.count(7)?,
                connections: row.count(10)?,
            },
            started: Timestamp(row.int(8)?),
            silent_millis: (time - row.int(9)?).max(0),
        })
    };
    rows.into_iter().map(record).collect()
}
