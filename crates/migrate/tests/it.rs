//! Databases as an Etherpad leaves them, brought into a store.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use migrate::{Records, Report, Source, migrate};
use pad::{AuthorId, AuthorToken, GroupId, PadId, ReadOnlyId, SessionId, Timestamp};
use store::{Location, Store};

const ADA: &str = "a.AAAAAAAAAAAAAAAA";
const BOB: &str = "a.BBBBBBBBBBBBBBBB";
const GROUP: &str = "g.GGGGGGGGGGGGGGGG";
const NOW: Timestamp = Timestamp(1_700_000_000_000);

/// What an Etherpad has stored, as key and JSON: the first is sound, the second is not.
const SOUND: &str = include_str!("../../../fixtures/migrate/records.txt");
const BROKEN: &str = include_str!("../../../fixtures/migrate/broken.txt");

fn records(text: &str) -> Vec<(String, String)> {
    let pair = |line: &str| {
        let (key, value) = line.split_once('\t').unwrap();
        (key.to_owned(), value.to_owned())
    };
    text.lines().map(pair).collect()
}

fn dirty(path: &Path, records: &[(String, String)]) {
    let mut text = String::new();
    // Something older, and something that was deleted.
    text.push_str("{\"key\":\"pad:notes\",\"val\":{\"atext\":{\"text\":\"old\\n\"}}}\n");
    text.push_str("{\"key\":\"pad:gone\",\"val\":{\"atext\":{\"text\":\"old\\n\"}}}\n");
    for (key, value) in records {
        writeln!(text, "{{\"key\":\"{key}\",\"val\":{value}}}").unwrap();
    }
    text.push_str("{\"key\":\"pad:gone\"}\n{\"key\":\"cut of");
    std::fs::write(path, text).unwrap();
}

fn tabbed(path: &Path, records: &[(String, String)]) {
    let escaped = |text: &str| text.replace('\\', "\\\\");
    let line = |(key, value): &(String, String)| format!("{}\t{}\n", escaped(key), escaped(value));
    std::fs::write(path, records.iter().map(line).collect::<String>()).unwrap();
}

fn sqlite(path: &Path, records: &[(String, String)]) {
    let database = rusqlite::Connection::open(path).unwrap();
    let table = "CREATE TABLE store (key TEXT PRIMARY KEY, value TEXT)";
    database.execute_batch(table).unwrap();
    for (key, value) in records {
        let sql = "INSERT INTO store VALUES (?1, ?2)";
        database.execute(sql, (key, value)).unwrap();
    }
}

async fn moved(file: &Path, store: Option<&Store>) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::find(file.to_str().unwrap()).unwrap();
    let scratch = folder.path().join("scratch");
    let records = Records::read(&source, &scratch, &mut |_, _| {}).unwrap();
    let mut last = (0, 0);
    let report = migrate(&records, store, NOW, &mut |done, of| last = (done, of)).await;
    assert_eq!(last.0, last.1);
    report.unwrap()
}

async fn empty() -> Store {
    Store::open(Location::Memory).await.unwrap()
}

fn pad(name: &str) -> PadId {
    PadId::parse(name).unwrap()
}

async fn text(store: &Store, name: &str) -> String {
    let record = store.pad(&pad(name)).await.unwrap().unwrap();
    let head = store.load_head(record.key).await.unwrap().unwrap();
    head.document.text().to_string_lossy()
}

fn expected() -> Report {
    Report {
        pads: 3,
        revisions: 6,
        messages: 2,
        authors: 2,
        tokens: 1,
        mappers: 3,
        groups: 1,
        sessions: 1,
        strangers: [("comments".to_owned(), 2)].into(),
        ..Report::default()
    }
}

#[tokio::test]
async fn everything_comes_along_from_every_kind_of_database() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| -> PathBuf { folder.path().join(name) };
    dirty(&at("dirty.db"), &records(SOUND));
    tabbed(&at("store.tsv"), &records(SOUND));
    sqlite(&at("sqlite.db"), &records(SOUND));
    for file in ["dirty.db", "store.tsv", "sqlite.db"] {
        let store = empty().await;
        assert_eq!(
            moved(&at(file), None).await,
            expected(),
            "{file}, rehearsed"
        );
        assert_eq!(store.count_pads().await.unwrap(), 0);
        assert_eq!(moved(&at(file), Some(&store)).await, expected(), "{file}");
        all_is_there(&store).await;
        let again = moved(&at(file), Some(&store)).await;
        assert_eq!(
            (again.pads, again.present, again.failures),
            (0, 3, 0),
            "{file}"
        );
        all_is_there(&store).await;
        store.close().await;
    }
}

