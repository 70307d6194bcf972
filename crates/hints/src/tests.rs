//! What is decoded is what was encoded; no bytes make the decoder panic; only the key opens.

mod postgres;

use std::sync::Arc;

use changeset::{Attribute, Changeset};
use pad::{AuthorId, Rev, Revision, Timestamp};
use proptest::prelude::*;

use super::queue::{Counters, Inbox, newest_only};
use super::seal::{Opened, Opener, PLAIN_BYTES, Sealer};
use super::*;
use crate::limits::{HINT_MESSAGES_WAITING, HINT_PAYLOAD};

fn author() -> impl Strategy<Value = AuthorId> {
    (0..4u128).prop_map(AuthorId::random)
}

fn content(size: impl Strategy<Value = usize>) -> impl Strategy<Value = RevisionContent> {
    let author = proptest::option::of(author());
    let attribute = (any::<u32>(), ".{0,8}", ".{0,8}")
        .prop_map(|(number, key, value)| (number, Attribute::new(key, value)));
    let attributes = proptest::collection::vec(attribute, 0..3);
    (size, author, any::<i64>(), attributes).prop_map(|(size, author, time, attributes)| {
        RevisionContent {
            revision: Revision {
                change: typed(size),
                author,
                time: Timestamp(time),
            },
            attributes,
        }
    })
}

fn typed(size: usize) -> Changeset {
    let text = "x".repeat(size);
    let old = changeset::Document::plain(&[changeset::NEWLINE]);
    let units: Vec<u16> = text.encode_utf16().collect();
    changeset::splice(&old, 0, 0, &units, &changeset::Attribs::none())
}

fn hint() -> impl Strategy<Value = Hint> {
    let pad = || any::<i64>().prop_map(PadKey);
    let content = proptest::option::of(content(0..200usize));
    prop_oneof![
        Just(Hint::Look),
        (pad(), any::<u64>(), content).prop_map(|(pad, rev, content)| {
            let rev = Rev(rev);
            Hint::Revision(RevisionHint { pad, rev, content })
        }),
        (pad(), author(), any::<u32>(), any::<[u64; 3]>()).prop_map(|(pad, author, window, at)| {
            let [rev, position, anchor] = at;
            let rev = Rev(rev);
            Hint::Caret(CaretHint {
                pad,
                author,
                window,
                rev,
                position,
                anchor,
            })
        }),
        (pad(), author()).prop_map(|(pad, author)| Hint::CaretGone { pad, author }),
    ]
}

