//! Published state of a live pad: its head, and the last revisions on the way there.

use std::sync::Arc;

use changeset::Pool;
use imbl::Vector;
use pad::{Head, Rev, Revision, Timestamp, Title};

use crate::limits::{MOST_RECENT, RECENT, RECENT_MILLISECONDS};
use crate::live::MemberId;
use crate::live::encoded::Encoded;

/// A stored revision, as all members get it.
#[derive(Debug)]
pub struct LiveRevision {
    pub rev: Rev,
    pub revision: Revision,
    /// The pool that its numbers mean.
    pub pool: Arc<Pool>,
    /// When the revision before it was made.
    pub previous_time: Timestamp,
    /// Whether this node stored it; the others learn of it from here.
    pub(crate) is_made_here: bool,
    /// The member whose change this is. To that member it is an acceptance.
    pub origin: Option<MemberId>,
    encoded: Encoded,
}

impl LiveRevision {
    pub(crate) fn new(
        rev: Rev,
        revision: Revision,
        pool: Arc<Pool>,
        previous_time: Timestamp,
        origin: Option<MemberId>,
    ) -> LiveRevision {
        LiveRevision {
            rev,
            revision,
            pool,
            previous_time,
            is_made_here: false,
            origin,
            encoded: Encoded::default(),
        }
    }

    /// The revision in the form it has on the network.
    pub fn encoded<T>(&self, encode: impl Fn(&LiveRevision) -> T) -> T
    where
        T: Clone + Send + Sync + 'static,
    {
        self.encoded.get_or_make(|| encode(self))
    }
}

/// The newest stored state of a pad. Cloning it is cheap.
#[derive(Clone, Debug)]
pub(crate) struct Published {
    pub head: Head,
    /// What the pad is called, apart from its address.
    pub title: Option<Title>,
    /// The last revisions, the newest at the end.
    recent: Vector<Arc<LiveRevision>>,
}

impl Published {
    pub(crate) fn new(head: Head, title: Option<Title>) -> Published {
        Published {
            head,
            title,
            recent: Vector::new(),
        }
    }

    /// The state after some revisions more that another node has stored.
    pub(crate) fn adopted(
        &self,
        revisions: impl IntoIterator<Item = Revision>,
        head: Head,
    ) -> Published {
        let revisions = revisions.into_iter().map(|revision| (revision, None));
        self.with(revisions, head, false)
    }

    /// The state after some revisions more.
    pub(crate) fn extended(
        &self,
        revisions: impl IntoIterator<Item = (Revision, Option<MemberId>)>,
        head: Head,
    ) -> Published {
        self.with(revisions, head, true)
    }

    fn with(
        &self,
        revisions: impl IntoIterator<Item = (Revision, Option<MemberId>)>,
        head: Head,
        is_made_here: bool,
    ) -> Published {
        let mut recent = self.recent.clone();
        let mut previous_time = self.head.time;
        for (rev, (revision, origin)) in (self.head.next_rev().0..).map(Rev).zip(revisions) {
            let time = revision.time;
            let pool = Arc::clone(&head.pool);
            let mut live = LiveRevision::new(rev, revision, pool, previous_time, origin);
            live.is_made_here = is_made_here;
            recent.push_back(Arc::new(live));
            previous_time = time;
        }
        let old = Timestamp(head.time.millis() - RECENT_MILLISECONDS);
        let is_old = |live: &Arc<LiveRevision>| live.revision.time < old;
        while recent.len() > RECENT
            && (recent.len() > MOST_RECENT || recent.front().is_some_and(is_old))
        {
            recent.pop_front();
        }
        let title = self.title.clone();
        Published {
            head,
            title,
            recent,
        }
    }

    /// The revisions from a number on, if they are all remembered.
    pub(crate) fn since(&self, first: Rev) -> Option<impl Iterator<Item = &Arc<LiveRevision>>> {
        let remembered = self.recent.len() as u64;
        let wanted = self.head.next_rev().since(first)?;
        let skipped = remembered.checked_sub(wanted)?;
        // Not by skipping: that walks over all of them.
        let rest = skipped as usize..self.recent.len();
        Some(self.recent.focus().narrow(rest).into_iter())
    }
}
