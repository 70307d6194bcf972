//! Several nodes that write to one pad.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pad::{Head, Step, Timestamp};
use tokio::task::JoinSet;

use super::cluster::Cluster;
use crate::conformance::sample::*;
use crate::{Added, Arrival, Location, Missed, NodeId, PadKey, Store};

const NODES: usize = 4;
const APPENDS: usize = 40;

/// Stores of several nodes, on each engine that has them.
async fn stores() -> Vec<Vec<Store>> {
    let memory = Store::open(Location::Memory).await.unwrap();
    let nodes = 1..=NODES as u64;
    let mut all = vec![
        nodes
            .map(|node| memory.as_node(NodeId::new(node)))
            .collect(),
    ];
    if let Some(cluster) = Cluster::shared() {
        let location = cluster.database();
        let mut stores = Vec::new();
        for _ in 0..NODES {
            stores.push(Store::open_shared(location.clone()).await.unwrap());
        }
        all.push(stores);
    }
    all
}

/// Appends what says who wrote it and in which order. Gives how often it was overtaken, and how
/// often it planned again.
async fn write(store: Store, key: PadKey, number: usize) -> (usize, usize) {
    let mut head = store.load_head(key).await.unwrap().unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let mut overtaken = 0;
    for turn in 0..APPENDS {
        let text = format!("{number}.{turn} ");
        let count = Arc::clone(&calls);
        let plan = move |head: &Head| Box::new(typed(head, &text, &author_id(number as u128)));
        let step = plan(&head);
        let replan = move |head: &Head, _: &Missed| {
            count.fetch_add(1, Ordering::Relaxed);
            plan(head)
        };
        let added = store.append_or_replan(key, &head, Some(0), &step, replan);
        head = match added.await.unwrap() {
            Added::Planned => step.head,
            Added::Replanned(replanned) => {
                overtaken += 1;
                replanned.plan.head
            }
            Added::Gone => panic!("the pad is gone"),
        };
    }
    (overtaken, calls.load(Ordering::Relaxed))
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_append_to_one_pad_at_once() {
    for stores in stores().await {
        let (key, _) = create_text(&stores[0], "all", "").await;
        let mut tasks = JoinSet::new();
        for (number, store) in stores.iter().enumerate() {
            tasks.spawn(write(store.clone(), key, number));
        }
        for (overtaken, replanned) in tasks.join_all().await {
            // Each append has a transaction to itself here, and none is carried out twice.
            assert_eq!(overtaken, replanned);
        }
        let head = stores[0].load_head(key).await.unwrap().unwrap();
        let text = head.document.text().to_string();
        let mut words: Vec<&str> = text.split_whitespace().collect();
        for number in 0..NODES {
            let prefix = format!("{number}.");
            let own = words.iter().filter(|word| word.starts_with(&prefix));
            let expected: Vec<String> = (0..APPENDS)
                .map(|turn| format!("{number}.{turn}"))
                .collect();
            assert_eq!(own.copied().collect::<Vec<_>>(), expected);
        }
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), NODES * APPENDS);
        assert_eq!(stores[0].check_pad(&pad_id("all")).await.unwrap(), []);
        close(stores).await;
    }
}

async fn close(stores: Vec<Store>) {
    for store in stores {
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn seat_that_was_taken_on_another_node_is_seen_before_an_append() {
    for stores in stores().await {
        let (key, head) = create_text(&stores[0], "seats", "").await;
        let now = Timestamp(1);
        let arrival = |member, returns| Arrival {
            pad: key,
            member,
            author: author_id(1),
            joined: now,
            looks_only: false,
            returns,
        };
        let seats = stores[0].arrive(&arrival(1, false), now).await.unwrap();
        assert_eq!(seats, 0);
        // The same person comes again on another node.
        let taken = stores[1].arrive(&arrival(7, false), now).await.unwrap();
        assert!(taken > seats);
        let node = stores[0].node().unwrap();
        let replan = move |head: &Head, missed: &Missed| {
            let present = missed.present.as_ref().unwrap();
            assert!(!present.iter().any(|seat| seat.node == node));
            assert_eq!(present[0].member, 7);
            Box::new(Step {
                revisions: Vec::new(),
                head: head.clone(),
            })
        };
        let step = typed(&head, "late", &author_id(1));
        let added = stores[0].append_or_replan(key, &head, Some(seats), &step, replan);
        let Added::Replanned(replanned) = added.await.unwrap() else {
            panic!("the seats are others");
        };
        assert_eq!(replanned.missed.seats, taken);
        let record = stores[0].pad(&pad_id("seats")).await.unwrap().unwrap();
        assert_eq!((Some(record.head), record.seats), (head.rev, taken));
        // Who knows the number writes as ever.
        let replan = |_: &Head, _: &Missed| -> Box<Step> { panic!("nothing was missed") };
        let added = stores[1].append_or_replan(key, &head, Some(taken), &step, replan);
        assert!(matches!(added.await.unwrap(), Added::Planned));
        close(stores).await;
    }
}
