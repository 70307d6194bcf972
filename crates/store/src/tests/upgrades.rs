//! Databases of other versions of the schema: earlier ones are upgraded, later ones refused.

use std::path::Path;

use pad::{AuthorToken, GroupId, Rev, SessionId, Step};

use super::cluster::Cluster;
use super::keyed;
use super::opening::{count, define};
use super::scratch::Scratch;
use crate::conformance::sample::*;
use crate::engine::Turn;
use crate::schema::{self, VERSIONS, Version};
use crate::sql::Tx;
use crate::{Error, Location, Store};

#[tokio::test]
async fn database_of_a_later_release_is_refused_if_it_must_be() {
    let scratch = Scratch::new();
    let store = Store::open(scratch.embedded()).await.unwrap();
    let (key, head) = create_text(&store, "pad", "Hallo").await;
    // The next release has added a column, and says that we can live with it.
    define(
        &store,
        "ALTER TABLE pads ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
         UPDATE schema SET version = 12, readable_from = 1",
    )
    .await;
    store.close().await;
    let store = Store::open(scratch.embedded()).await.unwrap();
    let step = typed(&head, "!", &author_id(1));
    append_all(&store, key, head, &[step]).await;
    create_text(&store, "other", "").await;
    define(&store, "UPDATE schema SET version = 14, readable_from = 13").await;
    store.close().await;
    let error = Store::open(scratch.embedded()).await.err().unwrap();
    assert_eq!(
        error,
        Error::TooNew {
            found: 14,
            known: 11
        }
    );
    assert!(error.to_string().contains("schema version 14"));
}

/// What stands in for the next version, until there is one.
const NEXT: Version = Version {
    number: 12,
    readable_from: 1,
    statements: "ALTER TABLE pads ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
                 CREATE TABLE later (pad BIGINT NOT NULL, text {text}, data {bytes}) ;",
};

async fn upgrades(location: Location) {
    let store = Store::open(location).await.unwrap();
    let (key, head) = create_text(&store, "pad", "Hallo").await;
    let upgrade = |tx: &mut dyn Tx| {
        let versions = VERSIONS.iter().chain([&NEXT]);
        let versions: Vec<Version> = versions.map(|version| Version { ..*version }).collect();
        schema::upgrade(tx, &versions)
    };
    assert!(store.engine.write(Turn::Alone, upgrade).await.unwrap());
    assert!(
        !store.engine.write(Turn::Alone, upgrade).await.unwrap(),
        "only once"
    );
    assert_eq!(count(&store, "SELECT version FROM schema").await, 12);
    assert_eq!(
        count(&store, "SELECT COUNT(*) FROM pads WHERE archived = 0").await,
        1
    );
    assert_eq!(store.load_head(key).await.unwrap(), Some(head));
    store.close().await;
}

#[tokio::test]
async fn schema_is_upgraded() {
    let scratch = Scratch::new();
    upgrades(scratch.embedded()).await;
    if let Some(cluster) = Cluster::shared() {
        upgrades(cluster.database()).await;
    }
}

/// Databases as each version's release wrote them. They are never changed; a new version adds one.
const EARLIER: [(u32, &str); 11] = [
    (1, include_str!("v1.sql")),
    (2, include_str!("v2.sql")),
    (3, include_str!("v3.sql")),
    (4, include_str!("v4.sql")),
    (5, include_str!("v5.sql")),
    (6, include_str!("v6.sql")),
    (7, include_str!("v7.sql")),
    (8, include_str!("v8.sql")),
    (9, include_str!("v9.sql")),
    (10, include_str!("v10.sql")),
    (11, include_str!("v11.sql")),
];