async fn all_is_there(store: &Store) {
    for name in ["notes", "odd:name", &format!("{GROUP}$plan")] {
        assert_eq!(text(store, name).await, "Hello you\n");
        assert_eq!(store.check_pad(&pad(name)).await.unwrap(), [], "{name}");
    }
    let record = store.pad(&pad("notes")).await.unwrap().unwrap();
    assert_eq!(
        (record.head, record.chat_count, record.public),
        (1, 2, false)
    );
    assert_eq!(record.created, Timestamp(1_600_000_000_000));
    assert_eq!(record.creator, AuthorId::parse(ADA));
    assert_eq!(record.deletion.unwrap().0, "ab".repeat(32));
    let revisions = store.revisions(record.key, 0..9).await.unwrap();
    let times: Vec<i64> = revisions.iter().map(|it| it.time.millis()).collect();
    assert_eq!(times, [1_600_000_000_000, 1_600_000_001_000]);
    assert_eq!(revisions[1].author, AuthorId::parse(BOB));
    let chat = store.chat(record.key, 0..9).await.unwrap();
    assert_eq!(chat[0].1.text.last(), Some(&u16::from(b'?')));
    assert_eq!(chat[1].1.author, AuthorId::parse(BOB));
    assert_eq!(chat[1].1.time, Timestamp(1_600_000_000_800));
    assert_eq!(
        store.saved_revisions(record.key).await.unwrap()[0].label,
        "First"
    );
    let read_only = ReadOnlyId::parse("r.00112233445566778899aabbccddeeff").unwrap();
    let found = store.pad_of_read_only_id(&read_only).await.unwrap();
    assert_eq!(found, Some(pad("notes")));

    let ada = store
        .author(&AuthorId::parse(ADA).unwrap())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (ada.name.as_deref(), ada.created),
        (Some("Ada"), Timestamp(1_500_000_000_000))
    );
    let token = AuthorToken::parse("t.aaaabbbbccccddddeeee").unwrap();
    assert_eq!(
        store.find_author_of_token(&token).await.unwrap(),
        Some(ada.id.clone())
    );
    for (mapper, id) in [("ada@example.org", ADA), ("bob", BOB)] {
        let found = store.author_of_mapper(mapper, &ada).await.unwrap();
        assert_eq!(found.as_str(), id, "{mapper}");
    }
    let group = GroupId::parse(GROUP).unwrap();
    let other = GroupId::parse("g.HHHHHHHHHHHHHHHH").unwrap();
    let found = store.group_of_mapper("class 7", &other, NOW).await.unwrap();
    assert_eq!(found, group);
    assert_eq!(store.pads_of_group(&group).await.unwrap().len(), 1);
    let session = SessionId::parse(&format!("s.{}", "a".repeat(32))).unwrap();
    assert_eq!(
        store.session(&session).await.unwrap().unwrap().author,
        ada.id
    );
    assert_eq!(store.sessions_of_group(&group).await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_broken_is_told_and_does_not_cost_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let mut all = records(SOUND);
    let broken = records(BROKEN);
    all.retain(|(key, _)| broken.iter().all(|(other, _)| key != other));
    all.extend(broken);
    let file = folder.path().join("dirty.db");
    dirty(&file, &all);
    let store = empty().await;
    let report = moved(&file, Some(&store)).await;
    assert_eq!(
        (report.pads, report.failures),
        (3, 6),
        "{:#?}",
        report.notes
    );
    let notes = report.notes.join("\n");
    for told in [
        "odd:name: revision 1 cannot be applied",
        "odd:name: the history did not lead to the text",
        "unreadable: ",
        "no pad can have this name here",
        "not-a-pad: it has no text, and so is no pad",
        "globalAuthor:nobody: it is not an author",
        "session:s.x: it is not a session",
        "mapper2author:who: it names no author",
        "mapper2group:what: it names no group",
    ] {
        assert!(notes.contains(told), "{told}\n{notes}");
    }
    assert_eq!(text(&store, "odd:name").await, "Hello you\n");
    assert_eq!(store.check_pad(&pad("odd:name")).await.unwrap(), []);
    store.close().await;
}

#[test]
fn what_is_no_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let read = |file: &Path| {
        let source = Source::find(file.to_str().unwrap()).map_err(|error| error.to_string())?;
        let scratch = folder.path().join("scratch");
        let _ = std::fs::remove_file(&scratch);
        let records = Records::read(&source, &scratch, &mut |_, _| {});
        records.map(drop).map_err(|error| error.to_string())
    };
    assert!(read(&file).unwrap_err().contains("No such file"));
    for (content, told) in [
        (
            "{\"key\":\"a\",\"val\":1}\nnonsense\n{}",
            "line 2 is not a record",
        ),
        ("redb\x1A\n", "rustydb"),
        ("SQLite format 3\0 and then nothing", "database"),
    ] {
        std::fs::write(&file, content).unwrap();
        let error = read(&file).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
    std::fs::remove_file(&file).unwrap();
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("CREATE TABLE something (x)").unwrap();
    drop(other);
    assert!(read(&file).unwrap_err().contains("no such table: store"));
}
