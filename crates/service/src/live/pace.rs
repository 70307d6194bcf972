//! Pace at which members that take batches learn of revisions: one for the whole pad.
//!
//! In a calm pad they learn of each at once. The more there is to deliver in a second, the longer
//! the pad waits from one delivery to the next, up to a bound. All members that keep up get the
//! same batch; one that does not costs a number, the last revision it knows.

#![expect(clippy::disallowed_types, reason = "a pause between messages")]

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pad::{Rev, Timestamp};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::limits::{
    CALM_DELIVERIES, CATCH_UP_BATCHES, COMMIT_INTERVAL, CROWDED_COMMIT_INTERVAL,
    CROWDED_DELIVERIES, LONGEST_PACE, SHORTEST_PACE,
};
use crate::live::Published;
use crate::live::batch::{Announced, Batch};

/// Milliseconds over which the load is measured.
const WINDOW: i64 = 250;

/// One delivery to everybody who takes batches.
#[derive(Debug)]
pub(crate) struct Tick {
    /// The newest revision of the delivery before.
    from: Rev,
    /// The newest revision that members may learn of now.
    pub(super) newest: Rev,
    /// `None`: there are so few revisions that they go one by one.
    batch: Option<Arc<Batch>>,
    commit_interval: u32,
    /// Batches for those who are elsewhere in the history, or came after the first announcements.
    others: Mutex<Vec<Arc<Batch>>>,
}

impl Tick {
    fn at(rev: Rev) -> Tick {
        Tick {
            from: rev,
            newest: rev,
            batch: None,
            commit_interval: COMMIT_INTERVAL,
            others: Mutex::default(),
        }
    }

    /// Whether a member that has had all deliveries up to its place gets what everybody gets.
    pub(super) fn is_next_after(&self, place: Rev) -> bool {
        self.from == place
    }

    /// The batch that everybody gets, if a member knows all that it does not say.
    pub(super) fn shared(&self, place: Rev, since: Rev) -> Option<Arc<Batch>> {
        let batch = self.batch.as_ref()?;
        (batch.from == place && since <= batch.base).then(|| Arc::clone(batch))
    }

    /// Whether somebody who keeps up needed more names than the others.
    fn has_newcomers(&self) -> bool {
        let others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        others.iter().any(|batch| batch.from == self.from)
    }

    /// A batch that says everything, for a member at any place. `None`: the way is short, or the
    /// revisions are not remembered.
    pub(super) fn complete(&self, place: Rev, published: &Published) -> Option<Arc<Batch>> {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = others.iter().find(|batch| batch.from == place) {
            return Some(Arc::clone(known));
        }
        let revisions = published.since(place.next())?;
        let revisions = revisions.take_while(|live| live.rev <= self.newest);
        let batch = Announced::since(place).batch(place, revisions, self.commit_interval)?;
        let batch = Arc::new(batch);
        if others.len() >= CATCH_UP_BATCHES {
            others.remove(0);
        }
        others.push(Arc::clone(&batch));
        Some(batch)
    }
}

/// The writer's side.
pub(super) struct Pacer {
    ticks: watch::Sender<Arc<Tick>>,
    announced: Announced,
    load: Load,
    /// The last delivery, if the next one may have to wait.
    last: Option<Instant>,
    /// When the next delivery is due, if one waits.
    due: Option<Instant>,
}

impl Pacer {
    pub(super) fn new(newest: Rev) -> (Pacer, watch::Receiver<Arc<Tick>>) {
        let (ticks, receiver) = watch::channel(Arc::new(Tick::at(newest)));
        let pacer = Pacer {
            ticks,
            announced: Announced::since(newest),
            load: Load::default(),
            last: None,
            due: None,
        };
        (pacer, receiver)
    }

    /// There are new revisions: members learn of them now or later.
    pub(super) fn published(&mut self, published: &Published) {
        let newest = published.head.rev.unwrap_or_default();
        self.load.count(newest, published.head.time);
        let pause = pause(self.load.deliveries(self.members()));
        let due = self.last.map(|last| last + pause);
        let due = due.filter(|due| !pause.is_zero() && *due > Instant::now());
        let Some(due) = due else {
            self.tick(published);
            // Where nothing is held back, nobody looks at the clock.
            self.last = (!pause.is_zero()).then(Instant::now);
            return;
        };
        self.due.get_or_insert(due);
    }

    /// Waits until a delivery is due; for ever if none waits.
    pub(super) async fn due(&self) {
        match self.due {
            Some(due) => sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    /// Delivers everything there is.
    pub(super) fn tick(&mut self, published: &Published) {
        let newest = published.head.rev.unwrap_or_default();
        let from = self.ticks.borrow().newest;
        if self.due.take().is_some() {
            self.last = Some(Instant::now());
        }
        if newest <= from {
            return;
        }
        let members = self.members();
        let commit_interval = commit_interval(self.load.deliveries(members));
        let mut batch = None;
        if members > 0
            && let Some(revisions) = published.since(from.next())
        {
            if self
                .announced
                .is_old(from, self.ticks.borrow().has_newcomers())
            {
                self.announced = Announced::since(from);
            }
            let made = self.announced.batch(from, revisions, commit_interval);
            batch = made.map(Arc::new);
        }
        self.ticks.send_replace(Arc::new(Tick {
            batch,
            commit_interval,
            newest,
            ..Tick::at(from)
        }));
    }

    /// Those who take batches. The pad holds one receiver itself.
    fn members(&self) -> usize {
        self.ticks.receiver_count().saturating_sub(1)
    }

    /// Something else is new that members look up when they wake.
    pub(super) fn wake(&self) {
        self.ticks.send_modify(|_| {});
    }
}

/// Revisions in a second, by the times at which they were made.
#[derive(Debug, Default)]
struct Load {
    since: Option<(Rev, Timestamp)>,
    rate: u64,
}

impl Load {
    fn count(&mut self, newest: Rev, now: Timestamp) {
        let Some((first, began)) = self.since else {
            self.since = Some((newest, now));
            return;
        };
        let passed = now.millis() - began.millis();
        if passed >= WINDOW {
            let made = newest.since(first).unwrap_or(0);
            self.rate = made.saturating_mul(1_000) / passed.unsigned_abs();
            self.since = Some((newest, now));
        }
    }

    fn deliveries(&self, members: usize) -> u64 {
        self.rate.saturating_mul(members as u64)
    }
}

/// The part of a crowd's load that there is, in thousandths.
fn crowding(deliveries: u64) -> u64 {
    match deliveries {
        0..CALM_DELIVERIES => 0,
        _ => (deliveries * 1_000 / CROWDED_DELIVERIES).min(1_000),
    }
}

/// From one delivery to the next, with so many revisions for all members in a second.
fn pause(deliveries: u64) -> Duration {
    let pause = LONGEST_PACE * u32::try_from(crowding(deliveries)).unwrap_or(1_000) / 1_000;
    match pause < SHORTEST_PACE {
        true => Duration::ZERO,
        false => pause,
    }
}

/// From one change of a client to its next, in milliseconds.
fn commit_interval(deliveries: u64) -> u32 {
    let more = u64::from(CROWDED_COMMIT_INTERVAL - COMMIT_INTERVAL) * crowding(deliveries) / 1_000;
    COMMIT_INTERVAL + u32::try_from(more).unwrap_or(0)
}

#[cfg(test)]
mod tests;
