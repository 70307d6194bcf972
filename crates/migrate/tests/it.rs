//! Databases as an Etherpad leaves them, brought into a store.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[allow(dead_code)]
#[path = "../examples/large_etherpad.rs"]
mod large_etherpad;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use migrate::{Depth, Ledger, Leniency, PadCounts, Plan, Records, Report, Source, migrate};
use pad::{AuthorId, AuthorToken, GroupId, PadId, ReadOnlyId, Rev, SessionId, Timestamp};
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

/// What a migration reports that compares every revision.
async fn moved(file: &Path, store: Option<&Store>) -> Report {
    let ledger = Ledger::in_memory().unwrap();
    let plan = store.map(|store| Plan {
        store,
        ledger: &ledger,
        follow: false,
        verify: Depth::All,
    });
    pass(file, plan.as_ref()).await
}

async fn pass(file: &Path, plan: Option<&Plan<'_>>) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::find(file.to_str().unwrap()).unwrap();
    let scratch = folder.path().join("scratch");
    let records = Records::read(&source, &scratch, Leniency::default(), &mut |_, _| {});
    let records = records.unwrap();
    let mut last = (0, 0);
    let report = migrate(&records, plan, NOW, &mut |done, of| last = (done, of)).await;
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
        sessions: 2,
        counts: PadCounts {
            same: 3,
            ..PadCounts::default()
        },
        plugin_records: [("comments".to_owned(), 2)].into(),
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
        assert_eq!((again.pads, again.present), (0, 3), "{file}");
        assert_eq!(again.entries, [], "{file}");
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
        (Rev(1), 2, false)
    );
    assert_eq!(record.created, Timestamp(1_600_000_000_000));
    assert_eq!(record.creator, AuthorId::parse(ADA));
    assert_eq!(record.title, pad::Title::cut("Notes of May"));
    assert_eq!(record.deletion.unwrap().0, "ab".repeat(32));
    let revisions = store.revisions(record.key, Rev(0)..Rev(9)).await.unwrap();
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
    // One of them has ended; the service removes such.
    assert_eq!(store.sessions_of_group(&group).await.unwrap().len(), 2);
}

