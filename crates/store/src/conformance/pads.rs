//! Creating pads, their rows, and lists of them.

use pad::{DeletionToken, Rev, Timestamp, Title};

use super::sample::*;
use crate::{NewPad, PadKey, PadRecord, SavedRevision, Store};

pub(super) async fn all(store: &Store) {
    lists(store).await;
    record(store).await;
    options(store).await;
    saved_revisions(store).await;
    odd_names(store).await;
    missing(store).await;
}

/// First, because it counts all pads.
async fn lists(store: &Store) {
    assert_eq!(store.count_pads().await.unwrap(), 0);
    assert_eq!(store.list_pads(None, 10).await.unwrap(), []);
    // By bytes: capitals before small letters, and those outside ASCII last.
    let names = ["B", "a", "a-1", "a1", "aa", "z", "ä", "日本", "🦀"];
    for name in names.iter().rev() {
        create_text(store, name, name).await;
    }
    let ids = names.map(pad_id);
    assert_eq!(store.list_pads(None, 100).await.unwrap(), ids);
    assert_eq!(store.list_pads(None, 2).await.unwrap(), ids[..2]);
    assert_eq!(store.list_pads(Some("a"), 3).await.unwrap(), ids[2..5]);
    assert_eq!(store.list_pads(Some("a0"), 1).await.unwrap(), ids[3..4]);
    assert_eq!(store.list_pads(Some("🦀"), 10).await.unwrap(), []);
    assert_eq!(store.count_pads().await.unwrap(), 9);
    for id in &ids {
        let key = store.pad(id).await.unwrap().unwrap().key;
        assert!(store.delete_pad(key).await.unwrap());
        assert!(!store.delete_pad(key).await.unwrap());
    }
    assert_eq!(store.count_pads().await.unwrap(), 0);
    assert_eq!(store.list_pads(None, 10).await.unwrap(), []);
}

