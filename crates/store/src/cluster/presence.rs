//! Who is in which pad, on all nodes.

use std::collections::BTreeSet;

use pad::{AuthorId, Timestamp};

use super::notes::{Note, leave};
use super::{NodeId, damaged};
use crate::Store;
use crate::engine::Turn;
use crate::error::Error;
use crate::record::PadKey;
use crate::sql::{Bind, Dialect, Failure, Row, Tx};

/// A member that comes to a pad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub pad: PadKey,
    /// Its number, given by its node. The bits from the fortieth on are its window.
    pub member: u64,
    pub author: AuthorId,
    pub joined: Timestamp,
    /// A window that only looks neither takes a seat nor loses one.
    pub looks_only: bool,
    /// It was here before, and may have sent what an earlier connection has not stored yet.
    pub returns: bool,
    /// Its node was taken for dead and stores it again. If its author is on another node by now,
    /// that is where the seat stays.
    pub again: bool,
}

/// A member of a pad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRecord {
    pub node: NodeId,
    pub member: u64,
    pub author: AuthorId,
    pub joined: Timestamp,
    pub looks_only: bool,
}

/// In place of a number of seats, below all of them: an erased author gets no seat.
const NO_SEAT: i64 = i64::MIN;

impl Store {
    /// Stores that a member is in a pad. It takes the seats of its window on other nodes; from then
    /// on no node stores what comes through those. Gives the number that the pad's seats have then.
    /// An erased author is not stored and gets a number below all others, as if the seat was taken.
    pub async fn arrive(&self, arrival: &Arrival, now: Timestamp) -> Result<i64, Error> {
        let Some(node) = self.node else {
            return Ok(0);
        };
        let (arrival, turn) = (arrival.clone(), Turn::Of(arrival.pad.0));
        let write = self.noting(move |tx| {
            if is_erased(tx, &arrival.author)? {
                return Ok(NO_SEAT);
            }
            if arrival.again && is_elsewhere(tx, node, &arrival)? {
                return Ok(NO_SEAT);
            }
            let mut taken = 0;
            if !arrival.looks_only {
                hold(tx, arrival.pad)?;
                taken = tx.execute(
                    "DELETE FROM presence WHERE pad = $1 AND author = $2 AND node <> $3
                     AND looks_only = 0 AND member / 1099511627776 = $4",
                    &same_seat(node, &arrival),
                )?;
            }
            insert(tx, node, &arrival)?;
            leave(tx, Some(node), &Note::Presence(arrival.pad), Some(now))?;
            seats(tx, arrival.pad, taken > 0 || arrival.returns)
        });
        self.engine.write(turn, write).await
    }

    /// Stores that a member is no longer in a pad.
    pub async fn depart(&self, pad: PadKey, member: u64, now: Timestamp) -> Result<(), Error> {
        let Some(node) = self.node else {
            return Ok(());
        };
        let write = self.noting(move |tx| {
            let count = tx.execute(
                "DELETE FROM presence WHERE pad = $1 AND node = $2 AND member = $3",
                &[pad.0.into(), node.number().into(), member.into()],
            )?;
            match count {
                // Somebody has taken the seat, and has left a note.
                0 => Ok(()),
                _ => leave(tx, Some(node), &Note::Presence(pad), Some(now)),
            }
        });
        self.engine.write(Turn::Of(pad.0), write).await
    }

    /// The members of a pad on all nodes, by the time they came.
    pub async fn presence(&self, pad: PadKey) -> Result<Vec<SeatRecord>, Error> {
        self.engine.read(move |tx| present(tx, pad)).await
    }
}

/// Holds the author's row until the transaction ends, so that an erasure that comes later finds the
/// member.
fn is_erased(tx: &mut dyn Tx, author: &AuthorId) -> Result<bool, Failure> {
    let sql = match tx.dialect() {
        Dialect::Sqlite => "SELECT erased FROM authors WHERE id = $1",
        Dialect::Postgres => "SELECT erased FROM authors WHERE id = $1 FOR SHARE",
    };
    match tx.row(sql, &[author.as_str().into()])? {
        Some(mut row) => Ok(row.optional_int(0)?.is_some()),
        None => Ok(false),
    }
}

