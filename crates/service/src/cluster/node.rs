//! The node that a service is: a future that the embedding program runs.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use contract::Error;
use hints::{Hint, HintChannel, ReceivedHint};
use store::{NodeId, NodeRecord, NodeReport, Note};
use tokio::sync::{Mutex, Notify, mpsc};
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::Service;
use crate::cluster::notes::HandledNotes;
use crate::cluster::{Cluster, Errand};
use crate::limits::{CARET_PAUSE, HEARTBEAT, LOOK_PAUSE, SWEEPS_BETWEEN_ROW_CHECKS};
use crate::live::Ending;

/// A service as a part of several. [`Node::run`] does everything; the other methods are its parts.
pub struct Node {
    service: Arc<Service>,
    cluster: Arc<Cluster>,
    hints: Arc<dyn HintChannel>,
    errands: Mutex<Option<mpsc::Receiver<Errand>>>,
    notes: Mutex<HandledNotes>,
    /// The nodes that were alive with the last sign of life.
    alive: Mutex<Vec<NodeId>>,
    /// The members of all pads must be compared: this node was unknown to the others, or another
    /// one is gone.
    must_sync: AtomicBool,
    sweeps: AtomicU64,
    asked: Notify,
}

impl Service {
    /// The node that this service is, with a channel to the others. `None`: the store is not
    /// shared, or there is a node already.
    pub fn node(self: &Arc<Service>, hints: Arc<dyn HintChannel>) -> Option<Node> {
        let cluster = Arc::clone(self.cluster.as_ref()?);
        let errands = cluster.take_errands()?;
        Some(Node {
            service: Arc::clone(self),
            cluster,
            hints,
            errands: Mutex::new(Some(errands)),
            notes: Mutex::default(),
            alive: Mutex::default(),
            must_sync: AtomicBool::new(true),
            sweeps: AtomicU64::new(0),
            asked: Notify::new(),
        })
    }

    /// What this node does, for other nodes. The caller knows the rest.
    async fn report(&self, base: NodeReport) -> NodeReport {
        let pads = self.live.handles();
        let members = pads.iter().map(|pad| pad.roster().local_len() as u64);
        let counts = self.write_counts();
        NodeReport {
            members: members.sum(),
            pads: pads.len() as u64,
            commits: counts.commits,
            replans: counts.replans,
            ..base
        }
    }
}

impl Node {
    /// Keeps this node and the others up to date, for as long as the future lives. It must not be
    /// started twice. `report` gives what the service does not know: version, address, and
    /// whether the node drains.
    pub async fn run(&self, report: impl Fn() -> NodeReport) -> Infallible {
        let ended = tokio::join!(self.beat_always(report), self.keep_up());
        ended.0
    }

    /// All that [`Node::run`] does but for signs of life, for those who give them by
    /// [`Node::beat`], once a second.
    pub async fn keep_up(&self) -> Infallible {
        let ended = tokio::join!(
            self.sweep_always(),
            self.receive_always(),
            self.send_always(),
            self.send_carets_always(),
            self.work_always(),
        );
        ended.0
    }

    /// Gives a sign of life. The nodes that are alive, this one included.
    pub async fn beat(&self, report: NodeReport) -> Result<Vec<NodeRecord>, Error> {
        let report = self.service.report(report).await;
        let now = self.service.now();
        let beat = self.service.store.beat(&report, now).await?;
        self.cluster.outbox.set_alone(beat.nodes.len() < 2);
        let alive = beat.nodes.iter().map(|node| node.id).collect();
        let before = std::mem::replace(&mut *self.alive.lock().await, alive);
        let is_alive = |id: &NodeId| beat.nodes.iter().any(|node| node.id == *id);
        // The members of a node that is gone are gone, and this node may have left the notes.
        if beat.is_new || !before.iter().all(is_alive) {
            self.must_sync.store(true, Ordering::SeqCst);
            self.asked.notify_one();
        }
        Ok(beat.nodes)
    }

    /// Compares everything with the store: heads, notes, and sometimes the members.
    pub async fn sweep(&self) -> Result<(), Error> {
        let service = &self.service;
        // Notes first: they say more precisely why a pad is gone.
        let looked = self.look(true).await;
        service.compare_heads().await?;
        looked?;
        if self.must_sync.swap(false, Ordering::SeqCst)
            && let Err(error) = service.sync_all_presence().await
        {
            self.must_sync.store(true, Ordering::SeqCst);
            return Err(error);
        }
        let sweep = self.sweeps.fetch_add(1, Ordering::Relaxed);
        let has_lost = self.cluster.has_lost_departures.load(Ordering::SeqCst);
        if has_lost || sweep.is_multiple_of(SWEEPS_BETWEEN_ROW_CHECKS) {
            service.remove_departed(&self.cluster).await?;
            service.store.remove_old_notes(service.now()).await?;
            if service.store.remove_orphans(service.now()).await? {
                // The notes about it are for other nodes.
                self.must_sync.store(true, Ordering::SeqCst);
                self.asked.notify_one();
            }
        }
        Ok(())
    }

