//! Tests of the pace.

use changeset::{Attribute, Pool, Text, splice};
use pad::{AuthorId, Head};

use super::*;
use crate::limits::BATCH_REVISIONS;
use crate::live::MemberId;

/// A pad, and those who take batches of it.
struct Crowd {
    published: Published,
    pacer: Pacer,
    ticks: watch::Receiver<Arc<Tick>>,
    _members: Vec<watch::Receiver<Arc<Tick>>>,
}

impl Crowd {
    fn of(members: usize) -> Crowd {
        let head = Head::empty();
        let pool = Arc::clone(&head.pool);
        let text = Text::from("base\n");
        let nothing = changeset::Attribs::none();
        let change = splice(&head.document, 0, 0, &text, &nothing);
        let step = head.advance(change, pool, None, Timestamp(0));
        let head = step.unwrap().unwrap().head;
        let (pacer, ticks) = Pacer::new(head.rev.unwrap());
        Crowd {
            published: Published::new(head, None),
            pacer,
            _members: vec![ticks.clone(); members],
            ticks,
        }
    }

    /// Revisions by as many authors, made in as many milliseconds, all stored at once.
    fn writes(&mut self, revisions: usize, milliseconds: i64) {
        let before = self.published.head.clone();
        let (mut head, mut made) = (before.clone(), Vec::new());
        for number in 0..revisions {
            let author = AuthorId::parse(&format!("a.{number:016}")).unwrap();
            let mut pool = Arc::clone(&head.pool);
            let names = Attribute::new("author", author.as_str());
            let attribs = Pool::attribs_of_insert_shared(&mut pool, &[names]);
            let change = splice(&head.document, 0, 0, &Text::from("x"), &attribs);
            let time = Timestamp(before.time.millis() + milliseconds);
            let step = head.advance(change, pool, Some(author), time);
            let step = step.unwrap().unwrap();
            head = step.head;
            let member = Some(MemberId::next(None));
            made.extend(step.revisions.into_iter().map(|it| (it, member)));
        }
        self.published = self.published.extended(made, head);
        self.pacer.published(&self.published);
    }

    fn tick(&self) -> Arc<Tick> {
        Arc::clone(&self.ticks.borrow())
    }
}

#[test]
fn pace_and_commit_interval_follow_the_load() {
    for (deliveries, pace, interval) in [
        (0, 0, 100),
        (9_999, 0, 100),
        (10_000, 3, 108),
        (100_000, 30, 180),
        (500_000, 150, 500),
        (u64::MAX / 2_000, 150, 500),
    ] {
        assert_eq!(pause(deliveries).as_millis(), pace, "{deliveries}");
        assert_eq!(commit_interval(deliveries), interval, "{deliveries}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_calm_pad_delivers_each_revision_at_once() {
    let mut crowd = Crowd::of(5_000);
    for number in 1..10 {
        crowd.writes(1, 1_000);
        assert_eq!(crowd.tick().newest, Rev(number));
        assert!(crowd.tick().batch.is_none(), "one by one");
    }
}

#[tokio::test(start_paused = true)]
async fn a_crowd_shares_a_few_batches_a_second() {
    let mut crowd = Crowd::of(1_000);
    let mut seen = vec![crowd.tick()];
    // A second until the load is known, and two in which it counts.
    for step in 0..300 {
        crowd.writes(20, 10);
        tokio::time::advance(Duration::from_millis(10)).await;
        if crowd.pacer.due.is_some_and(|due| due <= Instant::now()) {
            crowd.pacer.tick(&crowd.published);
        }
        let tick = crowd.tick();
        if step >= 100 && seen.last().unwrap().newest != tick.newest {
            seen.push(tick);
        }
    }
    assert!((13..=16).contains(&seen.len()), "{}", seen.len());
    for pair in seen[1..].windows(2) {
        assert_eq!(pair[1].from, pair[0].newest, "without a gap");
        let batch = pair[1].batch.as_ref().unwrap();
        assert_eq!((batch.from, batch.last()), (pair[1].from, pair[1].newest));
        assert_eq!(batch.commit_interval, 500);
        assert!(pair[1].shared(batch.from, Rev(0)).is_some());
    }
    // What was written last is delivered without another change.
    crowd.pacer.due().await;
    crowd.pacer.tick(&crowd.published);
    assert_eq!(Some(crowd.tick().newest), crowd.published.head.rev);
}

#[tokio::test(start_paused = true)]
async fn attributes_are_announced_once_and_all_of_them_to_newcomers() {
    let mut crowd = Crowd::of(2);
    crowd.writes(10, 1_000);
    let first = crowd.tick().shared(Rev(0), Rev(0)).unwrap();
    assert_eq!(first.announced.len(), 10);
    crowd.writes(12, 1_000);
    let tick = crowd.tick();
    let second = tick.shared(Rev(10), Rev(0)).unwrap();
    assert_eq!(second.announced.len(), 2, "two more have written");
    assert!(tick.shared(Rev(10), Rev(10)).is_none(), "a newcomer");
    assert!(tick.shared(Rev(9), Rev(0)).is_none(), "not at that place");
    let complete = tick.complete(Rev(10), &crowd.published).unwrap();
    assert_eq!(complete.announced.len(), 12);
    assert_eq!(complete.last(), Rev(22));
    let again = tick.complete(Rev(10), &crowd.published).unwrap();
    assert!(Arc::ptr_eq(&complete, &again), "made once");
    assert!(tick.complete(Rev(20), &crowd.published).is_none(), "a few");
    // As long as nobody new has come, nothing is announced again.
    crowd.writes(BATCH_REVISIONS, 1_000);
    let place = crowd.published.head.rev.unwrap();
    crowd.writes(10, 1_000);
    assert_eq!(
        crowd.tick().shared(place, Rev(0)).unwrap().announced.len(),
        0
    );
    // For a newcomer it is, and then it is in step.
    assert!(crowd.tick().complete(place, &crowd.published).is_some());
    let place = crowd.published.head.rev.unwrap();
    crowd.writes(10, 1_000);
    let renewed = crowd.tick().shared(place, place).unwrap();
    assert_eq!(renewed.announced.len(), 10);
}