#[tokio::test]
async fn databases_of_every_version_are_read() {
    assert_eq!(EARLIER.map(|(version, _)| version).to_vec(), versions());
    for (version, dump) in EARLIER {
        let scratch = Scratch::new();
        let path = scratch.folder.join("pads.db");
        let database = rusqlite::Connection::open(path).unwrap();
        database.execute_batch(dump).unwrap();
        drop(database);
        let store = Store::open(keyed(scratch.embedded())).await.unwrap();
        let record = store.pad(&pad_id("pad")).await.unwrap().unwrap();
        let written = fixture_steps();
        let head = store.load_head(record.key).await.unwrap().unwrap();
        assert_eq!(head, written.head, "version {version}");
        let revisions = store
            .revisions(record.key, Rev(0)..Rev(u64::MAX))
            .await
            .unwrap();
        assert_eq!(revisions, written.revisions, "version {version}");
        assert_eq!(store.chat(record.key, 0..9).await.unwrap().len(), 2);
        assert_eq!(store.saved_revisions(record.key).await.unwrap().len(), 1);
        let title = pad::Title::cut("Ein Titel").filter(|_| version >= 8);
        assert_eq!(record.title, title, "version {version}");
        assert_eq!(store.author(&author_id(1)).await.unwrap(), Some(author(1)));
        let mapped = store.author_of_mapper("mapper", &author(2)).await.unwrap();
        assert_eq!(mapped, author_id(1));
        let token = AuthorToken::random([1, 2]);
        let found = store.find_author_of_token(&token).await.unwrap();
        assert_eq!(found, Some(author_id(1)));
        assert_eq!(
            store.sessions_of_group(&group_id(1)).await.unwrap().len(),
            1
        );
        let plugins = store.plugins().await.unwrap().plugins;
        assert_eq!(
            plugins.len(),
            usize::from(version >= 9),
            "version {version}"
        );
        let hours = store.series_hours(0).await.unwrap();
        assert_eq!(hours.len(), usize::from(version >= 10), "version {version}");
        let asked = crate::AuditAsked {
            limit: 9,
            ..Default::default()
        };
        let audit = store.browse_audit(&asked).await.unwrap().found;
        assert_eq!(audit.len(), usize::from(version >= 10), "version {version}");
        let pads: Vec<&str> = plugins.iter().map(|it| it.pads.as_str()).collect();
        assert!(pads.iter().all(|pads| *pads == r#"["*"]"#), "{pads:?}");
        assert_eq!(store.check_pad(&pad_id("pad")).await.unwrap(), []);
        append_all(&store, record.key, head.clone(), &edits(head, 50, 2)).await;
        assert_eq!(store.check_pad(&pad_id("pad")).await.unwrap(), []);
        store.close().await;
    }
}

fn versions() -> Vec<u32> {
    VERSIONS.iter().map(|version| version.number).collect()
}

fn fixture_steps() -> Step {
    let start = first("Hallo", &author_id(1));
    let edits = edits(start.head.clone(), 40, 1);
    joined(std::iter::once(start).chain(edits))
}

/// Writes what the next `v*.sql` is dumped from: `PADSVC_FIXTURE=FILE cargo test -p store --
/// --ignored write_fixture`, and then `sqlite3 FILE .dump`.
#[tokio::test]
#[ignore = "writes a file for a new version of the schema"]
async fn write_fixture() {
    let path = std::env::var_os("PADSVC_FIXTURE").unwrap();
    let store = Store::open(keyed(Location::Embedded(path.into())))
        .await
        .unwrap();
    let key = create(&store, "pad", &fixture_steps()).await;
    let message = pad::ChatMessage {
        text: changeset::Text::from([0xD83Eu16, 0xDD80, 0xD83E].as_slice()),
        author: Some(author_id(1)),
        time: pad::Timestamp(1),
    };
    store.append_chat(key, &message).await.unwrap();
    store.append_chat(key, &message).await.unwrap();
    let saved = crate::SavedRevision {
        rev: Rev(3),
        id: "3".to_owned(),
        label: "Version".to_owned(),
        author: Some(author_id(1)),
        time: pad::Timestamp(1),
    };
    store.save_revision(key, &saved).await.unwrap();
    store.read_only_id(key, read_only_id(1)).await.unwrap();
    let title = pad::Title::cut("Ein Titel");
    store.set_title(key, title.as_ref()).await.unwrap();
    store.author_of_mapper("mapper", &author(1)).await.unwrap();
    let token = AuthorToken::random([1, 2]);
    store.author_of_token(&token, &author(1)).await.unwrap();
    let now = pad::Timestamp(1);
    store
        .group_of_mapper("mapper", &group_id(1), now)
        .await
        .unwrap();
    let session = pad::Session {
        id: session_id(1),
        group: group_id(1),
        author: author_id(1),
        valid_until: 1_000,
    };
    store.create_session(&session).await.unwrap();
    let plugin = crate::conformance::plugins::plugin("feed", "1.0.0", 0);
    store.put_plugin(&plugin, b"1.0.0").await.unwrap();
    store.put_plugin_value("feed", "a", b"1").await.unwrap();
    store.put_series_hour(1, "{\"steps\":1}", 0).await.unwrap();
    let line = crate::conformance::browsing::audit_line(1);
    store.append_audit(&line).await.unwrap();
    store.close().await;
}

/// A copy of the database that the last release with a version has written.
fn copy_fixture(scratch: &Scratch, name: &str) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/store");
    std::fs::copy(fixtures.join(name), scratch.folder.join("pads.db")).unwrap();
}

/// The copy on a server. It keeps the version of the schema, so this is a server's database of that
/// release.
fn restore_on(server: &Location, scratch: &Scratch) {
    let from = scratch.folder.join("pads.db");
    let restore = || crate::restore(&from, server, false, &mut |_, _| {});
    tokio::task::block_in_place(restore).unwrap();
}

const PLAIN: [&str; 2] = ["s.4N7ztg86eTMV1eSS", "s.mLnukpRJ8iTKOdQt"];

/// Whether any file of a folder holds a text.
fn is_on_disk(scratch: &Scratch, text: &str) -> bool {
    let files = std::fs::read_dir(&scratch.folder).unwrap();
    let mut contents = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
    contents.any(|bytes| {
        let mut parts = bytes.windows(text.len());
        parts.any(|part| part == text.as_bytes())
    })
}

async fn sessions_are_known(store: &Store) {
    let group = GroupId::parse("g.9N5tumamZoY4m8Wi").unwrap();
    let listed = store.sessions_of_group(&group).await.unwrap();
    let ids: Vec<&str> = listed.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids, PLAIN);
    for session in &listed {
        let found = store.session(&session.id).await.unwrap();
        assert_eq!(found.as_ref(), Some(session));
        let of_author = store.sessions_of_author(&session.author).await.unwrap();
        assert_eq!(of_author, std::slice::from_ref(session));
    }
    assert_eq!(store.count_sessions().await.unwrap(), 2);
}

