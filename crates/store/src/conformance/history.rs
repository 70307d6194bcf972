//! Appending, and reading what was appended.

use std::sync::Arc;

use changeset::{Changeset, Document, Text};
use pad::{ChatMessage, Head, Rev, Revision, Step, Timestamp};

use super::sample::*;
use crate::{Appended, PadKey, Store};

pub(super) async fn all(store: &Store) {
    conflicts(store).await;
    long_history(store).await;
    long_first_step(store).await;
    large_texts(store).await;
    imported_oddities(store).await;
    chat(store).await;
}

async fn conflicts(store: &Store) {
    let (key, first_head) = create_text(store, "conflicts", "a").await;
    let mine = typed(&first_head, "b", &author_id(1));
    let theirs = typed(&first_head, "c", &author_id(2));
    assert_eq!(
        store.append(key, &first_head, &mine).await.unwrap(),
        Appended::Done
    );
    let refused = store.append(key, &first_head, &theirs).await.unwrap();
    assert_eq!(refused, Appended::Conflict);
    let head = store.load_head(key).await.unwrap().unwrap();
    assert_eq!(head, mine.head);
    assert_eq!(store.authors_of_pad(key).await.unwrap(), [author_id(1)]);
    let ahead = typed(&typed(&head, "x", &author_id(1)).head, "y", &author_id(1));
    let unknown = typed(&head, "x", &author_id(1)).head;
    assert_eq!(
        store.append(key, &unknown, &ahead).await.unwrap(),
        Appended::Conflict
    );
    let before_any = store.append(key, &Head::empty(), &mine).await.unwrap();
    assert_eq!(before_any, Appended::Conflict);
    let nothing = Step {
        revisions: Vec::new(),
        head: head.clone(),
    };
    assert_eq!(
        store.append(key, &head, &nothing).await.unwrap(),
        Appended::Done
    );
    assert!(store.delete_pad(key).await.unwrap());
    let gone = store
        .append(key, &head, &typed(&head, "d", &author_id(1)))
        .await
        .unwrap();
    assert_eq!(gone, Appended::Conflict);
}

/// Long enough for packs and snapshots.
async fn long_history(store: &Store) {
    let (key, head) = create_text(store, "long", "Anfang\n").await;
    let steps = edits(head.clone(), 300, 7);
    append_all(store, key, head.clone(), &steps).await;
    let start = first("Anfang\n", &author_id(1));
    let all: Vec<Step> = std::iter::once(start).chain(steps).collect();
    compare(store, key, &all, 19).await;
}

/// As an import does it: everything at once.
async fn long_first_step(store: &Store) {
    let start = first("Anfang\n", &author_id(1));
    let mut all = vec![start.clone()];
    all.extend(edits(start.head, 250, 8));
    let key = create(store, "at once", &joined(all.clone())).await;
    compare(store, key, &all, 17).await;
    // And an edit of several revisions on top.
    let before = all[250].head.clone();
    let more = edits(before.clone(), 90, 9);
    append_all(store, key, before, &[joined(more.clone())]).await;
    all.extend(more);
    compare(store, key, &all, 17).await;
}

/// Compares everything that can be read of a history with what was written.
async fn compare(store: &Store, key: PadKey, steps: &[Step], every: usize) {
    let head = store.load_head(key).await.unwrap().unwrap();
    let written = &steps[steps.len() - 1].head;
    assert_eq!(head.rev, Some(Rev(steps.len() as u64 - 1)));
    assert_eq!(head.document, written.document);
    assert_eq!(head.pool, written.pool);
    assert_eq!(head.time, written.time);
    let revisions: Vec<Revision> = steps
        .iter()
        .flat_map(|step| step.revisions.clone())
        .collect();
    let count = revisions.len() as u64;
    assert_eq!(
        store.revisions(key, Rev(0)..Rev(count)).await.unwrap(),
        revisions
    );
    assert_eq!(
        store.revisions(key, Rev(0)..Rev(u64::MAX)).await.unwrap(),
        revisions
    );
    assert_eq!(
        store
            .revisions(key, Rev(count)..Rev(count + 5))
            .await
            .unwrap(),
        []
    );
    assert_eq!(store.revisions(key, Rev(7)..Rev(7)).await.unwrap(), []);
    for start in (0..steps.len()).step_by(every) {
        let end = (start + every / 2 + 1).min(steps.len());
        let found = store
            .revisions(key, Rev(start as u64)..Rev(end as u64))
            .await
            .unwrap();
        assert_eq!(found, revisions[start..end]);
        let document = store.document_at(key, Rev(start as u64)).await.unwrap();
        assert_eq!(
            document.as_ref(),
            Some(&steps[start].head.document),
            "{start}"
        );
    }
    assert_eq!(store.document_at(key, Rev(count)).await.unwrap(), None);
    credits(store, key, &revisions).await;
}