#[tokio::test]
async fn what_is_broken_is_reported_and_does_not_cost_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let mut all = records(SOUND);
    let broken = records(BROKEN);
    all.retain(|(key, _)| broken.iter().all(|(other, _)| key != other));
    all.extend(broken);
    let file = folder.path().join("dirty.db");
    dirty(&file, &all);
    let store = empty().await;
    let report = moved(&file, Some(&store)).await;
    let told: Vec<String> = report.entries.iter().map(|entry| entry.text()).collect();
    for wanted in [
        "odd:name: repaired with loss: revision 1 could not be read",
        "unreadable: left out: the file does not hold a pad: its pool cannot be read",
        ": left out: no pad can have this name here",
        "globalAuthor:nobody: left out: it is not an author",
        "session:s.x: left out: it is not a session",
        "mapper2author:who: left out: it names no author",
        "mapper2group:what: left out: it names no group",
    ] {
        assert!(
            told.iter().any(|it| it.contains(wanted)),
            "{wanted}\n{told:#?}"
        );
    }
    assert_eq!(told.len(), 7, "{told:#?}");
    let counts = (report.pads, report.counts.repaired, report.counts.left_out);
    assert_eq!((counts, report.losses), ((3, 1, 2), 7));
    assert_eq!(report.plugin_records.get("pad:…:not-a-pad"), Some(&1));
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
        let records = Records::read(&source, &scratch, Leniency::default(), &mut |_, _| {});
        records.map(drop).map_err(|error| error.to_string())
    };
    assert!(read(&file).unwrap_err().contains("No such file"));
    for (content, told) in [
        (
            "nonsense\n{\"key\":\"a\",\"val\":1}\n",
            "line 1 is not a record",
        ),
        ("-- MariaDB dump 10.19\n", "a dump in SQL"),
        ("REDIS0010", "etherpad-dump.mjs"),
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

/// A pad whose text has an attribute on each letter.
fn plugin_pad(attributes: &[(&str, &str)]) -> String {
    let letters: String = ('a'..='z').take(attributes.len()).collect();
    let pair = |(number, (key, value)): (usize, &(&str, &str))| {
        format!("\"{}\":[\"{key}\",\"{value}\"]", number + 1)
    };
    let pool: Vec<String> = attributes.iter().enumerate().map(pair).collect();
    let ops: String = (1..=attributes.len())
        .map(|number| format!("*0*{number:x}+1"))
        .collect();
    let count = attributes.len();
    format!(
        "{{\"key\":\"pad:styled\",\"val\":{{\"atext\":{{\"text\":\"{letters}\\n\",\
         \"attribs\":\"{ops}|1+1\"}},\"pool\":{{\
         \"numToAttrib\":{{\"0\":[\"author\",\"{ADA}\"],{}}},\
         \"nextNum\":{}}},\"head\":0,\"chatHead\":-1}}}}\n\
         {{\"key\":\"pad:styled:revs:0\",\"val\":{{\"changeset\":\"Z:1>{count:x}{ops}${letters}\",\
         \"meta\":{{\"author\":\"{ADA}\",\"timestamp\":1}}}}}}\n",
        pool.join(","),
        count + 1,
    )
}

#[tokio::test]
async fn attributes_of_extensions_are_counted_and_kept() {
    let attributes = [
        ("heading", "h1"),
        ("align", "center"),
        ("color", "red"),
        ("color:blue", "true"),
        ("font-size", "14"),
        ("fs20", "true"),
        ("fontarial", "true"),
        ("comment", "c-Uq6NnJI5KbXYlFjm"),
        ("url", "https://example.org/"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dirty.db");
    std::fs::write(&file, plugin_pad(&attributes)).unwrap();
    let store = empty().await;
    let report = moved(&file, Some(&store)).await;
    assert_eq!(report.entries, []);
    let counted: Vec<(&str, u64)> = report
        .attributes
        .iter()
        .map(|(feature, uses)| (*feature, uses.spans))
        .collect();
    let expected = [
        ("alignment", 1),
        ("comments", 1),
        ("font colour", 2),
        ("font family", 1),
        ("font size", 2),
        ("headings", 1),
        ("links", 1),
    ];
    assert_eq!(counted, expected);
    let record = store.pad(&pad("styled")).await.unwrap().unwrap();
    let head = store.load_head(record.key).await.unwrap().unwrap();
    for (at, (key, value)) in attributes.iter().enumerate() {
        let attribs = head.document.attribs_at(at).unwrap();
        assert_eq!(head.pool.value_of(attribs, key), Some(*value), "{key}");
    }
    store.close().await;
}

#[tokio::test]
async fn what_is_beyond_a_bound_is_reported() {
    let name = "n".repeat(256);
    let saved = |number: usize| {
        let label = "l".repeat(254 + number.min(2));
        format!("{{\"revNum\":0,\"id\":\"{number}\",\"label\":\"{label}\"}}")
    };
    let saved: Vec<String> = (0..2_003).map(saved).collect();
    let lines = [
        format!(
            "{{\"key\":\"pad:long\",\"val\":{{\"atext\":{{\"text\":\"a\\n\",\"attribs\":\"|1+2\"}},\
             \"pool\":{{\"numToAttrib\":{{}},\"nextNum\":0}},\"head\":0,\"chatHead\":1,\
             \"savedRevisions\":[{}]}}}}",
            saved.join(",")
        ),
        "{\"key\":\"pad:long:revs:0\",\"val\":{\"changeset\":\"Z:1>1+1$a\",\"meta\":{}}}"
            .to_owned(),
        chat(0, 10_000),
        chat(1, 10_001),
        format!("{{\"key\":\"globalAuthor:{ADA}\",\"val\":{{\"name\":\"{name}\"}}}}"),
        format!("{{\"key\":\"globalAuthor:{BOB}\",\"val\":{{\"name\":\"Bob\"}}}}"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dirty.db");
    std::fs::write(&file, lines.join("\n") + "\n").unwrap();
    let store = empty().await;
    let report = moved(&file, Some(&store)).await;
    let told: Vec<String> = report.entries.iter().map(|entry| entry.text()).collect();
    let expected = [
        format!("globalAuthor:{ADA}: repaired with loss: the name is longer than 255 and was cut"),
        "long: repaired with loss: 1 chat messages are longer than 10000 and were cut".to_owned(),
        "long: repaired with loss: 1998 labels of saved revisions are longer than 255 and were cut"
            .to_owned(),
        "long: repaired with loss: 3 saved revisions beyond the first 2000 were left out"
            .to_owned(),
    ];
    assert_eq!(told, expected);
    assert_eq!((report.losses, report.counts.repaired), (4, 1));
    let ada = store.author(&AuthorId::parse(ADA).unwrap()).await.unwrap();
    assert_eq!(ada.unwrap().name.as_deref(), name.get(1..));
    store.close().await;
}

fn chat(number: usize, length: usize) -> String {
    let text = "c".repeat(length);
    format!("{{\"key\":\"pad:long:chat:{number}\",\"val\":{{\"text\":\"{text}\"}}}}")
}

/// The generator of a large database cuts texts anywhere, also within a surrogate pair.
#[tokio::test]
async fn half_a_surrogate_pair_in_a_generated_database_comes_along() {
    let mut database = Vec::new();
    let mut seed = 1;
    for number in 0..200 {
        large_etherpad::pad(&mut database, number, 12, 20, &mut seed);
    }
    assert!(String::from_utf8_lossy(&database).contains("\\ud"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dirty.db");
    std::fs::write(&file, database).unwrap();
    let store = empty().await;
    let report = moved(&file, Some(&store)).await;
    assert_eq!(report.entries, []);
    assert_eq!((report.counts.same, report.revisions), (200, 2_400));
    store.close().await;
}

#[test]
fn dumps_that_have_lost_characters_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dump");
    let line = |text: &str| {
        let value = format!("{{\"atext\":{{\"text\":\"{text}\\\\n\"}}}}");
        format!("pad:p\t{value}\n").into_bytes()
    };
    let read = |leniency: Leniency| {
        let source = Source::find(file.to_str().unwrap()).unwrap();
        let scratch = folder.path().join("scratch");
        let _ = std::fs::remove_file(&scratch);
        let records = Records::read(&source, &scratch, leniency, &mut |_, _| {});
        records.map(drop).map_err(|error| error.to_string())
    };
    let lenient = Leniency {
        question_marks: true,
    };
    let lossy = line("?????? ??? and ????? with na?ve Stra?e ?????????");
    std::fs::write(&file, lossy).unwrap();
    let error = read(Leniency::default()).unwrap_err();
    assert!(error.contains("full of question marks"), "{error}");
    assert_eq!(read(lenient), Ok(()));
    std::fs::write(&file, line("Really? Yes?? https://example.org/?q=1")).unwrap();
    assert_eq!(read(Leniency::default()), Ok(()));
    let mut latin = line("Stra e");
    let at = latin.iter().rposition(|byte| *byte == b' ').unwrap();
    latin[at] = 0xDF;
    std::fs::write(&file, latin).unwrap();
    let error = read(lenient).unwrap_err();
    assert!(error.contains("line 1 is not valid UTF-8"), "{error}");
}