#[tokio::test]
async fn session_ids_of_an_earlier_release_leave_the_disk() {
    let scratch = Scratch::new();
    copy_fixture(&scratch, "v3.db");
    assert!(PLAIN.iter().all(|id| is_on_disk(&scratch, id)));
    let store = Store::open(keyed(scratch.embedded())).await.unwrap();
    // While it runs, not only when it is closed.
    assert!(!PLAIN.iter().any(|id| is_on_disk(&scratch, id)));
    sessions_are_known(&store).await;
    for pad in ["notes", "g.9N5tumamZoY4m8Wi$private"] {
        assert_eq!(store.check_pad(&pad_id(pad)).await.unwrap(), [], "{pad}");
    }
    let new = pad::Session {
        id: session_id(7),
        group: group_id(1),
        author: author_id(1),
        valid_until: 1_000,
    };
    store.create_session(&new).await.unwrap();
    assert_eq!(store.session(&new.id).await.unwrap(), Some(new.clone()));
    assert!(!is_on_disk(&scratch, new.id.as_str()));
    store.close().await;
    assert!(!is_on_disk(&scratch, new.id.as_str()));
    // With another key, as on another machine: they let in and can be deleted, but are not listed.
    let store = Store::open(scratch.embedded()).await.unwrap();
    let group = GroupId::parse("g.9N5tumamZoY4m8Wi").unwrap();
    assert_eq!(store.sessions_of_group(&group).await.unwrap(), []);
    let id = SessionId::parse(PLAIN[0]).unwrap();
    assert!(store.session(&id).await.unwrap().is_some());
    assert!(store.delete_session(&id).await.unwrap());
    store.close().await;
}

