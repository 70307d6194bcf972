//! Appending to a pad that others have written to, and learning what they wrote.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pad::{Head, Rev, Step};

use super::sample::*;
use crate::{Added, Missed, PadHead, PadKey, Store};

pub(super) async fn all(store: &Store) {
    for expects_others in [false, true] {
        overtaken(store, expects_others).await;
        nothing_to_add(store, expects_others).await;
        gone(store, expects_others).await;
    }
    missed(store).await;
    heads(store).await;
}

/// Types at the end, whatever the head is.
async fn type_in(
    store: &Store,
    key: PadKey,
    head: &Head,
    text: &'static str,
    expects_others: bool,
) -> Added<Box<Step>> {
    let replan = move |head: &Head, _: &Missed| Box::new(typed(head, text, &author_id(2)));
    let step = typed(head, text, &author_id(2));
    store
        .append_or_replan(key, head, Some(0), &step, expects_others, replan)
        .await
        .unwrap()
}

async fn overtaken(store: &Store, expects_others: bool) {
    let (key, start) = create_text(store, &format!("overtaken {expects_others}"), "a").await;
    let Added::Planned = type_in(store, key, &start, "b", expects_others).await else {
        panic!("nobody else has written");
    };
    let Added::Replanned(replanned) = type_in(store, key, &start, "c", expects_others).await else {
        panic!("the head is another");
    };
    assert_eq!(replanned.missed.revisions.len(), 1);
    assert_eq!(replanned.missed.attributes.len(), 1, "the second author");
    assert_eq!(replanned.missed.present, None);
    assert_eq!(replanned.head.rev, Some(Rev(1)));
    assert_eq!(replanned.plan.revisions.len(), 1);
    let head = store.load_head(key).await.unwrap().unwrap();
    assert_eq!(head, replanned.plan.head);
    assert_eq!(head.document.text().to_string(), "abc\n");
    // Long enough for packs: some of what was missed is no longer in rows of its own.
    let steps = edits(head.clone(), 60, 5);
    append_all(store, key, head.clone(), &steps).await;
    let Added::Replanned(replanned) = type_in(store, key, &start, "d", expects_others).await else {
        panic!("the head is another");
    };
    assert_eq!(replanned.missed.revisions.len(), 62);
    let expected = steps.last().map(|step| step.head.clone());
    assert_eq!(Some(replanned.head), expected);
    let head = store.load_head(key).await.unwrap().unwrap();
    assert_eq!(head, replanned.plan.head);
}

/// The seats are others, although the head is not; and there is nothing left to write.
async fn nothing_to_add(store: &Store, expects_others: bool) {
    let (key, head) = create_text(store, &format!("nothing to add {expects_others}"), "a").await;
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let replan = move |head: &Head, missed: &Missed| {
        count.fetch_add(1, Ordering::Relaxed);
        assert_eq!(missed.present.as_deref(), Some([].as_slice()));
        Box::new(Step {
            revisions: Vec::new(),
            head: head.clone(),
        })
    };
    let step = typed(&head, "b", &author_id(1));
    let added = store.append_or_replan(key, &head, Some(-1), &step, expects_others, replan);
    let Added::Replanned(replanned) = added.await.unwrap() else {
        panic!("the seats are others");
    };
    assert_eq!(replanned.head, head);
    assert_eq!(
        (replanned.missed.seats, calls.load(Ordering::Relaxed)),
        (0, 1)
    );
    assert_eq!(store.load_head(key).await.unwrap(), Some(head));
}

async fn gone(store: &Store, expects_others: bool) {
    let (key, head) =
        create_text(store, &format!("gone while written {expects_others}"), "a").await;
    let step = typed(&head, "b", &author_id(1));
    append_all(store, key, head.clone(), std::slice::from_ref(&step)).await;
    // A head that the pad never had is no head to build upon.
    let ahead = typed(&step.head, "c", &author_id(1)).head;
    let Added::Gone = type_in(store, key, &ahead, "d", expects_others).await else {
        panic!("the pad has no such head");
    };
    assert!(store.delete_pad(key).await.unwrap());
    let Added::Gone = type_in(store, key, &step.head, "c", expects_others).await else {
        panic!("the pad is gone");
    };
    assert!(store.missed(key, &head, Some(0)).await.unwrap().is_none());
}

async fn missed(store: &Store) {
    let (key, start) = create_text(store, "missed", "a").await;
    let steps = edits(start.clone(), 60, 3);
    append_all(store, key, start.clone(), &steps).await;
    let mut known = start;
    for step in &steps {
        let missed = store.missed(key, &known, Some(0)).await.unwrap().unwrap();
        let head = missed.apply(&known).unwrap();
        assert_eq!(Some(&head), steps.last().map(|step| &step.head));
        known = step.head.clone();
    }
    let missed = store.missed(key, &known, Some(0)).await.unwrap().unwrap();
    assert!(missed.revisions.is_empty() && missed.attributes.is_empty());
    assert_eq!(missed.apply(&known).unwrap(), known);
}

async fn heads(store: &Store) {
    assert_eq!(store.heads(&[]).await.unwrap(), []);
    let mut expected = Vec::new();
    for number in 0..7 {
        let (key, head) = create_text(store, &format!("heads {number}"), "a").await;
        let steps = edits(head.clone(), number, 4);
        append_all(store, key, head, &steps).await;
        expected.push(PadHead {
            key,
            rev: Rev(number as u64),
            seats: 0,
        });
    }
    let mut keys: Vec<PadKey> = expected.iter().map(|head| head.key).collect();
    assert!(store.delete_pad(expected.remove(2).key).await.unwrap());
    keys.push(PadKey(i64::MAX));
    let mut heads = store.heads(&keys).await.unwrap();
    heads.sort_by_key(|head| head.key);
    assert_eq!(heads, expected);
}
