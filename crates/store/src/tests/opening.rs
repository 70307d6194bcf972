//! Opening, closing, opening again, and the versions of the schema.

use super::cluster::Cluster;
use super::scratch::Scratch;
use crate::conformance::sample::*;
use crate::engine::Turn;
use crate::sql::Tx;
use crate::{Error, Location, Store};

pub(super) async fn define(store: &Store, sql: &'static str) {
    let write = move |tx: &mut dyn Tx| tx.define(sql);
    store.engine.write(Turn::Alone, write).await.unwrap();
}

pub(super) async fn count(store: &Store, sql: &'static str) -> u64 {
    let read = move |tx: &mut dyn Tx| tx.row(sql, &[])?.unwrap().count(0);
    store.engine.read(read).await.unwrap()
}

#[tokio::test]
async fn second_process_is_refused() {
    let scratch = Scratch::new();
    let store = Store::open(scratch.embedded()).await.unwrap();
    let path = scratch.folder.join("pads.db");
    // A lock is a handle's and not a process's, so the same process will do.
    let refused = Store::open(scratch.embedded()).await.err().unwrap();
    assert_eq!(refused, Error::InUse(path.display().to_string()));
    assert!(refused.to_string().contains("in use by another process"));
    store.close().await;
    Store::open(scratch.embedded()).await.unwrap().close().await;
}

/// Every path to a database is the same database, also before the file exists.
#[tokio::test]
async fn second_process_is_refused_whichever_path_it_takes() {
    for exists in [false, true] {
        let scratch = Scratch::new();
        let (real, link) = (scratch.folder.join("real"), scratch.folder.join("link"));
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink("real", &link).unwrap();
        let chained = scratch.folder.join("chained.db");
        std::os::unix::fs::symlink("alias.db", &chained).unwrap();
        std::os::unix::fs::symlink("link/pads.db", scratch.folder.join("alias.db")).unwrap();
        let paths = [real.join("pads.db"), link.join("pads.db"), chained];
        if exists {
            let location = Location::Embedded(paths[0].clone());
            Store::open(location).await.unwrap().close().await;
        }
        for first in &paths {
            let store = Store::open(Location::Embedded(first.clone()))
                .await
                .unwrap();
            for second in &paths {
                let refused = Store::open(Location::Embedded(second.clone())).await;
                let expected = Error::InUse(second.display().to_string());
                assert_eq!(refused.err(), Some(expected), "{first:?} {second:?}");
            }
            assert!(real.join("pads.db-wal").exists());
            store.close().await;
        }
    }
}

#[tokio::test]
async fn second_process_on_postgresql_is_refused() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let location = cluster.database();
    let store = Store::open(location.clone()).await.unwrap();
    let refused = Store::open(location.clone()).await.err().unwrap();
    assert!(matches!(refused, Error::InUse(_)), "{refused}");
    let text = refused.to_string();
    assert!(text.contains("in use by another process"), "{text}");
    // The first goes on, also with connections that it opens later.
    let (key, head) = create_text(&store, "pad", "Hallo").await;
    append_all(&store, key, head.clone(), &edits(head, 50, 1)).await;
    // Another database of the same server is another matter.
    Store::open(cluster.database()).await.unwrap().close().await;
    store.close().await;
    Store::open(location).await.unwrap().close().await;
}

#[tokio::test]
async fn files_are_private_from_the_first_moment() {
    let scratch = Scratch::new();
    let path = scratch.folder.join("new/pads.db");
    let store = Store::open(Location::Embedded(path.clone())).await.unwrap();
    create_text(&store, "pad", "Hallo").await;
    let copy = scratch.folder.join("new/copy.db");
    crate::backup(&Location::Embedded(path.clone()), &copy, &mut |_, _| {}).unwrap();
    let mode = |path: &std::path::Path| {
        let metadata = std::fs::metadata(path).unwrap();
        std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777
    };
    let folder = scratch.folder.join("new");
    assert_eq!(mode(&folder), 0o700);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{path:?}");
        names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    names.sort();
    let expected = [
        "copy.db",
        "pads.db",
        "pads.db-shm",
        "pads.db-wal",
        "pads.db.lock",
    ];
    assert_eq!(names, expected);
    store.close().await;
}

