//! Many at once: jobs that share a transaction, pads that many write, processes that share a
//! database.

use pad::Rev;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::task::JoinSet;

use super::cluster::Cluster;
use super::scratch::Scratch;
use crate::building::{Building, Progress};
use crate::conformance::sample::*;
use crate::engine::Turn;
use crate::error::Error;
use crate::sql::{Failure, Tx};
use crate::{Appended, Location, PadKey, Store, removal};

/// Appends until it has worked so many times, as a process does that is not the only one.
async fn write(store: Store, key: PadKey, author: u128, count: usize) {
    let mut head = store.load_head(key).await.unwrap().unwrap();
    let mut done = 0;
    while done < count {
        let step = typed(&head, "x", &author_id(author));
        match store.append(key, &head, &step).await.unwrap() {
            Appended::Done => {
                done += 1;
                head = step.head;
            }
            Appended::Conflict => head = store.load_head(key).await.unwrap().unwrap(),
        }
    }
}

/// `stores` are processes on one database.
async fn many_write(stores: Vec<Store>) {
    let (shared, _) = create_text(&stores[0], "shared", "").await;
    let mut tasks = JoinSet::new();
    for number in 0..6 {
        let store = stores[number % stores.len()].clone();
        tasks.spawn(write(store, shared, number as u128, 10));
    }
    for number in 0..12 {
        let store = stores[number % stores.len()].clone();
        tasks.spawn(async move {
            let (key, _) = create_text(&store, &format!("own {number}"), "").await;
            write(store, key, 1, 40).await;
        });
    }
    tasks.join_all().await;
    for store in &stores {
        let head = store.load_head(shared).await.unwrap().unwrap();
        assert_eq!((head.rev, head.document.len()), (Some(Rev(60)), 61));
        for id in store.list_pads(None, 100).await.unwrap() {
            assert_eq!(store.check_pad(&id).await.unwrap(), [], "{id}");
            let expected = if id.as_str() == "shared" { 60 } else { 40 };
            assert_eq!(store.pad(&id).await.unwrap().unwrap().head, Rev(expected));
        }
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_write_to_one_file() {
    let scratch = Scratch::new();
    many_write(vec![Store::open(scratch.embedded()).await.unwrap()]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_share_a_postgres_server() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let location = cluster.database();
    let mut stores = Vec::new();
    for _ in 0..3 {
        stores.push(Store::open_shared(location.clone()).await.unwrap());
    }
    many_write(stores).await;
}

/// Pads that are moved to and fro, copied, deleted and written to by several processes. Nothing
/// may wait for ever, and everything that has a name is whole.
async fn rearrange(stores: Vec<Store>) {
    let mut tasks = JoinSet::new();
    for (number, store) in stores.iter().cycle().take(6).enumerate() {
        let store = store.clone();
        tasks.spawn(async move {
            let mut seed = number as u64;
            for _ in 0..30 {
                let names = ["a", "b", "c", "d"];
                let name = |seed: &mut u64| pad_id(names[random(seed, 4) as usize]);
                let (from, to) = (name(&mut seed), name(&mut seed));
                let Some(record) = store.pad(&from).await.unwrap() else {
                    let step = first("neu", &author_id(number as u128));
                    let id = from.clone();
                    let new = crate::NewPad {
                        id: &id,
                        step: &step,
                        deletion: None,
                        public: false,
                        settings: None,
                    };
                    store.create_pad(new).await.unwrap();
                    continue;
                };
                let key = record.key;
                let Some(head) = store.load_head(key).await.unwrap() else {
                    continue;
                };
                match random(&mut seed, 8) {
                    0 => drop(store.move_pad(key, &to, true).await.unwrap()),
                    1 => {
                        let now = head.time;
                        store.copy_pad(key, &to, true, None, now).await.unwrap();
                    }
                    2 => drop(store.compact_pad(key, Some(3)).await.unwrap()),
                    3 => drop(store.delete_pad(key).await.unwrap()),
                    _ => {
                        let step = joined(edits(head.clone(), 10, seed));
                        store.append(key, &head, &step).await.unwrap();
                    }
                }
            }
        });
    }
    tasks.join_all().await;
    for id in stores[0].list_pads(None, 100).await.unwrap() {
        assert_eq!(stores[0].check_pad(&id).await.unwrap(), [], "{id}");
    }
    for store in stores {
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn file_is_rearranged_by_many() {
    let scratch = Scratch::new();
    rearrange(vec![Store::open(scratch.embedded()).await.unwrap()]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_server_is_rearranged_by_many() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let location = cluster.database();
    let mut stores = Vec::new();
    for _ in 0..3 {
        stores.push(Store::open_shared(location.clone()).await.unwrap());
    }
    rearrange(stores).await;
}

/// A process that starts takes what is being built for left over; the builder must notice.
#[tokio::test]
async fn building_is_interrupted_but_never_mixed_up() {
    let store = Store::open(Location::Memory).await.unwrap();
    let (key, head) = create_text(&store, "pad", "Hallo").await;
    append_all(&store, key, head.clone(), &edits(head, 100, 1)).await;
    let start = move |tx: &mut dyn Tx| Building::start(tx, key);
    let building = store.engine.write(Turn::Alone, start).await.unwrap();
    let copy = move |tx: &mut dyn Tx| building.copy_packs(tx);
    assert_eq!(
        store.engine.write(Turn::Alone, copy).await,
        Ok(Progress::More)
    );
    let mark = removal::mark_unfinished_deleted;
    store.engine.write(Turn::Alone, mark).await.unwrap();
    assert_eq!(
        store.engine.write(Turn::Alone, copy).await,
        Ok(Progress::Interrupted)
    );
    let chat = move |tx: &mut dyn Tx| building.copy_chat(tx);
    assert_eq!(
        store.engine.write(Turn::Alone, chat).await,
        Ok(Progress::Interrupted)
    );
    store.close().await;
}

/// A job that fails, or panics, takes none of those down that share a transaction with it.
#[tokio::test]
async fn failures_are_not_shared() {
    let scratch = Scratch::new();
    let store = Store::open(scratch.embedded()).await.unwrap();
    let (first, _) = create_text(&store, "first", "").await;
    // The worker is held up, so that all that follows waits together.
    let (release, held) = std::sync::mpsc::channel::<()>();
    let (holding, is_held) = tokio::sync::oneshot::channel();
    let mut once = Some((holding, held));
    let hold = store.engine.write(Turn::Alone, move |_: &mut dyn Tx| {
        if let Some((holding, held)) = once.take() {
            let _ = (holding.send(()), held.recv());
        }
        Ok(())
    });
    let runs = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&runs);
    let good = store.engine.write(Turn::Of(1), move |tx: &mut dyn Tx| {
        counted.fetch_add(1, Ordering::SeqCst);
        let sql = "INSERT INTO groups (id, created) VALUES ('g.1', 1)";
        tx.execute(sql, &[])
    });
    let bad = store.engine.write(Turn::Of(2), |tx: &mut dyn Tx| {
        tx.execute("UPDATE pads SET public = 1", &[])?;
        Err::<(), _>(Failure::Statement("no".to_owned()))
    });
    let worse = store
        .engine
        .write(Turn::Of(3), |_: &mut dyn Tx| -> Result<(), Failure> {
            panic!("as planned")
        });
    let ordinary = store.set_settings(first, None, "{}", None);
    let others = async {
        is_held.await.unwrap();
        // They are asked in this order, and the worker is released when all have been.
        let release = async { release.send(()) };
        tokio::join!(good, bad, worse, ordinary, release)
    };
    let (_, (good, bad, worse, ordinary, _)) = tokio::join!(hold, others);
    assert_eq!(good, Ok(1));
    assert_eq!(
        runs.load(Ordering::SeqCst),
        2,
        "once with the others, once alone"
    );
    assert_eq!(bad, Err(Error::Unavailable("no".to_owned())));
    assert!(worse.is_err());
    assert_eq!(ordinary, Ok(true));
    let record = store.pad(&pad_id("first")).await.unwrap().unwrap();
    assert_eq!(
        (record.public, record.settings.as_deref()),
        (false, Some("{}"))
    );
    store.close().await;
}

/// A disk that is full: what was acknowledged stays, and when there is room it goes on.
#[tokio::test]
async fn full_disk_is_an_error_and_nothing_more() {
    let scratch = Scratch::new();
    let store = Store::open(scratch.embedded()).await.unwrap();
    let (key, head) = create_text(&store, "pad", "Hallo").await;
    let limit = |sql: &'static str| {
        let write = move |tx: &mut dyn Tx| tx.rows(sql, &[]).map(drop);
        store.engine.write(Turn::Alone, write)
    };
    limit("PRAGMA max_page_count = 1").await.unwrap();
    let text = "lang ".repeat(100_000);
    let step = typed(&head, &text, &author_id(1));
    let error = store.append(key, &head, &step).await.unwrap_err();
    assert!(matches!(error, Error::NotStored(_)), "{error}");
    assert!(store.storage().borrow().is_failing());
    assert_eq!(store.load_head(key).await.unwrap(), Some(head.clone()));
    // What does not reach the disk proves nothing.
    store
        .remove_expired_sessions(pad::Timestamp(0))
        .await
        .unwrap();
    assert!(store.storage().borrow().is_failing());
    limit("PRAGMA max_page_count = 1000000").await.unwrap();
    assert_eq!(
        store.append(key, &head, &step).await.unwrap(),
        Appended::Done
    );
    assert!(!store.storage().borrow().is_failing());
    assert_eq!(store.check_pad(&pad_id("pad")).await.unwrap(), []);
    store.close().await;
}

/// A server that restarts: calls fail for a while, nothing acknowledged is lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_server_restarts() {
    let Some(cluster) = Cluster::wanted() else {
        return;
    };
    let Location::Postgres(connection) = cluster.database() else {
        return;
    };
    let store = Store::open(Location::Postgres(connection)).await.unwrap();
    let (key, mut head) = create_text(&store, "pad", "").await;
    for _ in 0..3 {
        head = append_all(&store, key, head.clone(), &edits(head, 20, 1)).await;
        tokio::task::block_in_place(|| cluster.crash_and_restart());
        // Connections that broke long ago are replaced without anybody noticing.
        assert_eq!(store.load_head(key).await.unwrap().as_ref(), Some(&head));
        head = append_all(&store, key, head.clone(), &edits(head, 20, 2)).await;
    }
    assert_eq!(store.check_pad(&pad_id("pad")).await.unwrap(), []);
    store.close().await;
}
