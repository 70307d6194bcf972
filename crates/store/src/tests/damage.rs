//! Whatever is wrong with a pad is found and told.

use crate::check::Problem;
use crate::conformance::sample::*;
use crate::engine::Turn;
use crate::sql::Tx;
use crate::{Location, Store};
use pad::Rev;

/// A pad of 40 revisions, three messages and a mark, and some damage to it.
pub(super) async fn damaged(damage: &'static str) -> Store {
    let store = Store::open(Location::Memory).await.unwrap();
    let start = first("Hallo", &author_id(1));
    let mut steps = vec![start.clone()];
    steps.extend(edits(start.head, 39, 1));
    let key = create(&store, "pad", &joined(steps)).await;
    let message = pad::ChatMessage {
        text: changeset::Text::from("Hallo"),
        author: None,
        time: pad::Timestamp(1),
    };
    for _ in 0..3 {
        store.append_chat(key, &message).await.unwrap();
    }
    let saved = crate::SavedRevision {
        rev: Rev(3),
        id: "3".to_owned(),
        label: String::new(),
        author: None,
        time: pad::Timestamp(1),
    };
    store.save_revision(key, &saved).await.unwrap();
    let write = move |tx: &mut dyn Tx| tx.define(damage);
    store.engine.write(Turn::Alone, write).await.unwrap();
    store
}

/// What a check says after some damage.
async fn after(damage: &'static str) -> Vec<String> {
    let store = damaged(damage).await;
    let problems = store.check_pad(&pad_id("pad")).await.unwrap();
    store.close().await;
    problems.iter().map(Problem::to_string).collect()
}

/// What is done to the pad, and what is reported.
pub(super) const DAMAGE: [(&str, &str); 21] = [
    (
        "DELETE FROM revisions WHERE rev = 35; UPDATE pads SET loose_bytes =
                 (SELECT SUM(LENGTH(change)) FROM revisions)",
        "revision 35 is missing",
    ),
    (
        "UPDATE revisions SET change = x'ff' WHERE rev = 35",
        "revisions: number 35 cannot be read",
    ),
    ("DELETE FROM packs WHERE first = 0", "revision 0 is missing"),
    (
        "UPDATE packs SET data = x'0102' WHERE first = 16",
        "packs: number 31 cannot be read",
    ),
    (
        "UPDATE snapshots SET data = x'01' WHERE rev = 15",
        "snapshots: number 15 cannot be read",
    ),
    (
        "UPDATE snapshots SET data = (SELECT data FROM snapshots WHERE rev = 31)
             WHERE rev = 15",
        "the snapshot at revision 15 is not what the revisions lead to",
    ),
    (
        "UPDATE revisions SET change = (SELECT change FROM revisions WHERE rev = 34)
             WHERE rev = 36",
        "revision 36 does not fit: made for a text of another length",
    ),
    (
        "DELETE FROM attributes WHERE number = 1",
        "uses attribute 1, which does not exist",
    ),
    (
        "DELETE FROM pad_authors",
        "the pad's authors are not those of its pool",
    ),
    (
        "UPDATE pads SET head = 38",
        "revisions: number 39 belongs nowhere",
    ),
    ("UPDATE pads SET head = 40", "revision 40 is missing"),
    (
        "UPDATE pads SET head_time = 5",
        "head_time of the pad's row is wrong",
    ),
    (
        "UPDATE pads SET sealed = 16",
        "sealed of the pad's row is wrong",
    ),
    (
        "UPDATE pads SET loose_bytes = 1",
        "loose_bytes of the pad's row is wrong",
    ),
    (
        "UPDATE pads SET next_attribute = 1",
        "next_attribute of the pad's row is wrong",
    ),
    (
        "UPDATE packs SET first = 10 WHERE first = 16",
        "packs: number 31 belongs nowhere",
    ),
    (
        "INSERT INTO snapshots (pad, rev, data) SELECT pad, 77, data FROM snapshots LIMIT 1",
        "snapshots: number 77 belongs nowhere",
    ),
    (
        "UPDATE saved_revisions SET rev = 99",
        "saved_revisions: number 99 belongs nowhere",
    ),
    (
        "DELETE FROM chat WHERE number = 1",
        "chat message 1 is missing",
    ),
    (
        "UPDATE chat SET number = 7 WHERE number = 2",
        "chat: number 7 belongs nowhere",
    ),
    (
        "UPDATE chat SET text = x'ff' WHERE number = 0",
        "chat: number 0 cannot be read",
    ),
];

#[tokio::test]
async fn every_damage_is_found() {
    assert_eq!(after("SELECT 1").await, [""; 0]);
    for (damage, told) in DAMAGE {
        let problems = after(damage).await;
        let found = problems.iter().any(|problem| problem.contains(told));
        assert!(found, "{damage}: {problems:?}");
    }
}

#[tokio::test]
async fn reading_damaged_data_is_an_error_and_no_panic() {
    let store = Store::open(Location::Memory).await.unwrap();
    let (key, head) = create_text(&store, "pad", "Hallo").await;
    append_all(&store, key, head.clone(), &edits(head, 40, 1)).await;
    let damage = "UPDATE packs SET data = x'0102'; DELETE FROM snapshots";
    let write = move |tx: &mut dyn Tx| tx.define(damage);
    store.engine.write(Turn::Alone, write).await.unwrap();
    for error in [
        store.load_head(key).await.err(),
        store.revisions(key, Rev(0)..Rev(5)).await.err(),
        store.document_at(key, Rev(5)).await.err(),
        store.compact_pad(key, None).await.err(),
    ] {
        assert!(matches!(error, Some(crate::Error::Corrupt(_))), "{error:?}");
    }
    // Others are not concerned.
    let (key, head) = create_text(&store, "other", "Hallo").await;
    assert_eq!(store.load_head(key).await.unwrap(), Some(head));
    store.close().await;
}
