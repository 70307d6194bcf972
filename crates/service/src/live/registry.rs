//! Which pads are live, and who may take one out of circulation.
//!
//! Every pad in use has a slot, and a slot has at most one writer. Deleting, moving, copying over
//! and compacting a pad take its slot: the writer is stopped and nobody can open the pad until the
//! slot is given back. Pads that nobody uses stay for a while, as long as there is room.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use contract::Error;
use pad::{OptionRules, PadId};
use store::{PadKey, Store};
use tokio::sync::{OwnedMutexGuard, mpsc, watch};

use crate::cluster::Cluster;
use crate::config::Config;
use crate::environment::Environment;
use crate::hooks::HookSet;
use crate::limits::MAILBOX;
use crate::live::pace::Pacer;
use crate::live::seats::KnownSeats;
use crate::live::task::Writer;
use crate::live::weak::Handles;
use crate::live::{Comparisons, Counters, Ending, LivePad, Published, WriteCounts};
use crate::tasks::Tasks;

pub(crate) struct Registry {
    store: Store,
    environment: Arc<dyn Environment>,
    max_text: usize,
    options: OptionRules,
    idle_pads: usize,
    /// With more live pads than this, some of them may be let go.
    full_above: AtomicUsize,
    tasks: Tasks,
    slots: Mutex<HashMap<PadId, Arc<Slot>>>,
    uses: AtomicU64,
    cluster: Option<Arc<Cluster>>,
    hooks: HookSet,
    /// Only where there are other nodes.
    handles: Handles,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct Slot {
    live: Arc<tokio::sync::Mutex<Option<LivePad>>>,
    checks: Comparisons,
    last_use: AtomicU64,
    /// Nobody has used the pad since somebody looked.
    is_idle: AtomicBool,
}

/// The right to change pads as a whole. Nobody can open them while it lives.
pub(crate) struct Exclusive {
    _slots: Vec<OwnedMutexGuard<Option<LivePad>>>,
}

impl Registry {
    pub(crate) fn new(
        store: Store,
        environment: Arc<dyn Environment>,
        config: &Config,
        cluster: Option<Arc<Cluster>>,
        hooks: HookSet,
    ) -> Registry {
        Registry {
            store,
            environment,
            max_text: config.max_text,
            options: config.options.clone(),
            idle_pads: config.idle_pads,
            full_above: AtomicUsize::new(config.idle_pads),
            tasks: Tasks::default(),
            slots: Mutex::default(),
            uses: AtomicU64::new(0),
            cluster,
            hooks,
            handles: Handles::default(),
            counters: Arc::default(),
        }
    }

    /// The live pad of that name; it is loaded if it is not live yet. `None` if there is no such
    /// pad.
    pub(crate) async fn open(&self, id: &PadId) -> Result<Option<LivePad>, Error> {
        let slot = self.slot(id);
        let asked = slot.checks.ask();
        let mut live = slot.live.lock().await;
        if let Some(pad) = live.as_ref().filter(|pad| !pad.is_closed()) {
            if slot.checks.is_done(asked) {
                return Ok(Some(pad.clone()));
            }
            let begun = slot.checks.begin();
            if self.is_current(pad).await? {
                slot.checks.end(begun);
                return Ok(Some(pad.clone()));
            }
        }
        let loaded = self.load(id).await;
        *live = loaded.as_ref().ok().cloned().flatten();
        let is_live = live.is_some();
        drop(live);
        drop(slot);
        if is_live {
            self.make_room().await;
        } else {
            self.forget(id);
        }
        loaded
    }

    async fn load(&self, id: &PadId) -> Result<Option<LivePad>, Error> {
        let Some(record) = self.store.pad(id).await? else {
            return Ok(None);
        };
        let Some(head) = self.store.load_head(record.key).await? else {
            return Ok(None);
        };
        let (mailbox, commands) = mpsc::channel(MAILBOX);
        let (publish, published) = watch::channel(Published::new(head, record.title));
        let (pacer, ticks) = Pacer::new(published.borrow().head.rev.unwrap_or_default());
        let environment = Arc::clone(&self.environment);
        let writer = Writer {
            id: id.clone(),
            key: record.key,
            store: self.store.clone(),
            published: publish,
            pacer,
            seats: KnownSeats::new(self.store.node(), record.seats),
            counters: Arc::clone(&self.counters),
            mailbox: commands,
            max_text: self.max_text,
            options: self.options.clone(),
            was_overtaken: false,
            is_unlisted: false,
            hooks: self.hooks.clone(),
            now: Box::new(move || environment.now()),
        };
        self.tasks.start(writer.run());
        let around = (self.cluster.clone(), self.hooks.clone());
        let pad = LivePad::new(id.clone(), record.key, mailbox, (published, ticks), around);
        if self.cluster.is_some() {
            self.handles.add(&pad);
        }
        Ok(Some(pad))
    }

    /// Whether a live pad is still what the store has. In a store of our own nobody else writes.
    async fn is_current(&self, pad: &LivePad) -> Result<bool, Error> {
        if !self.store.is_shared() {
            return Ok(true);
        }
        let record = self.store.pad(&pad.id).await?;
        let Some(record) = record.filter(|record| record.key == pad.key) else {
            pad.stop(Ending::Gone).await;
            return Ok(false);
        };
        if pad.published().title != record.title {
            pad.read_title().await;
        }
        if pad.head().rev != Some(record.head) {
            return Ok(pad.catch_up(Some(record.head)).await.is_ok());
        }
        Ok(true)
    }