proptest! {
    #[test]
    fn hints_survive(
        sender in any::<u64>(),
        hints in proptest::collection::vec(hint(), 0..200),
    ) {
        let sender = NodeId::new(sender);
        let mut decoded = Vec::new();
        for message in wire::encode(sender, &hints, PLAIN_BYTES) {
            prop_assert!(message.len() <= PLAIN_BYTES);
            let (from, hints) = wire::decode(&message).unwrap();
            prop_assert_eq!(from, sender);
            decoded.extend(hints);
        }
        prop_assert_eq!(decoded, hints);
    }

    #[test]
    fn no_bytes_are_too_bad(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let _ = wire::decode(&bytes);
        let _ = opener(1).open(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn damage_is_noticed(
        hints in proptest::collection::vec(hint(), 1..5),
        at in any::<prop::sample::Index>(),
        letter in "[A-Za-z0-9+/]",
    ) {
        let message = wire::encode(NodeId::new(1), &hints, PLAIN_BYTES).remove(0);
        let mut damaged = message.clone();
        let index = at.index(damaged.len());
        damaged[index] ^= 0x55;
        let _ = wire::decode(&damaged);
        let mut sealer = Sealer::new(&key(1), [1; SALT_BYTES]).unwrap();
        let sealed = sealer.seal(message.clone()).unwrap();
        let mut opener = opener(1);
        prop_assert_eq!(open(&mut opener, &sealed), Some(message));
        let mut forged = sealed.clone();
        let index = at.index(forged.len());
        forged.replace_range(index..=index, &letter);
        prop_assert_eq!(open(&mut opener, &forged).is_some(), forged == sealed);
    }
}

fn opener(key_of: u8) -> Opener {
    Opener::new(key(key_of), [9; SALT_BYTES])
}

fn open(opener: &mut Opener, message: &str) -> Option<Vec<u8>> {
    match opener.open(message)? {
        Opened::Own => None,
        Opened::Plain(plain) => Some(plain),
    }
}

fn key(byte: u8) -> ClusterKey {
    ClusterKey::new([byte; CLUSTER_KEY_BYTES])
}

#[test]
fn the_largest_message_fits() {
    let mut sealer = Sealer::new(&key(1), [1; SALT_BYTES]).unwrap();
    let sealed = sealer.seal(vec![7; PLAIN_BYTES]).unwrap();
    assert!(sealed.len() <= HINT_PAYLOAD, "{}", sealed.len());
    let mut receiver = opener(1);
    // The key of the sender is derived the first time and remembered for the second.
    for _ in 0..2 {
        assert_eq!(open(&mut receiver, &sealed), Some(vec![7; PLAIN_BYTES]));
    }
    assert_eq!(open(&mut opener(2), &sealed), None);
    let own = Opener::new(key(1), [1; SALT_BYTES]).open(&sealed);
    assert!(matches!(own, Some(Opened::Own)));
    assert_ne!(sealer.seal(vec![7; PLAIN_BYTES]), Some(sealed));
}

#[test]
fn a_large_revision_travels_by_its_number() {
    let with = |size| {
        let revision = Revision {
            change: typed(size),
            author: None,
            time: Timestamp(1),
        };
        let attributes = Vec::new();
        let content = Some(RevisionContent {
            revision,
            attributes,
        });
        let (pad, rev) = (PadKey(1), Rev(2));
        let hint = Hint::Revision(RevisionHint { pad, rev, content });
        let messages = wire::encode(NodeId::new(1), &[hint], PLAIN_BYTES);
        let (_, hints) = wire::decode(&messages[0]).unwrap();
        let [Hint::Revision(hint)] = &hints[..] else {
            panic!("{hints:?}");
        };
        assert_eq!((hint.pad, hint.rev), (PadKey(1), Rev(2)));
        hint.content.is_some()
    };
    assert!(with(1000));
    assert!(!with(10_000));
}

#[test]
fn kinds_of_later_releases_are_skipped() {
    let mut message = wire::encode(NodeId::new(1), &[Hint::Look], PLAIN_BYTES).remove(0);
    message.extend_from_slice(&[3, 200, 1, 2]);
    let (_, hints) = wire::decode(&message).unwrap();
    assert_eq!(hints, [Hint::Look]);
}

#[test]
fn only_the_newest_caret_is_sent() {
    let caret = |position| {
        Hint::Caret(CaretHint {
            pad: PadKey(1),
            author: AuthorId::random(1),
            window: 0,
            rev: Rev(1),
            position,
            anchor: 0,
        })
    };
    let revision = |rev| {
        let (pad, rev, content) = (PadKey(1), Rev(rev), None);
        Hint::Revision(RevisionHint { pad, rev, content })
    };
    let sent = newest_only(vec![
        Hint::Look,
        caret(1),
        revision(1),
        caret(2),
        revision(2),
        Hint::Look,
    ]);
    assert_eq!(sent, [revision(1), caret(2), revision(2), Hint::Look]);
}

#[tokio::test]
async fn a_full_inbox_is_reported() {
    let (inbox, counters) = (Inbox::default(), Counters::default());
    let hint = || vec![ReceivedHint::From(NodeId::new(1), Hint::Look)];
    for _ in 0..HINT_MESSAGES_WAITING + 2 {
        inbox.put(hint(), &counters);
    }
    assert_eq!(counters.read().missed, 2);
    assert_eq!(inbox.next().await, [ReceivedHint::Missed]);
    for _ in 0..HINT_MESSAGES_WAITING {
        assert_eq!(inbox.next().await, hint());
    }
}

#[tokio::test]
async fn a_hub_treats_messages_badly_by_its_seed() {
    let run = |seed| async move {
        let faults = HintFaults {
            dropped: 20,
            doubled: 20,
            held: 20,
        };
        let hub = HintHub::new(seed, faults);
        let [sender, receiver]: [Arc<MemoryHints>; 2] =
            [1, 2].map(|number| Arc::new(hub.join(NodeId::new(number))));
        assert_eq!(receiver.next().await, [ReceivedHint::Missed]);
        for rev in 0..200 {
            let (pad, rev, content) = (PadKey(1), Rev(rev), None);
            sender.send(Hint::Revision(RevisionHint { pad, rev, content }));
        }
        hub.set_faults(HintFaults::default());
        hub.release();
        sender.send(Hint::Look);
        let mut revs = Vec::new();
        loop {
            match &receiver.next().await[..] {
                [ReceivedHint::From(from, Hint::Revision(hint))] => {
                    assert_eq!(*from, NodeId::new(1));
                    revs.push(hint.rev.0);
                }
                [ReceivedHint::From(_, Hint::Look)] => return revs,
                other => panic!("{other:?}"),
            }
        }
    };
    let (first, again, other) = (run(1).await, run(1).await, run(2).await);
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert!(!first.is_sorted(), "some are reordered");
    let mut distinct = first.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(distinct.len() < 200, "some are dropped");
    assert!(distinct.len() < first.len(), "some are doubled");
}
