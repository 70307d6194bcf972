//! Seat of a member: its right to write.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use pad::{Rev, WindowRecord};

use crate::live::roster::MemberId;

/// In place of a number of seats: the store does not have the member.
const UNSTORED: i64 = -1;

/// A member's seat: the right to write. It ends when the same window comes with another connection:
/// what still arrives through the old one is then too late, because its client starts from what
/// the pad had when it came back, and sends again what it finds missing.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub member: MemberId,
    /// Its client was here before, and knows a revision.
    pub returns: bool,
    state: Arc<SeatState>,
    record: Arc<WindowRecord>,
}

#[derive(Debug)]
struct SeatState {
    is_taken: AtomicBool,
    is_erased: AtomicBool,
    seats: AtomicI64,
}

impl Default for SeatState {
    fn default() -> SeatState {
        SeatState {
            is_taken: AtomicBool::new(false),
            is_erased: AtomicBool::new(false),
            seats: AtomicI64::new(UNSTORED),
        }
    }
}

impl Seat {
    pub(super) fn new(member: MemberId, returns: bool, record: Arc<WindowRecord>) -> Seat {
        Seat {
            member,
            returns,
            state: Arc::default(),
            record,
        }
    }

    /// Ends the right to write: the window has come with another connection.
    pub(crate) fn take(&self) {
        self.state.is_taken.store(true, Ordering::SeqCst);
    }

    /// Gives the right to write back that was withdrawn while other nodes did not know the member.
    pub(crate) fn give_back(&self) {
        if !self.is_erased() {
            self.state.is_taken.store(false, Ordering::SeqCst);
        }
    }

    /// Notes that the member is stored, and the number that the pad's seats had then.
    pub(crate) fn has_arrived(&self, seats: i64) {
        self.state.seats.store(seats, Ordering::SeqCst);
    }

    /// The number that the pad's seats had when the member was stored. `None`: other nodes do not
    /// know the member.
    pub(crate) fn seats(&self) -> Option<i64> {
        let seats = self.state.seats.load(Ordering::SeqCst);
        (seats != UNSTORED).then_some(seats)
    }

    /// Whether the same window has come with another connection.
    pub(crate) fn is_taken(&self) -> bool {
        self.state.is_taken.load(Ordering::SeqCst)
    }

    /// Whether the author is erased. The seat then counts as taken.
    pub(crate) fn is_erased(&self) -> bool {
        self.state.is_erased.load(Ordering::SeqCst)
    }

    /// Ends the right to write, because the author is erased.
    pub(crate) fn erase(&self) {
        self.state.is_erased.store(true, Ordering::SeqCst);
        self.state.is_taken.store(true, Ordering::SeqCst);
    }

    /// The name of the record of the member's window. `None`: its client has named no window.
    pub(crate) fn record(&self) -> Option<u128> {
        (self.member.window() != 0).then_some(self.record.name)
    }

    /// Notes a revision as the member's own.
    pub(crate) fn has_made(&self, rev: Rev) {
        self.record.has_made(rev);
    }

    /// Whether the last change of the member's window became that revision.
    pub(crate) fn made_last(&self, rev: Rev) -> bool {
        self.record.made_last(rev)
    }
}
