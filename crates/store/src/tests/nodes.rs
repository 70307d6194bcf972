//! Several nodes that write to one pad.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use changeset::Text;
use pad::{ChatMessage, Head, Rev, Session, Step, Timestamp};
use tokio::task::JoinSet;

use super::cluster::Cluster;
use crate::conformance::sample::*;
use crate::people::digest;
use crate::{Added, Arrival, Location, Missed, NodeId, Note, PadKey, SavedRevision, Store};

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
        let expects_others = turn % 2 == 1;
        let replan = move |head: &Head, _: &Missed| {
            count.fetch_add(1, Ordering::Relaxed);
            plan(head)
        };
        let added = store.append_or_replan(key, &head, Some(0), &step, expects_others, replan);
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
            again: false,
        };
        let seats = stores[0].arrive(&arrival(1, false), now).await.unwrap();
        assert_eq!(seats, 0);
        // The same person comes again on another node.
        let taken = stores[1].arrive(&arrival(7, false), now).await.unwrap();
        assert!(taken > seats);
        // The first node was taken for dead and does not know: the person stays on the second.
        let again = Arrival {
            again: true,
            ..arrival(1, false)
        };
        assert!(stores[0].arrive(&again, now).await.unwrap() < 0);
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
        let added = stores[0].append_or_replan(key, &head, Some(seats), &step, false, replan);
        let Added::Replanned(replanned) = added.await.unwrap() else {
            panic!("the seats are others");
        };
        assert_eq!(replanned.missed.seats, taken);
        let record = stores[0].pad(&pad_id("seats")).await.unwrap().unwrap();
        assert_eq!((Some(record.head), record.seats), (head.rev, taken));
        // Who knows the number writes as ever.
        let replan = |_: &Head, _: &Missed| -> Box<Step> { panic!("nothing was missed") };
        let added = stores[1].append_or_replan(key, &head, Some(taken), &step, true, replan);
        assert!(matches!(added.await.unwrap(), Added::Planned));
        close(stores).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_windows_of_an_author_keep_their_seats_on_other_nodes() {
    for stores in stores().await {
        let (key, _) = create_text(&stores[0], "windows", "").await;
        let now = Timestamp(1);
        let arrival = |window: u64, member: u64| Arrival {
            pad: key,
            member: (window << 40) + member,
            author: author_id(1),
            joined: now,
            looks_only: false,
            returns: false,
            again: false,
        };
        // A client without a window, and two with one each.
        for (node, window) in [(0, 0), (1, 1), (2, (1 << 23) - 1)] {
            let seats = stores[node].arrive(&arrival(window, 1), now).await.unwrap();
            assert_eq!(seats, 0, "window {window}");
        }
        // Each comes again on another node, and takes its own seat.
        for (node, window) in [(1, 0), (2, 1), (0, (1 << 23) - 1)] {
            stores[node].arrive(&arrival(window, 2), now).await.unwrap();
        }
        let mut present = stores[0].presence(key).await.unwrap();
        present.sort_by_key(|seat| seat.member);
        let present: Vec<_> = present.iter().map(|it| (it.node, it.member)).collect();
        let expected = [(1, 0), (2, 1), (0, (1 << 23) - 1)];
        let expected = expected.map(|(node, window): (usize, u64)| {
            (stores[node].node().unwrap(), arrival(window, 2).member)
        });
        assert_eq!(present, expected);
        close(stores).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn erased_author_has_no_seat_anywhere() {
    for stores in stores().await {
        let (key, head) = create_text(&stores[0], "erased", "").await;
        let now = Timestamp(1);
        let arrival = Arrival {
            pad: key,
            member: 1,
            author: author_id(1),
            joined: now,
            looks_only: false,
            returns: false,
            again: false,
        };
        stores[0].create_author(&author(1)).await.unwrap();
        let seats = stores[0].arrive(&arrival, now).await.unwrap();
        let erased = stores[1].erase_author(&author_id(1), now, false).await;
        erased.unwrap();
        let missed = stores[0]
            .missed(key, &head, Some(seats))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(missed.present, Some(Vec::new()));
        assert!(missed.seats > seats);
        let refused = stores[2].arrive(&arrival, now).await.unwrap();
        assert!(refused < seats);
        assert_eq!(stores[2].presence(key).await.unwrap(), []);
        close(stores).await;
    }
}

/// Changes everything that other nodes must look at. Gives the notes that this leaves.
async fn change_all(store: &Store, now: Timestamp) -> Vec<Note> {
    let mut notes = Vec::new();
    let (key, head) = create_text(store, "noted", "a").await;
    let step = typed(&head, "b", &author_id(1));
    append_all(store, key, head, &[step]).await;
    let message = ChatMessage {
        text: Text::from("Hallo"),
        author: None,
        time: now,
    };
    store.append_chat(key, &message).await.unwrap();
    store.append_own_chat(key, &message).await.unwrap();
    notes.extend([Note::Chat(key, 0), Note::Chat(key, 1)]);
    let saved = SavedRevision {
        rev: Rev(1),
        id: "1".to_owned(),
        label: "Version".to_owned(),
        author: None,
        time: now,
    };
    assert!(store.save_revision(key, &saved).await.unwrap());
    assert!(!store.save_revision(key, &saved).await.unwrap());
    notes.push(Note::Saved(key, Rev(1)));
    let name = async |rev| store.name_saved_revision(key, rev, "benannt").await;
    assert!(name(Rev(1)).await.unwrap());
    assert!(!name(Rev(0)).await.unwrap());
    notes.push(Note::SavedNamed(key, Rev(1)));
    assert!(store.set_title(key, None).await.unwrap());
    notes.push(Note::Title(key));
    let shown = Some("shown".to_owned());
    assert!(store.set_settings(key, None, "{}", shown).await.unwrap());
    let unshown = store.set_settings(key, Some("{}"), "[]", None).await;
    assert!(unshown.unwrap());
    notes.push(Note::Options(key, "shown".to_owned()));
    assert!(store.set_public(key, true).await.unwrap());
    assert!(store.set_public(key, false).await.unwrap());
    notes.push(Note::Closed(key));
    let compacted = store.compact_pad(key, None).await.unwrap().unwrap();
    notes.push(Note::Replaced(key));
    let (other, _) = create_text(store, "noted too", "").await;
    let over = pad_id("noted too");
    let copied = store.copy_pad(compacted, &over, true, None, now).await;
    copied.unwrap();
    notes.push(Note::Replaced(other));
    let to = pad_id("noted elsewhere");
    store.move_pad(compacted, &to, false).await.unwrap();
    notes.push(Note::Gone(compacted));
    assert!(store.delete_pad(compacted).await.unwrap());
    notes.push(Note::Gone(compacted));
    notes.extend(change_people(store, now).await);
    notes
}

async fn change_people(store: &Store, now: Timestamp) -> Vec<Note> {
    let person = author(5);
    store.create_author(&person).await.unwrap();
    let same = store.set_author_name(&person.id, person.name.as_deref(), now);
    assert!(same.await.unwrap());
    let named = store.set_author_name(&person.id, Some("neu"), now);
    assert!(named.await.unwrap());
    let green = pad::Colour::Palette(3);
    let coloured = store.set_author_colour(&person.id, &green, now);
    assert!(coloured.await.unwrap());
    store.erase_author(&person.id, now, false).await.unwrap();
    let mut notes = vec![Note::Author(person.id.clone()); 3];
    store.create_group(&group_id(5), now).await.unwrap();
    let session = |number| Session {
        id: session_id(number),
        group: group_id(5),
        author: person.id.clone(),
        valid_until: 1_000,
    };
    for number in [1, 2] {
        store.create_session(&session(number)).await.unwrap();
    }
    let (of_group, _) = create_text(store, &format!("{}$pad", group_id(5)), "").await;
    assert!(store.delete_session(&session_id(1)).await.unwrap());
    assert!(store.delete_group(&group_id(5)).await.unwrap());
    for number in [1, 2] {
        let hash = digest(session_id(number).as_str());
        let hash = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        notes.push(Note::SessionEnded(hash));
    }
    notes.push(Note::Gone(of_group));
    notes
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_leave_notes_for_other_nodes() {
    let now = Timestamp(1_000);
    for stores in stores().await {
        let [writer, reader, ..] = stores.as_slice() else {
            panic!("there are several nodes");
        };
        let seen = *writer.noted().borrow();
        let expected = change_all(writer, now).await;
        let notes = reader.notes_after(0).await.unwrap();
        let found: Vec<Note> = notes.into_iter().map(|record| record.note).collect();
        assert_eq!(found, expected);
        assert_eq!(writer.notes_after(0).await.unwrap(), []);
        assert!(*writer.noted().borrow() > seen);
        close(stores).await;
    }
    let alone = Store::open(Location::Memory).await.unwrap();
    change_all(&alone, now).await;
    let notes = alone.as_node(NodeId::new(1)).notes_after(0).await.unwrap();
    assert_eq!(notes, []);
    alone.close().await;
}

fn arrival(pad: PadKey, member: u64, author: u128) -> Arrival {
    Arrival {
        pad,
        member,
        author: author_id(author),
        joined: Timestamp(1),
        looks_only: false,
        returns: false,
        again: false,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_arrivals_at_once_one_has_the_seat() {
    for stores in stores().await {
        let (key, _) = create_text(&stores[0], "once", "").await;
        for round in 0..50 {
            let mut tasks = JoinSet::new();
            for store in stores.clone() {
                let arrival = arrival(key, round, 7);
                tasks.spawn(async move { store.arrive(&arrival, Timestamp(1)).await.unwrap() });
            }
            tasks.join_all().await;
            let present = stores[0].presence(key).await.unwrap();
            let nodes: std::collections::BTreeSet<_> = present.iter().map(|it| it.node).collect();
            assert_eq!(nodes.len(), 1, "round {round}: {present:?}");
        }
        close(stores).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pad_in_place_of_another_replaces_it_on_all_nodes() {
    for stores in stores().await {
        let (key, head) = create_text(&stores[0], "over", "before").await;
        let id = pad_id("over");
        let step = typed(&Head::empty(), "after", &author_id(1));
        let new = crate::NewPad {
            id: &id,
            step: &step,
            public: false,
            settings: None,
            deletion: None,
        };
        let other = stores[0].create_pad_over(new).await.unwrap().unwrap();
        assert_ne!(other, key);
        assert_eq!(stores[1].pad(&id).await.unwrap().unwrap().key, other);
        let text = stores[1].load_head(other).await.unwrap().unwrap();
        assert_ne!(text.document, head.document);
        let notes = stores[1].notes_after(0).await.unwrap();
        let last = notes.last().map(|note| &note.note);
        assert_eq!(last, Some(&Note::Replaced(key)));
        close(stores).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn members_of_a_node_that_never_registered_are_removed() {
    for stores in stores().await {
        let (key, _) = create_text(&stores[0], "orphans", "").await;
        let now = Timestamp(1);
        let report = crate::NodeReport::default();
        stores[0].beat(&report, now).await.unwrap();
        stores[1].beat(&report, now).await.unwrap();
        for (store, number) in stores.iter().zip(1..=3) {
            let arrival = arrival(key, number, number.into());
            store.arrive(&arrival, now).await.unwrap();
        }
        assert!(stores[0].remove_orphans(now).await.unwrap());
        assert!(!stores[0].remove_orphans(now).await.unwrap());
        let present = stores[0].presence(key).await.unwrap();
        let members: Vec<u64> = present.iter().map(|it| it.member).collect();
        assert_eq!(members, [1, 2]);
        let notes = stores[1].notes_after(0).await.unwrap();
        let last = notes.last().map(|note| &note.note);
        assert_eq!(last, Some(&Note::Presence(key)));
        close(stores).await;
    }
}
