//! Hints between nodes in one process, with the faults that a network has.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::queue::{Counters, Inbox, count};
use crate::{Hint, HintChannel, HintCounts, ReceivedHint, wire};
use store::NodeId;

/// How many of a hundred messages are treated badly.
#[derive(Clone, Copy, Debug, Default)]
pub struct HintFaults {
    pub dropped: u64,
    pub doubled: u64,
    /// Delivered after later ones, or only by [`HintHub::release`].
    pub held: u64,
}

/// Connects the channels of several nodes. Which messages are treated badly follows from the seed
/// and from the order in which they are sent.
#[derive(Clone)]
pub struct HintHub(Arc<Mutex<State>>);

struct State {
    random: u64,
    faults: HintFaults,
    nodes: Vec<(NodeId, Arc<Member>)>,
    held: Vec<(Arc<Member>, Vec<u8>)>,
}

#[derive(Default)]
struct Member {
    inbox: Inbox,
    counters: Counters,
}

pub struct MemoryHints {
    node: NodeId,
    hub: HintHub,
    member: Arc<Member>,
}

impl HintHub {
    pub fn new(seed: u64, faults: HintFaults) -> HintHub {
        HintHub(Arc::new(Mutex::new(State {
            random: seed,
            faults,
            nodes: Vec::new(),
            held: Vec::new(),
        })))
    }

    /// The channel of a node. Like a new connection it begins with the possibility that something
    /// was missed. It ends when it is dropped.
    pub fn join(&self, node: NodeId) -> MemoryHints {
        let member = Arc::new(Member::default());
        member.inbox.miss();
        self.lock().nodes.push((node, Arc::clone(&member)));
        MemoryHints {
            node,
            hub: self.clone(),
            member,
        }
    }

    pub fn set_faults(&self, faults: HintFaults) {
        self.lock().faults = faults;
    }

    /// Delivers what was held back.
    pub fn release(&self) {
        for (member, message) in std::mem::take(&mut self.lock().held) {
            member.receive(&message);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn deliver(&mut self, member: &Arc<Member>, message: &[u8]) {
        if self.happens(self.faults.dropped) {
            return;
        }
        if self.happens(self.faults.held) {
            self.held.push((Arc::clone(member), message.to_vec()));
            return;
        }
        member.receive(message);
        if self.happens(self.faults.doubled) {
            member.receive(message);
        }
        // Now and then one that was held arrives behind those sent after it.
        if !self.held.is_empty() && self.happens(50) {
            let at = self.number() as usize % self.held.len();
            let (member, message) = self.held.swap_remove(at);
            member.receive(&message);
        }
    }

    fn happens(&mut self, of_hundred: u64) -> bool {
        of_hundred > 0 && self.number() % 100 < of_hundred
    }

    /// SplitMix64.
    fn number(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.random ^ (self.random >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

impl Member {
    fn receive(&self, message: &[u8]) {
        let Ok((sender, hints)) = wire::decode(message) else {
            count(&self.counters.refused, 1);
            return;
        };
        let hints = hints.into_iter();
        let hints = hints.map(|hint| ReceivedHint::From(sender, hint));
        self.inbox.put(hints.collect(), &self.counters);
    }
}

impl HintChannel for MemoryHints {
    fn send(&self, hint: Hint) {
        count(&self.member.counters.sent, 1);
        let mut hub = self.hub.lock();
        let others = hub.nodes.iter().filter(|(node, _)| *node != self.node);
        let others: Vec<_> = others.map(|(_, member)| Arc::clone(member)).collect();
        for message in wire::encode(self.node, &[hint], usize::MAX) {
            for member in &others {
                hub.deliver(member, &message);
            }
        }
    }

    fn next(&self) -> Pin<Box<dyn Future<Output = Vec<ReceivedHint>> + Send + '_>> {
        Box::pin(self.member.inbox.next())
    }

    fn counts(&self) -> HintCounts {
        self.member.counters.read()
    }
}

impl Drop for MemoryHints {
    fn drop(&mut self) {
        let mut hub = self.hub.lock();
        hub.nodes
            .retain(|(_, member)| !Arc::ptr_eq(member, &self.member));
        hub.held
            .retain(|(member, _)| !Arc::ptr_eq(member, &self.member));
    }
}
