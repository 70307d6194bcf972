//! Somebody in a pad, who reads and perhaps writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep_until};

use super::client::{Client, Trouble};
use super::crossing::Sighting;
use super::measure::Tally;
use super::place::Place;
use super::target::Target;
use super::wire::{self, Changes, ServerMessage};

/// How long to wait at the end for the answer to the last change.
const LAST_ANSWER: Duration = Duration::from_secs(10);
/// The units of filling text that go into one change.
const FILLING: usize = 120_000;
const LINE: &str = "The quick brown fox jumps over the lazy dog, and then again.\n";

/// What everybody does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Joining,
    /// One author of each pad puts text into it.
    Filling,
    /// Every author makes a line of its own.
    Lining,
    Typing,
    Ended,
}

/// How many are through with the phase.
#[derive(Default)]
pub(crate) struct Through {
    pub joined: AtomicUsize,
    pub filled: AtomicUsize,
    pub lined: AtomicUsize,
    /// Who takes part no longer.
    pub gone: AtomicUsize,
}

/// Who somebody is, and how it works.
pub(crate) struct Role {
    pub number: usize,
    /// Where it is connected.
    pub node: usize,
    pub pad_number: usize,
    /// Whether it looks out for what other nodes send.
    pub observes: bool,
    pub pad: String,
    pub token: String,
    pub writes: bool,
    /// Whether it takes many revisions in one message.
    pub batches: bool,
    /// How much text it fills the pad with.
    pub fills: usize,
    pub interval: Duration,
    /// How much later than others it begins.
    pub offset: Duration,
}

struct Person {
    role: Role,
    client: Client,
    author: String,
    place: Place,
    tally: Arc<Tally>,
    through: Arc<Through>,
    phase: Phase,
    /// The change under way: how long it is, and when it was sent.
    under_way: Option<(usize, Instant)>,
    /// The change under way is this revision of the next batch; and the bytes that said so.
    own_in_batch: Option<(u64, usize)>,
    left_to_fill: usize,
    /// When to type next.
    due: Instant,
}

/// Takes part until the end, or until something goes wrong, which is counted.
pub(crate) async fn take_part(
    role: Role,
    target: Arc<Target>,
    gate: Arc<Semaphore>,
    tally: Arc<Tally>,
    through: Arc<Through>,
    phases: watch::Receiver<Phase>,
) {
    let number = role.number;
    let counts = Arc::clone(&through);
    let outcome = async {
        let turn = gate.acquire().await;
        let (client, welcome) = Client::join(&target, &role.pad, &role.token, role.batches).await?;
        drop(turn);
        through.joined.fetch_add(1, Ordering::Relaxed);
        let mut person = Person {
            left_to_fill: role.fills,
            role,
            client,
            author: welcome.author,
            place: Place::new(welcome.rev, welcome.units),
            tally: Arc::clone(&tally),
            through,
            phase: Phase::Joining,
            under_way: None,
            own_in_batch: None,
            due: Instant::now(),
        };
        person.live(phases).await
    };
    if let Err(trouble) = outcome.await {
        tally.trouble(number, &trouble);
    }
    counts.gone.fetch_add(1, Ordering::Relaxed);
}

impl Person {
    async fn live(&mut self, mut phases: watch::Receiver<Phase>) -> Result<(), Trouble> {
        loop {
            let may_type = self.phase == Phase::Typing && self.role.writes;
            tokio::select! {
                biased;
                packet = self.client.receive() => self.on_packet(&packet?).await?,
                changed = phases.changed() => {
                    let phase = match changed {
                        Ok(()) => *phases.borrow_and_update(),
                        Err(_) => Phase::Ended,
                    };
                    if self.turn(phase).await? {
                        return Ok(());
                    }
                }
                () = sleep_until(self.due), if may_type && self.under_way.is_none() => {
                    self.type_some().await?;
                }
            }
        }
    }

