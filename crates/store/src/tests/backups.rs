//! Copies of a database that is in use, and putting them back.

use pad::Rev;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::task::JoinSet;

use super::cluster::Cluster;
use super::scratch::Scratch;
use crate::conformance::sample::*;
use crate::error::Error;
use crate::{Location, PadKey, Store, backup, restore};

fn file(path: &Path) -> Location {
    Location::Embedded(path.to_owned())
}

async fn open(path: &Path) -> Store {
    Store::open(file(path)).await.unwrap()
}

/// On a thread where waiting is allowed.
fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let run = || std::thread::scope(|scope| scope.spawn(work).join().unwrap());
    tokio::task::block_in_place(run)
}

fn quiet() -> impl FnMut(u64, u64) {
    |_, _| {}
}

/// Pads are typed in while copies are made. Each copy has everything that was answered before it
/// was begun, and is sound.
async fn copies(location: Location) {
    let scratch = Scratch::new();
    let store = Store::open(location.clone()).await.unwrap();
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
                answered.store(head.rev.unwrap_or_default().0, Ordering::SeqCst);
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
        let (done, total) = apart(|| {
            let mut last = (0, 0);
            backup(&location, &copy, &mut |done, total| last = (done, total)).unwrap();
            last
        });
        assert!(done == total && total > 0);
        copies.push((copy, known));
    }
    stop.store(1, Ordering::SeqCst);
    let keys: BTreeMap<usize, PadKey> = writers.join_all().await.into_iter().collect();
    for (copy, known) in copies {
        let mode = std::fs::metadata(&copy).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let restored = copy.with_extension("restored");
        restore(&copy, &file(&restored), false, &mut quiet()).unwrap();
        let copied = open(&restored).await;
        for (number, known) in known.iter().enumerate() {
            let id = pad_id(&format!("pad {number}"));
            assert_eq!(copied.check_pad(&id).await.unwrap(), [], "{id}");
            let record = copied.pad(&id).await.unwrap().unwrap();
            assert!(
                record.head >= Rev(*known),
                "{id}: {} < {known}",
                record.head
            );
            // The same history as the original, up to the copy's head.
            let key = keys[&number];
            let range = Rev(0)..record.head.next();
            let original = store.revisions(key, range.clone()).await.unwrap();
            let copied = copied.revisions(record.key, range).await.unwrap();
            assert_eq!(original, copied);
        }
        copied.close().await;
    }
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_are_states_of_a_database_in_use() {
    let scratch = Scratch::new();
    copies(scratch.embedded()).await;
    if let Some(cluster) = Cluster::shared() {
        copies(cluster.database()).await;
    }
}

/// All that is in a copy.
fn dump(path: &Path) -> Vec<String> {
    let database = rusqlite::Connection::open(path).unwrap();
    let sql = "SELECT name FROM sqlite_schema
         WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut tables = database.prepare(sql).unwrap();
    let tables = tables.query_map([], |row| row.get::<_, String>(0));
    let mut rows = Vec::new();
    for table in tables.unwrap().map(Result::unwrap) {
        let mut all = database.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let width = all.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            let values: Vec<_> = (0..width).map(|at| row.get_ref_unwrap(at)).collect();
            Ok(format!("{table} {values:?}"))
        };
        rows.extend(all.query_map([], row).unwrap().map(Result::unwrap));
    }
    rows.sort();
    rows
}

/// Pads move from a file to a server and back, and nothing is lost on the way.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_is_restored_into_postgres_and_back() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let scratch = Scratch::new();
    let original = scratch.folder.join("pads.db");
    rusqlite::Connection::open(&original)
        .unwrap()
        .execute_batch(include_str!("v3.sql"))
        .unwrap();
    let store = open(&original).await;
    // Text that PostgreSQL does not take as it is.
    let record = store.pad(&pad_id("pad")).await.unwrap().unwrap();
    let before = record.settings.as_deref();
    let odd = store.set_settings(record.key, before, "\0 and \u{10FFFD}", None);
    assert!(odd.await.unwrap());
    let title = pad::Title::cut("Ein Titel");
    assert!(store.set_title(record.key, title.as_ref()).await.unwrap());
    store.close().await;
    let first = scratch.folder.join("first");
    backup(&file(&original), &first, &mut quiet()).unwrap();

    let server = cluster.database();
    let again = scratch.folder.join("again");
    let refused = apart(|| {
        restore(&first, &server, false, &mut quiet()).unwrap();
        backup(&server, &again, &mut quiet()).unwrap();
        restore(&first, &server, true, &mut quiet()).unwrap_err()
    });
    assert!(refused.to_string().contains("not empty"), "{refused}");
    assert_eq!(dump(&first), dump(&again));

    let store = Store::open(server).await.unwrap();
    assert_eq!(store.check_pad(&pad_id("pad")).await.unwrap(), []);
    let (key, _) = create_text(&store, "new", "Hallo").await;
    assert_eq!(key, PadKey(2), "behind those that came along");
    store.close().await;
}

async fn with_pad(path: PathBuf, name: &str) -> PathBuf {
    let store = open(&path).await;
    create_text(&store, name, "Hallo").await;
    store.close().await;
    path
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
    backup(&file(&new), &copy, &mut quiet()).unwrap();
    let again = backup(&file(&new), &copy, &mut quiet()).unwrap_err();
    assert!(again.to_string().contains("it is there already"), "{again}");
    let refused = restore(&copy, &file(&old), false, &mut quiet()).unwrap_err();
    assert!(refused.to_string().contains("it is there already"));
    assert_eq!(names(&old).await, ["old"]);
    restore(&copy, &file(&old), true, &mut quiet()).unwrap();
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
        let error = restore(&other, &file(&database), true, &mut quiet()).unwrap_err();
        assert!(error.to_string().contains("no database"), "{error}");
    }
    let nowhere = scratch.folder.join("nowhere");
    assert!(restore(&nowhere, &file(&database), true, &mut quiet()).is_err());
    assert!(backup(&file(&nowhere), &other, &mut quiet()).is_err());
    // A page is overwritten.
    let copy = scratch.folder.join("copy");
    backup(&file(&database), &copy, &mut quiet()).unwrap();
    let mut bytes = std::fs::read(&copy).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0xAA);
    std::fs::write(&copy, bytes).unwrap();
    let damaged = restore(&copy, &file(&database), true, &mut quiet()).unwrap_err();
    assert!(matches!(damaged, Error::Corrupt(_) | Error::Unavailable(_)));
    // A later release's.
    let later = scratch.folder.join("later");
    backup(&file(&database), &later, &mut quiet()).unwrap();
    let connection = rusqlite::Connection::open(&later).unwrap();
    let sql = "UPDATE schema SET version = 99, readable_from = 99";
    connection.execute(sql, []).unwrap();
    drop(connection);
    let too_new = restore(&later, &file(&database), true, &mut quiet()).unwrap_err();
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
    backup(&file(&database), &copy, &mut quiet()).unwrap();
    let refused = restore(&copy, &file(&database), true, &mut quiet()).unwrap_err();
    assert_eq!(refused, Error::InUse(database.display().to_string()));
    store.close().await;
    assert_eq!(names(&database).await, ["here"]);
}
