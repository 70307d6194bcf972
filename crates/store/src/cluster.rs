//! Several processes on one database.
//!
//! Each process that serves pads is a node. What it writes to a pad's history the others find by
//! the pad's head; for everything else it leaves a note, in the transaction that makes the change.
//! The other nodes read the notes and then look at what they name: the tables are the truth, a note
//! says where to look. Notes that were missed cost nothing but time, and are found by looking
//! back over the last seconds.

mod nodes;

mod notes;

mod presence;

mod queries;

use std::fmt;

pub use nodes::{Beat, NodeRecord, NodeReport, list_nodes};
pub use notes::{Note, NoteRecord};
pub(crate) use notes::{Notes, leave};
pub use presence::{Arrival, SeatRecord};
pub(crate) use presence::{end_seats, present};
pub use queries::session_hash;

use crate::sql::{Dialect, Failure, Tx, damaged};

/// A process that serves pads. Each start is another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u64);

impl NodeId {
    /// From random bits; the highest is left out, because databases count with signs.
    pub fn new(random: u64) -> NodeId {
        NodeId(random & (u64::MAX >> 1))
    }

    pub fn parse(text: &str) -> Option<NodeId> {
        let is_lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() != 16 || !text.bytes().all(is_lower) {
            return None;
        }
        let number = u64::from_str_radix(text, 16).ok()?;
        (NodeId::new(number).0 == number).then_some(NodeId(number))
    }

    /// As databases and messages have it; never negative.
    pub fn number(self) -> i64 {
        self.0 as i64
    }

    pub fn of_number(number: i64) -> Option<NodeId> {
        u64::try_from(number).ok().map(NodeId)
    }

    pub(crate) fn from_stored(number: i64) -> Result<NodeId, Failure> {
        NodeId::of_number(number).ok_or_else(damaged)
    }
}

/// Sixteen hexadecimal digits.
impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The clock that all nodes share, in milliseconds. The embedded database has none; there the
/// caller's is taken.
pub(crate) fn clock(tx: &mut dyn Tx, now: pad::Timestamp) -> Result<i64, Failure> {
    match tx.dialect() {
        Dialect::Sqlite => Ok(now.millis()),
        Dialect::Postgres => {
            let sql = "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT";
            tx.row(sql, &[])?
                .map_or(Err(damaged()), |mut row| row.int(0))
        }
    }
}
