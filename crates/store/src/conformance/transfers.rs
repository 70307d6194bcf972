//! Moving, copying, compacting, importing and deleting.

use changeset::Text;
use pad::{ChatMessage, DeletionToken, Head, Rev, Timestamp, Title};

use super::sample::*;
use crate::{Import, PadKey, SavedRevision, Store, Transfer};

pub(super) async fn all(store: &Store) {
    moves(store).await;
    copies(store).await;
    long_copy(store).await;
    compacts_all(store).await;
    compacts_some(store).await;
    compacts_nothing(store).await;
    imports(store).await;
    removes_rows(store).await;
}

/// A pad with something of everything.
async fn furnished(store: &Store, name: &str, edit_count: usize, messages: u64) -> (PadKey, Head) {
    let (key, head) = create_text(store, name, "Anfang\n").await;
    let steps = edits(head.clone(), edit_count, 11);
    let head = append_all(store, key, head, &steps).await;
    for number in 0..messages {
        let message = ChatMessage {
            text: Text::from(format!("Nachricht {number}").as_str()),
            author: Some(author_id(1)),
            time: Timestamp(number as i64),
        };
        store.append_chat(key, &message).await.unwrap();
    }
    let saved = SavedRevision {
        rev: Rev(1),
        id: "1".to_owned(),
        label: "Version".to_owned(),
        author: None,
        time: Timestamp(1),
    };
    assert!(store.save_revision(key, &saved).await.unwrap());
    assert!(
        store
            .set_settings(key, None, "{\"lang\":\"de\"}", None)
            .await
            .unwrap()
    );
    assert!(store.set_public(key, true).await.unwrap());
    let title = Title::cut("Ein Titel");
    assert!(store.set_title(key, title.as_ref()).await.unwrap());
    (key, head)
}

async fn moves(store: &Store) {
    let (key, head) = furnished(store, "move from", 20, 3).await;
    let hash = DeletionToken::random([1, 2]).hash();
    assert!(store.issue_deletion_token(key, &hash).await.unwrap());
    store.read_only_id(key, read_only_id(20)).await.unwrap();
    let before = store.pad(&pad_id("move from")).await.unwrap().unwrap();
    let to = pad_id("move to");
    let moved = store.move_pad(key, &to, false).await.unwrap();
    assert_eq!(moved, Transfer::Done(key));
    assert_eq!(store.pad(&pad_id("move from")).await.unwrap(), None);
    let after = store.pad(&to).await.unwrap().unwrap();
    assert_eq!(
        after,
        crate::PadRecord {
            id: to.clone(),
            ..before
        }
    );
    assert_eq!(store.load_head(key).await.unwrap(), Some(head));
    assert_eq!(
        store.pad_of_read_only_id(&read_only_id(20)).await.unwrap(),
        Some(to.clone())
    );

    let (other, other_head) = create_text(store, "move other", "anderer").await;
    let refused = store.move_pad(other, &to, false).await.unwrap();
    assert_eq!(refused, Transfer::DestinationExists);
    assert_eq!(
        store.move_pad(other, &to, true).await.unwrap(),
        Transfer::Done(other)
    );
    assert_eq!(store.pad(&to).await.unwrap().unwrap().key, other);
    assert_eq!(
        store.load_head(other).await.unwrap(),
        Some(other_head.clone())
    );
    assert_eq!(store.load_head(key).await.unwrap(), None);
    assert_eq!(
        store.pad_of_read_only_id(&read_only_id(20)).await.unwrap(),
        None
    );
    // Onto itself.
    assert_eq!(
        store.move_pad(other, &to, false).await.unwrap(),
        Transfer::DestinationExists
    );
    assert_eq!(
        store.move_pad(other, &to, true).await.unwrap(),
        Transfer::Done(other)
    );
    assert_eq!(store.load_head(other).await.unwrap(), Some(other_head));
    let gone = store
        .move_pad(key, &pad_id("elsewhere"), false)
        .await
        .unwrap();
    assert_eq!(gone, Transfer::SourceMissing);
}

