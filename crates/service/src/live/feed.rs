//! Feed of one member: revisions and events, in order.
//!
//! A member holds a place in the history and not a queue: being slow costs the pad nothing. The
//! feed wakes for two reasons: there are revisions beyond its place, or an event was published.

use std::sync::Arc;

use pad::{AuthorId, Rev, Title};
use store::Store;
use tokio::sync::{broadcast, watch};

use crate::limits::{FEED, FEED_BYTES, FEED_STEP};
use crate::live::batch::Batch;
use crate::live::carets::{Caret, CaretFeed};
use crate::live::event::{Ending, Event};
use crate::live::pace::Tick;
use crate::live::published::{LiveRevision, Published};
use crate::live::{LivePad, Seat};

/// The next thing to tell a member.
#[derive(Clone, Debug)]
pub enum Delivery {
    /// Revisions, ascending and without a gap.
    Revisions(Vec<Arc<LiveRevision>>),
    /// Many at once, for a member that takes batches.
    Batch(Arc<Batch>),
    Event(Event),
    /// Where others are now, each at a revision that was delivered before.
    Carets(Vec<Arc<Caret>>),
    /// The member missed events and must rejoin.
    Behind,
    /// The pad is no longer live.
    Ended(Ending),
}

/// For a member that takes batches: it goes at the pad's pace.
struct Batches {
    ticks: watch::Receiver<Arc<Tick>>,
    /// It has had what everybody got since then, and nothing else.
    since: Rev,
}

pub struct Feed {
    seat: Seat,
    author: AuthorId,
    pad: LivePad,
    store: Store,
    published: watch::Receiver<Published>,
    events: broadcast::Receiver<Arc<Event>>,
    /// The last revision the member knows.
    place: Rev,
    /// The title that was delivered.
    title: Option<Title>,
    carets: Option<CaretFeed>,
    batches: Option<Batches>,
    /// The first chat message that the member does not know.
    first_chat: u64,
}

impl Feed {
    pub(crate) fn new(
        seat: &Seat,
        author: AuthorId,
        pad: &LivePad,
        store: &Store,
        place: Rev,
    ) -> Feed {
        Feed {
            seat: seat.clone(),
            author,
            pad: pad.clone(),
            store: store.clone(),
            published: pad.published.clone(),
            events: pad.shared.events.subscribe(),
            place,
            title: pad.published().title,
            carets: None,
            batches: None,
            first_chat: 0,
        }
    }

    /// Leaves out chat messages before a number: the member learns of them with the others that are
    /// there.
    pub(crate) fn skip_chat_before(&mut self, number: u64) {
        self.first_chat = number;
    }

    /// From now on tells where others are, too.
    pub fn follow_carets(&mut self) {
        self.carets = Some(CaretFeed::new(self.pad.carets()));
    }

    pub fn follows_carets(&self) -> bool {
        self.carets.is_some()
    }

    /// From now on takes several revisions at once, at the pace of the pad.
    pub fn take_batches(&mut self) {
        self.batches = Some(Batches {
            ticks: self.pad.shared.ticks.clone(),
            since: self.place,
        });
    }

    /// The title that the member knows.
    pub fn title(&self) -> Option<&Title> {
        self.title.as_ref()
    }

    /// The last revision that was delivered.
    pub fn place(&self) -> Rev {
        self.place
    }

    /// Waits for the next thing to tell.
    pub async fn next(&mut self) -> Delivery {
        loop {
            // Events first: they can be missed, revisions only wait and are then told together.
            match self.events.try_recv() {
                Ok(event) if self.concerns(&event) => return told(event),
                Ok(_) => continue,
                Err(broadcast::error::TryRecvError::Lagged(_)) => return Delivery::Behind,
                Err(_) => {}
            }
            // Looked at before the revisions, so that those it refers to have been delivered.
            let news = self.carets.as_mut().and_then(CaretFeed::news);
            // Looked at first, so that what it speaks of is published.
            let tick = self.batches.as_mut().and_then(Batches::tick);
            let (next, title) = {
                let published = self.published.borrow_and_update();
                let title = (published.title != self.title).then(|| published.title.clone());
                let newest = tick.as_ref().map(|tick| tick.newest.next());
                (newest.unwrap_or(published.head.next_rev()), title)
            };
            if let Some(title) = title {
                self.title.clone_from(&title);
                return Delivery::Event(Event::Titled(title));
            }
            if next > self.place.next() {
                return self.revisions(tick).await;
            }
            if let (Some(carets), Some(newest)) = (&mut self.carets, news) {
                let own = (&self.author, self.seat.member.window());
                let known = self.batches.as_ref().map(|_| self.place);
                let moved = carets.take(self.pad.carets(), newest, own, known);
                if !moved.is_empty() {
                    return Delivery::Carets(moved);
                }
            }
            tokio::select! {
                // What was published before the pad ended is delivered before its end.
                biased;
                event = self.events.recv() => match event {
                    Ok(event) if self.concerns(&event) => return told(event),
                    Ok(_) => {}
                    Err(broadcast::error::RecvError::Lagged(_)) => return Delivery::Behind,
                    Err(broadcast::error::RecvError::Closed) => {
                        return Delivery::Ended(self.ending());
                    }
                },
                changed = changed(&mut self.published, &mut self.batches) => {
                    let is_rest = self.published.borrow().head.next_rev() > self.place.next();
                    if changed.is_err() && !is_rest {
                        return Delivery::Ended(self.ending());
                    }
                }
                () = wait_for_carets(&mut self.carets) => {}
            }
        }
    }