/// Lets one arrival after another come to a pad: of two of the same author at once, the later one
/// finds the seat of the other.
fn hold(tx: &mut dyn Tx, pad: PadKey) -> Result<(), Failure> {
    if tx.dialect() == Dialect::Postgres {
        let sql = "SELECT seats FROM pads WHERE key = $1 FOR NO KEY UPDATE";
        tx.row(sql, &[pad.0.into()])?;
    }
    Ok(())
}

/// What finds the seat of the same window on other nodes: the bits of a member's number from the
/// fortieth on are its window, and 0 for clients that name none.
fn same_seat(node: NodeId, arrival: &Arrival) -> [Bind<'_>; 4] {
    let (pad, author) = (arrival.pad.0, arrival.author.as_str());
    let window = arrival.member >> 40;
    [
        pad.into(),
        author.into(),
        node.number().into(),
        window.into(),
    ]
}

/// Whether the author has the seat on another node.
fn is_elsewhere(tx: &mut dyn Tx, node: NodeId, arrival: &Arrival) -> Result<bool, Failure> {
    let row = tx.row(
        "SELECT 1 FROM presence WHERE pad = $1 AND author = $2 AND node <> $3
         AND looks_only = 0 AND member / 1099511627776 = $4 LIMIT 1",
        &same_seat(node, arrival),
    )?;
    Ok(row.is_some() && !arrival.looks_only)
}

fn insert(tx: &mut dyn Tx, node: NodeId, arrival: &Arrival) -> Result<(), Failure> {
    tx.execute(
        "INSERT INTO presence (pad, node, member, author, joined, looks_only)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (pad, node, member) DO NOTHING",
        &[
            arrival.pad.0.into(),
            node.number().into(),
            arrival.member.into(),
            arrival.author.as_str().into(),
            arrival.joined.millis().into(),
            arrival.looks_only.into(),
        ],
    )
    .map(drop)
}

/// The number of a pad's seats, a new one if a seat changed hands. Waits for those who append.
fn seats(tx: &mut dyn Tx, pad: PadKey, changed: bool) -> Result<i64, Failure> {
    let step = i64::from(changed);
    let row = match changed {
        true => tx.row(
            "UPDATE pads SET seats = seats + $1 WHERE key = $2 RETURNING seats",
            &[step.into(), pad.0.into()],
        )?,
        false => tx.row("SELECT seats FROM pads WHERE key = $1", &[pad.0.into()])?,
    };
    row.map_or(Ok(0), |mut row| row.int(0))
}

/// Takes the seats of an erased author on all nodes.
pub(crate) fn end_seats(tx: &mut dyn Tx, author: &AuthorId) -> Result<(), Failure> {
    let sql = "DELETE FROM presence WHERE author = $1 RETURNING pad";
    let rows = tx.rows(sql, &[author.as_str().into()])?;
    let pads = rows.into_iter().map(|mut row| row.int(0));
    let pads: BTreeSet<i64> = pads.collect::<Result<_, _>>()?;
    for pad in pads {
        seats(tx, PadKey(pad), true)?;
    }
    Ok(())
}

/// The members of a pad, also in the transaction of one who appends.
pub(crate) fn present(tx: &mut dyn Tx, pad: PadKey) -> Result<Vec<SeatRecord>, Failure> {
    let rows = tx.rows(
        "SELECT node, member, author, joined, looks_only FROM presence
         WHERE pad = $1 ORDER BY joined, node, member",
        &[pad.0.into()],
    )?;
    let record = |mut row: Row| {
        Ok(SeatRecord {
            node: NodeId::from_stored(row.int(0)?)?,
            member: row.count(1)?,
            author: AuthorId::parse(&row.text(2)?).ok_or_else(damaged)?,
            joined: Timestamp(row.int(3)?),
            looks_only: row.flag(4)?,
        })
    };
    rows.into_iter().map(record).collect()
}
