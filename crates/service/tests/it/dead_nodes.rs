//! Nodes that end without a word, or are taken for dead: what becomes of their members.

use std::sync::Arc;

use changeset::{Attribute, Pool, Text, splice};
use futures_util::FutureExt;
use hints::{Hint, HintFaults, HintHub, ReceivedHint, RevisionContent, RevisionHint};
use pad::{Rev, Revision, Submission};
use service::{Config, Delivery, Ending, Event, Feed, JoinRequest, Joined, Node, Service};
use store::{Location, NodeId, NodeReport, Store};

use crate::world::{TestWorld, join};

/// A node is dead after this.
const LONG_SILENCE: u64 = 10_000;

async fn two() -> (Arc<TestWorld>, [(Arc<Service>, Node); 2]) {
    let store = Store::open(Location::Memory).await.unwrap();
    let world = Arc::new(TestWorld::new());
    let hub = HintHub::new(1, HintFaults::default());
    let nodes = [1, 2].map(|number| {
        let id = NodeId::new(number);
        let store = store.as_node(id);
        let service = Service::new(store, world.clone(), Config::default());
        let service = Arc::new(service);
        let node = service.node(Arc::new(hub.join(id))).unwrap();
        (service, node)
    });
    for (_, node) in &nodes {
        compare(node).await;
    }
    (world, nodes)
}

async fn compare(node: &Node) {
    node.beat(NodeReport::default()).await.unwrap();
    node.sweep().await.unwrap();
}

/// Who comes and goes, as far as a member knows.
fn changes(feed: &mut Feed) -> Vec<(String, bool)> {
    let mut changes = Vec::new();
    while let Some(delivery) = feed.next().now_or_never() {
        match delivery {
            Delivery::Event(Event::Info { presence }) => {
                changes.push((presence.author.to_string(), true));
            }
            Delivery::Event(Event::Left { presence }) => {
                changes.push((presence.author.to_string(), false));
            }
            _ => {}
        }
    }
    changes
}

#[tokio::test]
async fn the_members_of_a_dead_node_leave() {
    let (world, [(a, _killed), (b, node)]) = two().await;
    let ada = join(&a, 1).await;
    let mut bob = join(&b, 2).await;
    let name = ada.author.id.to_string();
    world.pass(LONG_SILENCE);
    compare(&node).await;
    assert_eq!(changes(&mut bob.feed), [(name, false)]);
    assert_eq!(bob.member.member_count(), 1);
}

#[tokio::test]
async fn a_node_without_a_store_for_long_admits_its_members_again() {
    let (world, [(a, silent), _]) = two().await;
    let mut ada = join(&a, 1).await;
    let is_interrupted = |feed: &mut Feed| loop {
        match feed.next().now_or_never() {
            Some(Delivery::Ended(ending)) => break ending == Ending::Interrupted,
            Some(_) => {}
            None => break false,
        }
    };
    world.pass(30_000);
    compare(&silent).await;
    assert!(!is_interrupted(&mut ada.feed));
    world.pass(60_000);
    compare(&silent).await;
    assert!(is_interrupted(&mut ada.feed));
}

#[tokio::test]
async fn a_node_that_was_taken_for_dead_stores_its_members_again() {
    let (world, [(a, silent), (b, node)]) = two().await;
    let ada = join(&a, 1).await;
    let mut bob = join(&b, 2).await;
    let name = ada.author.id.to_string();
    world.pass(LONG_SILENCE);
    compare(&node).await;
    compare(&silent).await;
    compare(&node).await;
    assert_eq!(
        changes(&mut bob.feed),
        [(name.clone(), false), (name, true)]
    );
    assert_eq!(bob.member.member_count(), 2);
    // Its author was nowhere else, so the member goes on.
    ada.member.submit(typed(&ada)).await.unwrap();
}

#[tokio::test]
async fn who_was_elsewhere_while_its_node_was_taken_for_dead_must_come_again() {
    let (world, [(a, silent), (b, node)]) = two().await;
    let ada = join(&a, 1).await;
    world.pass(LONG_SILENCE);
    compare(&node).await;
    // Its client comes to another node, is welcomed there, and goes again.
    let request = JoinRequest {
        pad: "notes".to_owned(),
        token: Some(format!("t.{:020}", 1)),
        known: ada.head.rev,
        ..JoinRequest::default()
    };
    let visit = b.join(&request).await;
    drop(visit.unwrap_or_else(|error| panic!("{error:?}")));
    node.work().await;
    compare(&silent).await;
    ada.member.submit(typed(&ada)).await.unwrap_err();
}

#[tokio::test]
async fn a_small_revision_is_taken_from_a_hint() {
    let (_world, [(a, node), _]) = two().await;
    let mut ada = join(&a, 1).await;
    let record = a.store().pad(ada.member.pad()).await.unwrap().unwrap();
    let first = ada.head.pool.next_number();
    let attribute = Attribute::new("bold", "true");
    let mut pool = Pool::clone(&ada.head.pool);
    let bold = pool.attribs_of_insert(std::slice::from_ref(&attribute));
    let change = splice(&ada.head.document, 0, 0, &Text::from("x"), &bold);
    let hint = Hint::Revision(RevisionHint {
        pad: record.key,
        rev: Rev(1),
        content: Some(RevisionContent {
            revision: Revision {
                change: change.clone(),
                author: None,
                time: record.head_time,
            },
            attributes: vec![(first, attribute)],
        }),
    });
    // The store does not have it, so it was not read there.
    let sent = vec![ReceivedHint::From(NodeId::new(2), hint)];
    node.receive(sent).await.unwrap();
    let Some(Delivery::Revisions(revisions)) = ada.feed.next().now_or_never() else {
        panic!("nothing was published");
    };
    assert_eq!(revisions[0].rev, Rev(1));
    assert_eq!(revisions[0].revision.change, change);
}

fn typed(joined: &Joined) -> Submission {
    let mut pool = Pool::new();
    let author = Attribute::new("author", joined.author.id.as_str());
    let attribs = pool.attribs_of_insert(&[author]);
    Submission {
        author: joined.author.id.clone(),
        base: joined.head.rev,
        change: splice(&joined.head.document, 0, 0, &Text::from("x"), &attribs),
        pool,
    }
}