    /// The revisions behind the member's place: remembered ones, or a stretch from the store.
    async fn revisions(&mut self, tick: Option<Arc<Tick>>) -> Delivery {
        let published = self.published.borrow().clone();
        if let (Some(batches), Some(tick)) = (&mut self.batches, &tick)
            && let Some(batch) = batches.next(tick, self.place, &published)
        {
            self.place = batch.last();
            return Delivery::Batch(batch);
        }
        let newest = tick.map_or(published.head.rev.unwrap_or_default(), |tick| tick.newest);
        let first = self.place.next();
        let revisions: Vec<Arc<LiveRevision>> = match published.since(first) {
            Some(recent) => {
                let recent = recent.take_while(|live| live.rev <= newest);
                recent.cloned().collect()
            }
            None => match self.read_back(first, newest.next()).await {
                Ok(revisions) => stored(revisions, first, &published, &self.seat),
                Err(error) => {
                    tracing::error!(%error, "the store failed");
                    return Delivery::Ended(Ending::Interrupted);
                }
            },
        };
        match revisions.last() {
            Some(last) => {
                self.place = last.rev;
                Delivery::Revisions(revisions)
            }
            // The history was shortened under a member that is far behind.
            None => Delivery::Ended(Ending::Gone),
        }
    }

    /// Revisions from the store: as many as are delivered at once, fewer if they are large.
    async fn read_back(&self, first: Rev, end: Rev) -> Result<Vec<pad::Revision>, store::Error> {
        let end = end.min(first.plus(FEED));
        let (mut revisions, mut bytes) = (Vec::new(), 0);
        let (mut next, mut step) = (first, FEED_STEP);
        while next < end && bytes < FEED_BYTES {
            let stretch = next..end.min(next.plus(step));
            next = stretch.end;
            step *= 2;
            let read = self.store.revisions(self.pad.key, stretch).await?;
            if read.is_empty() {
                break;
            }
            bytes += read
                .iter()
                .map(|revision| revision.change.bank.len() + 8 * revision.change.ops.len())
                .sum::<usize>();
            revisions.extend(read);
        }
        Ok(revisions)
    }

    /// Whether an event is meant for this member.
    fn concerns(&self, event: &Event) -> bool {
        match event {
            Event::Chat(entry) => entry.number.is_none_or(|it| it >= self.first_chat),
            Event::Info { presence } => presence.member != self.seat.member,
            Event::Expel { members, .. } => members.contains(&self.seat.member),
            Event::NameSuggested { to, .. } => *to == self.author,
            _ => true,
        }
    }

    fn ending(&self) -> Ending {
        self.pad
            .shared
            .ending
            .get()
            .copied()
            .unwrap_or(Ending::Interrupted)
    }
}

impl Batches {
    /// What members may learn of now. `None`: the pad has ended, and everything that is published.
    fn tick(&mut self) -> Option<Arc<Tick>> {
        let tick = Arc::clone(&self.ticks.borrow_and_update());
        self.ticks.has_changed().is_ok().then_some(tick)
    }

    /// The batch for a member at a place. `None`: revisions go to it one by one.
    fn next(&mut self, tick: &Tick, place: Rev, published: &Published) -> Option<Arc<Batch>> {
        if let Some(shared) = tick.shared(place, self.since) {
            return Some(shared);
        }
        let complete = tick.complete(place, published);
        if complete.is_some() || !tick.is_next_after(place) {
            // What it is sent out of turn says nothing about what it knows later.
            self.since = match &complete {
                Some(batch) => batch.last(),
                None => tick.newest,
            };
        }
        complete
    }
}

/// Waits until there may be revisions, or another title.
async fn changed(
    published: &mut watch::Receiver<Published>,
    batches: &mut Option<Batches>,
) -> Result<(), watch::error::RecvError> {
    match batches {
        Some(batches) => batches.ticks.changed().await,
        None => published.changed().await,
    }
}

async fn wait_for_carets(carets: &mut Option<CaretFeed>) {
    match carets {
        Some(carets) => carets.wait().await,
        None => std::future::pending().await,
    }
}

fn told(event: Arc<Event>) -> Delivery {
    Delivery::Event(Arc::unwrap_or_clone(event))
}

/// Revisions from the store in the form of live ones.
fn stored(
    revisions: Vec<pad::Revision>,
    first: Rev,
    published: &Published,
    seat: &Seat,
) -> Vec<Arc<LiveRevision>> {
    let mut previous_time = revisions
        .first()
        .map_or_else(Default::default, |first| first.time);
    let live = |(rev, revision): (Rev, pad::Revision)| {
        let time = revision.time;
        let pool = Arc::clone(&published.head.pool);
        // Who made a revision is not stored; that this member made one is known here.
        let origin = seat.made_last(rev).then_some(seat.member);
        let live = LiveRevision::new(rev, revision, pool, previous_time, origin);
        previous_time = time;
        Arc::new(live)
    };
    (first.0..).map(Rev).zip(revisions).map(live).collect()
}
