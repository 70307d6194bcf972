//! Batch of revisions for members that take several at once, in one form for all of them.
//!
//! It holds the revisions themselves and not what they come to as one change: to rewrite a pending
//! change past a composition need not give the same as past its parts, when inserts tie. Each
//! batch names the attributes that its receivers have not been sent yet, by their numbers in the
//! pad's pool, which never change.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use changeset::Attribute;
use pad::{Rev, Timestamp};

use crate::limits::{ANNOUNCED, BATCH_REVISIONS, BATCH_UNITS, SMALLEST_BATCH};
use crate::live::encoded::Encoded;
use crate::live::{LiveRevision, MemberId};

/// Consecutive revisions, all that belongs to them, and nothing that differs from member to member.
#[derive(Debug)]
pub struct Batch {
    /// The last revision before it.
    pub from: Rev,
    pub revisions: Vec<BatchedRevision>,
    /// Numbers of the attributes that are used here and were not sent before.
    pub announced: BTreeSet<u32>,
    /// How many milliseconds a client may wait between two changes of its own.
    pub commit_interval: u32,
    /// Those who have had every batch since then know what is not announced.
    pub(super) base: Rev,
    encoded: Encoded,
}

#[derive(Debug)]
pub struct BatchedRevision {
    pub live: Arc<LiveRevision>,
    /// The number of the attribute that names its author, if the pool has that.
    pub author: Option<u32>,
    /// The window it was made in, unless it is the one that its author used last.
    pub window: Option<u32>,
}

impl Batch {
    /// The last revision in it.
    pub fn last(&self) -> Rev {
        self.from.plus(self.revisions.len() as u64)
    }

    /// The revisions in it that a member has made.
    pub fn made_by(&self, member: MemberId) -> impl Iterator<Item = Rev> {
        let own = move |it: &&BatchedRevision| it.live.origin == Some(member);
        self.revisions.iter().filter(own).map(|it| it.live.rev)
    }

    /// When its first revision was made, that is, how long the member has waited at most.
    pub fn oldest(&self) -> Option<Timestamp> {
        Some(self.revisions.first()?.live.revision.time)
    }

    /// The batch in the form it has on the network.
    pub fn encoded<T>(&self, encode: impl Fn(&Batch) -> T) -> T
    where
        T: Clone + Send + Sync + 'static,
    {
        self.encoded.get_or_make(|| encode(self))
    }
}

/// What the receivers of all batches since a revision have been sent.
#[derive(Debug)]
pub(super) struct Announced {
    base: Rev,
    attributes: HashSet<u32>,
    /// By the attribute that names the author.
    windows: HashMap<u32, u32>,
}

impl Announced {
    /// Nothing, from a revision on.
    pub(super) fn since(base: Rev) -> Announced {
        Announced {
            base,
            attributes: HashSet::new(),
            windows: HashMap::new(),
        }
    }

    /// Whether a batch from there on had better say everything again: for newcomers, if there are
    /// any, and because nothing is remembered without end.
    pub(super) fn is_old(&self, from: Rev, has_newcomers: bool) -> bool {
        let passed = from.since(self.base).unwrap_or(u64::MAX);
        (has_newcomers && passed >= BATCH_REVISIONS as u64) || self.attributes.len() >= ANNOUNCED
    }

    /// A batch of the first of some revisions, as many as go together; of only a few none is made.
    pub(super) fn batch<'a>(
        &mut self,
        from: Rev,
        revisions: impl Iterator<Item = &'a Arc<LiveRevision>>,
        commit_interval: u32,
    ) -> Option<Batch> {
        let mut units = 0;
        let in_room = revisions.take(BATCH_REVISIONS).take_while(|live| {
            let fits = units < BATCH_UNITS;
            units += live.revision.change.bank.len() + 8 * live.revision.change.ops.len();
            fits
        });
        let chosen: Vec<&Arc<LiveRevision>> = in_room.collect();
        if chosen.len() < SMALLEST_BATCH {
            return None;
        }
        let mut announced = BTreeSet::new();
        let mut batched = Vec::with_capacity(chosen.len());
        for live in chosen {
            for number in live
                .revision
                .change
                .ops
                .iter()
                .flat_map(|op| op.attribs.iter())
            {
                self.announce(number, &mut announced);
            }
            let author = live.revision.author.as_ref().and_then(|author| {
                let names = Attribute::new("author", author.as_str());
                live.pool.number_of(&names)
            });
            let mut window = live.origin.map(MemberId::window);
            if let Some(number) = author {
                self.announce(number, &mut announced);
                let last = self.windows.insert(number, window.unwrap_or(0));
                window = window.or(Some(0)).filter(|it| *it != last.unwrap_or(0));
            }
            let live = Arc::clone(live);
            batched.push(BatchedRevision {
                live,
                author,
                window,
            });
        }
        Some(Batch {
            from,
            revisions: batched,
            announced,
            commit_interval,
            base: self.base,
            encoded: Encoded::default(),
        })
    }

    fn announce(&mut self, number: u32, announced: &mut BTreeSet<u32>) {
        if self.attributes.insert(number) {
            announced.insert(number);
        }
    }
}
