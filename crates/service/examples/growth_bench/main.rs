//! Commits to a pad, for counting their instructions.
//!
//! `commit_bench FOLDER prepare UNITS REVISIONS` makes a pad with a text of that length and that
//! many revisions. `commit_bench FOLDER commit COUNT` opens it, lets an author and a reader in and
//! makes that many changes of one character all over the text, each stored and told to both before
//! the next. The difference between a run and one of twice as many changes is what they cost.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use changeset::{Attribute, Document, Pool, Text, splice};
use pad::{AuthorId, Head, PadId, Rev, Step, Submission, Timestamp};
use service::{Config, Delivery, Environment, Feed, JoinRequest, Joined, Service};
use store::{Appended, Location, Store};

const USAGE: &str = "usage: commit_bench FOLDER prepare UNITS REVISIONS|commit COUNT";
const PAD: &str = "notes";
const AUTHORS: u128 = 7;
/// Revisions that are written together when preparing.
const BATCH: u64 = 512;

/// Nothing here depends on the time of day.
#[derive(Default)]
struct Counter(AtomicU64);

impl Environment for Counter {
    fn now(&self) -> Timestamp {
        Timestamp(1_700_000_000_000 + self.0.fetch_add(1, Ordering::Relaxed) as i64)
    }

    fn entropy(&self) -> u128 {
        let count = u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1;
        count.wrapping_mul(0x2545_f491_4f6c_dd1d_9e37_79b9_7f4a_7c15)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [folder, "prepare", units, revisions] => {
            let service = open(Path::new(folder)).await;
            prepare(&service, units.parse().unwrap(), revisions.parse().unwrap()).await;
            service.stop().await;
        }
        [folder, "commit", count] => {
            let service = open(Path::new(folder)).await;
            commit(&service, count.parse().unwrap()).await;
            service.stop().await;
        }
        _ => panic!("{USAGE}"),
    }
}

async fn open(folder: &Path) -> Service {
    let store = Store::open(Location::Embedded(folder.join("pads.db")))
        .await
        .unwrap();
    Service::new(store, Arc::new(Counter::default()), Config::default())
}

async fn prepare(service: &Service, units: usize, revisions: u64) {
    let pad = PadId::for_new(PAD).unwrap();
    let mut text = "Words, and after them a few more of them, in lines.\n".repeat(units / 52 + 1);
    text.truncate(units.saturating_sub(1));
    service
        .create_pad(&pad, Some(Text::from(text.as_str())), None)
        .await
        .unwrap();
    let store = service.store();
    let key = store.pad(&pad).await.unwrap().unwrap().key;
    let mut head = store.load_head(key).await.unwrap().unwrap();
    let mut random = Random(1);
    while head.next_rev() < Rev(revisions) {
        let before = head.clone();
        let mut made = Vec::new();
        for _ in 0..BATCH.min(revisions - head.next_rev().0) {
            let step = edit(&head, &mut random);
            made.extend(step.revisions);
            head = step.head;
        }
        let step = Step {
            revisions: made,
            head: head.clone(),
        };
        let appended = store.append(key, &before, &step).await.unwrap();
        assert_eq!(appended, Appended::Done);
    }
}

/// One character comes or goes, so that the length stays about the same.
fn edit(head: &Head, random: &mut Random) -> Step {
    let author = AuthorId::random(u128::from(head.next_rev().0) % AUTHORS + 1);
    let mut pool = Arc::clone(&head.pool);
    let attribute = Attribute::new("author", author.as_str());
    let attribs = Pool::attribs_of_insert_shared(&mut pool, &[attribute]);
    let at = random.below(head.document.len() - 1);
    let change = match head.next_rev().0 % 2 {
        0 => splice(&head.document, at, 1, &[], &attribs),
        _ => splice(&head.document, at, 0, &Text::from("x"), &attribs),
    };
    let now = Timestamp(1_700_000_000_000 + head.next_rev().0 as i64);
    let step = head.advance(change, pool, Some(author), now);
    step.unwrap().unwrap()
}

async fn commit(service: &Service, count: u64) {
    let mut author = join(service, 1).await;
    let mut reader = join(service, 2).await;
    let mut document = author.head.document.clone();
    let mut rev = author.head.rev.unwrap();
    let mut random = Random(2);
    for number in 0..count {
        let (submission, after) = submission(&author, &document, rev, number, &mut random);
        document = after;
        let acceptance = author.member.submit(submission).await.unwrap();
        rev = acceptance.rev;
        hear(&mut author.feed, rev).await;
        hear(&mut reader.feed, rev).await;
    }
    let text = service.get_text(author.member.pad(), Some(rev)).await;
    assert_eq!(text.unwrap(), document.text());
}

async fn join(service: &Service, person: u64) -> Joined {
    let request = JoinRequest {
        pad: PAD.to_owned(),
        token: Some(format!("t.{person:020}")),
        ..JoinRequest::default()
    };
    let joined = service.join(&request).await;
    joined.unwrap_or_else(|error| panic!("{error:?}"))
}

fn submission(
    author: &Joined,
    document: &Document,
    rev: Rev,
    number: u64,
    random: &mut Random,
) -> (Submission, Document) {
    let mut pool = Pool::new();
    let id = author.member.author().clone();
    let attribs = pool.attribs_of_insert(&[Attribute::new("author", id.as_str())]);
    let at = random.below(document.len() - 1);
    let change = match number % 2 {
        0 => splice(document, at, 0, &Text::from("x"), &attribs),
        _ => splice(document, at, 1, &[], &attribs),
    };
    let after = document.apply(&change, &pool).unwrap();
    let submission = Submission {
        author: id,
        base: Some(rev),
        change,
        pool,
    };
    (submission, after)
}

async fn hear(feed: &mut Feed, rev: Rev) {
    while feed.place() < rev {
        if let Delivery::Ended(ending) = feed.next().await {
            panic!("{ending:?}");
        }
    }
}

/// A plain congruential generator: the same numbers on every machine and with every version.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}
