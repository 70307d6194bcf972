//! Several services on one store, as one service.
//!
//! Each process is a node ([`Node`]). The database is the truth: a node compares its live pads with
//! it every second, and hints of other nodes only tell it earlier where to look. So a hint that is
//! lost costs time, and one that is doubled costs nothing.
//!
//! What happens without being waited for (a member that leaves, a revision that others should learn
//! of) is put down here, in bounded places, and carried out by the node's future.

mod inbox;

mod messages;

mod node;

mod notes;

mod outbox;

mod presence;

mod sweep;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use store::{Note, PadKey};
use tokio::sync::mpsc;

pub(crate) use messages::Message;
pub use node::Node;
use outbox::Outbox;
pub(crate) use presence::arrival;

use crate::limits::ERRANDS;

/// What a service on a shared store has in common with its node.
#[derive(Debug)]
pub(crate) struct Cluster {
    pub id: store::NodeId,
    pub outbox: Outbox,
    errands: mpsc::Sender<Errand>,
    /// Until a node takes them over.
    waiting: Mutex<Option<mpsc::Receiver<Errand>>>,
    /// Members have left that the store still has, because there was no room for the errand.
    has_lost_departures: AtomicBool,
}

/// Something to store that nobody waits for.
#[derive(Debug)]
pub(crate) enum Errand {
    Depart(PadKey, u64),
    Leave(Note),
}

impl Cluster {
    pub(crate) fn new(id: store::NodeId) -> Cluster {
        let (errands, waiting) = mpsc::channel(ERRANDS);
        Cluster {
            id,
            outbox: Outbox::default(),
            errands,
            waiting: Mutex::new(Some(waiting)),
            has_lost_departures: AtomicBool::new(false),
        }
    }

    /// A member is gone.
    pub(crate) fn depart(&self, pad: PadKey, member: u64) {
        let errand = Errand::Depart(pad, member);
        if self.errands.try_send(errand).is_err() {
            self.has_lost_departures.store(true, Ordering::SeqCst);
        }
    }

    /// Leaves a note for other nodes soon. With too many waiting it is lost.
    pub(crate) fn leave(&self, note: Note) {
        let _ = self.errands.try_send(Errand::Leave(note));
    }

    fn take_errands(&self) -> Option<mpsc::Receiver<Errand>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.take()
    }

    fn give_errands_back(&self, errands: mpsc::Receiver<Errand>) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = Some(errands);
    }
}
