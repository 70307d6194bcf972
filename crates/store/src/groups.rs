//! Groups of pads.

use pad::{GroupId, PadId, Timestamp};

use crate::Store;
use crate::cluster::{NodeId, Note, leave};
use crate::engine::Turn;
use crate::error::Error;
use crate::pads::names;
use crate::people::digest;
use crate::record::PadKey;
use crate::sessions;
use crate::sql::{Failure, Row, Tx};

impl Store {
    pub async fn create_group(&self, id: &GroupId, now: Timestamp) -> Result<(), Error> {
        let id = id.clone();
        let turn = Turn::named(id.as_str());
        self.engine
            .write(turn, move |tx| create(tx, &id, now))
            .await
    }

    /// The group that an outside system's name stands for. If there is none, `new` becomes it.
    pub async fn group_of_mapper(
        &self,
        mapper: &str,
        new: &GroupId,
        now: Timestamp,
    ) -> Result<GroupId, Error> {
        let hash = digest(mapper);
        let (mapper, new) = (mapper.to_owned(), new.clone());
        let turn = Turn::named(&mapper);
        let find = move |tx: &mut dyn Tx| find_by_mapper(tx, &hash);
        let make = move |tx: &mut dyn Tx| {
            tx.execute(
                "INSERT INTO group_mappers (hash, mapper, group_id) VALUES ($1, $2, $3)",
                &[
                    hash.as_slice().into(),
                    mapper.as_str().into(),
                    new.as_str().into(),
                ],
            )?;
            create(tx, &new, now)?;
            Ok(new.clone())
        };
        self.engine.find_or_make(turn, find, make).await
    }

    /// The names that outside systems have for groups.
    pub async fn group_mappers(&self) -> Result<Vec<(String, GroupId)>, Error> {
        let read = |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT mapper, group_id FROM group_mappers ORDER BY mapper",
                &[],
            )?;
            let mapper = |mut row: Row| Ok((row.text(0)?, row.id(1, GroupId::parse)?));
            rows.into_iter().map(mapper).collect()
        };
        self.engine.read(read).await
    }

    pub async fn group_exists(&self, id: &GroupId) -> Result<bool, Error> {
        let id = id.clone();
        let read = move |tx: &mut dyn Tx| {
            let sql = "SELECT created FROM groups WHERE id = $1";
            Ok(tx.row(sql, &[id.as_str().into()])?.is_some())
        };
        self.engine.read(read).await
    }

    pub async fn list_groups(&self) -> Result<Vec<GroupId>, Error> {
        let read = |tx: &mut dyn Tx| {
            let rows = tx.rows("SELECT id FROM groups ORDER BY id", &[])?;
            rows.into_iter()
                .map(|mut row| row.id(0, GroupId::parse))
                .collect()
        };
        self.engine.read(read).await
    }

    /// Removes a group, what it is found by, its sessions and its pads. False: no such group.
    pub async fn delete_group(&self, id: &GroupId) -> Result<bool, Error> {
        let (id, node) = (id.clone(), self.node);
        let delete = self.names.noting(move |tx| delete(tx, &id, node));
        let delete = self.noting(delete);
        let deleted = self.engine.write(Turn::Alone, delete).await?;
        self.engine.wake();
        Ok(deleted)
    }

    /// The pads of a group, by name.
    pub async fn pads_of_group(&self, id: &GroupId) -> Result<Vec<PadId>, Error> {
        let [first, end] = pad_names(id);
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(
                "SELECT name FROM pads WHERE name >= $1 AND name < $2 ORDER BY name",
                &[first.as_str().into(), end.as_str().into()],
            )?;
            names(rows)
        };
        self.engine.read(read).await
    }
}

fn create(tx: &mut dyn Tx, id: &GroupId, now: Timestamp) -> Result<(), Failure> {
    tx.execute(
        "INSERT INTO groups (id, created) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
        &[id.as_str().into(), now.millis().into()],
    )
    .map(drop)
}

fn find_by_mapper(tx: &mut dyn Tx, hash: &[u8]) -> Result<Option<GroupId>, Failure> {
    let sql = "SELECT group_id FROM group_mappers WHERE hash = $1";
    let row = tx.row(sql, &[hash.into()])?;
    row.map(|mut row| row.id(0, GroupId::parse)).transpose()
}

fn delete(tx: &mut dyn Tx, id: &GroupId, node: Option<NodeId>) -> Result<bool, Failure> {
    if node.is_some() {
        leave_notes(tx, id, node)?;
    }
    let mut remove = |sql| tx.execute(sql, &[id.as_str().into()]);
    if remove("DELETE FROM groups WHERE id = $1")? == 0 {
        return Ok(false);
    }
    remove("DELETE FROM group_mappers WHERE group_id = $1")?;
    remove("DELETE FROM hashed_sessions WHERE group_id = $1")?;
    let [first, end] = pad_names(id);
    tx.execute(
        "UPDATE pads SET deleted = 1, name = NULL, read_only_id = NULL
         WHERE name >= $1 AND name < $2",
        &[first.as_str().into(), end.as_str().into()],
    )?;
    Ok(true)
}

/// Tells other nodes which pads and sessions are gone with a group.
fn leave_notes(tx: &mut dyn Tx, id: &GroupId, node: Option<NodeId>) -> Result<(), Failure> {
    let sql = "SELECT hash FROM hashed_sessions WHERE group_id = $1";
    for mut row in tx.rows(sql, &[id.as_str().into()])? {
        leave(tx, node, &sessions::ended(&row.blob(0)?), None)?;
    }
    let [first, end] = pad_names(id);
    let sql = "SELECT key FROM pads WHERE name >= $1 AND name < $2";
    for mut row in tx.rows(sql, &[first.as_str().into(), end.as_str().into()])? {
        leave(tx, node, &Note::Gone(PadKey(row.int(0)?)), None)?;
    }
    Ok(())
}

/// The names of a group's pads lie between these, the second one not included. `%` is the byte
/// after `$`.
fn pad_names(id: &GroupId) -> [String; 2] {
    [format!("{id}$"), format!("{id}%")]
}