async fn copies(store: &Store) {
    let (key, head) = furnished(store, "copy from", 30, 3).await;
    store.read_only_id(key, read_only_id(21)).await.unwrap();
    let to = pad_id("copy to");
    let hash = Some(DeletionToken::random([1, 2]).hash());
    let copied = store
        .copy_pad(key, &to, false, hash.clone(), Timestamp(9))
        .await
        .unwrap();
    let Transfer::Done(copy) = copied else {
        panic!("{copied:?}");
    };
    assert_ne!(copy, key);
    let source = store.pad(&pad_id("copy from")).await.unwrap().unwrap();
    let expected = crate::PadRecord {
        key: copy,
        id: to.clone(),
        created: Timestamp(9),
        read_only_id: None,
        deletion: hash,
        ..source
    };
    assert_eq!(store.pad(&to).await.unwrap(), Some(expected));
    same_content(store, key, copy).await;
    // From now on they are two.
    append_all(store, copy, head.clone(), &edits(head.clone(), 10, 3)).await;
    assert_eq!(store.load_head(key).await.unwrap(), Some(head));

    let (other, _) = create_text(store, "copy other", "").await;
    let copy_to = async |replace| {
        store
            .copy_pad(other, &to, replace, None, Timestamp(9))
            .await
            .unwrap()
    };
    assert_eq!(copy_to(false).await, Transfer::DestinationExists);
    let Transfer::Done(second) = copy_to(true).await else {
        panic!("the destination was to be replaced");
    };
    assert_eq!(store.pad(&to).await.unwrap().unwrap().key, second);
    assert_eq!(store.load_head(copy).await.unwrap(), None);
    same_content(store, other, second).await;
    // Onto itself.
    let onto_itself = store
        .copy_pad(second, &to, true, None, Timestamp(9))
        .await
        .unwrap();
    assert_eq!(onto_itself, Transfer::Done(second));
    let gone = store
        .copy_pad(copy, &to, true, None, Timestamp(9))
        .await
        .unwrap();
    assert_eq!(gone, Transfer::SourceMissing);
}

/// In several ranges.
async fn long_copy(store: &Store) {
    let (key, head) = furnished(store, "copy long", 200, 30).await;
    let copied = store
        .copy_pad(key, &pad_id("copied long"), false, None, Timestamp(9))
        .await;
    let Transfer::Done(copy) = copied.unwrap() else {
        panic!("there is nothing to hinder it");
    };
    same_content(store, key, copy).await;
    append_all(store, copy, head.clone(), &edits(head, 40, 3)).await;
}

async fn same_content(store: &Store, left: PadKey, right: PadKey) {
    let head = store.load_head(left).await.unwrap();
    assert_eq!(store.load_head(right).await.unwrap(), head);
    let end = head.unwrap().next_rev();
    let revisions = store.revisions(left, Rev(0)..end).await.unwrap();
    assert_eq!(
        store.revisions(right, Rev(0)..end).await.unwrap(),
        revisions
    );
    for rev in [0, end.0 / 3, end.0 / 2, end.0 - 1].map(Rev) {
        let document = store.document_at(left, rev).await.unwrap();
        assert_eq!(store.document_at(right, rev).await.unwrap(), document);
    }
    let chat = store.chat(left, 0..u64::MAX).await.unwrap();
    assert_eq!(store.chat(right, 0..u64::MAX).await.unwrap(), chat);
    let saved = store.saved_revisions(left).await.unwrap();
    assert_eq!(store.saved_revisions(right).await.unwrap(), saved);
    let authors = store.authors_of_pad(left).await.unwrap();
    assert_eq!(store.authors_of_pad(right).await.unwrap(), authors);
}

/// What an import needs to make another pad like this one.
pub(super) async fn everything(store: &Store, key: PadKey) -> Import {
    let head = store.load_head(key).await.unwrap().unwrap();
    let chat = store.chat(key, 0..u64::MAX).await.unwrap();
    Import {
        revisions: store.revisions(key, Rev(0)..head.next_rev()).await.unwrap(),
        pool: head.pool,
        chat: chat.into_iter().map(|(_, message)| message).collect(),
        saved: store.saved_revisions(key).await.unwrap(),
        title: None,
        authors: vec![author(77)],
    }
}

async fn imports(store: &Store) {
    let (model, _) = furnished(store, "import model", 120, 20).await;
    let import = everything(store, model).await;
    let (key, head) = create_text(store, "import", "leer").await;
    let hash = DeletionToken::random([1, 2]).hash();
    assert!(store.issue_deletion_token(key, &hash).await.unwrap());
    store.read_only_id(key, read_only_id(23)).await.unwrap();
    let before = store.pad(&pad_id("import")).await.unwrap().unwrap();

    let rev = head.rev.unwrap();
    let refused = store.import_pad(key, rev.next(), import.clone()).await;
    assert_eq!(refused.unwrap(), None);
    assert_eq!(store.pad(&pad_id("import")).await.unwrap().unwrap(), before);

    let titled = Import {
        title: Title::cut("Importiert"),
        ..import.clone()
    };
    let imported = store.import_pad(key, rev, titled).await.unwrap();
    let imported = imported.unwrap();
    same_content(store, model, imported).await;
    let after = store.pad(&pad_id("import")).await.unwrap().unwrap();
    let expected = crate::PadRecord {
        key: imported,
        head: after.head,
        head_time: after.head_time,
        chat_count: 20,
        title: Title::cut("Importiert"),
        ..before
    };
    assert_eq!(after, expected);
    let found = store.pad_of_read_only_id(&read_only_id(23)).await.unwrap();
    assert_eq!(found, Some(pad_id("import")));
    assert_eq!(
        store.author(&author_id(77)).await.unwrap(),
        Some(author(77))
    );
    // The old one is gone.
    assert_eq!(store.load_head(key).await.unwrap(), None);
    let late = store.import_pad(key, rev, import.clone()).await;
    assert_eq!(late.unwrap(), None);
    // An import without a title takes none away.
    let again = store.import_pad(imported, after.head, import).await;
    assert!(again.unwrap().is_some());
    let again = store.pad(&pad_id("import")).await.unwrap().unwrap();
    assert_eq!(again.title, Title::cut("Importiert"));
}

