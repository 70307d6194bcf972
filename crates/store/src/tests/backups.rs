//! Copies of a database that is in use, and putting them back.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::task::JoinSet;

use super::scratch::Scratch;
use crate::conformance::sample::*;
use crate::error::Error;
use crate::{Location, PadKey, Store, backup, restore};

async fn open(path: &Path) -> Store {
    Store::open(Location::Embedded(path.to_owned()))
        .await
        .unwrap()
}

fn quiet() -> impl FnMut(u64, u64) {
    |_, _| {}
}

/// Pads are typed in while copies are made. Each copy has everything that was answered before it
/// was begun, and is sound.
#[tokio::test(flavor = "multi_thread")]
async fn copies_are_states_of_a_database_in_use() {
    let scratch = Scratch::new();
    let file = scratch.folder.join("pads.db");
    let store = open(&file).await;
    let answered: Vec<Arc<AtomicU64>> = (0..3).map(|_| Arc::default()).collect();
    let stop = Arc::new(AtomicU64::new(0));
    let mut writers = JoinSet::new();
    for (number, answered) in answered.iter().cloned().enumerate() {
        let (store, stop) = (store.clone(), Arc::clone(&stop));
        writers.spawn(async move {
            let (key, mut head) = create_text(&store, &format!("pad {number}"), "").await;
            while stop.load(Ordering::SeqCst) == 0 {
                let step = typed(&head, "typing ", &author_id(number as u128));
                store.append(key, &head, &step).await.unwrap();
                head = step.head;
                answered.store(head.rev.unwrap_or_default(), Ordering::SeqCst);
            }
            (number, key)
        });
    }
    let mut copies = Vec::new();
    for number in 0..5 {
        // Everybody has written since the last copy.
        let before: Vec<u64> = answered
            .iter()
            .map(|it| it.load(Ordering::SeqCst))
            .collect();
        let has_moved = |(now, then): (&Arc<AtomicU64>, &u64)| now.load(Ordering::SeqCst) > *then;
        while !answered.iter().zip(&before).all(has_moved) {
            tokio::task::yield_now().await;
        }
        let known: Vec<u64> = answered
            .iter()
            .map(|it| it.load(Ordering::SeqCst))
            .collect();
        let copy = scratch.folder.join(format!("copy-{number}"));
        let (from, to) = (file.clone(), copy.clone());
        let mut last = (0, 0);
        let made = tokio::task::block_in_place(|| {
            backup(&from, &to, &mut |done, total| last = (done, total))
        });
        made.unwrap();
        let (done, total) = last;
        assert!(done == total && total > 0);
        copies.push((copy, known));
    }
    stop.store(1, Ordering::SeqCst);
    let keys: BTreeMap<usize, PadKey> = writers.join_all().await.into_iter().collect();
    for (copy, known) in copies {
        let mode = std::fs::metadata(&copy).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let restored = copy.with_extension("restored");
        restore(&copy, &restored, false, &mut quiet()).unwrap();
        let copied = open(&restored).await;
        for (number, known) in known.iter().enumerate() {
            let id = pad_id(&format!("pad {number}"));
            assert_eq!(copied.check_pad(&id).await.unwrap(), [], "{id}");
            let record = copied.pad(&id).await.unwrap().unwrap();
            assert!(record.head >= *known, "{id}: {} < {known}", record.head);
            // The same history as the original, up to the copy's head.
            let key = keys[&number];
            let range = 0..record.head + 1;
            let original = store.revisions(key, range.clone()).await.unwrap();
            let copied = copied.revisions(record.key, range).await.unwrap();
            assert_eq!(original, copied);
        }
        copied.close().await;
    }
    store.close().await;
}

async fn with_pad(file: PathBuf, name: &str) -> PathBuf {
    let store = open(&file).await;
    create_text(&store, name, "Hallo").await;
    store.close().await;
    file
}

async fn names(file: &Path) -> Vec<String> {
    let store = open(file).await;
    let names = store.list_pads(None, 9).await.unwrap();
    store.close().await;
    names.into_iter().map(|name| name.into_string()).collect()
}

#[tokio::test]
async fn nothing_is_overwritten_unless_asked() {
    let scratch = Scratch::new();
    let old = with_pad(scratch.folder.join("old.db"), "old").await;
    let new = with_pad(scratch.folder.join("new.db"), "new").await;
    let copy = scratch.folder.join("copy");
    backup(&new, &copy, &mut quiet()).unwrap();
    let again = backup(&new, &copy, &mut quiet()).unwrap_err();
    assert!(again.to_string().contains("it is there already"), "{again}");
    let refused = restore(&copy, &old, false, &mut quiet()).unwrap_err();
    assert!(refused.to_string().contains("it is there already"));
    assert_eq!(names(&old).await, ["old"]);
    restore(&copy, &old, true, &mut quiet()).unwrap();
    assert_eq!(names(&old).await, ["new"]);
    let replaced = scratch.folder.join("old.db.replaced");
    assert_eq!(names(&replaced).await, ["old"]);
}

#[tokio::test]
async fn what_is_no_sound_copy_is_not_restored() {
    let scratch = Scratch::new();
    let database = with_pad(scratch.folder.join("pads.db"), "old").await;
    let other = scratch.folder.join("other");
    for content in [
        "",
        "no database at all, but long enough to look at"
            .repeat(9)
            .as_str(),
    ] {
        std::fs::write(&other, content).unwrap();
        let error = restore(&other, &database, true, &mut quiet()).unwrap_err();
        assert!(error.to_string().contains("no database"), "{error}");
    }
    let nowhere = scratch.folder.join("nowhere");
    assert!(restore(&nowhere, &database, true, &mut quiet()).is_err());
    assert!(backup(&nowhere, &other, &mut quiet()).is_err());
    // A page is overwritten.
    let copy = scratch.folder.join("copy");
    backup(&database, &copy, &mut quiet()).unwrap();
    let mut bytes = std::fs::read(&copy).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0xAA);
    std::fs::write(&copy, bytes).unwrap();
    let damaged = restore(&copy, &database, true, &mut quiet()).unwrap_err();
    assert!(matches!(damaged, Error::Corrupt(_) | Error::Unavailable(_)));
    // A later release's.
    let later = scratch.folder.join("later");
    backup(&database, &later, &mut quiet()).unwrap();
    let connection = rusqlite::Connection::open(&later).unwrap();
    let sql = "UPDATE schema SET version = 99, readable_from = 99";
    connection.execute(sql, []).unwrap();
    drop(connection);
    let too_new = restore(&later, &database, true, &mut quiet()).unwrap_err();
    assert!(matches!(too_new, Error::TooNew { found: 99, .. }));
    assert_eq!(names(&database).await, ["old"]);
}

#[tokio::test]
async fn a_database_in_use_is_not_replaced() {
    let scratch = Scratch::new();
    let database = scratch.folder.join("pads.db");
    let store = open(&database).await;
    create_text(&store, "here", "Hallo").await;
    let copy = scratch.folder.join("copy");
    backup(&database, &copy, &mut quiet()).unwrap();
    let refused = restore(&copy, &database, true, &mut quiet()).unwrap_err();
    assert_eq!(refused, Error::InUse(database.clone()));
    store.close().await;
    assert_eq!(names(&database).await, ["here"]);
}