async fn record(store: &Store) {
    let id = pad_id("record");
    assert_eq!(store.pad(&id).await.unwrap(), None);
    let step = first("Hallo", &author_id(1));
    let deletion = Some(DeletionToken::random([1, 2]).hash());
    let settings = Some(r#"{"view":{}}"#.to_owned());
    let new = NewPad {
        id: &id,
        step: &step,
        deletion: deletion.clone(),
        public: true,
        settings: settings.clone(),
    };
    let key = store.create_pad(new.clone()).await.unwrap().unwrap();
    let expected = PadRecord {
        key,
        id: id.clone(),
        head: Rev(0),
        head_time: Timestamp(1_000_000),
        created: Timestamp(1_000_000),
        creator: Some(author_id(1)),
        chat_count: 0,
        public: true,
        settings,
        title: None,
        read_only_id: None,
        deletion,
        seats: 0,
    };
    assert_eq!(store.pad(&id).await.unwrap(), Some(expected.clone()));
    assert_eq!(
        store.create_pad(new).await.unwrap(),
        None,
        "the name is taken"
    );
    let step = typed(&step.head, " Welt", &author_id(2));
    append_all(store, key, first("Hallo", &author_id(1)).head, &[step]).await;
    let expected = PadRecord {
        head: Rev(1),
        head_time: Timestamp(1_000_137),
        ..expected
    };
    assert_eq!(store.pad(&id).await.unwrap(), Some(expected));
    let authors = store.authors_of_pad(key).await.unwrap();
    assert_eq!(authors, [author_id(1), author_id(2)]);
    // A name that was given up can be used again, and is another pad then.
    assert!(store.delete_pad(key).await.unwrap());
    assert_eq!(store.pad(&id).await.unwrap(), None);
    assert_eq!(store.load_head(key).await.unwrap(), None);
    let (other, head) = create_text(store, "record", "neu").await;
    assert_ne!(other, key);
    assert_eq!(store.load_head(other).await.unwrap(), Some(head));
}

async fn options(store: &Store) {
    let (key, _) = create_text(store, "options", "").await;
    let record = async || store.pad(&pad_id("options")).await.unwrap().unwrap();
    assert!(store.set_public(key, true).await.unwrap());
    assert!(record().await.public);
    assert!(store.set_public(key, false).await.unwrap());
    assert!(!record().await.public);
    assert!(store.set_settings(key, None, "{}", None).await.unwrap());
    // Who does not know what is stored changes nothing.
    for unknown in [None, Some("[]")] {
        assert!(!store.set_settings(key, unknown, "[]", None).await.unwrap());
    }
    assert_eq!(record().await.settings.as_deref(), Some("{}"));

    let [one, other] = ["Ein Titel", "会議 🦀"].map(Title::cut);
    for title in [one, other, None] {
        assert!(store.set_title(key, title.as_ref()).await.unwrap());
        assert_eq!(record().await.title, title);
    }

    let [first, second] = [read_only_id(1), read_only_id(2)];
    assert_eq!(store.pad_of_read_only_id(&first).await.unwrap(), None);
    let given = store.read_only_id(key, first.clone()).await.unwrap();
    assert_eq!(given, Some(first.clone()));
    let kept = store.read_only_id(key, second.clone()).await.unwrap();
    assert_eq!(kept, Some(first.clone()));
    assert_eq!(record().await.read_only_id, Some(first.clone()));
    let found = store.pad_of_read_only_id(&first).await.unwrap();
    assert_eq!(found, Some(pad_id("options")));
    assert_eq!(store.pad_of_read_only_id(&second).await.unwrap(), None);

    let [one, other] = [[1, 2], [3, 4]].map(|entropy| DeletionToken::random(entropy).hash());
    assert!(store.issue_deletion_token(key, &one).await.unwrap());
    assert!(!store.issue_deletion_token(key, &other).await.unwrap());
    assert_eq!(record().await.deletion, Some(one));

    assert!(store.delete_pad(key).await.unwrap());
    assert_eq!(store.pad_of_read_only_id(&first).await.unwrap(), None);
}

async fn saved_revisions(store: &Store) {
    let (key, head) = create_text(store, "saved", "").await;
    append_all(store, key, head.clone(), &edits(head, 3, 1)).await;
    assert_eq!(store.saved_revisions(key).await.unwrap(), []);
    let saved = |rev, label: &str, author| SavedRevision {
        rev,
        id: format!("{rev:020}"),
        label: label.to_owned(),
        author,
        time: Timestamp(5),
    };
    let late = saved(Rev(3), "spät", Some(author_id(1)));
    let early = saved(Rev(1), "", None);
    assert!(store.save_revision(key, &late).await.unwrap());
    assert!(store.save_revision(key, &early).await.unwrap());
    assert!(
        !store
            .save_revision(key, &saved(Rev(1), "again", None))
            .await
            .unwrap()
    );
    assert!(
        !store
            .save_revision(key, &saved(Rev(4), "no such", None))
            .await
            .unwrap()
    );
    let name = async |rev, label| store.name_saved_revision(key, rev, label).await.unwrap();
    assert!(name(Rev(1), "früh").await);
    assert!(!name(Rev(2), "not marked").await);
    let early = SavedRevision {
        label: "früh".to_owned(),
        ..early
    };
    assert_eq!(store.saved_revisions(key).await.unwrap(), [early, late]);
    assert!(store.delete_pad(key).await.unwrap());
    assert!(!name(Rev(1), "gone").await);
}

/// Names may be what older programs allowed, zero bytes included.
async fn odd_names(store: &Store) {
    for name in [
        "'; DROP TABLE pads; --",
        "a\0b",
        "a b:c",
        "\u{F8FF}0",
        "%_\\",
    ] {
        let (key, head) = create_text(store, name, name).await;
        let record = store.pad(&pad_id(name)).await.unwrap().unwrap();
        assert_eq!((record.key, record.id.as_str()), (key, name));
        assert_eq!(store.load_head(key).await.unwrap(), Some(head));
        assert!(
            store
                .list_pads(None, 1000)
                .await
                .unwrap()
                .contains(&pad_id(name))
        );
    }
    assert_eq!(store.pad(&pad_id("a")).await.unwrap(), None);
}

async fn missing(store: &Store) {
    let key = PadKey(1 << 40);
    assert_eq!(store.load_head(key).await.unwrap(), None);
    assert_eq!(store.revisions(key, Rev(0)..Rev(10)).await.unwrap(), []);
    assert_eq!(store.document_at(key, Rev(0)).await.unwrap(), None);
    assert!(!store.delete_pad(key).await.unwrap());
    assert!(!store.set_public(key, true).await.unwrap());
    assert!(!store.set_title(key, None).await.unwrap());
    assert!(
        !store
            .set_settings(key, Some("{}"), "{}", None)
            .await
            .unwrap()
    );
    assert_eq!(
        store.read_only_id(key, read_only_id(9)).await.unwrap(),
        None
    );
    let hash = DeletionToken::random([1, 2]).hash();
    assert!(!store.issue_deletion_token(key, &hash).await.unwrap());
    assert_eq!(store.saved_revisions(key).await.unwrap(), []);
    assert_eq!(store.authors_of_pad(key).await.unwrap(), []);
    assert_eq!(store.chat(key, 0..10).await.unwrap(), []);
    assert_eq!(store.compact_pad(key, None).await.unwrap(), None);
    store.ping().await.unwrap();
}