/// Who made the revisions, and when: a bounded stretch at a time, back to the first.
async fn credits(store: &Store, key: PadKey, revisions: &[Revision]) {
    let mut end = revisions.len();
    while end > 0 {
        let found = store.credits(key, Rev(end as u64)).await.unwrap();
        assert!(!found.is_empty());
        let made = revisions[end - found.len()..end].iter();
        let made: Vec<_> = made.map(|it| (it.author.clone(), it.time)).collect();
        let found: Vec<_> = found.into_iter().map(|it| (it.author, it.time)).collect();
        assert_eq!(found, made);
        end -= found.len();
    }
    assert_eq!(store.credits(key, Rev(0)).await.unwrap(), []);
}

async fn large_texts(store: &Store) {
    let text = "Ein Satz, der sich wiederholt. ".repeat(2_000);
    let (key, head) = create_text(store, "large", &text).await;
    let other = "Etwas anderes, ebenso lang.\n".repeat(2_000);
    let end = head.document.len();
    let step = replace(
        &head,
        0..end,
        &Text::from(other.as_str()),
        &author_id(2),
        &[],
    );
    let before = append_all(store, key, head.clone(), std::slice::from_ref(&step)).await;
    let last = typed(&before, "!", &author_id(1));
    append_all(store, key, before.clone(), std::slice::from_ref(&last)).await;
    assert_eq!(store.load_head(key).await.unwrap(), Some(last.head));
    assert_eq!(
        store.document_at(key, Rev(0)).await.unwrap(),
        Some(head.document)
    );
    assert_eq!(
        store.document_at(key, Rev(1)).await.unwrap(),
        Some(before.document)
    );
}

/// Imported history may break rules that ours keeps, and has to come back as it was.
async fn imported_oddities(store: &Store) {
    let start = first("", &author_id(1));
    let mut pool = (*start.head.pool).clone();
    pool.intern(changeset::Attribute::new("author", author_id(1).as_str()));
    pool.intern(changeset::Attribute::new(
        "key \0 of",
        "zero \0 \u{F8FF} bytes",
    ));
    let entries = pool
        .entries()
        .map(|(number, attribute)| (number, attribute.clone()));
    let pool = changeset::Pool::from_entries(entries.collect::<Vec<_>>(), 17);
    let odd = Revision {
        // States a length that it does not lead to, and more characters than it inserts.
        change: Changeset::unpack("Z:1>1*1*0+3$abc\n").unwrap(),
        author: None,
        time: Timestamp(-5),
    };
    let document: Document = start.head.document.apply(&odd.change, &pool).unwrap();
    let head = Head {
        rev: Some(Rev(1)),
        document,
        pool: Arc::new(pool),
        time: odd.time,
    };
    let step = Step {
        revisions: vec![start.revisions[0].clone(), odd.clone()],
        head: head.clone(),
    };
    let key = create(store, "imported", &step).await;
    assert_eq!(store.load_head(key).await.unwrap(), Some(head));
    assert_eq!(store.revisions(key, Rev(1)..Rev(2)).await.unwrap(), [odd]);
}

async fn chat(store: &Store) {
    let (key, _) = create_text(store, "chat", "").await;
    let message = |number: u64| ChatMessage {
        text: match number {
            3 => Text::from([0xDC00u16, 0, 0xD83E].as_slice()),
            _ => Text::from(format!("Nachricht {number} 🦀").as_str()),
        },
        author: (number != 4).then(|| author_id(u128::from(number))),
        time: Timestamp(number as i64),
    };
    for number in 0..6 {
        let index = store.append_chat(key, &message(number)).await.unwrap();
        assert_eq!(index, Some(number));
    }
    let expected: Vec<_> = (0..6).map(|number| (number, message(number))).collect();
    assert_eq!(store.chat(key, 0..6).await.unwrap(), expected);
    assert_eq!(store.chat(key, 0..u64::MAX).await.unwrap(), expected);
    assert_eq!(store.chat(key, 2..4).await.unwrap(), expected[2..4]);
    assert_eq!(store.chat(key, 6..9).await.unwrap(), []);
    let record = store.pad(&pad_id("chat")).await.unwrap().unwrap();
    assert_eq!((record.chat_count, record.head), (6, Rev(0)));
    assert!(store.delete_pad(key).await.unwrap());
    assert_eq!(store.append_chat(key, &message(6)).await.unwrap(), None);
}