    /// The next phase begins. True if there is nothing left to do.
    async fn turn(&mut self, phase: Phase) -> Result<bool, Trouble> {
        self.phase = phase;
        match phase {
            Phase::Joining => {}
            Phase::Filling => self.fill().await?,
            Phase::Lining if self.role.writes => self.write("\n").await?,
            Phase::Lining => {}
            Phase::Typing => self.due = Instant::now() + self.role.offset,
            Phase::Ended => {
                let until = Instant::now() + LAST_ANSWER;
                while self.under_way.is_some() {
                    let packet = tokio::time::timeout_at(until, self.client.receive()).await;
                    let packet = packet.map_err(|_| "a change was not answered".to_owned())?;
                    self.on_packet(&packet?).await?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn fill(&mut self) -> Result<(), Trouble> {
        if self.left_to_fill == 0 {
            if self.role.fills > 0 {
                self.through.filled.fetch_add(1, Ordering::Relaxed);
            }
            return Ok(());
        }
        let units = self.left_to_fill.min(FILLING);
        self.left_to_fill -= units;
        let mut text = LINE.repeat(units / LINE.len() + 1);
        // Whole lines: places are at the start of one.
        text.truncate(units - 1);
        text.push('\n');
        self.write(&text).await
    }

    async fn type_some(&mut self) -> Result<(), Trouble> {
        let text = self.tally.stamp();
        self.write(&text).await
    }

    async fn write(&mut self, text: &str) -> Result<(), Trouble> {
        let change = self.place.insertion(text);
        let packet = wire::user_changes(self.place.rev, &change, &self.author);
        self.tally.sent(self.role.number, packet.len());
        self.under_way = Some((text.len(), Instant::now()));
        self.client.send(packet).await
    }

    async fn on_packet(&mut self, packet: &str) -> Result<(), Trouble> {
        let (number, bytes) = (self.role.number, packet.len());
        match wire::parse(packet) {
            // The revisions before it are in the batch that follows, and so is this one.
            ServerMessage::Accepted { rev } if self.role.batches && rev > self.place.rev + 1 => {
                self.own_in_batch = Some((rev, bytes));
            }
            ServerMessage::Accepted { rev } => {
                self.expect(rev)?;
                if self.accepted(rev, bytes) {
                    self.go_on().await?;
                }
            }
            ServerMessage::Batch { base, changes } => {
                let had_one = self.under_way.is_some();
                self.take_batch(base, changes, bytes)?;
                if had_one && self.under_way.is_none() {
                    self.go_on().await?;
                }
            }
            ServerMessage::Changed { rev, changeset } => {
                self.expect(rev)?;
                let inserted = self.place.changed(rev, changeset).unwrap_or_default();
                self.tally.heard(number, bytes, [inserted]);
                if self.role.observes {
                    let crossings = &self.tally.crossings;
                    crossings.arrived(self.role.pad_number, rev, self.sighting());
                }
            }
            ServerMessage::Dismissed("rateLimited") => {
                return Err("sent away: rateLimited; the server's commitRateLimiting \
                            or creationRateLimiting counts everybody here as one"
                    .to_owned());
            }
            ServerMessage::Dismissed(reason) => return Err(format!("sent away: {reason:.60}")),
            ServerMessage::Other => {}
        }
        Ok(())
    }

    /// True if there was a change under way.
    fn accepted(&mut self, rev: u64, bytes: usize) -> bool {
        let Some((units, sent)) = self.under_way.take() else {
            return false;
        };
        let number = self.role.number;
        self.tally.acknowledged(number, bytes, sent.elapsed());
        let crossings = &self.tally.crossings;
        crossings.acknowledged(self.role.pad_number, rev, self.sighting());
        self.place.accepted(rev, units);
        true
    }

    /// The revisions after a base, one's own among them.
    fn take_batch(&mut self, base: u64, changes: Changes<'_>, bytes: usize) -> Result<(), Trouble> {
        let mut inserted = Vec::new();
        for (rev, change) in (base + 1..).zip(changes) {
            match self.own_in_batch {
                // It came first in the batch, and was taken when it was accepted.
                _ if rev == self.place.rev && inserted.is_empty() => {}
                Some((own, bytes)) if own == rev => {
                    self.expect(rev)?;
                    self.own_in_batch = None;
                    self.accepted(rev, bytes);
                }
                _ => {
                    self.expect(rev)?;
                    inserted.extend(self.place.batched(rev, change));
                    if self.role.observes {
                        let crossings = &self.tally.crossings;
                        crossings.arrived(self.role.pad_number, rev, self.sighting());
                    }
                }
            }
        }
        self.tally.heard(self.role.number, bytes, inserted);
        Ok(())
    }

    fn sighting(&self) -> Sighting {
        Sighting {
            node: self.role.node,
            time: Instant::now().into_std(),
        }
    }

    /// Revisions come one after the other, each once.
    fn expect(&self, rev: u64) -> Result<(), Trouble> {
        if rev == self.place.rev + 1 {
            Ok(())
        } else {
            Err("a revision was missing or came twice".to_owned())
        }
    }

    /// The change under way was accepted.
    async fn go_on(&mut self) -> Result<(), Trouble> {
        match self.phase {
            Phase::Filling => return self.fill().await,
            Phase::Lining => {
                self.through.lined.fetch_add(1, Ordering::Relaxed);
            }
            Phase::Typing => {
                // Without an interval not by the timer: that is a millisecond late.
                let interval = self.role.interval;
                if interval.is_zero() {
                    return self.type_some().await;
                }
                self.due = next_turn(self.due, interval, Instant::now());
            }
            Phase::Joining | Phase::Ended => {}
        }
        Ok(())
    }
}

/// The next turn of somebody who types at intervals. One that has passed is left out: to type at
/// once would be to type together with all others that were late, from then on.
fn next_turn(last: Instant, interval: Duration, now: Instant) -> Instant {
    let passed = now.saturating_duration_since(last).as_nanos() / interval.as_nanos().max(1);
    let turns = u32::try_from(passed + 1).unwrap_or(u32::MAX);
    last + interval.saturating_mul(turns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_keeps_the_place_in_the_round() {
        let (start, interval) = (Instant::now(), Duration::from_millis(100));
        let at = |millis| start + Duration::from_millis(millis);
        for (now, next) in [(0, 100), (99, 100), (100, 200), (101, 200), (730, 800)] {
            assert_eq!(next_turn(start, interval, at(now)), at(next), "{now}");
        }
    }
}