    /// Handles notes of other nodes: those after the last one, or all of the last seconds.
    pub async fn look(&self, all_recent: bool) -> Result<(), Error> {
        let mut handled = self.notes.lock().await;
        let (store, now) = (&self.service.store, self.service.now());
        let has_missed = all_recent && handled.has_missed(now);
        let notes = handled.read(store, now, all_recent).await?;
        if has_missed {
            // Sessions may have ended and pads been closed meanwhile: all are admitted again.
            for pad in self.service.live.handles() {
                pad.stop(Ending::Interrupted).await;
            }
        }
        let mut outcome = Ok(());
        let mut synced = HashSet::new();
        for note in notes {
            if let Note::Presence(pad) = note.note
                && !synced.insert(pad)
            {
                continue;
            }
            if let Err(error) = self.service.handle_note(&note.note).await {
                handled.forget(note.number);
                outcome = Err(error);
            }
        }
        outcome
    }

    /// Handles hints of other nodes.
    pub async fn receive(&self, hints: Vec<ReceivedHint>) -> Result<(), Error> {
        if hints
            .iter()
            .any(|hint| matches!(hint, ReceivedHint::From(..)))
        {
            self.cluster.outbox.set_alone(false);
        }
        let asked = self.service.receive_hints(hints).await;
        if asked.compare {
            return self.sweep().await;
        }
        if asked.look {
            return self.look(false).await;
        }
        Ok(())
    }

    /// Sends what others should learn of this node's revisions.
    pub fn send_revisions(&self) {
        self.send(self.cluster.outbox.take_revisions());
    }

    /// Sends where this node's members are.
    pub fn send_carets(&self) {
        self.send(self.cluster.outbox.take_carets());
    }

    /// Asks other nodes to read notes.
    pub fn send_look(&self) {
        self.send(std::iter::once(Hint::Look));
    }

    fn send(&self, hints: impl Iterator<Item = Hint>) {
        if !self.cluster.outbox.is_alone() {
            hints.for_each(|hint| self.hints.send(hint));
        }
    }

    /// Stores what nobody has waited for until now.
    pub async fn work(&self) {
        let mut errands = self.errands.lock().await;
        while let Some(Ok(errand)) = errands.as_mut().map(mpsc::Receiver::try_recv) {
            self.carry_out(errand).await;
        }
    }

    async fn carry_out(&self, errand: Errand) {
        let (store, now) = (&self.service.store, self.service.now());
        match errand {
            Errand::Depart(pad, member) => {
                if store.depart(pad, member, now).await.is_err() {
                    self.cluster
                        .has_lost_departures
                        .store(true, Ordering::SeqCst);
                }
            }
            Errand::Leave(note) => {
                // As with a message to a member that is just away.
                let _ = store.leave_note(note, now).await;
            }
        }
    }

    async fn beat_always(&self, report: impl Fn() -> NodeReport) -> Infallible {
        let mut ticks = ticks(HEARTBEAT);
        loop {
            ticks.tick().await;
            // The next one is soon enough.
            let _ = self.beat(report()).await;
        }
    }

    async fn sweep_always(&self) -> Infallible {
        let mut ticks = ticks(HEARTBEAT);
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = self.asked.notified() => {}
            }
            if self.sweep().await.is_err() {
                sleep(HEARTBEAT).await;
            }
        }
    }

    async fn receive_always(&self) -> Infallible {
        loop {
            let hints = self.hints.next().await;
            if self.receive(hints).await.is_err() {
                sleep(LOOK_PAUSE).await;
            }
        }
    }

    async fn send_always(&self) -> Infallible {
        let mut noted = self.service.store.noted();
        loop {
            tokio::select! {
                () = self.cluster.outbox.wait_for_revisions() => self.send_revisions(),
                changed = noted.changed() => match changed {
                    Ok(()) => self.send_look(),
                    // The service holds the store that counts.
                    Err(_) => std::future::pending().await,
                },
            }
        }
    }

    async fn send_carets_always(&self) -> Infallible {
        loop {
            self.cluster.outbox.wait_for_carets().await;
            self.send_carets();
            sleep(CARET_PAUSE).await;
        }
    }

    async fn work_always(&self) -> Infallible {
        let mut errands = self.errands.lock().await;
        loop {
            match errands.as_mut() {
                Some(errands) => {
                    if let Some(errand) = errands.recv().await {
                        self.carry_out(errand).await;
                    }
                }
                None => std::future::pending().await,
            }
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(errands) = self.errands.get_mut().take() {
            self.cluster.give_errands_back(errands);
        }
    }
}

fn ticks(period: Duration) -> tokio::time::Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