/// A release that was put back stores ids in the clear, until the next start of this one.
#[tokio::test]
async fn session_ids_of_a_release_that_was_put_back_leave_the_disk() {
    let scratch = Scratch::new();
    let store = Store::open(keyed(scratch.embedded())).await.unwrap();
    store.close().await;
    let database = rusqlite::Connection::open(scratch.folder.join("pads.db")).unwrap();
    let insert = "INSERT INTO sessions (id, group_id, author, valid_until)
        VALUES (?1, 'g.9N5tumamZoY4m8Wi', ?2, 4102444800)";
    for (id, author) in PLAIN.iter().zip([1, 2]) {
        let author = author_id(author);
        database.execute(insert, [*id, author.as_str()]).unwrap();
    }
    drop(database);
    let store = Store::open(keyed(scratch.embedded())).await.unwrap();
    assert!(!PLAIN.iter().any(|id| is_on_disk(&scratch, id)));
    sessions_are_known(&store).await;
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn session_ids_of_an_earlier_release_leave_postgresql() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let (scratch, server) = (Scratch::new(), cluster.database());
    copy_fixture(&scratch, "v3.db");
    restore_on(&server, &scratch);
    let store = Store::open(keyed(server)).await.unwrap();
    sessions_are_known(&store).await;
    assert_eq!(count(&store, "SELECT COUNT(*) FROM sessions").await, 0);
    store.close().await;
}

/// How many rows there are of pads that have no name.
const NAMELESS: &str = "SELECT COUNT(*) FROM pads WHERE name IS NULL";
const ORPHANS: &str = "SELECT COUNT(*) FROM revisions
    WHERE pad NOT IN (SELECT key FROM pads WHERE name IS NOT NULL)";

/// The release was killed between a soft delete and the removal of the pad's rows.
async fn v4_is_whole(location: Location) {
    let store = Store::open(location).await.unwrap();
    let group = "g.dctU5DR7H3IFWRD2";
    let names = [format!("{group}$private"), "notes".to_owned()];
    let listed = store.list_pads(None, 9).await.unwrap();
    let listed: Vec<&str> = listed.iter().map(pad::PadId::as_str).collect();
    assert_eq!(listed, names);
    for name in &names {
        assert_eq!(store.check_pad(&pad_id(name)).await.unwrap(), [], "{name}");
    }
    let notes = store.pad(&pad_id("notes")).await.unwrap().unwrap();
    assert_eq!(notes.head, Rev(40));
    assert_eq!(store.chat(notes.key, 0..9).await.unwrap().len(), 1);
    assert_eq!(store.saved_revisions(notes.key).await.unwrap().len(), 1);
    for id in ["s.YZfnWENxLgIIAMqQ", "s.vzpTxGUNkO8cQiyf"] {
        let session = store.session(&SessionId::parse(id).unwrap()).await.unwrap();
        assert_eq!(session.unwrap().group.as_str(), group);
    }
    store.tidy().await.unwrap();
    assert_eq!(count(&store, NAMELESS).await, 0);
    assert_eq!(count(&store, ORPHANS).await, 0);
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_version_4_opens_and_its_deleted_pad_is_removed() {
    let scratch = Scratch::new();
    copy_fixture(&scratch, "v4.db");
    let database = rusqlite::Connection::open(scratch.folder.join("pads.db")).unwrap();
    let rows = |sql| database.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!((1, 41), (rows(NAMELESS), rows(ORPHANS)));
    drop(database);
    if let Some(cluster) = Cluster::shared() {
        let server = cluster.database();
        restore_on(&server, &scratch);
        v4_is_whole(server).await;
    }
    v4_is_whole(scratch.embedded()).await;
}

/// A release that was put back marks deleted pads in a column of its own.
#[tokio::test]
async fn pads_that_a_release_that_was_put_back_deleted_are_removed() {
    let scratch = Scratch::new();
    let store = Store::open(scratch.embedded()).await.unwrap();
    create_text(&store, "pad", "Hallo").await;
    store.close().await;
    let database = rusqlite::Connection::open(scratch.folder.join("pads.db")).unwrap();
    let delete = "UPDATE pads SET doomed = 1, name = NULL, read_only_id = NULL";
    assert_eq!(database.execute(delete, []).unwrap(), 1);
    drop(database);
    let store = Store::open(scratch.embedded()).await.unwrap();
    store.tidy().await.unwrap();
    assert_eq!(count(&store, NAMELESS).await, 0);
    assert_eq!(count(&store, ORPHANS).await, 0);
    store.close().await;
}
