//! Two releases on one database: what a step of the schema may do while the release before it runs.

use std::collections::BTreeMap;

use super::cluster::Cluster;
use super::opening::{count, define};
use crate::conformance::sample::*;
use crate::schema::{VERSIONS, script};
use crate::sql::Dialect;
use crate::{Error, NodeReport, Store};

#[derive(Debug, PartialEq, Eq)]
struct Column {
    kind: String,
    is_required: bool,
    in_key: bool,
}

type Columns = BTreeMap<(String, String), Column>;

/// The columns of a version, by table and name.
fn columns(version: u32) -> Columns {
    let database = rusqlite::Connection::open_in_memory().unwrap();
    let made = script(version, Dialect::Sqlite);
    database.execute_batch(&made).unwrap();
    let sql = "SELECT tables.name, columns.name, columns.type,
             columns.\"notnull\" AND columns.dflt_value IS NULL, columns.pk
         FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table'";
    let mut found = database.prepare(sql).unwrap();
    let column = |row: &rusqlite::Row| {
        let column = Column {
            kind: row.get(2)?,
            is_required: row.get(3)?,
            in_key: row.get::<_, i64>(4)? > 0,
        };
        Ok(((row.get(0)?, row.get(1)?), column))
    };
    let columns = found.query_map([], column).unwrap();
    columns.map(Result::unwrap).collect()
}

/// What a release of `before` writes must still be a whole row after the step to `after`: nothing
/// is taken away, and what is new in a table that it knows has a default.
#[test]
fn steps_add_and_take_nothing_away_from_releases_that_may_run() {
    for after in VERSIONS {
        let new = columns(after.number);
        for before in after.readable_from..after.number {
            let old = columns(before);
            for (name, column) in &old {
                let step = format!("{before} to {}: {name:?}", after.number);
                assert_eq!(new.get(name), Some(column), "{step}");
            }
            let tables: Vec<&String> = old.keys().map(|(table, _)| table).collect();
            for (name, column) in &new {
                let is_added = tables.contains(&&name.0) && !old.contains_key(name);
                let is_optional = !column.is_required && !column.in_key;
                assert!(!is_added || is_optional, "{before}: {name:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_node_refuses_a_schema_that_is_too_new_and_writes_nothing() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let database = cluster.database();
    let newer = Store::open_shared(database.clone()).await.unwrap();
    create_text(&newer, "pad", "Hallo").await;
    define(
        &newer,
        "UPDATE schema SET version = 90, readable_from = 89;
         CREATE TABLE later (pad BIGINT NOT NULL)",
    )
    .await;
    let rows = "SELECT (SELECT COUNT(*) FROM pads) + (SELECT COUNT(*) FROM nodes)
        + (SELECT COUNT(*) FROM secrets) + (SELECT COUNT(*) FROM later)
        + (SELECT version + readable_from FROM schema)";
    let before = count(&newer, rows).await;
    let refused = Store::open_shared(database).await.err();
    let known = VERSIONS.last().unwrap().number;
    assert_eq!(refused, Some(Error::TooNew { found: 90, known }));
    assert_eq!(count(&newer, rows).await, before);
    newer.close().await;
}

/// The statements by which nodes of version 6 say that they live, on the tables of today.
#[tokio::test]
async fn nodes_of_the_release_before_are_seen() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let store = Store::open_shared(cluster.database()).await.unwrap();
    define(
        &store,
        "INSERT INTO nodes (id, version, address, draining, members, pads, commits, replans,
             started, seen) VALUES (77, '6', 'http://old', 0, 1, 2, 3, 4, 5,
             (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
         UPDATE nodes SET version = '6', address = 'http://old', draining = 0, members = 5,
             pads = 6, commits = 7, replans = 8 WHERE id = 77",
    )
    .await;
    let report = NodeReport::default();
    let beat = store.beat(&report, pad::Timestamp(0)).await.unwrap();
    let nodes = beat.nodes;
    let old = nodes
        .iter()
        .find(|node| node.report.version == "6")
        .unwrap();
    assert_eq!((old.report.members, old.report.connections), (5, 0));
    store.close().await;
}
