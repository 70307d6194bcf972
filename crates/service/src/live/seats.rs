//! Seats of a pad as its writer knows them.
//!
//! The store numbers the state of a pad's seats: the number grows when a seat is taken on another
//! node. A member is stored with the number of that moment. One that was stored before the known
//! number and is not among the members of that number has lost its seat; one that came later is
//! found by the next number.

use std::collections::HashSet;
use std::sync::Arc;

use hints::RevisionContent;
use pad::Head;
use store::{Missed, NodeId};

use crate::live::Seat;

#[derive(Clone, Debug)]
pub(super) struct KnownSeats {
    /// The node whose members these are. `None`: the store is not shared.
    node: Option<NodeId>,
    number: i64,
    /// The members of this node that were stored when the seats had that number.
    members: Arc<HashSet<u64>>,
}

impl KnownSeats {
    /// The seats of a pad that nobody of this node is in.
    pub(super) fn new(node: Option<NodeId>, number: i64) -> KnownSeats {
        KnownSeats {
            node,
            number,
            members: Arc::default(),
        }
    }

    /// The number to compare with. `None`: no other node takes seats.
    pub(super) fn number(&self) -> Option<i64> {
        self.node.map(|_| self.number)
    }

    /// The seats after what was missed.
    pub(super) fn after(&self, missed: &Missed) -> KnownSeats {
        let Some(present) = &missed.present else {
            return self.clone();
        };
        let own = present.iter().filter(|seat| Some(seat.node) == self.node);
        KnownSeats {
            node: self.node,
            number: missed.seats,
            members: Arc::new(own.map(|seat| seat.member).collect()),
        }
    }

    /// A revision that came without news of the seats, as what was missed.
    pub(super) fn only(&self, content: RevisionContent, known: &Head) -> Option<Missed> {
        content.missed(known, self.number)
    }

    /// Whether a member has lost its seat, here or on another node.
    pub(super) fn is_taken(&self, seat: &Seat) -> bool {
        let is_older = seat.seats().is_some_and(|number| number < self.number);
        let is_gone = is_older && !self.members.contains(&seat.member.number());
        seat.is_taken() || is_gone
    }
}
