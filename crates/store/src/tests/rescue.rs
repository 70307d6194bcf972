//! What is left of a damaged pad is found, and is a sound pad when it is stored again.

use pad::{Rev, Timestamp};

use super::damage::{DAMAGE, damaged};
use crate::conformance::sample::*;
use crate::{Location, Store, Transfer};

/// Damage that takes revisions away, and the last one that can still be reached.
const LOSSES: [(&str, Option<u64>); 8] = [
    ("DELETE FROM revisions WHERE rev = 35", Some(34)),
    (
        "UPDATE revisions SET change = x'ff' WHERE rev = 35",
        Some(34),
    ),
    ("DELETE FROM packs WHERE first = 0", None),
    ("UPDATE packs SET data = x'0102' WHERE first = 16", Some(15)),
    (
        "UPDATE revisions SET change = (SELECT change FROM revisions WHERE rev = 34)
             WHERE rev = 36",
        Some(35),
    ),
    ("UPDATE pads SET head = 40", Some(39)),
    ("UPDATE pads SET head = 38", Some(39)),
    ("SELECT 1", Some(39)),
];

#[tokio::test]
async fn revisions_are_followed_as_far_as_they_go() {
    for (damage, last) in LOSSES {
        let store = damaged(damage).await;
        let salvage = store.salvage(&pad_id("pad")).await.unwrap().unwrap();
        let last = last.map(Rev);
        assert_eq!(salvage.last(), last, "{damage}");
        let head = salvage.record.head;
        assert_eq!(salvage.is_whole(), last >= Some(head), "{damage}");
        assert_eq!(salvage.import.chat.len(), 3);
        store.close().await;
    }
    let store = Store::open(Location::Memory).await.unwrap();
    assert!(store.salvage(&pad_id("none")).await.unwrap().is_none());
    store.close().await;
}

/// Whatever the damage, a pad that is still whole is sound when it is stored again, and one that is
/// not gives a sound pad of another name while it stays as it is.
#[tokio::test]
async fn what_is_left_makes_a_sound_pad() {
    let (mut repaired, mut rebuilt) = (0, 0);
    for (damage, told) in DAMAGE {
        let store = damaged(damage).await;
        let id = pad_id("pad");
        let salvage = store.salvage(&id).await.unwrap().unwrap();
        let (key, head) = (salvage.record.key, salvage.record.head);
        let last = salvage.last();
        if salvage.is_whole() {
            let done = store.import_pad(key, head, salvage.import).await.unwrap();
            assert!(done.is_some(), "{told}");
            assert_eq!(store.check_pad(&id).await.unwrap(), [], "{told}");
            repaired += 1;
        } else if last.is_some() {
            let (to, now) = (pad_id("rebuilt"), Timestamp(7));
            let before = store.check_pad(&id).await.unwrap();
            let made = store.import_beside(key, &to, now, salvage.import);
            assert!(matches!(made.await.unwrap(), Transfer::Done(_)), "{told}");
            assert_eq!(store.check_pad(&to).await.unwrap(), [], "{told}");
            assert_eq!(store.pad(&to).await.unwrap().map(|pad| pad.head), last);
            assert_eq!(store.check_pad(&id).await.unwrap(), before, "{told}");
            rebuilt += 1;
        }
        store.close().await;
    }
    assert!(repaired > 8 && rebuilt > 3, "{repaired} {rebuilt}");
}

#[tokio::test]
async fn a_pad_is_rebuilt_up_to_a_revision_and_nothing_is_replaced() {
    let store = damaged("SELECT 1").await;
    let id = pad_id("pad");
    let mut salvage = store.salvage(&id).await.unwrap().unwrap();
    let key = salvage.record.key;
    let expected = store.document_at(key, Rev(2)).await.unwrap().unwrap();
    salvage.cut(Rev(2));
    assert_eq!(
        (salvage.last(), salvage.import.saved.len()),
        (Some(Rev(2)), 0)
    );
    let (to, now) = (pad_id("early"), Timestamp(7));
    let import = || salvage.import.clone();
    let made = store.import_beside(key, &to, now, import()).await.unwrap();
    let Transfer::Done(new) = made else {
        panic!("{made:?}")
    };
    let head = store.load_head(new).await.unwrap().unwrap();
    assert_eq!((head.rev, head.document), (Some(Rev(2)), expected));
    let again = store.import_beside(key, &to, now, import()).await.unwrap();
    assert_eq!(again, Transfer::DestinationExists);
    store.delete_pad(key).await.unwrap();
    let other = pad_id("other");
    let gone = store
        .import_beside(key, &other, now, import())
        .await
        .unwrap();
    assert_eq!(gone, Transfer::SourceMissing);
    assert_eq!(store.list_pads(None, 9).await.unwrap(), [to]);
    store.close().await;
}