async fn compacts_all(store: &Store) {
    let (key, head) = furnished(store, "compact", 100, 20).await;
    let hash = DeletionToken::random([1, 2]).hash();
    assert!(store.issue_deletion_token(key, &hash).await.unwrap());
    store.read_only_id(key, read_only_id(22)).await.unwrap();
    let before = store.pad(&pad_id("compact")).await.unwrap().unwrap();
    let chat = store.chat(key, 0..u64::MAX).await.unwrap();
    let authors = store.authors_of_pad(key).await.unwrap();

    let compacted = store.compact_pad(key, None).await.unwrap().unwrap();
    let after = store.pad(&pad_id("compact")).await.unwrap().unwrap();
    let expected = crate::PadRecord {
        key: compacted,
        head: Rev(0),
        ..before
    };
    assert_eq!(after, expected);
    let new_head = store.load_head(compacted).await.unwrap().unwrap();
    let expected = Head {
        rev: Some(Rev(0)),
        ..head.clone()
    };
    assert_eq!(new_head, expected);
    let base = store.revisions(compacted, Rev(0)..Rev(9)).await.unwrap();
    assert_eq!(
        (base.len(), &base[0].author, base[0].time),
        (1, &None, head.time)
    );
    assert_eq!(store.chat(compacted, 0..u64::MAX).await.unwrap(), chat);
    assert_eq!(store.saved_revisions(compacted).await.unwrap(), []);
    assert_eq!(store.authors_of_pad(compacted).await.unwrap(), authors);
    let found = store.pad_of_read_only_id(&read_only_id(22)).await.unwrap();
    assert_eq!(found, Some(pad_id("compact")));
    // The old key leads nowhere, so that nobody writes into the past.
    let stale = store
        .append(key, &head, &typed(&head, "x", &author_id(1)))
        .await
        .unwrap();
    assert_eq!(stale, crate::Appended::Conflict);
    append_all(store, compacted, new_head.clone(), &edits(new_head, 20, 5)).await;
}

async fn compacts_some(store: &Store) {
    let (key, head) = furnished(store, "compact some", 300, 1).await;
    let revisions = store.revisions(key, Rev(0)..Rev(u64::MAX)).await.unwrap();
    let cut = store.document_at(key, Rev(50)).await.unwrap();
    let compacted = store.compact_pad(key, Some(250)).await.unwrap().unwrap();
    let new_head = store.load_head(compacted).await.unwrap().unwrap();
    assert_eq!(
        new_head,
        Head {
            rev: Some(Rev(250)),
            ..head
        }
    );
    let kept = store
        .revisions(compacted, Rev(0)..Rev(u64::MAX))
        .await
        .unwrap();
    assert_eq!(kept[1..], revisions[51..]);
    assert_eq!((&kept[0].author, kept[0].time), (&None, revisions[50].time));
    assert_eq!(store.document_at(compacted, Rev(0)).await.unwrap(), cut);
    append_all(store, compacted, new_head.clone(), &edits(new_head, 20, 5)).await;
}

async fn compacts_nothing(store: &Store) {
    let (key, head) = furnished(store, "compact nothing", 5, 1).await;
    let compacted = store.compact_pad(key, Some(5)).await.unwrap();
    assert_eq!(compacted, Some(key));
    assert_eq!(store.load_head(key).await.unwrap(), Some(head));
    assert_eq!(store.saved_revisions(key).await.unwrap(), []);
    // An empty text, and one whose last newline has attributes.
    let (key, head) = create_text(store, "compact empty", "").await;
    let compacted = store.compact_pad(key, None).await.unwrap().unwrap();
    assert_eq!(store.load_head(compacted).await.unwrap(), Some(head));
    let (key, head) = create_text(store, "compact newline", "").await;
    let step = restyled(&head, 1, "heading", "h1", &author_id(1)).unwrap();
    let head = append_all(store, key, head, &[step]).await;
    let compacted = store.compact_pad(key, None).await.unwrap().unwrap();
    let new_head = store.load_head(compacted).await.unwrap().unwrap();
    assert_eq!(new_head.document, head.document);
}

/// What nobody can find any more is removed in the end, also when there is much of it.
async fn removes_rows(store: &Store) {
    let (key, _) = furnished(store, "remove", 130, 40).await;
    assert!(store.delete_pad(key).await.unwrap());
    store.tidy().await.unwrap();
    assert_eq!(store.chat(key, 0..u64::MAX).await.unwrap(), []);
    assert_eq!(store.saved_revisions(key).await.unwrap(), []);
    assert_eq!(store.authors_of_pad(key).await.unwrap(), []);
}
