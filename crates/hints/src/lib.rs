//! Hints: what nodes tell each other to save time.
//!
//! The database is the truth. A hint only says where to look, or brings a small revision along so
//! that nobody needs to. Hints may be lost, doubled, delayed or reordered; nodes also compare
//! themselves with the database every second.
//!
//! Hints wait in a bounded queue, are sent in batches (`wire`), and are encrypted under a key that
//! all nodes of a cluster share (`seal`): somebody who reads the database's traffic learns nothing,
//! and somebody who writes to the channel can at most cause reads.
//!
//! `postgres` is the implementation of the product, `memory` one with faults for tests.

#[cfg(any(test, feature = "testing"))]
mod memory;

mod limits;

mod comparisons;

mod postgres;

mod queue;

mod seal;

mod wire;

#[cfg(test)]
mod tests;

/// The same private database server that the store is tested with.
#[cfg(test)]
#[allow(dead_code, clippy::disallowed_methods)]
#[path = "../../store/src/tests/cluster.rs"]
mod cluster;

use std::fmt;
use std::pin::Pin;

use changeset::{Attribute, Op};
use pad::{AuthorId, Head, Rev, Revision};

#[cfg(test)]
use store::Location;
use store::{Missed, NodeId, PadKey};

pub use comparisons::Comparisons;
#[cfg(any(test, feature = "testing"))]
pub use memory::{HintFaults, HintHub, MemoryHints};
pub use postgres::PostgresHints;

pub const CLUSTER_KEY_BYTES: usize = 32;
pub const SALT_BYTES: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Notes were left, or hints were lost: read the notes and compare the heads.
    Look,
    /// A pad has a new revision.
    Revision(RevisionHint),
    /// A caret of an author has moved.
    Caret(CaretHint),
    /// An author shows no caret any more.
    CaretGone { pad: PadKey, author: AuthorId },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionHint {
    pub pad: PadKey,
    pub rev: Rev,
    /// `None`: read it from the database. A large one is always left out.
    pub content: Option<RevisionContent>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionContent {
    pub revision: Revision,
    /// What the revision added to the pad's pool.
    pub attributes: Vec<(u32, Attribute)>,
}

impl RevisionContent {
    /// The revision as what was missed after a head, without news of the seats. `None`: its
    /// attributes are not the next ones of the pool, or it uses others.
    pub fn missed(self, known: &Head, seats: i64) -> Option<Missed> {
        let RevisionContent {
            revision,
            mut attributes,
        } = self;
        let first = known.pool.next_number();
        attributes.retain(|(number, _)| *number >= first);
        let next_attribute = first.checked_add(u32::try_from(attributes.len()).ok()?)?;
        let numbers = attributes.iter().map(|(number, _)| *number);
        let mut ops = revision.change.ops.iter();
        let is_known = |op: &Op| op.attribs.iter().all(|it| it < next_attribute);
        let fits = numbers.eq(first..next_attribute) && ops.all(is_known);
        fits.then(|| Missed {
            head_time: revision.time,
            revisions: vec![revision],
            attributes,
            next_attribute,
            seats,
            present: None,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaretHint {
    pub pad: PadKey,
    pub author: AuthorId,
    /// Which of the author's windows it is in; 0 if its client has named none.
    pub window: u32,
    pub rev: Rev,
    pub position: u64,
    pub anchor: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReceivedHint {
    From(NodeId, Hint),
    /// Hints may have been missed. The receiver does what [`Hint::Look`] asks for.
    Missed,
}

/// The key that hints are encrypted under. All nodes of a cluster have the same.
#[derive(Clone)]
pub struct ClusterKey([u8; CLUSTER_KEY_BYTES]);

impl ClusterKey {
    /// From random bytes.
    pub fn new(bytes: [u8; CLUSTER_KEY_BYTES]) -> ClusterKey {
        ClusterKey(bytes)
    }
}

impl fmt::Debug for ClusterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClusterKey")
    }
}

/// What a node needs to join the channel.
#[derive(Clone, Debug)]
pub struct HintOpening {
    pub node: NodeId,
    pub key: ClusterKey,
    /// Random bytes, others at each start: with them no nonce is used twice.
    pub salt: [u8; SALT_BYTES],
}

/// Numbers since the start, for metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HintCounts {
    pub sent: u64,
    pub messages_sent: u64,
    pub bytes_sent: u64,
    pub received: u64,
    /// Not sent, because too many waited or the connection was lost.
    pub dropped: u64,
    /// Messages that were received but not read in time.
    pub missed: u64,
    /// Messages that no node of this cluster has sent.
    pub refused: u64,
    /// Lost connections, and attempts to connect that failed.
    pub disconnects: u64,
}

/// A way for hints between the nodes of a cluster.
pub trait HintChannel: Send + Sync + 'static {
    /// Queues a hint for all other nodes. It never waits: when too many are queued the hint is
    /// dropped, and the other nodes are asked to look as soon as there is room.
    fn send(&self, hint: Hint);

    /// Waits for hints of other nodes. Dropping the future loses nothing.
    fn next(&self) -> Pin<Box<dyn Future<Output = Vec<ReceivedHint>> + Send + '_>>;

    fn counts(&self) -> HintCounts;
}