    /// Keeps everybody else from opening pads. With an ending a pad is taken out of circulation:
    /// its writer has ended when this returns, and members learn why. Without one it goes on
    /// for those who are in it.
    pub(crate) async fn take(&self, pads: &[(&PadId, Option<Ending>)]) -> Exclusive {
        let mut pads = pads.to_vec();
        // One order for all, so that two callers never wait for each other.
        pads.sort_by_key(|(id, _)| *id);
        pads.dedup_by_key(|(id, _)| *id);
        let mut slots = Vec::new();
        for (id, ending) in pads {
            let mut live = Arc::clone(&self.slot(id).live).lock_owned().await;
            if let Some(ending) = ending
                && let Some(pad) = live.take()
            {
                pad.stop(ending).await;
            }
            slots.push(live);
        }
        Exclusive { _slots: slots }
    }

    /// Stops every writer and waits for it.
    pub(crate) async fn stop(&self) {
        let slots: Vec<Arc<Slot>> = self.lock().values().cloned().collect();
        for slot in slots {
            if let Some(pad) = slot.live.lock().await.take() {
                pad.stop(Ending::Interrupted).await;
            }
        }
        self.tasks.wait().await;
    }

    /// The live pad of that name, if it is live.
    pub(crate) async fn peek(&self, id: &PadId) -> Option<LivePad> {
        let slot = self.lock().get(id).cloned()?;
        let live = slot.live.lock().await;
        live.clone()
    }

    /// The live pad of that number in a shared store, if it is live.
    pub(crate) fn by_key(&self, key: PadKey) -> Option<LivePad> {
        self.handles.find(key)
    }

    /// The pads of a shared store that are live now, without waiting for any.
    pub(crate) fn handles(&self) -> Vec<LivePad> {
        self.handles.all()
    }

    /// The pads that are live now.
    pub(crate) async fn pads(&self) -> Vec<LivePad> {
        let slots: Vec<Arc<Slot>> = self.lock().values().cloned().collect();
        let mut pads = Vec::new();
        for slot in slots {
            pads.extend(slot.live.lock().await.clone());
        }
        pads
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    /// What the writers have stored.
    pub(crate) fn write_counts(&self) -> WriteCounts {
        self.counters.read()
    }

    /// How many pads are in memory.
    pub(crate) fn live_pads(&self) -> usize {
        self.lock().len()
    }

    fn slot(&self, id: &PadId) -> Arc<Slot> {
        let mut slots = self.lock();
        let slot = match slots.get(id) {
            Some(slot) => Arc::clone(slot),
            None => Arc::clone(slots.entry(id.clone()).or_default()),
        };
        slot.last_use
            .store(self.uses.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        slot.is_idle.store(false, Ordering::Relaxed);
        slot
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PadId, Arc<Slot>>> {
        // Nothing under this lock can panic halfway.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops the slot of a pad that is not live, unless somebody holds it.
    fn forget(&self, id: &PadId) {
        let mut slots = self.lock();
        let is_empty = |slot: &Arc<Slot>| {
            Arc::strong_count(slot) == 1
                && Arc::strong_count(&slot.live) == 1
                && slot.live.try_lock().is_ok_and(|live| live.is_none())
        };
        if slots.get(id).is_some_and(is_empty) {
            slots.remove(id);
        }
    }

    /// Lets the longest unused pads go when there are too many. Half of them at once, and not again
    /// before there are as many more, so that the search is rare even where all of them are used.
    async fn make_room(&self) {
        let live = self.live_pads();
        if live <= self.full_above.load(Ordering::Relaxed) {
            return;
        }
        let half = self.idle_pads / 2;
        // A caller that opens a pad meanwhile need not search as well.
        self.full_above.store(live + half, Ordering::Relaxed);
        let mut free = self.free_slots();
        free.sort_by_key(|(_, slot)| slot.last_use.load(Ordering::Relaxed));
        let surplus = free.len().saturating_sub(half);
        for (id, slot) in free.into_iter().take(surplus) {
            self.evict(&id, slot).await;
        }
        self.note_room();
    }

    fn note_room(&self) {
        let full_above = self.idle_pads.max(self.live_pads() + self.idle_pads / 2);
        self.full_above.store(full_above, Ordering::Relaxed);
    }

    /// Evicts the pads that nobody has used since the last call.
    pub(crate) async fn evict_idle(&self) {
        for (id, slot) in self.free_slots() {
            let is_used = slot
                .live
                .try_lock()
                .is_ok_and(|live| live.as_ref().is_some_and(|pad| !pad.is_unused()));
            if slot.is_idle.swap(!is_used, Ordering::Relaxed) && !is_used {
                self.evict(&id, slot).await;
            }
        }
        self.note_room();
    }

    /// Slots that nobody is about to use.
    fn free_slots(&self) -> Vec<(PadId, Arc<Slot>)> {
        let slots = self.lock();
        let free = slots
            .iter()
            .filter(|(_, slot)| Arc::strong_count(slot) == 1);
        free.map(|(id, slot)| (id.clone(), Arc::clone(slot)))
            .collect()
    }

    /// Stops the writer of a pad, unless somebody has begun to use it.
    async fn evict(&self, id: &PadId, slot: Arc<Slot>) {
        if let Ok(mut live) = slot.live.try_lock()
            && live.as_ref().is_none_or(LivePad::is_unused)
            && let Some(pad) = live.take()
        {
            pad.stop(Ending::Interrupted).await;
        }
        drop(slot);
        self.forget(id);
    }
}