#[tokio::test]
async fn what_was_written_is_there_again() {
    let scratch = Scratch::new();
    let store = Store::open(scratch.embedded()).await.unwrap();
    let (key, head) = create_text(&store, "pad", "Hallo").await;
    let head = append_all(&store, key, head.clone(), &edits(head, 50, 1)).await;
    store.close().await;
    let closed = store.load_head(key).await.unwrap_err();
    assert!(matches!(closed, Error::Unavailable(_)));
    store.close().await;
    let beside = scratch.folder.join("pads.db-wal");
    assert!(!beside.exists(), "a database at rest is one file");
    let store = Store::open(scratch.embedded()).await.unwrap();
    assert_eq!(store.load_head(key).await.unwrap(), Some(head));
    assert_eq!(store.check_pad(&pad_id("pad")).await.unwrap(), []);
    store.close().await;
}

#[tokio::test]
async fn folder_that_cannot_be_made_is_an_error() {
    let scratch = Scratch::new();
    std::fs::write(scratch.folder.join("file"), "").unwrap();
    let location = Location::Embedded(scratch.folder.join("file/pads.db"));
    let error = Store::open(location).await.err().unwrap();
    assert!(matches!(error, Error::Unavailable(_)), "{error}");
    std::fs::write(scratch.folder.join("pads.db"), "no database".repeat(1000)).unwrap();
    let error = Store::open(scratch.embedded()).await.err().unwrap();
    assert!(matches!(error, Error::Corrupt(_)), "{error}");
}

#[tokio::test]
async fn server_that_is_not_there_is_an_error() {
    for (connection, secret) in [
        ("host=/nonexistent user=x password=geheim", "geheim"),
        ("postgres://x:geheim@127.0.0.1:1/x", "geheim"),
        ("nonsense=geheim", "geheim"),
    ] {
        let opened = Store::open(Location::Postgres(connection.to_owned())).await;
        let error = opened.err().unwrap();
        assert!(matches!(error, Error::Unavailable(_)), "{error}");
        assert!(!error.to_string().contains(secret), "{error}");
    }
}

/// A copy that a crash has ended, and a deleted pad whose rows were not all removed yet.
#[tokio::test]
async fn leftovers_are_removed() {
    let scratch = Scratch::new();
    let store = Store::open(scratch.embedded()).await.unwrap();
    let (key, head) = create_text(&store, "pad", "Hallo").await;
    append_all(&store, key, head.clone(), &edits(head, 40, 1)).await;
    store.close().await;
    let store = Store::open(scratch.embedded()).await.unwrap();
    define(
        &store,
        "INSERT INTO pads (head, head_time, created) VALUES (-1, 0, 0);
         INSERT INTO packs (pad, first, last, data)
             SELECT (SELECT MAX(key) FROM pads), first, last, data FROM packs",
    )
    .await;
    let packs = "SELECT COUNT(*) FROM packs";
    let before = count(&store, packs).await;
    store.close().await;
    let store = Store::open(scratch.embedded()).await.unwrap();
    store.tidy().await.unwrap();
    assert_eq!(count(&store, packs).await, before / 2);
    assert_eq!(count(&store, "SELECT COUNT(*) FROM pads").await, 1);
    assert_eq!(store.check_pad(&pad_id("pad")).await.unwrap(), []);
    store.delete_pad(key).await.unwrap();
    store.tidy().await.unwrap();
    for table in [
        "SELECT COUNT(*) FROM pads",
        "SELECT COUNT(*) FROM packs",
        "SELECT COUNT(*) FROM revisions",
        "SELECT COUNT(*) FROM snapshots",
        "SELECT COUNT(*) FROM attributes",
        "SELECT COUNT(*) FROM pad_authors",
    ] {
        assert_eq!(count(&store, table).await, 0, "{table}");
    }
    store.close().await;
}

/// Two processes that start at once do not disturb each other.
#[tokio::test]
async fn two_start_at_once_on_postgres() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let location = cluster.database();
    let (one, other) = tokio::join!(
        Store::open_shared(location.clone()),
        Store::open_shared(location)
    );
    let (one, other) = (one.unwrap(), other.unwrap());
    let (key, head) = create_text(&one, "pad", "Hallo").await;
    assert_eq!(other.load_head(key).await.unwrap(), Some(head));
    one.close().await;
    other.close().await;
}
